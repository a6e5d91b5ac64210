package lvq

import (
	"math"
	"slices"

	"inkshade/recognizer/feature"
)

// Serial is GLVQ in plain loops on one core: what devices are compared and measured with. In
// float64 it is the reference.
type Serial[T float32 | float64] struct {
	PerClass, Dims int
	Points         []T // [classes·PerClass][Dims]
	Slope          float64
	// Squares writes the squared distances of rows to all points, out[rows][points], in another way
	// than loops; nil for these.
	Squares func(out, rows, points []T)

	distances []T
}

// Step is one of algorithm 1 of Su et al. (2016) for a single sample, of algorithm 2 for several:
// rows[len(classes)][Dims]. It gives the mean loss from before. See RecordStep for the equations.
func (s *Serial[T]) Step(rows []T, classes []int, rate float64) (loss float64) {
	n := len(s.Points) / s.Dims
	if len(s.distances) < len(classes)*n {
		s.distances = make([]T, len(classes)*n)
	}
	if s.Squares != nil {
		s.Squares(s.distances[:len(classes)*n], rows, s.Points)
	}
	moved := s.Points
	if len(classes) > 1 { // by the points from before
		moved = slices.Clone(s.Points)
	}
	for i, class := range classes {
		d, x := s.distances[i*n:(i+1)*n], rows[i*s.Dims:(i+1)*s.Dims]
		if s.Squares == nil {
			for j := range d {
				d[j] = feature.SquaredDistance(x, s.Points[j*s.Dims:(j+1)*s.Dims])
			}
		}
		c, r := s.nearest(d, class)
		dc, dr := float64(d[c]), float64(d[r])
		sum := max(dc+dr, 1e-30)
		v := 1 / (1 + math.Exp(-s.Slope*(dc-dr)/sum))
		steep := rate * s.Slope * v * (1 - v) / (sum * sum)
		s.move(moved, x, c, steep*dr)
		s.move(moved, x, r, -steep*dc)
		loss += v / float64(len(classes))
	}
	s.Points = moved
	return loss
}

// nearest finds the nearest prototype of the class, and of all others; there must be both.
func (s *Serial[T]) nearest(d []T, class int) (c, r int) {
	c, r = class*s.PerClass, 0
	if class == 0 {
		r = s.PerClass
	}
	for j, v := range d {
		if own := j >= class*s.PerClass && j < (class+1)*s.PerClass; own && v < d[c] {
			c = j
		} else if !own && v < d[r] {
			r = j
		}
	}
	return c, r
}

// move moves a point by a share of its difference to x.
func (s *Serial[T]) move(to, x []T, point int, share float64) {
	from, at := s.Points[point*s.Dims:], to[point*s.Dims:]
	for i, v := range x {
		at[i] += T(share) * (v - from[i])
	}
}
