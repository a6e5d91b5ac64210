package program

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"inkshade/glcompute/expr"
)

// TestWrongShapesPanic: the message holds the operation and the shapes.
func TestWrongShapesPanic(t *testing.T) {
	in := func(p *Program, rows, cols int) *Tensor { return p.Input(rows, cols) }
	variable := func(p *Program, rows, cols int) *Tensor {
		return p.Variable(NewParameter("w", rows, cols, nil))
	}
	tests := []struct {
		name   string
		record func(p *Program)
		says   []string
	}{
		{"product", func(p *Program) { p.Product(Plain(in(p, 2, 3)), Plain(in(p, 4, 5))) }, []string{"product", "[2][3]", "[4][5]", "3 and 4"}},
		{"transposed product", func(p *Program) { p.Product(Transposed(in(p, 2, 3)), Plain(in(p, 3, 5))) }, []string{"product", "[2][3]", "[3][5]", "2 and 3"}},
		{"product transposed", func(p *Program) { p.Product(Plain(in(p, 2, 3)), Transposed(in(p, 3, 5))) }, []string{"product", "[2][3]", "[3][5]", "3 and 5"}},
		{"bias", func(p *Program) { p.Layer(in(p, 2, 3), in(p, 3, 4), in(p, 1, 5), expr.Tanh) }, []string{"layer", "bias", "[1][5]", "[1][4]"}},
		{"bias rows", func(p *Program) { p.Layer(in(p, 2, 3), in(p, 3, 4), in(p, 2, 4), expr.Tanh) }, []string{"bias", "[2][4]", "[1][4]"}},
		{"a result both changed and spread", func(p *Program) {
			w := variable(p, 1, 4)
			p.Update("scale", []*Tensor{w}, []*expr.Expr{expr.Mul(expr.Arg(0), expr.Arg(1))}, Whole(w), ValueOf(w, 2))
		}, []string{"scale", "w[1][4]", "spread"}},
		{"cross-entropy", func(p *Program) { p.CrossEntropy(in(p, 2, 3), in(p, 1, 3)) }, []string{"cross-entropy", "[1][3]", "[2][3]"}},
		{"mean-squared-error", func(p *Program) { p.MeanSquaredError(in(p, 2, 3), in(p, 6, 1)) }, []string{"mean-squared-error", "[6][1]", "[2][3]"}},
		{"sgd momentum", func(p *Program) {
			p.SGD(variable(p, 2, 3), variable(p, 3, 2), in(p, 2, 3), nil, in(p, 1, 3))
		}, []string{"sgd", "momentum", "[3][2]", "[2][3]"}},
		{"sgd gradient", func(p *Program) {
			p.SGD(variable(p, 2, 3), variable(p, 2, 3), in(p, 1, 3), nil, in(p, 1, 3))
		}, []string{"sgd", "gradient", "[1][3]", "[2][3]"}},
		{"sgd anchor", func(p *Program) {
			p.SGD(variable(p, 2, 3), variable(p, 2, 3), in(p, 2, 3), in(p, 2, 1), in(p, 1, 3))
		}, []string{"sgd", "anchor", "[2][1]", "[2][3]"}},
		{"sgd settings", func(p *Program) {
			p.SGD(variable(p, 2, 3), variable(p, 2, 3), in(p, 2, 3), nil, in(p, 3, 1))
		}, []string{"sgd", "settings", "[3][1]", "[1][3]"}},
		{"sgd of an input", func(p *Program) {
			p.SGD(in(p, 2, 3), variable(p, 2, 3), in(p, 2, 3), nil, in(p, 1, 3))
		}, []string{"sgd", "variables"}},
		{"empty tensor", func(p *Program) { in(p, 0, 3) }, []string{"[0][3]"}},
		{"negative tensor", func(p *Program) { in(p, 2, -1) }, []string{"[2][-1]"}},
		{"short parameter", func(*Program) { NewParameter("w", 2, 3, make([]float32, 5)) }, []string{"w[2][3]", "6", "5"}},
		{"empty parameter", func(*Program) { NewParameter("w", 2, 0, nil) }, []string{"[2][0]"}},
		{"tensor of another program", func(p *Program) { p.Apply(expr.Tanh, in(New(), 2, 3)) }, []string{"tanh", "[2][3]", "another program"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := New()
			message := panicOf(func() { test.record(p) })
			if message == "" {
				t.Fatal("no panic")
			}
			for _, part := range test.says {
				if !strings.Contains(message, part) {
					t.Errorf("%q is not in %q", part, message)
				}
			}
			if len(p.Ops()) != 0 {
				t.Errorf("%d operations were recorded all the same", len(p.Ops()))
			}
		})
	}
}

