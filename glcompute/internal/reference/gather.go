package reference

// Gather computes out[r] = x[index[r]] for rows of x[rows][cols]; zeros where index names none.
func Gather(out, x, index []float64, rows, cols int) {
	clear(out)
	for r, j := range index {
		if j >= 0 && j < float64(rows) {
			copy(out[r*cols:(r+1)*cols], x[int(j)*cols:])
		}
	}
}

// ScatterAdd computes out[index[r]] += x[r] for rows of out[rows][cols]; a row that index names none for is left out.
func ScatterAdd(out, x, index []float64, rows, cols int) {
	for r, j := range index {
		if j >= 0 && j < float64(rows) {
			for c := range cols {
				out[int(j)*cols+c] += x[r*cols+c]
			}
		}
	}
}
