// Package glops formulates the operations for both OpenGL executors: which shader runs
// over which matrices, in how many stages. The shader files beside it are the same text
// at every GL level; an executor puts its own frame around them (see gldevice.Kernel).
package glops

import (
	"embed"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
	"inkshade/glcompute/message"
)

// Files holds the shaders.
//
//go:embed shaders
var Files embed.FS

// Shared gives the plans of all operations but products, of which each executor has ways of its own. precise says that its
// shaders can ask for every primitive to round.
func Shared[T any](together Together[T], precise bool) gldevice.Operations[T] {
	all := gldevice.Operations[T]{}
	gldevice.Add(all, func(b *gldevice.Builder[T], o *program.Elementwise) gldevice.Step {
		f := NewFormulas(b, o, -1)
		if f.rounds() && !precise {
			return b.Plan(f.throughMemory(b, o.Name())...)
		}
		return together(b, f, func(f *Formulas[T]) gldevice.Step { return b.Plan(ElementsKernel(o.Name(), f)) })
	})
	gldevice.Add(all, func(b *gldevice.Builder[T], o *program.Reduce) gldevice.Step {
		if o.Along == program.AlongGroups {
			return planGroups(b, o, together)
		}
		return planLines(b, o)
	})
	gldevice.Add(all, planTranspose[T])
	gldevice.Add(all, planSoftmax[T])
	gldevice.Add(all, planCTC[T])
	gldevice.Add(all, planWarp[T])
	gldevice.Add(all, planReshape[T])
	gldevice.Add(all, planColumns[T])
	gldevice.Add(all, planNearest[T])
	gldevice.Add(all, planGather[T])
	gldevice.Add(all, planScatterAdd[T])
	return all
}

// Probe runs a formula over numbers before a device is trusted: drivers have rounded float textures to sixteen bits, clamped them to
// one, or offered them without being able to draw into them.
func Probe[T any](g *gldevice.GL, e gldevice.Executor[T]) {
	in := []float32{-7.125, 65537.5, 1.0 / 3, 1e-30, 3e30, -0.1, 16777215, 2, 0, -5.875, 1, 7.875, -1, 0.5, 1.0 / 7}
	formula := expr.Sub(expr.Scale(2, expr.Arg(0)), expr.Arg(0)) // each number itself
	x := gldevice.Matrix[T]{Rows: 3, Cols: len(in) / 3}
	out := x
	for _, m := range []*gldevice.Matrix[T]{&x, &out} {
		m.Memory = e.NewTensor(m.Rows, m.Cols)
		defer e.Free(m.Memory)
	}
	args := arguments[T]{sum: -1, all: []argument[T]{{Matrix: x, name: "X"}}}
	step := e.Plan(nil, ElementsKernel("the probe", &Formulas[T]{Exprs: []*expr.Expr{formula}, Outs: []gldevice.Matrix[T]{out}, args: args}))
	e.Write(x.Memory, in)
	step()
	got := make([]float32, len(in))
	e.Read(out.Memory, got)
	for i, want := range in {
		if got[i] != want {
			gldevice.Fail(message.Errorf("%s computes wrongly with %s shaders and cannot be used (%g where %g is right)", g.Info.Name, g.Kind, got[i], want))
		}
	}
	g.Check("the probe")
}
