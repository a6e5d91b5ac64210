package reference

// MatMul computes out[m][n] = Σ_k a'[m][k]·b'[k][n] (+ bias[n]) (+ out[m][n] when
// accumulate), where a' is a[m][k], or a[k][m] when transA, and b' is b[k][n], or b[n][k]
// when transB. bias may be nil.
func MatMul(out, a, b, bias []float64, m, n, k int, transA, transB, accumulate bool) {
	for i := range m {
		for j := range n {
			sum := 0.0
			for l := range k {
				ai, bi := i*k+l, l*n+j
				if transA {
					ai = l*m + i
				}
				if transB {
					bi = j*k + l
				}
				sum += a[ai] * b[bi]
			}
			if bias != nil {
				sum += bias[j]
			}
			if accumulate {
				sum += out[i*n+j]
			}
			out[i*n+j] = sum
		}
	}
}
