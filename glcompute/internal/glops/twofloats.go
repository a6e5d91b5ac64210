package glops

import (
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
)

// twoFloats are the formulas of a step of parameters in two floats, for the momentum, for what
// rounding leaves out of the sum W + step with step = Low - rate·V, and for that sum. The
// larger of the two is taken off the sum first, which is exact (Dekker, 1971). Should the sum have
// been rounded otherwise than to the nearest, this still is what it lacks.
func twoFloats[T any](b *gldevice.Builder[T], o *program.SGDTwoFloats) *Formulas[T] {
	args := []program.Operand{program.Whole(o.V), program.Whole(o.W), program.Whole(o.Low), program.Whole(o.DW)}
	setting := func(i int) *expr.Expr {
		args = append(args, program.ValueOf(o.Settings, i))
		return expr.Arg(len(args) - 1)
	}
	rate, momentum, decay := setting(0), setting(1), setting(2)
	v, w, low, dw := expr.Arg(0), expr.Arg(1), expr.Arg(2), expr.Arg(3)
	towards := w
	if o.Anchor != nil {
		args = append(args, program.Whole(o.Anchor))
		towards = expr.Sub(w, expr.Arg(len(args)-1))
	}
	step := expr.Sub(low, expr.Mul(rate, expr.NewValue(0)))
	sum := expr.Add(w, step)
	lost := expr.Select(expr.Sub(expr.Abs(step), expr.Abs(w)), expr.Sub(w, expr.Sub(sum, step)), expr.Sub(step, expr.Sub(sum, w)))
	return NewFormulas(b, &program.Elementwise{
		Args:  args,
		Outs:  []*program.Tensor{o.V, o.Low, o.W},
		Exprs: []*expr.Expr{expr.Add(expr.Add(expr.Mul(momentum, v), dw), expr.Mul(decay, expr.Add(towards, low))), lost, sum},
	}, -1)
}

// planTwoFloats plans the step in four passes, in which the sum goes through memory: OpenGL 3.3
// has no word against compilers that take (W + step) - W for step, and there none can see it.
func planTwoFloats[T any](b *gldevice.Builder[T], o *program.SGDTwoFloats) gldevice.Step {
	f := twoFloats(b, o)
	w := f.Outs[2]
	memory := b.Scratch("sums of two floats", w.Rows, w.Cols)
	f.Outs[2] = memory
	lost := f.Only(1)
	lost.args.all = append(lost.args.all, argument[T]{Matrix: memory, name: "Sum"})
	lost.Exprs[0] = lost.Exprs[0].Replace(f.Only(2).Exprs[0], expr.Arg(len(lost.args.all)-1))
	return b.Plan(ElementsKernel(o.Name(), f.Only(0)), ElementsKernel(o.Name(), f.Only(2)), ElementsKernel(o.Name(), lost),
		ElementsKernel(o.Name(), formulaOf(w, expr.Arg(0), memory)))
}
