package reference

// Outer computes out[i][j] = a[i]·b[j] (+ out[i][j] when accumulate).
func Outer(out, a, b []float64, accumulate bool) {
	for i, x := range a {
		for j, y := range b {
			sum := x * y
			if accumulate {
				sum += out[i*len(b)+j]
			}
			out[i*len(b)+j] = sum
		}
	}
}
