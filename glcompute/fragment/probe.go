package fragment

import (
	"fmt"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/glops"
)

// probe draws known values into a float texture and reads them back before the device
// is trusted: drivers have rounded float textures to sixteen bits, clamped them to one, or
// offered them without being able to draw into them.
func (e *executor) probe() error {
	in := []float32{-7.125, 65537.5, 1.0 / 3, 1e-30, 3e30, -0.1, 16777215, 2, 0}
	x := matrix{Rows: 1, Cols: len(in)}
	out := x
	for _, m := range []*matrix{&x, &out} {
		memory, err := e.NewTensor(m.Rows, m.Cols)
		if err != nil {
			return err
		}
		defer e.Free(memory)
		m.Memory = memory
	}
	step, err := e.Plan(nil, glops.ElementsKernel("the probe", glops.Formula(out, expr.Sub(expr.Scale(2, expr.Arg(0)), expr.Arg(0)), x)))
	if err != nil {
		return err
	}
	e.Write(x.Memory, in)
	step()
	got := make([]float32, len(in))
	e.Read(out.Memory, got)
	for i, want := range in {
		if got[i] != want {
			return fmt.Errorf("a fragment shader on %s gave %g where %g is right, so the driver cannot be used", e.gl.Info.Name, got[i], want)
		}
	}
	return e.gl.Check("the probe")
}
