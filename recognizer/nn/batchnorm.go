package nn

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"inkshade/glcompute"
)

var _ = register("batch-normalisation", "batch-normalisation [NONLINEARITY] [epsilon E]", readBatchNormalisation)

// BatchNormalisation is y = Function(scale·(x - mean)/√(variance + Epsilon) + shift), channel by
// channel (Ioffe and Szegedy, 2015). A training step takes mean and variance of its mini-batch over
// all positions, and lets those that are kept for use follow them. For use Folded makes
// it part of the layer before it.
type BatchNormalisation struct {
	Epsilon  float32 // 0 stands for 1e-5
	Function string
}

// runningRate is the share of a mini-batch in the mean and variance that are kept.
const runningRate = 0.1

func (k BatchNormalisation) String() string {
	words := "batch-normalisation"
	if k.Epsilon != 0 {
		words += fmt.Sprint(" epsilon ", k.Epsilon)
	}
	return named(words, k.Function)
}

func (k BatchNormalisation) Activation() string { return k.Function }

func (k BatchNormalisation) withFunction(name string) Kind {
	return BatchNormalisation{k.Epsilon, name}
}

func (k BatchNormalisation) epsilon() float32 { return cmp.Or(k.Epsilon, 1e-5) }

func readBatchNormalisation(w *words) Kind {
	epsilon := 0.0
	if s := w.option("epsilon"); s != "" {
		epsilon = w.fraction("epsilon", s)
	}
	return BatchNormalisation{float32(epsilon), w.function()}
}

func (k BatchNormalisation) Shape(in []Shape) (Shape, error) { return in[0], nil }

func (k BatchNormalisation) Parameters(in []Shape) []ParameterInfo {
	ones, n := func(*rand.Rand) float32 { return 1 }, in[0].Channels
	return []ParameterInfo{
		{Name: "scale", Rows: 1, Cols: n, Initial: ones},
		{Name: "shift", Rows: 1, Cols: n},
		{Name: "mean", Rows: 1, Cols: n, Kept: true},
		{Name: "variance", Rows: 1, Cols: n, Initial: ones, Kept: true},
	}
}

func (k BatchNormalisation) Record(r *Recorder) *glcompute.Tensor {
	x, scale, shift, mean, variance := r.Inputs[0], r.Parameters[0], r.Parameters[1], r.Parameters[2], r.Parameters[3]
	a, b := glcompute.Arg(0), glcompute.Arg(1)
	if r.Training {
		ofBatch := r.Reduce(glcompute.ReduceMean, glcompute.AlongColumns, a, x)
		spread := r.Reduce(glcompute.ReduceMean, glcompute.AlongColumns, glcompute.Square(glcompute.Sub(a, b)), x, ofBatch)
		follow := func(kept, now *glcompute.Expr) *glcompute.Expr {
			return glcompute.Add(kept, glcompute.Scale(runningRate, glcompute.Sub(now, kept)))
		}
		r.Update("running statistics", []*glcompute.Tensor{mean, variance}, []*glcompute.Expr{follow(a, b), follow(glcompute.Arg(2), glcompute.Arg(3))},
			glcompute.Whole(mean), glcompute.Whole(ofBatch), glcompute.Whole(variance), glcompute.Whole(spread))
		mean, variance = ofBatch, spread
	}
	deviation := glcompute.Sqrt(glcompute.Add(glcompute.Arg(2), glcompute.Const(k.epsilon())))
	normal := glcompute.Div(glcompute.Sub(a, b), deviation)
	f := mustFunction(k.Function)
	return r.Elementwise("batch-normalisation", f(glcompute.Add(glcompute.Mul(normal, glcompute.Arg(3)), glcompute.Arg(4))), x, mean, variance, scale, shift)
}

// affine is the layer as a factor and a summand for each channel, before its nonlinearity.
func (k BatchNormalisation) affine(values [][]float32) (factor, summand []float64) {
	for c, scale := range values[0] {
		f := float64(scale) / math.Sqrt(float64(values[3][c])+float64(k.epsilon()))
		factor, summand = append(factor, f), append(summand, float64(values[1][c])-f*float64(values[2][c]))
	}
	return factor, summand
}
