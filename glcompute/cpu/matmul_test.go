package cpu

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

func TestProductShapes(t *testing.T) { everyWidth(t, checkProducts) }

// checkProducts goes through every way in which a product is rearranged: several tiles
// in each direction, short sides, vectors with few values.
func checkProducts(t *testing.T) {
	dev := open(t)
	rng := rand.New(rand.NewPCG(5, 6))
	random := func(n int, zeros float64) (x []float32, wide []float64) {
		x, wide = make([]float32, n), make([]float64, n)
		for i := range x {
			if rng.Float64() >= zeros {
				x[i] = 2*rng.Float32() - 1
			}
			wide[i] = float64(x[i])
		}
		return x, wide
	}
	shapes := []struct{ m, n, k int }{
		{40, 210, 130}, {45, 530, 200}, {195, 70, 1030}, {2, 200, 20}, {70, 10, 90}, {90, 10, 20}, {10, 90, 9}, {5, 17, 33}, {1, 100, 70}, {1, 9, 70}, {1, 1, 17}, {100, 1, 70},
	}
	for _, s := range shapes {
		for variant := range 8 {
			transA, transB := variant&1 != 0, variant&2 != 0
			zeros := 0.9 * float64(variant&4) / 4
			name := fmt.Sprintf("%dx%dx%d transposed %t %t zeros %g", s.m, s.n, s.k, transA, transB, zeros)
			t.Run(name, func(t *testing.T) {
				a, wideA := random(s.m*s.k, zeros)
				b, wideB := random(s.k*s.n, 0)
				p := program.New()
				ta, tb := p.Input(s.m, s.k), p.Input(s.k, s.n)
				if transA {
					ta = p.Input(s.k, s.m)
				}
				if transB {
					tb = p.Input(s.n, s.k)
				}
				tc := p.Product(program.View{Tensor: ta, Trans: transA}, program.View{Tensor: tb, Trans: transB})
				run, err := dev.Compile(p)
				if err != nil {
					t.Fatal(err)
				}
				defer run.Close()
				want := program.Values{ta: wideA, tb: wideB}
				p.RunReference(want)
				got := make([]float32, s.m*s.n)
				if err := run.Do(program.In(ta, a), program.In(tb, b), program.Out(tc, got)); err != nil {
					t.Fatal(err)
				}
				limit := compare.Limit{Abs: 1e-6 + 4e-8*float64(s.k), Rel: 1e-6, Reason: "float32 sums, one product after another"}
				if _, err := compare.Slices(got, want[tc], limit); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// add records w += x.
func add(p *program.Program, w, x *program.Tensor) {
	p.Update("add", []*program.Tensor{w}, []*expr.Expr{expr.Add(expr.Arg(0), expr.Arg(1))}, program.Whole(w), program.Whole(x))
}

// TestProductsFollowTheirParameter: what is kept of a parameter in another order is renewed
// when it changes, whoever changes it: the program itself, another one, a caller.
func TestProductsFollowTheirParameter(t *testing.T) {
	dev := open(t)
	par := program.NewParameter("w", 2, 2, []float32{1, 2, 3, 4})
	one := []float32{1, 0, 0, 1}
	// product gives a function that replays one·par, after par += one if it adds.
	product := func(adds bool) func() []float32 {
		p := program.New()
		x, w := p.Input(2, 2), p.Variable(par)
		if adds {
			add(p, w, p.Product(program.Plain(x), program.Plain(x)))
		}
		y := p.Product(program.Plain(x), program.Plain(w))
		run, err := dev.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		return func() []float32 {
			out := make([]float32, 4)
			if err := run.Do(program.In(x, one), program.Out(y, out)); err != nil {
				t.Fatal(err)
			}
			return out
		}
	}
	reads, adds := product(false), product(true)
	expect := func(when string, got []float32, want ...float32) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", when, got, want)
		}
	}
	expect("at first", reads(), 1, 2, 3, 4)
	expect("after the sum in the program", adds(), 2, 2, 3, 5)
	expect("after a replay", adds(), 3, 2, 3, 6)
	expect("after another program", reads(), 3, 2, 3, 6)
	if err := dev.Upload(par); err != nil {
		t.Fatal(err)
	}
	expect("after an upload", reads(), 1, 2, 3, 4)
}
