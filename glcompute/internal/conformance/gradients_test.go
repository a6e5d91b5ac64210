package conformance

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// TestGradients compares the gradient of every operation of the list by every input with
// central differences in float64. Programs of the list that update variables or have a
// backward pass of their own have no single result to differentiate.
func TestGradients(t *testing.T) {
	checked := 0
	for _, c := range cases() {
		r := newRecorder(c.name)
		c.record(r)
		if !differentiable(r) {
			continue
		}
		checked++
		t.Run(c.name, func(t *testing.T) { checkGradients(t, r) })
	}
	if checked < 200 {
		t.Errorf("only %d programs have been differentiated", checked)
	}
}

// differentiable are programs of up to a few thousand values whose every result is new.
func differentiable(r *recorder) bool {
	ops, size := r.Ops(), 0
	for _, op := range ops {
		if e, ok := op.(*program.Reduce); ok && e.Index != nil && e.Along != program.AlongGroups || slices.ContainsFunc(op.Writes(), func(x *program.Tensor) bool { return x.Kind == program.Variable }) {
			return false
		}
	}
	for _, x := range r.Tensors() {
		size += x.Len()
	}
	if p, ok := ops[len(ops)-1].(*program.Product); ok && p.A.Sparse != nil && p.A.Trans {
		return false
	}
	return size < 3000 && !r.goesBack
}

func checkGradients(t *testing.T, r *recorder) {
	out := r.Ops()[len(r.Ops())-1].Writes()[0]
	weights := r.Input(out.Rows, out.Cols)
	weighed := r.Elementwise("weigh", expr.Mul(expr.Arg(0), expr.Arg(1)), out, weights)
	var by []*program.Tensor
	v := program.Values{}
	rng := rand.New(rand.NewPCG(5, 6))
	for _, x := range r.Tensors() {
		switch {
		case x == weights:
		case r.inputs[x] != nil:
			copy(v.Of(x), widen(r.inputs[x]))
			by = append(by, x)
		case x.Kind == program.Variable:
			copy(v.Of(x), widen(x.Parameter.Data))
			by = append(by, x)
		}
	}
	by = slices.DeleteFunc(by, func(x *program.Tensor) bool { return isData(r, x) })
	for i := range v.Of(weights) {
		v.Of(weights)[i] = rng.NormFloat64()
	}
	forward := len(r.Ops())
	gradients := program.Must(r.Gradients(weighed, 1, by...))
	r.RunReference(v)
	got := make([][]float64, len(by))
	for i, g := range gradients {
		got[i] = slices.Clone(v[g])
	}
	objective := func() float64 {
		for _, op := range r.Ops()[:forward] {
			op.Reference(v)
		}
		sum := 0.0
		for _, x := range v[weighed] {
			sum += x
		}
		return sum
	}
	const h = 1e-6
	limit := compare.Limit{Abs: 2e-6, Rel: 2e-6, Reason: "the third derivative times h², and rounding divided by h"}
	for i, x := range by {
		want := make([]float64, x.Len())
		for n := range want {
			middle := v[x][n]
			v[x][n] = middle + h
			above := objective()
			v[x][n] = middle - h
			below := objective()
			v[x][n] = middle
			want[n] = (above - below) / (2 * h)
		}
		if _, err := compare.Slices(got[i], want, limit); err != nil {
			t.Errorf("gradient by %s: %v", x, err)
		}
		for _, g := range got[i] {
			if math.IsNaN(g) {
				t.Fatalf("gradient by %s holds NaN", x)
			}
		}
	}
}

// isData reports whether there is no gradient by x: it says where to read, is what a loss compares with, is a part
// of sparse rows, or is read by nothing.
func isData(r *recorder, x *program.Tensor) bool {
	read := func(op program.Op) bool { return slices.Contains(op.Reads(), x) }
	return r.indexes[x] || !slices.ContainsFunc(r.Ops(), read) || slices.ContainsFunc(r.Ops(), func(op program.Op) bool {
		switch o := op.(type) {
		case *program.Reduce:
			return o.CrossEntropy && o.Args[1].Tensor == x
		case *program.Product:
			return o.A.Sparse != nil && x == o.A.Sparse.Values
		}
		return false
	})
}
