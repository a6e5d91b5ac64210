package feature

import "math"

// SquaredDistance is |a-b|² of two vectors of one length; four sums keep the processor's
// adders busy.
func SquaredDistance[T float32 | float64](a, b []T) T {
	var s0, s1, s2, s3 T
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		d0, d1, d2, d3 := a[i]-b[i], a[i+1]-b[i+1], a[i+2]-b[i+2], a[i+3]-b[i+3]
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	for ; i < len(a); i++ {
		d := a[i] - b[i]
		s0 += d * d
	}
	return s0 + s1 + s2 + s3
}

// Closest gives the index of the nearest mean and its squared distance.
func Closest(row []float32, means [][]float32) (at int, distance float32) {
	distance = float32(math.Inf(1))
	for c, m := range means {
		if d := SquaredDistance(row, m); d < distance {
			at, distance = c, d
		}
	}
	return at, distance
}
