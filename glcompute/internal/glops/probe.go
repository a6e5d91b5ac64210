package glops

import (
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/message"
)

// Probe runs a formula of one operand over the rows of in before a device is trusted, and wants
// factor times each value.
func Probe[T any](g *gldevice.GL, e gldevice.Executor[T], rows int, in []float32, formula *expr.Expr, factor float32) error {
	x := gldevice.Matrix[T]{Rows: rows, Cols: len(in) / rows}
	out := x
	for _, m := range []*gldevice.Matrix[T]{&x, &out} {
		memory, err := e.NewTensor(m.Rows, m.Cols)
		if err != nil {
			return err
		}
		defer e.Free(memory)
		m.Memory = memory
	}
	step, err := e.Plan(nil, ElementsKernel("the probe", Formula(out, formula, x)))
	if err != nil {
		return err
	}
	e.Write(x.Memory, in)
	step()
	got := make([]float32, len(in))
	e.Read(out.Memory, got)
	for i, v := range in {
		if want := factor * v; got[i] != want {
			return message.Errorf("%s computes wrongly with %s shaders and cannot be used (%g where %g is right)", g.Info.Name, g.Kind, got[i], want)
		}
	}
	return g.Check("the probe")
}
