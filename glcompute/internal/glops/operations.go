// Package glops formulates the operations for both OpenGL executors: which shader runs
// over which matrices, in how many stages. The shader files beside it are the same text
// at every GL level; an executor puts its own frame around them (see gldevice.Kernel).
package glops

import (
	"embed"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/message"
)

// Files holds the shaders.
//
//go:embed shaders
var Files embed.FS

// Shared gives the plans of the operations that need nothing of an executor's own. Products and
// formulas are planned by the executors, which choose how much of them a thread computes.
func Shared[T any]() gldevice.Operations[T] {
	all := gldevice.Operations[T]{}
	gldevice.Add(all, planTranspose[T])
	gldevice.Add(all, planSoftmax[T])
	gldevice.Add(all, planCrossEntropy[T])
	gldevice.Add(all, planCTC[T])
	gldevice.Add(all, planWarp[T])
	gldevice.Add(all, planReshape[T])
	gldevice.Add(all, planConcat[T])
	gldevice.Add(all, planSlice[T])
	gldevice.Add(all, planNearest[T])
	gldevice.Add(all, planGather[T])
	gldevice.Add(all, planScatterAdd[T])
	return all
}

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
