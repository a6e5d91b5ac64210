package reference

// SparseRows is a matrix as its non-zeros row after row; see program.Sparse.
type SparseRows struct{ Values, Columns, Starts, Order, Sources, Runs []float64 }

// Product computes out[rows][cols], the sparse rows times b[][cols].
func (s SparseRows) Product(out, b []float64, rows, cols int) {
	for r := range rows {
		for j := range cols {
			sum := 0.0
			for k := int(s.Starts[r]); k < int(s.Starts[r+1]); k++ {
				sum += s.Values[k] * b[int(s.Columns[k])*cols+j]
			}
			out[r*cols+j] = sum
		}
	}
}

// Transposed computes out[filled][cols], the filled columns of the sparse rows, transposed,
// times b[rows][cols]. Rows of out after the last are zero.
func (s SparseRows) Transposed(out, b []float64, columns, cols int) {
	for i := range columns {
		for j := range cols {
			sum := 0.0
			for k := int(s.Runs[i]); k < int(s.Runs[i+1]); k++ {
				sum += s.Values[int(s.Order[k])] * b[int(s.Sources[k])*cols+j]
			}
			out[i*cols+j] = sum
		}
	}
}
