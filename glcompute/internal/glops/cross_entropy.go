package glops

import (
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
	"inkshade/glcompute/reference"
)

// planCrossEntropy sums Target·-ln max(P, smallest) along rows.
func planCrossEntropy[T any](b *gldevice.Builder[T], o *program.CrossEntropy) (gldevice.Step, error) {
	p, target := expr.Arg(0), expr.Arg(1)
	return planLines(b, o.Name(), &program.Reduce{
		Along: program.Rows, Args: []program.Operand{program.Whole(o.P), program.Whole(o.Target)}, Out: o.Loss,
		Term: expr.Mul(target, expr.Neg(expr.Log(expr.Max(p, expr.Const(reference.SmallestProbability))))), ExtentRows: o.P.Rows, ExtentCols: o.P.Cols,
	})
}
