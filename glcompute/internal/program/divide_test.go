package program

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
)

// divided is a program of a batch with values for all its inputs and variables.
type divided struct {
	*Program
	rng  *rand.Rand
	data map[*Tensor][]float32
}

func newDivided() *divided {
	return &divided{New(), rand.New(rand.NewPCG(3, 4)), map[*Tensor][]float32{}}
}

func (d *divided) given(t *Tensor, scale float64) *Tensor {
	d.data[t] = make([]float32, t.Len())
	for i := range d.data[t] {
		d.data[t][i] = float32(scale * d.rng.NormFloat64())
	}
	return t
}

func (d *divided) input(rows, cols int) *Tensor { return d.given(d.Input(rows, cols), 1) }

// rows is an input that holds rows of samples.
func (d *divided) rows(samples, rows, cols int) *Tensor {
	t := d.input(samples*rows, cols)
	d.Batch(samples, t)
	return t
}

func (d *divided) variable(rows, cols int) *Tensor {
	return d.given(d.Variable(NewParameter("", rows, cols, nil)), 0.5)
}

// whole gives the values of all tensors after a replay of the reference.
func (d *divided) whole() Values {
	v := Values{}
	for t, data := range d.data {
		put(v, t, data)
	}
	d.RunReference(v)
	return v
}

func put(v Values, t *Tensor, data []float32) {
	for i, x := range data {
		v.Of(t)[i] = float64(x)
	}
}

// inParts replays the parts and what is left, and reads everything back that can be bound.
func (d *divided) inParts(t *testing.T, samples ...int) map[*Tensor][]float32 {
	t.Helper()
	division, err := d.Divide(samples...)
	if err != nil {
		t.Fatal(err)
	}
	var bindings []Binding
	out := map[*Tensor][]float32{}
	for _, x := range d.Tensors() {
		if x.Kind == Input {
			bindings = append(bindings, In(x, d.data[x]))
		}
		out[x] = make([]float32, x.Len())
		bindings = append(bindings, Out(x, out[x]))
	}
	parts, rest := division.Bind(bindings)
	replay := func(part *Part, bound []Binding, extra Values) Values {
		v := Values{}
		for x, data := range extra {
			v[x] = data
		}
		if err := part.Program.Check(bound); err != nil {
			t.Fatal(err)
		}
		for _, b := range bound {
			if !b.Output {
				put(v, b.Tensor, b.Data)
			}
		}
		for x, data := range d.data {
			if c := part.of[x]; c != nil && x.Kind == Variable {
				put(v, c, data)
			}
		}
		part.Program.RunReference(v)
		for _, b := range bound {
			if b.Output {
				for i, x := range v.Of(b.Tensor) {
					b.Data[i] = float32(x)
				}
			}
		}
		return v
	}
	sums := Values{}
	for i, part := range division.Parts {
		v := replay(part, parts[i], nil)
		for _, s := range division.Totals {
			for k, x := range v.Of(s.From[i]) {
				sums.Of(s.To)[k] += x
			}
		}
	}
	replay(division.Rest, rest, sums)
	return out
}

