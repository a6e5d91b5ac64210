package compute

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/internal/program"
)

// elementRows is the number of rows of which a thread computes an element on a software
// renderer, where short threads are dear: four took three quarters of the time of one.
const elementRows = 4

func (e *executor) planElementwise(b *builder, o *program.Elementwise) (gldevice.Step, error) {
	f, err := glops.NewFormulas(b, o, -1)
	if err != nil {
		return nil, err
	}
	return e.planFormulas(o.Name(), f)
}

// planTwoFloats makes the step in one pass, where the shared plan needs four.
func (e *executor) planTwoFloats(b *builder, o *program.SGDTwoFloats) (gldevice.Step, error) {
	f, err := glops.TwoFloats(b, o)
	if err != nil {
		return nil, err
	}
	f.Precise = true
	return e.planFormulas(o.Name(), f)
}

func (e *executor) planFormulas(op string, f *glops.Formulas[*buffer]) (gldevice.Step, error) {
	l := launch{Kernel: glops.ElementsKernel(op, f)}
	if e.software {
		l.rows = min(elementRows, l.Out.Rows)
	}
	return e.plan(l)
}

func (e *executor) planReduce(b *builder, o *program.Reduce) (gldevice.Step, error) {
	return glops.PlanReduce(b, o, e.together(b))
}

// together plans all results of formulas at once.
func (e *executor) together(*builder) glops.Together[*buffer] {
	type formulas = glops.Formulas[*buffer]
	return func(f *formulas, plan func(*formulas) (gldevice.Step, error)) (gldevice.Step, error) { return plan(f) }
}
