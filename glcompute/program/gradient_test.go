package program

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"inkshade/glcompute/compare"
)

// backward is a recorded forward and backward pass. The objective is Σ weights∘out, so
// that the gradient by out is weights.
type backward struct {
	*Program
	v         Values
	rng       *rand.Rand
	out       *Tensor
	weights   []float64
	gradients map[*Tensor]*Tensor // by the input they belong to
}

func newBackward() *backward {
	return &backward{
		Program: New(), v: Values{}, rng: rand.New(rand.NewPCG(11, 12)),
		gradients: map[*Tensor]*Tensor{},
	}
}

func (b *backward) input(rows, cols int) *Tensor {
	t := b.Input(rows, cols)
	for i := range b.v.Of(t) {
		b.v.Of(t)[i] = b.rng.NormFloat64()
	}
	return t
}

// objective chooses out and gives the input that holds the gradient by it.
func (b *backward) objective(out *Tensor) *Tensor {
	d := b.input(out.Rows, out.Cols)
	b.out, b.weights = out, b.v[d]
	return d
}

// mean makes the objective the mean of the rows of a loss.
func (b *backward) mean(loss *Tensor) {
	b.out, b.weights = loss, make([]float64, loss.Len())
	for i := range b.weights {
		b.weights[i] = 1 / float64(loss.Len())
	}
}

func (b *backward) value() float64 {
	b.RunReference(b.v)
	sum := 0.0
	for i, w := range b.weights {
		sum += w * b.v[b.out][i]
	}
	return sum
}

// check compares every recorded gradient with central differences of the objective.
func (b *backward) check(t *testing.T) {
	const h = 1e-5
	limit := compare.Limit{Abs: 1e-8, Rel: 1e-8, Reason: "the third derivative times h², and rounding divided by h"}
	if len(b.gradients) == 0 {
		t.Fatal("no gradient to check")
	}
	for x, dx := range b.gradients {
		b.value()
		got := slices.Clone(b.v[dx])
		want := make([]float64, len(got))
		for i, middle := range slices.Clone(b.v[x]) {
			b.v[x][i] = middle + h
			above := b.value()
			b.v[x][i] = middle - h
			below := b.value()
			b.v[x][i] = middle
			want[i] = (above - below) / (2 * h)
		}
		if _, err := compare.Slices(got, want, limit); err != nil {
			t.Errorf("gradient %s by %s: %v", dx, x, err)
		}
	}
}

func TestGradientOfProduct(t *testing.T) {
	for _, transA := range []bool{false, true} {
		for _, transB := range []bool{false, true} {
			t.Run(fmt.Sprint(transA, transB), func(t *testing.T) {
				b := newBackward()
				const m, n, k = 3, 4, 5
				x, w := b.input(m, k), b.input(k, n)
				if transA {
					x = b.input(k, m)
				}
				if transB {
					w = b.input(n, k)
				}
				d := b.objective(b.MatMul(x, w, transA, transB))
				if transA { // X'ᵀ = X: dX = W'·dᵀ
					b.gradients[x] = b.MatMul(w, d, transB, true)
				} else {
					b.gradients[x] = b.MatMul(d, w, false, !transB)
				}
				if transB {
					b.gradients[w] = b.MatMul(d, x, true, transA)
				} else {
					b.gradients[w] = b.MatMul(x, d, !transA, false)
				}
				b.check(t)
			})
		}
	}
}

func TestGradientOfActivations(t *testing.T) {
	for _, f := range Activations {
		t.Run(f.String(), func(t *testing.T) {
			b := newBackward()
			x := b.input(4, 7)
			y := b.Map(x, f)
			b.gradients[x] = b.ActivationGrad(b.objective(y), y, f)
			b.check(t)
		})
	}
}

func TestGradientOfLayer(t *testing.T) {
	for _, f := range Activations {
		t.Run(f.String(), func(t *testing.T) {
			b := newBackward()
			x, w, bias := b.input(6, 5), b.input(5, 4), b.input(1, 4)
			y := b.Linear(x, w, bias, f)
			dz := b.ActivationGrad(b.objective(y), y, f)
			b.gradients[bias] = b.ColumnSums(dz)
			b.gradients[w] = b.MatMul(x, dz, true, false)
			b.gradients[x] = b.MatMul(dz, w, false, true)
			b.check(t)
		})
	}
}

