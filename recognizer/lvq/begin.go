package lvq

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/train"
)

// What is looked at before the first step.
const (
	clustered = 60   // samples of a class for each of its prototypes
	looked    = 1024 // samples by which distances are judged
)

// begin gives the prototypes that learning begins with, and how far samples are from them: the
// mean squared distance to the nearest of their class.
func (o Options) begin(ctx context.Context, l train.Lesson) (p *Prototypes, unit float64, err error) {
	if len(l.Model.Network.Layers) > 0 {
		if p, err = Of(l.Model.Network); err != nil {
			return nil, 0, err
		}
		if p.Classes != len(l.Model.Labels) {
			return nil, 0, fmt.Errorf("the model to start from has %d classes, the samples make it %d; train it anew", p.Classes, len(l.Model.Labels))
		}
	} else {
		p = &Prototypes{Classes: len(l.Model.Labels), PerClass: o.PerClass, Projection: Projection{In: l.Width, Out: l.Width}}
		if o.LDA > 0 {
			s, err := newScatter(l.Dev, l.Batch, l.Width, len(l.Model.Labels))
			if err != nil {
				return nil, 0, err
			}
			defer s.close()
			if err := l.Pass(ctx, s.add); err != nil {
				return nil, 0, err
			}
			if p.Projection, err = s.discriminants(o.LDA, o.Shrinkage); err != nil {
				return nil, 0, err
			}
		}
	}
	rows, classes, err := p.look(ctx, l)
	if err != nil {
		return nil, 0, err
	}
	if p.Points == nil {
		if err := o.place(ctx, l, p, rows, classes); err != nil {
			return nil, 0, err
		}
	}
	margin, n := 0.0, 1e-12
	for i, x := range rows[:min(looked, len(rows))] {
		if own, other := p.nearest(x, classes[i]); max(own, other) < absent {
			unit, margin, n = unit+own, margin+math.Abs(own-other), n+1
		}
	}
	if p.Scale == 0 {
		p.Scale = usualMargin * n / max(margin, 1e-12)
	}
	if o.Slope == 0 { // its steps have no derivative
		return p, 1, nil
	}
	return p, unit / n, nil
}

// usualMargin is the mean difference between the two largest logits, a sample's own class among
// them, before learning.
const usualMargin = 4

// projector projects rows on a device, until it is done.
func (p *Prototypes) projector(dev glcompute.Device) (project func(rows [][]float32, put func(i int, y []float32)) error, done func(), err error) {
	if p.Weights == nil {
		return func(rows [][]float32, put func(int, []float32)) error {
			for i, x := range rows {
				put(i, x)
			}
			return nil
		}, func() {}, nil
	}
	layer := nn.Layer{Kind: nn.Dense{Units: p.Out}, Values: [][]float32{p.Weights, p.Bias}}
	lower, err := nn.NewInference(dev, nn.Sequence(nn.Vector(p.In), layer))
	if err != nil {
		return nil, nil, err
	}
	return lower.Each, func() { lower.Close() }, nil
}

var errEnough = errors.New("enough samples of all classes")

// look gives projected samples, so many of each class as are clustered, and some more.
func (p *Prototypes) look(ctx context.Context, l train.Lesson) (rows [][]float32, classes []int, err error) {
	project, done, err := p.projector(l.Dev)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	most := clustered * p.PerClass
	if p.Points != nil {
		most = 0
	}
	left, missing := slices.Repeat([]int{most}, p.Classes), p.Classes
	err = l.Pass(ctx, func(input, given []float32) error {
		var batch [][]float32
		for i, c := range given {
			left[int(c)]--
			if left[int(c)] == 0 {
				missing--
			}
			if left[int(c)] >= 0 || len(rows)+len(batch) < looked {
				batch, classes = append(batch, input[i*l.Width:(i+1)*l.Width]), append(classes, int(c))
			}
		}
		if err := project(batch, func(i int, y []float32) { batch[i] = slices.Clone(y) }); err != nil {
			return err
		}
		rows = append(rows, batch...)
		if (missing == 0 || most == 0) && len(rows) >= looked {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return rows, classes, err
}

// place makes the means of clusters of each class its prototypes, or those of a mixture.
func (o Options) place(ctx context.Context, l train.Lesson, p *Prototypes, rows [][]float32, classes []int) error {
	groups := make([][][]float32, p.Classes)
	for i, c := range classes {
		groups[c] = append(groups[c], rows[i])
	}
	p.Points = slices.Repeat([]float32{absent}, p.Classes*p.PerClass*p.Out)
	cluster := KMeans
	if o.Mixture {
		cluster = Mixture
	}
	return dataset.InParallel(ctx, len(groups), func(ctx context.Context, c int) error {
		if len(groups[c]) == 0 {
			return nil
		}
		means, err := cluster(ctx, l.Dev, groups[c], p.PerClass, seeded(l.Seed, c))
		for k, m := range means {
			copy(p.Points[(c*p.PerClass+k)*p.Out:], m)
		}
		return err
	})
}

// nearest gives the squared distances of x to the nearest prototype of its class and of all others.
func (p *Prototypes) nearest(x []float32, class int) (own, other float64) {
	best := [2]float32{absent, absent}
	for i := range p.Classes * p.PerClass {
		to := 0
		if i/p.PerClass != class {
			to = 1
		}
		best[to] = min(best[to], feature.SquaredDistance(x, p.Points[i*p.Out:(i+1)*p.Out]))
	}
	return float64(best[0]), float64(best[1])
}

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
