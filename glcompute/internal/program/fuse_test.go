package program

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
)

// TestFusedKeepsTheNumbers runs a training step as recorded and fused, and counts the passes
// that a layer, its gradient and its update are made of.
func TestFusedKeepsTheNumbers(t *testing.T) {
	p := New()
	rng := rand.New(rand.NewPCG(1, 2))
	x, target, settings := p.Input(6, 5), p.Input(6, 3), p.Input(1, 3)
	var params, momenta []*Tensor
	variable := func(rows, cols int) *Tensor {
		momenta = append(momenta, p.Variable(NewParameter("", rows, cols, nil)))
		params = append(params, p.Variable(NewParameter("", rows, cols, nil)))
		return params[len(params)-1]
	}
	h := p.Layer(x, variable(5, 4), variable(1, 4), expr.Tanh)
	y := p.Softmax(p.Layer(h, variable(4, 3), variable(1, 3), expr.Identity))
	loss := p.CrossEntropy(y, target)
	for i, d := range Must(p.Gradients(loss, 1.0/6, params...)) {
		p.SGD(params[i], momenta[i], d, nil, settings)
	}
	values := func() Values {
		v := Values{settings: {0.1, 0.9, 0.01}}
		rng = rand.New(rand.NewPCG(3, 4))
		for _, t := range append([]*Tensor{x, target}, params...) {
			for i := range v.Of(t) {
				v.Of(t)[i] = rng.Float64()
			}
		}
		return v
	}
	want := values()
	p.RunReference(want)
	got := values()
	ops, skipped := p.Fused()
	var names []string
	for _, op := range ops {
		op.Reference(got)
		names = append(names, op.Name())
	}
	const all = "product, tanh; product, bias; softmax; cross-entropy; cross-entropy-grad; product, tanh-grad; " +
		"product, sgd; sum of columns, sgd; product, sgd; sum of columns, sgd"
	if got := strings.Join(names, "; "); got != all {
		t.Errorf("passes %s, want %s", got, all)
	}
	for _, t2 := range p.Tensors() {
		if skipped[t2] {
			continue
		}
		if _, err := compare.Slices(got[t2], want[t2], compare.Limit{Abs: 1e-14}); err != nil {
			t.Errorf("%s: %v", t2, err)
		}
	}
}

// Places of the largest are left out where nothing reads them, and stay where a gradient does.
func TestUnreadPlacesAreLeftOut(t *testing.T) {
	for _, learns := range []bool{false, true} {
		p := New()
		w := p.Variable(NewParameter("", 4, 2, nil))
		y := p.Pool(ReduceMax, w, Window{Height: 2, Width: 2, KernelHeight: 2, KernelWidth: 2, StrideY: 2, StrideX: 2})
		if learns {
			Must(p.Gradients(y, 1, w))
		}
		ops, skipped := p.Fused()
		o := ops[0].(*Reduce)
		if kept := o.Index != nil; kept != learns || len(skipped) > 0 == learns {
			t.Errorf("learns %t: places are kept %t, %d results left out", learns, kept, len(skipped))
		}
	}
}

// A value that is multiplied by itself again and again would double the text of its formula each time, and of many operations
// each looked at all others.
func TestFusingIsBounded(t *testing.T) {
	p := New()
	x := p.Input(2, 3)
	for range 40 {
		x = p.Elementwise("square", expr.Mul(expr.Arg(0), expr.Arg(0)), x)
	}
	for range 3000 {
		x = p.Elementwise("tanh", expr.Tanh(expr.Arg(0)), p.Transpose(x))
	}
	begin := time.Now()
	ops, _ := p.Fused()
	for _, op := range ops {
		if e, ok := op.(*Elementwise); ok && len(e.Exprs[0].Key()) > longestFormula {
			t.Errorf("a formula has %d letters", len(e.Exprs[0].Key()))
		}
	}
	if took := time.Since(begin); took > 10*time.Second || len(ops) < 6000 {
		t.Errorf("it took %v and left %d operations", took, len(ops))
	}
}