func TestGradientOfCrossEntropy(t *testing.T) {
	b := newBackward()
	logits, target := b.input(6, 5), b.Input(6, 5)
	for r := range 6 {
		b.v.Of(target)[r*5+b.rng.IntN(5)] = 1
	}
	prob := b.Softmax(logits)
	b.mean(b.CrossEntropy(prob, target))
	b.gradients[logits] = b.CrossEntropyGrad(prob, target)
	// The factor 1/6 of the gradient is rounded to float32; the objective follows it.
	checkScaled(t, b, float64(float32(1.0/6))*6)

	b = newBackward()
	logits, target = b.input(8, 3), b.Input(8, 3)
	for i := range b.v.Of(target) { // soft targets that sum to one
		b.v[target][i] = 1.0 / 3
	}
	prob = b.Softmax(logits)
	b.mean(b.CrossEntropy(prob, target))
	b.gradients[logits] = b.CrossEntropyGrad(prob, target)
	b.check(t)
}

func TestGradientOfMeanSquaredError(t *testing.T) {
	b := newBackward()
	y, target := b.input(8, 4), b.input(8, 4)
	b.mean(b.MeanSquaredError(y, target))
	b.gradients[y] = b.MeanSquaredErrorGrad(y, target)
	b.check(t)
}

// checkScaled is check with the objective scaled as a float32 factor of the gradient is rounded.
func checkScaled(t *testing.T, b *backward, scale float64) {
	for i := range b.weights {
		b.weights[i] *= scale
	}
	b.check(t)
}

// TestGradientOfNetwork is a whole backward pass of two layers.
func TestGradientOfNetwork(t *testing.T) {
	b := newBackward()
	x, target := b.input(8, 6), b.input(8, 3)
	w1, b1, w2, b2 := b.input(6, 5), b.input(1, 5), b.input(5, 3), b.input(1, 3)
	h := b.Linear(x, w1, b1, Tanh)
	y := b.Linear(h, w2, b2, Sigmoid)
	b.mean(b.MeanSquaredError(y, target))
	dz := b.ActivationGrad(b.MeanSquaredErrorGrad(y, target), y, Sigmoid)
	// float32(2/24) is rounded; the objective follows it.
	scale := float64(float32(2.0/24)) / (2.0 / 24)
	dh := b.ActivationGrad(b.MatMul(dz, w2, false, true), h, Tanh)
	b.gradients[w2] = b.MatMul(h, dz, true, false)
	b.gradients[b2] = b.ColumnSums(dz)
	b.gradients[b1] = b.ColumnSums(dh)
	b.gradients[x] = b.MatMul(dh, w1, false, true)
	b.gradients[w1] = b.MatMul(x, dh, true, false)
	checkScaled(t, b, scale)
}

// TestSGDFollowsTheDecayedObjective: from rest, one step at rate one is the gradient of
// objective + decay/2·|w - anchor|².
func TestSGDFollowsTheDecayedObjective(t *testing.T) {
	const decay = 0.25
	rng := rand.New(rand.NewPCG(13, 14))
	random := func() []float64 {
		x := make([]float64, 6)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	start, slope, anchor := random(), random(), random()
	objective := func(w []float64) float64 {
		sum := 0.0
		for i := range w {
			sum += slope[i]*w[i] + decay/2*(w[i]-anchor[i])*(w[i]-anchor[i])
		}
		return sum
	}
	p := New()
	w, v := p.Variable(NewParameter("w", 2, 3, nil)), p.Variable(NewParameter("v", 2, 3, nil))
	dw, a, s := p.Input(2, 3), p.Input(2, 3), p.Input(1, 3)
	p.SGD(w, v, dw, a, s)
	values := Values{w: slices.Clone(start), dw: slope, a: anchor, s: {1, 0.9, decay}}
	p.RunReference(values)
	want := make([]float64, len(start))
	const h = 1e-5
	for i := range start {
		up, down := slices.Clone(start), slices.Clone(start)
		up[i] += h
		down[i] -= h
		want[i] = start[i] - (objective(up)-objective(down))/(2*h)
	}
	if _, err := compare.Slices(values[w], want, compare.Limit{Abs: 1e-9}); err != nil {
		t.Error(err)
	}
}
