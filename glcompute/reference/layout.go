package reference

// Transpose computes out[c][r] = x[r][c] for x[rows][cols].
func Transpose(out, x []float64, rows, cols int) {
	for r := range rows {
		for c := range cols {
			out[c*rows+r] = x[r*cols+c]
		}
	}
}

// ColumnSums computes out[c] = Σ_r x[r][c] for x[rows][cols].
func ColumnSums(out, x []float64, rows, cols int) {
	for c := range cols {
		sum := 0.0
		for r := range rows {
			sum += x[r*cols+c]
		}
		out[c] = sum
	}
}

// RowSums computes out[r] = Σ_c x[r][c] for x[rows][cols].
func RowSums(out, x []float64, rows, cols int) {
	for r := range rows {
		sum := 0.0
		for c := range cols {
			sum += x[r*cols+c]
		}
		out[r] = sum
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
