package glops

import (
	"slices"
	"testing"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

// What is tried is the rule of thumb first; small work is not measured at all.
func TestCandidates(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want []int
	}{
		{"the bias of ten classes", columnSumsCandidates(128, 3, false), []int{sumsWhole}},
		{"the bias of a layer", columnSumsCandidates(128, 200, false), []int{sumsWhole, sumsByEight}},
		{"few rows", columnSumsCandidates(8, 1000, false), []int{sumsWhole}},
		{"many rows", columnSumsCandidates(1024, 16, false), []int{sumsStrided, sumsByEight, sumsWhole}},
		{"many rows on the processor", columnSumsCandidates(16384, 16, true), []int{sumsWhole, sumsByEight, sumsStrided}},
		{"very many rows", columnSumsCandidates(16384, 16, false), []int{sumsByEight, sumsStrided, sumsWhole}},
		{"more rows than a loop may have", columnSumsCandidates(LongestPart+1, 16, true), []int{sumsByEight, sumsStrided}},
		{"ten classes", softmaxCandidates(128, 3), []int{1}},
		{"ten classes in a large batch", softmaxCandidates(1024, 3), []int{1, 2}},
		{"letters and digits", softmaxCandidates(128, 16), []int{2, 1}},
		{"one drawing", softmaxCandidates(1, 16), []int{1}},
		{"a few drawings", softmaxCandidates(8, 16), []int{2}},
		{"hundreds of classes", softmaxCandidates(128, 100), []int{2, 3}},
		{"thousands of classes", softmaxCandidates(32, 939), []int{3, 2}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

// What is recorded for a class is of that class, so that tuning measures what was asked for.
func TestRecordedPairIsOfItsClass(t *testing.T) {
	p := program.New()
	a, b := p.Input(5, 7), p.Input(7, 9)
	variable := func(rows, cols int) *program.Tensor { return p.Variable(program.NewParameter("", rows, cols, nil)) }
	p.ActivationGrad(p.MatMul(a, b, false, false), p.Input(5, 9), program.Tanh)
	p.SGD(variable(7, 7), variable(7, 7), p.MatMul(a, a, true, false), nil, p.Input(1, 3))
	p.SGD(variable(5, 1), variable(5, 1), p.MatMul(a, p.Input(7, 1), false, false), variable(5, 1), p.Input(1, 3))
	classOf := func(ops []program.Op) gldevice.Class {
		c, ok := PairClass(ByRows(ops[0].(*program.MatMul)), ops[1])
		if !ok {
			t.Fatalf("no class for %s and %s", ops[0].Name(), ops[1].Name())
		}
		return c
	}
	var described []string
	for pair := range slices.Chunk(p.Ops(), 2) {
		want := classOf(pair)
		again := program.New()
		recordPair(again, want)
		if got := classOf(again.Ops()); !slices.Equal(got.Options, want.Options) || !slices.Equal(got.Sizes, want.Sizes) {
			t.Errorf("%+v is recorded as %+v", want, got)
		}
		described = append(described, describePair(want))
	}
	if want := []string{"5x7 · 7x9, gradient of tanh", "7x5' · 5x7, step", "1x7 · 7x5', step with anchor"}; !slices.Equal(described, want) {
		t.Errorf("described as %q, want %q", described, want)
	}
	if _, ok := PairClass(p.Ops()[0].(*program.MatMul), p.Ops()[3]); ok {
		t.Error("a class for a product and the step of another")
	}
}

func TestRecordedProductIsOfItsClass(t *testing.T) {
	p := program.New()
	a, b, bias := p.Input(5, 7), p.Input(7, 9), p.Input(1, 9)
	p.MatMul(a, b, false, false)
	p.Linear(a, b, bias, program.Tanh)
	p.Linear(a, b, nil, program.ReLU)
	p.MatMul(p.Input(7, 5), b, true, false)
	p.MatMul(a, p.Input(9, 7), false, true)
	p.MatMul(p.Input(7, 5), p.Input(9, 7), true, true)
	p.Linear(a, p.Input(7, 1), p.Input(1, 1), program.Sigmoid)
	p.MatMul(a, p.Input(7, 1), false, false)
	descriptions := map[string]bool{}
	for _, op := range p.Ops() {
		want := ProductClass(ByRows(op.(*program.MatMul)))
		again := program.New()
		recordProduct(again, want)
		got := ProductClass(ByRows(again.Ops()[0].(*program.MatMul)))
		if !slices.Equal(got.Options, want.Options) || !slices.Equal(got.Sizes, want.Sizes) {
			t.Errorf("%+v is recorded as %+v", want, got)
		}
		descriptions[describeProduct(want)] = true
	}
	if len(descriptions) != len(p.Ops()) || !descriptions["5x7 · 7x9, bias, tanh"] || !descriptions["5x7' · 7x9'"] || !descriptions["1x7 · 7x5', one bias, sigmoid"] {
		t.Errorf("descriptions %v", descriptions)
	}
	for _, o := range Choosable(nil, nil) {
		if o.Name == ProductName || o.Name == PairName {
			continue
		}
		q := program.New()
		o.Record(q, gldevice.Class{Sizes: []int{6, 8}})
		if x := q.Ops()[0].Reads()[0]; x.Rows != 6 || x.Cols != 8 || o.Describe(gldevice.Class{Sizes: []int{6, 8}}) != "6x8" {
			t.Errorf("%s of 6x8 is recorded with %s", o.Name, x)
		}
	}
}