func panicOf(f func()) (message string) {
	defer func() {
		if r := recover(); r != nil {
			message = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

func TestAParameterIsOneTensor(t *testing.T) {
	p := New()
	par := NewParameter("w", 2, 3, nil)
	first := p.Variable(par)
	if p.Variable(par) != first {
		t.Error("the same parameter gives two tensors")
	}
	if p.Variable(NewParameter("w", 2, 3, nil)) == first {
		t.Error("two parameters of the same name give one tensor")
	}
	for i, x := range p.Tensors() {
		if x.ID != i {
			t.Errorf("tensor %d has the ID %d", i, x.ID)
		}
	}
}

func TestReadsAndWrites(t *testing.T) {
	p := New()
	x, w, bias := p.Input(2, 3), p.Variable(NewParameter("w", 3, 4, nil)), p.Input(1, 4)
	y := p.Layer(x, w, bias, expr.Tanh)
	sum := p.Ops()[0].Writes()[0]
	v, dw, s, anchor := p.Variable(NewParameter("v", 3, 4, nil)), p.Input(3, 4), p.Input(1, 3), p.Input(3, 4)
	p.SGD(w, v, dw, anchor, s)
	tests := []struct{ reads, writes []*Tensor }{
		{[]*Tensor{x, w}, []*Tensor{sum}},
		{[]*Tensor{sum, bias}, []*Tensor{y}},
		{[]*Tensor{v, w, dw, s, s, s, anchor}, []*Tensor{v, w}},
	}
	if len(p.Ops()) != len(tests) {
		t.Fatalf("%d operations", len(p.Ops()))
	}
	for i, op := range p.Ops() {
		if !slices.Equal(op.Reads(), tests[i].reads) || !slices.Equal(op.Writes(), tests[i].writes) {
			t.Errorf("%s reads %v and writes %v", op.Name(), op.Reads(), op.Writes())
		}
	}
}

// An operation or operand without a gradient is an error that names it, and what was recorded stays as it was.
func TestNoGradient(t *testing.T) {
	for want, record := range map[string]func(p *Program) (loss, by *Tensor){
		"warp": func(p *Program) (loss, by *Tensor) {
			x := p.Variable(NewParameter("x", 2, 16, nil))
			return p.Warp(x, p.Input(2, 6), p.Input(16, 4), 4, 4), x
		},
		"cross-entropy by its target": func(p *Program) (loss, by *Tensor) {
			target := p.Variable(NewParameter("target", 2, 3, nil))
			return p.CrossEntropy(p.Softmax(p.Input(2, 3)), target), target
		},
		"by unread[1][1], on which it does not depend": func(p *Program) (loss, by *Tensor) {
			return p.Apply(expr.Tanh, p.Input(1, 1)), p.Variable(NewParameter("unread", 1, 1, nil))
		},
	} {
		p := New()
		loss, by := record(p)
		before := len(p.Ops())
		gradients, err := p.Gradients(loss, 1, by)
		if err == nil || !strings.Contains(err.Error(), "there is no gradient of ") || !strings.Contains(err.Error(), want) || gradients != nil {
			t.Errorf("%s: error %v, gradients %v", want, err, gradients)
		}
		if len(p.Ops()) != before {
			t.Errorf("%s: %d operations are recorded, %d before", want, len(p.Ops()), before)
		}
	}
}

// What is read from a file may have no shares.
func TestAChoiceWithoutShares(t *testing.T) {
	if c := (&Choice{}); c.Shared() || c.Device() != 0 {
		t.Errorf("shared %t, by device %d", c.Shared(), c.Device())
	}
}
