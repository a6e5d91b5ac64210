package lvq

import (
	"context"
	"fmt"
	"math/rand/v2"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/program"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/train"
)

// Options say what is learned. Start from Default.
type Options struct {
	PerClass  int     // prototypes of a class
	LDA       int     // dimensions of the projection at most; 0 for none
	Shrinkage float64 // of the scatter within classes, 0 to 1
	Slope     float64 // ξ of the sigmoid
}

// Default suits drawings of characters.
func Default() Options { return Options{PerClass: 1, LDA: 160, Shrinkage: 0.05, Slope: 4} }

// Rate is a largest learning rate that suits GLVQ.
const Rate = 0.05

// Check reports the first option that cannot be used.
func (o Options) Check() error {
	for _, f := range []struct {
		name           string
		value, low, up float64
	}{
		{"number of prototypes", float64(o.PerClass), 1, 64},
		{"number of dimensions", float64(o.LDA), 0, 4096},
		{"shrinkage", o.Shrinkage, 0, 1},
		{"slope", o.Slope, 1e-3, 1e3},
	} {
		if !(f.value >= f.low && f.value <= f.up) {
			return fmt.Errorf("a %s of %g is not possible; use %g to %g", f.name, f.value, f.low, f.up)
		}
	}
	return nil
}

// learner is GLVQ on a device. The prototypes stay there; samples go up in mini-batches.
type learner struct {
	*Prototypes
	dev       program.Device
	points    *program.Parameter
	weights   *program.Parameter // of the projection, nil without
	bias      *program.Parameter
	step      *step
	run       program.Run
	rate      float64 // of a unit of Settings
	inference *nn.Inference
}

// Learner is Config.Learner of package train: it projects, places the first prototypes, or takes
// those of the lesson's model, and learns by GLVQ.
func (o Options) Learner(ctx context.Context, l train.Lesson) (train.Learner, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	p, unit, err := o.begin(ctx, l)
	if err != nil {
		return nil, err
	}
	g := &learner{Prototypes: p, dev: l.Dev, rate: unit}
	g.points = program.NewParameter("prototypes", p.Classes*p.PerClass, p.Out, p.Points)
	if p.Weights != nil {
		g.weights = program.NewParameter("projection", p.In, p.Out, p.Weights)
		g.bias = program.NewParameter("projection-bias", 1, p.Out, p.Bias)
	}
	r := program.New()
	x := r.Input(l.Batch, p.In)
	g.step = record(r, x, g.project(r, x), r.Variable(g.points), p.PerClass, o.Slope)
	if g.run, err = l.Dev.Compile(r); err != nil {
		return nil, fmt.Errorf("preparing the prototypes on the %s device: %w", l.Dev.Info().Kind, err)
	}
	return g, nil
}

// project records the projection of rows.
func (g *learner) project(p *program.Program, x *program.Tensor) *program.Tensor {
	if g.weights == nil {
		return x
	}
	return p.Layer(x, p.Variable(g.weights), p.Variable(g.bias), program.Identity)
}

// step names the tensors of a recorded step of GLVQ.
type step struct {
	input   *program.Tensor // [batch][In], uploaded
	classes *program.Tensor // [batch][1], uploaded
	rate    *program.Tensor // [1][1], uploaded
	loss    *program.Tensor // [batch][1] before the step
	nearest *program.Tensor // [batch][2] minus the distances of the nearest of the own class and of another
}