// trainings are programs of whole training steps on so many samples.
var trainings = map[string]func(d *divided, samples int){
	"perceptron": func(d *divided, n int) {
		x, target := d.rows(n, 1, 16), d.rows(n, 1, 3)
		w1, b1, w2, b2 := d.variable(16, 5), d.variable(1, 5), d.variable(5, 3), d.variable(1, 3)
		p := d.Softmax(d.Layer(d.Layer(x, w1, b1, expr.Tanh), w2, b2, expr.Identity))
		g := Must(d.Gradients(d.CrossEntropy(p, target), 1/float32(n), w1, b1, w2, b2))
		settings := d.input(1, 3)
		for i, w := range []*Tensor{w1, b1, w2, b2} {
			d.SGD(w, d.variable(w.Rows, w.Cols), g[i], d.variable(w.Rows, w.Cols), settings)
		}
	},
	"squared errors, adam": func(d *divided, n int) {
		x, target, w := d.rows(n, 1, 4), d.rows(n, 1, 3), d.variable(4, 3)
		y := d.Apply(expr.Sigmoid, d.Product(Plain(x), Plain(w)))
		losses := d.Reduce(ReduceSum, AlongRows, expr.Square(expr.Sub(expr.Arg(0), expr.Arg(1))), y, target)
		loss := d.Elementwise("mean", expr.Scale(1/float32(losses.Len()), expr.Arg(0)), d.Sum(AlongColumns, losses))
		g := Must(d.Gradients(loss, 1, w))
		settings := d.Input(1, AdamSettings)
		d.data[settings] = []float32{0.01, 0.9, 0.99, 1e-3, 0.1, 0.5, 0.25}
		v := d.variable(4, 3)
		for i, x := range d.data[v] {
			d.data[v][i] = x * x
		}
		d.Adam(w, d.variable(4, 3), v, g[0], settings)
	},
	"convolution, two floats": func(d *divided, n int) {
		window := Window{Height: 4, Width: 6, KernelHeight: 3, KernelWidth: 3, Top: 1, Left: 1, Bottom: 1, Right: 1, StrideX: 2}
		x, filters, filters2 := d.rows(n, 24, 2), d.variable(9, 4), d.variable(4, 3)
		y := d.Apply(expr.Tanh, d.Convolution(x, filters, window, 2))
		y = d.Pool(ReduceMax, y, Window{Height: 4, Width: 3, KernelHeight: 2, KernelWidth: 2})
		y = d.Pool(ReduceMean, y, Window{Height: 3, Width: 2, KernelHeight: 3, KernelWidth: 1})
		y = d.Convolution(y, filters2, Window{Height: 1, Width: 2, KernelHeight: 1, KernelWidth: 1}, 1)
		flat := d.Concat(d.Reshape(y, n, 6), d.Slice(d.rows(n, 1, 5), 1, 3))
		w := d.variable(9, 3)
		loss := d.CrossEntropy(d.Softmax(d.Product(Plain(flat), Plain(w))), d.rows(n, 1, 3))
		settings := d.input(1, 3)
		for i, g := range Must(d.Gradients(loss, 1/float32(n), filters, filters2, w)) {
			par := []*Tensor{filters, filters2, w}[i]
			d.SGDTwoFloats(par, d.variable(par.Rows, par.Cols), d.variable(par.Rows, par.Cols), g, nil, settings)
		}
	},
	"warped, distances, means": func(d *divided, n int) {
		x := d.Warp(d.rows(n, 1, 32), d.rows(n, 1, 6), d.rows(n, 10, 5), 8, 4)
		centres := d.variable(3, 32)
		doubled := d.Elementwise("double", expr.Scale(2, expr.Arg(0)), d.variable(3, 32)) // of no sample
		near := d.Reduce(ReduceMin, AlongRows, expr.Arg(0), d.Distances(x, centres))
		d.Elementwise("of no sample", expr.Add(expr.Arg(0), expr.Arg(1)), doubled, d.Transpose(d.Transpose(doubled)))
		loss := d.Reduce(ReduceMean, AlongColumns, expr.Mul(expr.Arg(0), expr.Arg(1)), near, d.rows(n, 1, 1))
		d.SGD(centres, d.variable(3, 32), Must(d.Gradients(loss, 1, centres))[0], nil, d.input(1, 3))
	},
}

// TestDivision: every tensor that a training step makes is the same where its samples are
// dealt out, unevenly too, and where one part has a single sample.
func TestDivision(t *testing.T) {
	for name, record := range trainings {
		for _, samples := range [][]int{{3, 4}, {1, 6}, {5, 1, 2}} {
			d := newDivided()
			n := 0
			for _, part := range samples {
				n += part
			}
			record(d, n)
			want, got := d.whole(), d.inParts(t, samples...)
			for _, op := range d.Ops() {
				for _, x := range op.Writes() {
					if _, err := compare.Slices(got[x], narrowed(want[x]), compare.Limit{Abs: 1e-5, Rel: 1e-5, Reason: "totals carried in float32"}); err != nil {
						t.Errorf("%s, %v samples: %s by %s: %v", name, samples, x, op.Name(), err)
					}
				}
			}
		}
	}
}

func narrowed(x []float64) []float32 {
	out := make([]float32, len(x))
	for i := range x {
		out[i] = float32(x[i])
	}
	return out
}

// TestPartsHoldNoUpdates: parameters are changed only where the totals are.
func TestPartsHoldNoUpdates(t *testing.T) {
	for name, record := range trainings {
		d := newDivided()
		record(d, 4)
		division, err := d.Divide(1, 3)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range division.Parts {
			for _, op := range part.Program.Ops() {
				if slices.ContainsFunc(op.Writes(), func(x *Tensor) bool { return x.Kind == Variable }) {
					t.Errorf("%s: a part makes %s", name, op.Name())
				}
			}
		}
		if len(division.Totals) == 0 || len(division.Rest.Program.Ops()) == 0 {
			t.Errorf("%s: %d totals, %d operations on them", name, len(division.Totals), len(division.Rest.Program.Ops()))
		}
	}
}

