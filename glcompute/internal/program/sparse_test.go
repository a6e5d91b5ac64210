package program

import (
	"math/rand/v2"
	"slices"
	"testing"

	"inkshade/glcompute/expr"

	"inkshade/glcompute/compare"
)

// TestSparseEqualsDense: rows encoded as sparse give the products of the dense matrix, forward,
// transposed and in a step, and the same encoder serves one mini-batch after another.
func TestSparseEqualsDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const rows, cols, n = 9, 21, 5
	p := New()
	s := p.SparseInput(rows, cols, rows*cols)
	par := NewParameter("w", cols, n, nil)
	w, dy, rate := p.Variable(par), p.Input(rows, n), p.Input(1, 1)
	y := p.SparseProduct(s, w)
	d := p.SparseGradient(s, dy)
	whole := p.Gather(d, s.Places)
	dense := p.Input(rows, cols)
	wantY, wantD := p.Product(Plain(dense), Plain(w)), p.Product(Transposed(dense), Plain(dy))
	p.ScatterAdd(w, p.Elementwise("step", expr.Neg(expr.Mul(expr.Arg(0), expr.Arg(1))), rate, d), s.Filled)
	e := NewEncoder(s)
	for _, density := range []float64{1, 0.3, 0, 0.1} {
		x := make([]float32, rows*cols)
		v := Values{rate: {0.5}}
		for i := range x {
			if rng.Float64() < density {
				x[i] = rng.Float32()
			}
			v.Of(dense)[i] = float64(x[i])
		}
		for _, t := range []*Tensor{w, dy} {
			for i := range v.Of(t) {
				v.Of(t)[i] = rng.NormFloat64()
			}
		}
		bindings, err := e.Encode(x)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range bindings {
			for i, value := range b.Data {
				v.Of(b.Tensor)[i] = float64(value)
			}
		}
		stepped := slices.Clone(v[w])
		p.RunReference(v)
		for i := range stepped {
			stepped[i] -= 0.5 * v[wantD][i]
		}
		for _, c := range [][2][]float64{{v[y], v[wantY]}, {v[whole], v[wantD]}, {v[w], stepped}} {
			if _, err := compare.Slices(c[0], c[1], compare.Limit{Abs: 1e-12}); err != nil {
				t.Errorf("density %g: %v", density, err)
			}
		}
	}
	small := p.SparseInput(1, 4, 2)
	if _, err := NewEncoder(small).Encode([]float32{1, 2, 0, 3}); err == nil {
		t.Error("three values are encoded into two")
	}
}
