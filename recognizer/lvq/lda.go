package lvq

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"inkshade/glcompute"
)

// scatter gathers what linear discriminant analysis needs to know of samples, mini-batch by
// mini-batch: however many there are, it holds one batch, two matrices [width][width] and the sums
// of classes.
type scatter struct {
	width   int
	samples float64
	counts  []float64 // [classes]
	sums    []float64 // [classes][width]
	squares []float64 // [width][width] Σ x·xᵀ

	program
	x, product *glcompute.Tensor
	of         []float32 // [width][width] of a batch
}

func newScatter(dev glcompute.Device, batch, width, classes int) (s *scatter, err error) {
	p := glcompute.NewProgram()
	s = &scatter{
		width: width, counts: make([]float64, classes), sums: make([]float64, classes*width),
		squares: make([]float64, width*width), of: make([]float32, width*width),
	}
	s.x = p.Input(batch, width)
	s.product = p.Product(glcompute.Transposed(s.x), glcompute.Plain(s.x))
	s.program, err = compile(dev, p, "the discriminant analysis")
	return s, err
}

// add takes a batch: rows [batch][width] and the class of each.
func (s *scatter) add(rows, classes []float32) error {
	if err := s.Do(glcompute.In(s.x, rows), glcompute.Out(s.product, s.of)); err != nil {
		return err
	}
	for i, v := range s.of {
		s.squares[i] += float64(v)
	}
	for i, c := range classes {
		s.counts[int(c)]++
		sum := s.sums[int(c)*s.width:]
		for j, v := range rows[i*s.width : (i+1)*s.width] {
			sum[j] += float64(v)
		}
	}
	s.samples += float64(len(classes))
	return nil
}

var errDegenerate = errors.New("the samples vary in too few ways for --lda; give more samples, or leave it out")

// discriminants gives the projection onto those directions v in which classes lie farthest apart for their
// width, the largest λ of the generalised symmetric eigenproblem
//
//	Sb·v = λ·Sw·v        vᵀ·Sw·v = 1
//
// with the mean scatter Sb between the means of classes and Sw within classes, which is shrunk
// toward its mean: (1-shrinkage)·Sw + shrinkage·(trace Sw / width)·I (Fisher 1936; Friedman 1989).
// The mean of all samples goes to zero. There are at most classes-1 directions.
func (s *scatter) discriminants(dims int, shrinkage float64) (Projection, error) {
	n, classes := s.width, len(s.counts)
	mean := make([]float64, n)
	for i, v := range s.sums {
		mean[i%n] += v / s.samples
	}
	means := mat.NewDense(classes, n, nil) // of classes, from the mean, weighed
	present := 0
	for c, count := range s.counts {
		if count == 0 {
			continue
		}
		present++
		for j, v := range s.sums[c*n : (c+1)*n] {
			means.Set(c, j, (v/count-mean[j])*math.Sqrt(count/s.samples))
		}
	}
	dims = min(dims, present-1, n)
	if dims < 1 {
		return Projection{}, errDegenerate
	}
	var within mat.SymDense
	within.ScaleSym(1/s.samples, mat.NewSymDense(n, s.squares))
	within.SymRankOne(&within, -1, mat.NewVecDense(n, mean))
	within.SymRankK(&within, -1, means.T())
	ridge := shrinkage * mat.Trace(&within) / float64(n)
	within.ScaleSym(1-shrinkage, &within)
	for i := range n {
		within.SetSym(i, i, within.At(i, i)+ridge)
	}
	// With Sw = L·Lᵀ, v = L⁻ᵀ·u and Sb = M·Mᵀ of the means M it is the symmetric problem L⁻¹·M·(L⁻¹·M)ᵀ·u = λ·u.
	var factor mat.Cholesky
	var lower mat.TriDense
	var narrow, vectors, directions mat.Dense
	var between mat.SymDense
	var eigen mat.EigenSym
	if !factor.Factorize(&within) {
		return Projection{}, errDegenerate
	}
	factor.LTo(&lower)
	if narrow.Solve(&lower, means.T()) != nil {
		return Projection{}, errDegenerate
	}
	if between.SymOuterK(1, &narrow); !eigen.Factorize(&between, true) {
		return Projection{}, errDegenerate
	}
	if eigen.VectorsTo(&vectors); directions.Solve(lower.T(), &vectors) != nil {
		return Projection{}, errDegenerate
	}
	p := Projection{In: n, Out: dims, Weights: make([]float32, n*dims), Bias: make([]float32, dims)}
	for d := range dims { // eigenvalues rise
		shift := 0.0
		for i := range n {
			v := directions.At(i, n-1-d)
			p.Weights[i*dims+d] = float32(v)
			shift -= v * mean[i]
		}
		p.Bias[d] = float32(shift)
	}
	return p, nil
}
