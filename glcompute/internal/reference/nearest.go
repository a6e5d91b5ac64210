package reference

import "math"

// Farthest is what Nearest gives where there is nothing.
const Farthest = 1 << 100

// Nearest gives the smallest of d among the columns of a class, the smallest of all others, and the
// columns of both: see program.Nearest.
func Nearest(d []float64, class float64, perClass int) [4]float64 {
	found := [4]float64{Farthest, Farthest, -1, -1}
	for j, v := range d {
		at := 1
		if float64(j/perClass) == class {
			at = 0
		}
		if best := found[at]; !math.IsNaN(best) && (v < best || math.IsNaN(v)) {
			found[at], found[at+2] = v, float64(j)
		}
	}
	return found
}