// record records a step of mini-batch GLVQ (algorithm 2 of Su et al., 2016; of one sample it is
// algorithm 1). With the squared distance dc of a sample x to the nearest prototype c of its class, and
// dr to the nearest r of all others, its loss is
//
//	S = 1/(1 + e^(-ξ·f))        f = (dc - dr)/(dc + dr)        (1, 2)
//
// and both prototypes go, with the rate η,
//
//	c += η·ξ·S·(1-S)·dr/(dc+dr)² · (x - c)        (3)
//	r -= η·ξ·S·(1-S)·dc/(dc+dr)² · (x - r)        (4)
//
// each by the sum over the samples of the batch, with the distances from before.
func record(p *program.Program, input, x, points *program.Tensor, perClass int, slope float64) *step {
	const far = 3e38
	s := &step{input: input, classes: p.Input(x.Rows, 1), rate: p.Input(1, 1)}
	distances := p.Distances(x, points)
	k := float32(perClass)
	first := expr.Scale(k, expr.Arg(1)) // column of the class
	own := expr.Min(expr.Add(expr.Sub(expr.ColumnIndex(), first), expr.Const(0.5)), expr.Sub(expr.Add(first, expr.Const(k-0.5)), expr.ColumnIndex()))
	dc, c := p.Extreme(program.Min, program.Rows, p.Elementwise("own", expr.Select(own, expr.Arg(0), expr.Const(far)), distances, s.classes))
	dr, r := p.Extreme(program.Min, program.Rows, p.Elementwise("others", expr.Select(own, expr.Const(far), expr.Arg(0)), distances, s.classes))
	sum := expr.Max(expr.Add(expr.Arg(0), expr.Arg(1)), expr.Const(1e-30))
	sigmoid := expr.Sigmoid(expr.Scale(float32(slope), expr.Div(expr.Sub(expr.Arg(0), expr.Arg(1)), sum)))
	s.loss = p.Elementwise("loss", sigmoid, dc, dr)
	steep := expr.Scale(float32(slope), expr.Mul(expr.Arg(2), expr.Sub(expr.Const(1), expr.Arg(2))))
	toward := func(d int) *expr.Expr { return expr.Div(expr.Div(expr.Mul(steep, expr.Arg(d)), sum), sum) }
	pull := p.Elementwise("pull", toward(1), dc, dr, s.loss)
	push := p.Elementwise("push", expr.Neg(toward(0)), dc, dr, s.loss)
	at := func(i int) *expr.Expr {
		return expr.Sub(expr.Const(0.5), expr.Abs(expr.Sub(expr.ColumnIndex(), expr.Arg(i))))
	}
	shares := p.ElementwiseOf("shares", x.Rows, points.Rows, expr.Select(at(0), expr.Arg(1), expr.Select(at(2), expr.Arg(3), expr.Const(0))),
		program.Whole(c), program.Whole(pull), program.Whole(r), program.Whole(push))
	moved := p.Product(program.Transposed(shares), program.Plain(x))
	total := p.Transpose(p.Sum(program.Columns, shares))
	p.Update("step", []*program.Tensor{points},
		[]*expr.Expr{expr.Add(expr.Arg(0), expr.Mul(expr.Arg(3), expr.Sub(expr.Arg(1), expr.Mul(expr.Arg(2), expr.Arg(0)))))},
		program.Whole(points), program.Whole(moved), program.Whole(total), program.ValueOf(s.rate, 0))
	minus := func(t *program.Tensor) *program.Tensor { return p.Elementwise("minus", expr.Neg(expr.Arg(0)), t) }
	s.nearest = p.Concat(minus(dc), minus(dr))
	return s
}

// Step implements train.Learner.
func (g *learner) Step(b nn.Batch) error {
	bindings := []program.Binding{
		program.In(g.step.input, b.Input), program.In(g.step.classes, b.Target),
		program.In(g.step.rate, []float32{float32(g.rate) * b.Settings[0]}),
	}
	if b.Loss != nil {
		bindings = append(bindings, program.Out(g.step.loss, b.Loss), program.Out(g.step.nearest, b.Probabilities))
	}
	if b.LossLater != nil {
		bindings = append(bindings, program.OutLater(g.step.loss, b.LossLater), program.OutLater(g.step.nearest, b.ProbabilitiesLater))
	}
	return g.run.Do(bindings...)
}

// Info implements train.Learner.
func (g *learner) Info() program.Info { return g.run.Info() }

// Save implements train.Learner.
func (g *learner) Save() error { return g.dev.Download(g.points) }

// Network implements train.Learner.
func (g *learner) Network() (nn.Network, error) {
	if err := g.Save(); err != nil {
		return nn.Network{}, fmt.Errorf("reading the prototypes back: %w", err)
	}
	return g.Prototypes.Network(), nil
}

// Inference implements train.Learner.
func (g *learner) Inference() (*nn.Inference, error) {
	net, err := g.Network()
	if err != nil {
		return nil, err
	}
	g.closeInference()
	g.inference, err = nn.NewInference(g.dev, net)
	return g.inference, err
}

func (g *learner) closeInference() {
	if g.inference != nil {
		g.inference.Close()
	}
	g.inference = nil
}

// Close implements train.Learner.
func (g *learner) Close() {
	g.closeInference()
	g.run.Close()
	for _, par := range []*program.Parameter{g.points, g.weights, g.bias} {
		if par != nil {
			g.dev.Forget(par)
		}
	}
}

func seeded(seed int64, of int) *rand.Rand { return rand.New(rand.NewPCG(uint64(seed), uint64(of))) }
