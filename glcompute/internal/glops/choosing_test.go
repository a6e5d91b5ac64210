package glops

import (
	"slices"
	"testing"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
)

// Small work is not measured; else each way that can do the rows is tried once: one thread a row reads short rows
// alone, and a row is parted only where it is long.
func TestCandidates(t *testing.T) {
	for _, rows := range []int{1, 8, 32, 128, 1024} {
		for _, stride := range []int{1, 3, 16, softmaxLong, 100, 939} {
			got := softmaxCandidates(rows, stride)
			if len(slices.Compact(slices.Sorted(slices.Values(got)))) != len(got) {
				t.Errorf("%d rows of %d: %v", rows, stride, got)
			}
			if small := stride == 1 || rows*stride < worthReducing; small != (len(got) == 1) {
				t.Errorf("%d rows of %d: %v", rows, stride, got)
			}
			if slices.Contains(got, 1) && stride > softmaxLong || slices.Contains(got, 3) && stride <= softmaxLong {
				t.Errorf("%d rows of %d: %v", rows, stride, got)
			}
		}
	}
}

// What is recorded for a class is of that class, so that tuning measures what was asked for.
func TestRecordedProductIsOfItsClass(t *testing.T) {
	p := program.New()
	a, b, bias := p.Input(5, 7), p.Input(7, 9), p.Input(1, 9)
	variable := func(rows, cols int) *program.Tensor {
		return p.Variable(program.NewParameter("", rows, cols, nil))
	}
	p.Product(program.Plain(a), program.Plain(b))
	p.Layer(a, b, bias, expr.Tanh)
	p.Layer(a, b, nil, expr.GELU)
	p.Product(program.Transposed(p.Input(7, 5)), program.Plain(b))
	p.Product(program.Plain(a), program.Transposed(p.Input(9, 7)))
	p.Product(program.Transposed(p.Input(7, 5)), program.Transposed(p.Input(9, 7)))
	p.Layer(a, p.Input(7, 1), p.Input(1, 1), expr.Sigmoid)
	p.Product(program.Plain(a), program.Plain(p.Input(7, 1)))
	p.Distances(a, p.Input(4, 7))
	p.Elementwise("slope", expr.Mul(expr.Arg(0), expr.Sub(expr.Const(1), expr.Square(expr.Arg(1)))),
		p.Product(program.Plain(a), program.Plain(b)), p.Input(5, 9))
	p.SGD(variable(7, 7), variable(7, 7), p.Product(program.Transposed(a), program.Plain(a)), nil, p.Input(1, 3))
	p.SGD(variable(5, 1), variable(5, 1), p.Product(program.Plain(a), program.Plain(p.Input(7, 1))), variable(5, 1), p.Input(1, 3))
	p.Elementwise("weigh", expr.Mul(expr.Arg(0), expr.Arg(1)), p.Product(program.Plain(a), program.Plain(b)), p.Input(5, 1))
	images, filters := variable(3*30, 2), variable(6, 8)
	table := program.Window{Height: 6, Width: 5, KernelHeight: 3, KernelWidth: 1, Top: 1}.Table()
	results := p.Input(3*table.Rows, 8)
	p.Gathered(program.View{Tensor: images, Table: table, Groups: 1}, program.Plain(filters), results.Rows, 8)
	p.Gathered(program.View{Tensor: results, Table: table.Inverse(30), Groups: 1}, program.Transposed(filters), images.Rows, 2)
	p.Gathered(program.View{Tensor: images, Trans: true, Table: table, Groups: 1}, program.Plain(results), filters.Rows, 8)
	var described []string
	for _, want := range classes(t, p) {
		again := program.New()
		recordProduct(again, want)
		if got := classes(t, again); len(got) != 1 || got[0].Then != want.Then || !slices.Equal(got[0].Options, want.Options) || !slices.Equal(got[0].Sizes, want.Sizes) {
			t.Errorf("%+v is recorded as %+v", want, got)
		}
		described = append(described, describeProduct(want))
	}
	want := []string{
		"5x7 · 7x9", "5x7 · 7x9, tanh", "5x7 · 7x9, gelu", "5x7' · 7x9", "5x7 · 7x9'", "5x7' · 7x9'", "1x7 · 7x5', sigmoid", "1x7 · 7x5'",
		"5x7 · 7x4', distances", "5x7 · 7x9, slope", "7x5' · 5x7, sgd", "1x7 · 7x5', sgd", "5x7 · 7x9, weigh",
		"convolution, forward: 3x30x2 to 25x8, 3 taps", "convolution, gradient of images: 3x25x8 to 30x2, 3 taps",
		"convolution, gradient of filters: 3x30x2 to 25x8, 3 taps",
	}
	if !slices.Equal(described, want) {
		t.Errorf("described as %q, want %q", described, want)
	}
}

// classes are those of the products of a program.
func classes(t *testing.T, p *program.Program) []gldevice.Class {
	t.Helper()
	var all []gldevice.Class
	ops, _ := p.Fused()
	for _, op := range ops {
		o, ok := op.(*program.Product)
		if !ok {
			t.Fatalf("%s is no product", op.Name())
		}
		a, b, out := lying(o.A.Tensor), lying(o.B.Tensor), lying(o.Out)
		all = append(all, newProduct(o, a, b, out).Class(o))
	}
	return all
}

// lying is a matrix without memory.
func lying(t *program.Tensor) gldevice.Matrix[int] {
	return gldevice.Matrix[int]{Rows: t.Rows, Cols: t.Cols}
}

func TestRecordedSoftmaxIsOfItsClass(t *testing.T) {
	p := program.New()
	c := gldevice.Class{Sizes: []int{6, 8}}
	softmaxChoosable.Record(p, c)
	if x := p.Ops()[0].Reads()[0]; x.Rows != 6 || x.Cols != 8 || softmaxChoosable.Describe(c) != "6x8" {
		t.Errorf("softmax of 6x8 is recorded with %s", x)
	}
}
