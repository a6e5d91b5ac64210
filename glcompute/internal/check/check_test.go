package check

import (
	"math"
	"strings"
	"testing"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// A right result passes; a wrong value and a NaN are reported with the operation and place.
func TestOperation(t *testing.T) {
	p := program.New()
	a, b := p.Input(2, 3), p.Input(3, 2)
	out := p.Product(program.Plain(a), program.Plain(b))
	right := []float32{22, 28, 49, 64}
	for _, c := range []struct {
		name   string
		change func([]float32)
		want   string
	}{
		{"right", func([]float32) {}, ""},
		{"rounded", func(x []float32) { x[3] += 1e-5 }, ""},
		{"wrong", func(x []float32) { x[2] += 0.1 }, "product disagrees with its reference in t2[2][2] (row 1, column 0)"},
		{"NaN", func(x []float32) { x[1] = float32(math.NaN()) }, "(row 0, column 1)"},
	} {
		device := map[*program.Tensor][]float32{
			a: {1, 2, 3, 4, 5, 6}, b: {1, 2, 3, 4, 5, 6}, out: make([]float32, 4),
		}
		read := func(x *program.Tensor) []float32 { return device[x] }
		after := Before(p.Ops()[0], read)
		copy(device[out], right)
		c.change(device[out])
		err := after()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// An update in place is compared with the reference from the old values.
func TestInPlace(t *testing.T) {
	p := program.New()
	out := added(p, 2)
	op := p.Ops()[0]
	device := map[*program.Tensor][]float32{}
	for _, x := range op.Reads() {
		device[x] = make([]float32, x.Len())
		for i := range device[x] {
			device[x][i] = 2
		}
	}
	read := func(x *program.Tensor) []float32 { return device[x] }
	after := Before(op, read)
	device[out] = []float32{4, 4}
	if err := after(); err != nil {
		t.Error(err)
	}
}

// added records the addition to a variable of so many values.
func added(p *program.Program, n int) *program.Tensor {
	w := p.Variable(program.NewParameter("w", 1, n, nil))
	p.Update("add", []*program.Tensor{w}, []*expr.Expr{expr.Add(expr.Arg(0), expr.Arg(1))}, program.Whole(w), program.Whole(p.Input(1, n)))
	return w
}

// A product of large factors with small ones has roundings of its small terms only.
func TestSmallTerms(t *testing.T) {
	p := program.New()
	a, b := p.Input(1, 2), p.Input(2, 1)
	out := p.Product(program.Plain(a), program.Plain(b))
	for wrong, reported := range map[float32]bool{0: false, 1e-6: false, 0.01: true} {
		device := map[*program.Tensor][]float32{a: {1000, 1000}, b: {1e-3, 1e-3}, out: {2 + wrong}}
		read := func(x *program.Tensor) []float32 { return device[x] }
		if err := Before(p.Ops()[0], read)(); (err != nil) != reported {
			t.Errorf("%g too much: %v", wrong, err)
		}
	}
}
