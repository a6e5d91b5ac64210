package compute

import (
	"fmt"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/glops"
)

// probe computes known values before the device is trusted: a driver may offer compute
// shaders and get them wrong.
func (e *executor) probe() error {
	in := make([]float32, 15)
	for i := range in {
		in[i] = float32(i) - 7.125
	}
	var both [2]matrix
	for i := range both {
		memory, err := e.NewTensor(3, 5)
		if err != nil {
			return err
		}
		defer e.Free(memory)
		both[i] = matrix{Rows: 3, Cols: 5, Memory: memory}
	}
	x, out := both[0], both[1]
	step, err := e.Plan(nil, glops.ElementsKernel("the probe", glops.Formula(out, expr.Add(expr.Scale(2, expr.Arg(0)), expr.Scale(0.5, expr.Arg(0))), x)))
	if err != nil {
		return err
	}
	e.Write(x.Memory, in)
	step()
	got := make([]float32, len(in))
	e.Read(out.Memory, got)
	for i, v := range in {
		if want := 2.5 * v; got[i] != want {
			return fmt.Errorf("a compute shader on %s gave %g where %g is right, so the driver cannot be used", e.gl.Info.Name, got[i], want)
		}
	}
	return e.gl.Check("the probe")
}
