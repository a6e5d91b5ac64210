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

// What is recorded like an operation is like it, so that tuning measures what was asked for.
func TestRecordedProductIsLikeIt(t *testing.T) {
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
	ops, _ := p.Fused()
	for _, op := range ops {
		text, again := program.Like(op), program.New()
		again.RecordLike(op, text)
		if got := again.Ops(); len(got) != 1 || program.Like(got[0]) != text {
			t.Errorf("%s is recorded as %s", text, program.Like(got[0]))
		}
		o, ok := op.(*program.Product)
		if !ok {
			t.Fatalf("%s is no product", op.Name())
		}
		described = append(described, newProduct(o, lying(o.A.Tensor), lying(o.B.Tensor), lying(o.Out)).describe(o))
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

// lying is a matrix without memory.
func lying(t *program.Tensor) gldevice.Matrix[int] {
	return gldevice.Matrix[int]{Rows: t.Rows, Cols: t.Cols}
}
