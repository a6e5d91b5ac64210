package reference

// Elementwise computes results[k][r][c] for all k at once by element, which is given what it
// has to fill.
func Elementwise(results [][]float64, rows, cols int, element func(r, c int, values []float64)) {
	values := make([]float64, len(results))
	for r := range rows {
		for c := range cols {
			element(r, c, values)
			for k := range results {
				results[k][r*cols+c] = values[k]
			}
		}
	}
}
