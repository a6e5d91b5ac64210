package cpu

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// everyWidth runs a test with each width of vectors that the processor has.
func everyWidth(t *testing.T, test func(t *testing.T)) {
	widest := lanes
	defer func() { lanes = widest }()
	for _, lanes = range []int{4, 8, 16} {
		if lanes > widest {
			t.Logf("not on this processor: vectors of %d", lanes)
			continue
		}
		t.Run(fmt.Sprintf("vectors of %d", lanes), test)
	}
}

// TestTiles: every number of rows that a tile can have, beside every kind of last panel and in a
// single column, with all that happens to the sums.
func TestTiles(t *testing.T) {
	everyWidth(t, func(t *testing.T) {
		for _, n := range []int{1, 2, 8, 15, 16, 17, 32, 37} {
			for m := 1; m <= 25; m++ {
				checkLayer(t, m, n, expr.Functions[(m+n)%4].Of)
			}
		}
	})
}

// checkLayer compares a layer of k = 3 with its reference.
func checkLayer(t *testing.T, m, n int, f expr.Activation) {
	const k = 3
	p := program.New()
	x, w, bias := p.Input(m, k), weights(k, n), weights(1, n)
	y := p.Layer(x, p.Variable(w), p.Variable(bias), f)
	run, err := open(t).Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	values, got := drawings(1)[:m*k], make([]float32, m*n)
	if err := run.Do(program.In(x, values), program.Out(y, got)); err != nil {
		t.Fatal(err)
	}
	want := program.Values{x: wide(values), p.Variable(w): wide(w.Data), p.Variable(bias): wide(bias.Data)}
	p.RunReference(want)
	limit := compare.Limit{Abs: 1e-7, Rel: 1e-6, Reason: "float32 sums of four"}
	if _, err := compare.Slices(got, want[y], limit); err != nil {
		t.Errorf("%dx%d %s: %v", m, n, f.Name(), err)
	}
}

// TestBoundedSums: max(a + b, c), one instruction, of every number of columns, and a NaN of any of them stays one.
func TestBoundedSums(t *testing.T) {
	everyWidth(t, func(t *testing.T) {
		for cols := 1; cols <= 40; cols++ {
			const rows = 3
			p := program.New()
			a, b, c := p.Input(rows, cols), p.Input(1, cols), p.Input(rows, cols)
			y := p.Elementwise("bounded", expr.Max(expr.Add(expr.Arg(0), expr.Arg(1)), expr.Arg(2)), a, b, c)
			values := [][]float32{slices.Clone(weights(rows, cols).Data), slices.Clone(weights(1, cols).Data), drawings(1)[:rows*cols]}
			for i, x := range values {
				x[(cols+i)%cols] = float32(math.NaN())
			}
			run, err := open(t).Compile(p)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]float32, rows*cols)
			if err := run.Do(program.In(a, values[0]), program.In(b, values[1]), program.In(c, values[2]), program.Out(y, got)); err != nil {
				t.Fatal(err)
			}
			for i, g := range got {
				want := max(values[0][i]+values[1][i%cols], values[2][i])
				if g != want && !(math.IsNaN(float64(g)) && math.IsNaN(float64(want))) {
					t.Errorf("%d columns: value %d is %v, want %v", cols, i, g, want)
				}
			}
		}
	})
}

func wide(x []float32) []float64 {
	w := make([]float64, len(x))
	for i, v := range x {
		w[i] = float64(v)
	}
	return w
}

// TestSumsDoNotDependOnTheBatch: a drawing gives the same hidden units alone, among few others
// and many, however many of its pixels are inked and wherever a row of weights ends.
func TestSumsDoNotDependOnTheBatch(t *testing.T) {
	everyWidth(t, func(t *testing.T) {
		for _, units := range []int{5, 37, hidden} {
			checkBatches(t, drawings(300), units)
			checkBatches(t, weights(300, pixels).Data, units)
		}
	})
}

// checkBatches compares what the first of the rows of x gives alone and with others.
func checkBatches(t *testing.T, x []float32, units int) {
	t.Helper()
	dev := open(t)
	answers := func(batch int) []float32 {
		p := program.New()
		in, w, bias := p.Input(batch, pixels), p.Variable(weights(pixels, units)), p.Variable(weights(1, units))
		y := p.Layer(in, w, bias, expr.Tanh)
		run, err := dev.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		defer run.Close()
		out := make([]float32, y.Len())
		if err := run.Do(program.In(in, x[:in.Len()]), program.Out(y, out)); err != nil {
			t.Fatal(err)
		}
		return out
	}
	many := answers(300)
	for _, batch := range []int{1, 2, 5, 128} {
		if few := answers(batch); !slices.Equal(few, many[:len(few)]) {
			t.Errorf("%d of 300 rows have other sums alone: %d units", batch, units)
		}
	}
}

// TestReplaysAllocateNothing: one drawing and a training step alike.
func TestReplaysAllocateNothing(t *testing.T) {
	for _, batch := range []int{1, 128} {
		p, bindings := trainStep(batch)
		dev := open(t)
		run, err := dev.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		replay := func() {
			if err := run.Do(bindings...); err != nil {
				t.Fatal(err)
			}
		}
		for range 20 { // the runtime itself allocates for goroutines that wait for the first time
			replay()
		}
		allocated := testing.AllocsPerRun(100, replay)
		if allocated > 0 {
			t.Errorf("batch %d: %g allocations a replay", batch, allocated)
		}
	}
}
