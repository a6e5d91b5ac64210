package nn

import (
	"fmt"
	"math/rand/v2"

	"inkshade/glcompute"
)

var _ = register("dropout", "dropout PROBABILITY, like dropout 0.5", func(w *words) Kind { return Dropout{Rate: w.fraction("the probability", w.must("the probability"))} })

// Dropout makes each value zero with the probability Rate in a training step, and all others
// 1/(1 - Rate) times as large (Srivastava et al., 2014). For use it does nothing.
type Dropout struct{ Rate float64 }

func (k Dropout) String() string { return fmt.Sprint("dropout ", k.Rate) }

func (k Dropout) Shape(in []Shape) (Shape, error) {
	return in[0], wrong(!(k.Rate >= 0 && k.Rate < 1), "a probability of %g is not possible; use 0 to below 1", k.Rate)
}

func (k Dropout) Record(r *Recorder) *glcompute.Tensor {
	x := r.Inputs[0]
	if !r.Training || k.Rate == 0 {
		return x
	}
	m := mask{tensor: r.Input(x.Rows, x.Cols), rate: k.Rate}
	r.Program.Batch(r.Batch, m.tensor)
	r.masks = append(r.masks, m)
	return r.Elementwise("dropout", glcompute.Mul(glcompute.Arg(0), glcompute.Arg(1)), x, m.tensor)
}

func (k Dropout) trainingOnly() {}

// mask is an input by which values are dropped.
type mask struct {
	tensor *glcompute.Tensor
	rate   float64
}

func (m mask) draw(rng *rand.Rand) []float32 {
	values := make([]float32, m.tensor.Len())
	for i := range values {
		if rng.Float64() >= m.rate {
			values[i] = float32(1 / (1 - m.rate))
		}
	}
	return values
}
