package compute

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/program"
)

// elementRows is the number of rows of which a thread computes an element on a software
// renderer, where short threads are dear: four took three quarters of the time of one.
const elementRows = 4

func (e *executor) planElementwise(b *builder, o *program.Elementwise) (gldevice.Step, error) {
	f, err := glops.NewFormulas(b, o, -1)
	if err != nil {
		return nil, err
	}
	l := launch{Kernel: glops.ElementsKernel(o.Name(), f)}
	if e.software {
		l.rows = min(elementRows, l.Out.Rows)
	}
	return e.plan(l)
}

func (e *executor) planReduce(b *builder, o *program.Reduce) (gldevice.Step, error) {
	type formulas = glops.Formulas[*buffer]
	atOnce := func(f *formulas, plan func(*formulas) (gldevice.Step, error)) (gldevice.Step, error) { return plan(f) }
	return glops.PlanReduce(b, o, atOnce)
}