// TestIndivisible: the error names the operation for which all samples are needed.
func TestIndivisible(t *testing.T) {
	for want, record := range map[string]func(d *divided){
		"there is no mini-batch":           func(d *divided) { d.Softmax(d.input(4, 2)) },
		"transpose needs all samples":      func(d *divided) { d.Transpose(d.rows(4, 1, 2)) },
		"max of columns needs all samples": func(d *divided) { d.Reduce(ReduceMax, AlongColumns, expr.Arg(0), d.rows(4, 1, 2)) },
		"centre needs all samples": func(d *divided) {
			x := d.rows(4, 1, 2)
			d.Elementwise("centre", expr.Sub(expr.Arg(0), expr.Arg(1)), x, d.Sum(AlongColumns, x))
		},
		"add needs all samples": func(d *divided) {
			d.Elementwise("add", expr.Add(expr.Arg(0), expr.Arg(1)), d.rows(4, 1, 2), d.input(4, 2))
		},
		"product needs all samples":                func(d *divided) { x := d.rows(4, 1, 2); d.Product(Plain(x), Transposed(x)) },
		"reshape makes no rows of a single":        func(d *divided) { d.Reshape(d.rows(4, 1, 2), 2, 4) },
		"sparse product needs all samples at once": func(d *divided) { d.rows(4, 1, 2); d.SparseProduct(d.SparseInput(4, 3, 5), d.input(3, 2)) },
		"late needs all samples": func(d *divided) {
			x, w := d.rows(4, 1, 2), d.variable(2, 3)
			d.SGD(w, d.variable(2, 3), Must(d.Gradients(d.Apply(expr.Tanh, d.Product(Plain(x), Plain(w))), 1, w))[0], nil, d.input(1, 3))
			d.Elementwise("late", expr.Mul(expr.Arg(0), expr.Arg(1)), d.rows(4, 1, 3), d.Reduce(ReduceSum, AlongColumns, expr.Arg(0), w))
		},
	} {
		d := newDivided()
		record(d)
		if _, err := d.Divide(2, 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A part is there where a program makes rows of each sample and nothing else.
func TestPartOfSamples(t *testing.T) {
	for name, c := range map[string]struct {
		record func(d *divided)
		has    bool
	}{
		"rows": {func(d *divided) { d.Softmax(d.Product(Plain(d.rows(6, 1, 4)), Plain(d.variable(4, 3)))) }, true},
		"rows beside a sum": {func(d *divided) {
			x := d.rows(6, 1, 4)
			d.Softmax(x)
			d.Sum(AlongColumns, x)
		}, false},
		"rows beside what is made of parameters": {func(d *divided) {
			d.Product(Plain(d.rows(6, 1, 4)), Plain(d.Apply(expr.Tanh, d.variable(4, 3))))
		}, false},
		"rows beside another input": {func(d *divided) { d.Product(Plain(d.rows(6, 1, 4)), Plain(d.input(4, 3))) }, false},
		"no batch":                  {func(d *divided) { d.Softmax(d.input(6, 4)) }, false},
	} {
		d := newDivided()
		c.record(d)
		part := d.Part(2)
		if (part != nil) != c.has || d.Part(6) != nil || d.Part(0) != nil {
			t.Errorf("%s: a part %v", name, part)
		}
		if part != nil && part.Of(d.Tensors()[0]).Rows != 2 {
			t.Errorf("%s: two samples are %s", name, part.Of(d.Tensors()[0]))
		}
	}
}

func TestBatchOfOtherSizesPanics(t *testing.T) {
	for name, f := range map[string]func(d *divided){
		"two sizes":      func(d *divided) { d.rows(4, 1, 2); d.rows(5, 1, 2) },
		"no whole rows":  func(d *divided) { d.Batch(3, d.input(4, 2)) },
		"not an input":   func(d *divided) { d.Batch(2, d.variable(4, 2)) },
		"parts too few":  func(d *divided) { d.Softmax(d.rows(4, 1, 2)); d.Divide(2, 1) },
		"no sample left": func(d *divided) { d.Batch(0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f(newDivided())
		}()
	}
}
