// Package lvq learns prototypes: points of feature space that stand for classes, of which the
// nearest answers. A drawing's features are projected by linear discriminant analysis (LDA), the
// prototypes begin as means of clusters (k-means), and generalised learning vector quantisation
// (GLVQ) moves them on a device, mini-batch by mini-batch:
//
//	Sato and Yamada, "Generalized learning vector quantization" (NIPS 1995)
//	Su et al., "GPU-based large-scale prototype learning" (2016)
//
// What is learned is a network of package nn like any other.
package lvq

import (
	"errors"
	"math"
	"slices"

	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
)

// Prototypes are points in the space of a projection, as many for each class.
type Prototypes struct {
	Projection
	Classes, PerClass int
	Points            []float32 // [Classes·PerClass][Out], those of a class one after another
	Scale             float64   // makes logits of squared distances, neither all alike nor all sure; calibration refines it
}

// Projection is y[Out] = x[In] · Weights[In][Out] + Bias[Out]; without Weights y is x.
type Projection struct {
	In, Out       int
	Weights, Bias []float32
}

// absent is every coordinate of a prototype that a class lacks: farther than anything, and
// its square is still a number.
const absent = 1e15

// Network gives logits
//
//	z[c] = Scale · max over the prototypes p of class c of (2·y·p - |p|²)
//
// which is Scale·(|y|² - d²(c)) with the squared distance d²(c) of y to the nearest of them: |y|² is the same for
// all classes, so that neither their order nor the softmax depends on it. As layers it is a
// projection, a product and a maximum over positions, prototype k of all classes being position k.
func (p *Prototypes) Network() nn.Network {
	var layers []nn.Layer
	if p.Weights != nil {
		layers = append(layers, nn.Layer{Kind: nn.Dense{Units: p.Out}, Values: [][]float32{p.Weights, p.Bias}})
	}
	n := p.Classes * p.PerClass
	weights, bias := make([]float32, p.Out*n), make([]float32, n)
	for i := range n {
		at, square := p.column(i), 0.0
		for d, v := range p.Points[i*p.Out : (i+1)*p.Out] {
			weights[d*n+at] = float32(2 * p.Scale * float64(v))
			square += float64(v) * float64(v)
		}
		bias[at] = float32(-p.Scale * square)
	}
	layers = append(layers, nn.Layer{Kind: nn.Dense{Units: n}, Values: [][]float32{weights, bias}})
	if p.PerClass > 1 {
		layers = append(layers,
			nn.Layer{Kind: nn.Reshape{To: nn.Shape{Height: 1, Width: p.PerClass, Channels: p.Classes}}},
			nn.Layer{Kind: nn.Pooling{}})
	}
	return nn.Sequence(nn.Vector(p.In), layers...)
}

// column is that of prototype i in the network.
func (p *Prototypes) column(i int) int { return i%p.PerClass*p.Classes + i/p.PerClass }

var errOther = errors.New("the model to start from has no prototypes; leave --start out, or train it with --kind network")

// Of finds the prototypes in a network that Network made, written to a file and read again or not.
func Of(net nn.Network) (*Prototypes, error) {
	layers := net.Layers
	p := &Prototypes{Classes: net.Classes(), PerClass: 1, Projection: Projection{In: net.Width(), Out: net.Width()}}
	if n := len(layers); n > 2 {
		if _, pooled := layers[n-1].Kind.(nn.Pooling); pooled {
			layers = layers[:n-2]
		}
	}
	for _, l := range layers {
		if _, ok := l.Kind.(nn.Dense); !ok {
			return nil, errOther
		}
	}
	switch len(layers) {
	case 1:
	case 2:
		p.Weights, p.Bias = layers[0].Values[0], layers[0].Values[1]
		p.Out = len(p.Bias)
	default:
		return nil, errOther
	}
	// Of weights w = 2·s·p and a bias b = -s·|p|² the scale is s = -|w|²/4b.
	weights, bias := layers[len(layers)-1].Values[0], layers[len(layers)-1].Values[1]
	n, square, sum := len(bias), 0.0, 0.0
	for i, b := range bias {
		if w := column(weights, i, n); b > -absent { // and of those that are there
			square += w
			sum -= float64(b)
		}
	}
	p.PerClass = n / p.Classes
	p.Scale = square / (4 * sum)
	p.Points = make([]float32, n*p.Out)
	for i := range n {
		at, own := p.column(i), 0.0
		for d := range p.Out {
			v := float64(weights[d*n+at]) / (2 * p.Scale)
			p.Points[i*p.Out+d] = float32(v)
			own += v * v
		}
		if b := -p.Scale * own; !(math.Abs(b-float64(bias[at])) <= 1e-3*math.Abs(b)+1e-3) {
			return nil, errOther
		}
	}
	return p, nil
}

// column is the sum of the squares of a column of x[rows][n].
func column(x []float32, at, n int) float64 {
	sum := 0.0
	for ; at < len(x); at += n {
		sum += float64(x[at]) * float64(x[at])
	}
	return sum
}

// Serial is GLVQ in plain loops on one core: what devices are compared and measured with. In
// float64 it is the reference.
type Serial[T float32 | float64] struct {
	PerClass, Dims int
	Points         []T // [classes·PerClass][Dims]
	Slope          float64
	Squares        func(out, rows, points []T) // writes the squared distances out[rows][points]; nil for plain loops

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
