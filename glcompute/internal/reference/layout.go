package reference

// Transpose computes out[c][r] = x[r][c] for x[rows][cols].
func Transpose(out, x []float64, rows, cols int) {
	for r := range rows {
		for c := range cols {
			out[c*rows+r] = x[r*cols+c]
		}
	}
}

// Columns copies count columns of x[rows][xCols] from xFrom on to out[rows][cols] from its
// column from on.
func Columns(out, x []float64, rows, cols, from, xCols, xFrom, count int) {
	for r := range rows {
		for c := range count {
			out[r*cols+from+c] = x[r*xCols+xFrom+c]
		}
	}
}
