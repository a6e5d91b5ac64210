package reference

import "math"

// Farthest is what Nearest gives where there is nothing.
const Farthest = 1 << 100

// Nearest gives the smallest of d among the columns of a class, with its column, and the smallest
// of all others with its own: see program.Nearest.
func Nearest(d []float64, class float64, perClass int) [4]float64 {
	found := [4]float64{Farthest, -1, Farthest, -1}
	for j, v := range d {
		at := 2
		if float64(j/perClass) == class {
			at = 0
		}
		if best := found[at]; !math.IsNaN(best) && (v < best || math.IsNaN(v)) {
			found[at], found[at+1] = v, float64(j)
		}
	}
	return found
}

// Attract computes w[j] += rate · Σ s·(x[r] - w[j]) over the pairs (j, s) of each row r of x: see
// program.Attract.
func Attract(w, x, pairs []float64, n, rows, cols, count int, rate float64) {
	width := len(pairs) / rows
	for j := range n {
		sums := make([]float64, cols)
		for i := range rows * count {
			pair := pairs[i/count*width+i%count*2:]
			if pair[0] != float64(j) {
				continue
			}
			for c := range cols {
				sums[c] += pair[1] * (x[i/count*cols+c] - w[j*cols+c])
			}
		}
		for c, sum := range sums {
			w[j*cols+c] += rate * sum
		}
	}
}
