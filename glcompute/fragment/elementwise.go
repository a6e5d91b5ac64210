package fragment

import (
	"fmt"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/internal/program"
)

func (e *executor) planElementwise(b *builder, o *program.Elementwise) (gldevice.Step, error) {
	f, err := glops.NewFormulas(b, o, -1)
	if err != nil {
		return nil, err
	}
	return e.inTurn(b, f, func(f *formulas) (gldevice.Step, error) { return b.Plan(glops.ElementsKernel(o.Name(), f)) })
}

func (e *executor) planReduce(b *builder, o *program.Reduce) (gldevice.Step, error) {
	return glops.PlanReduce(b, o, e.together(b))
}

// together plans results at once where the render targets allow it, else in turn.
func (e *executor) together(b *builder) glops.Together[*texture] {
	return func(f *formulas, plan func(*formulas) (gldevice.Step, error)) (gldevice.Step, error) {
		return e.inTurn(b, f, plan)
	}
}

type formulas = glops.Formulas[*texture]

// inTurn plans formulas of which the render targets may not take all results at once, as those of a matrix in
// planes: then they are drawn one result after another. What a later one reads as it was before is drawn
// beside it, and changes places with it at the end.
func (e *executor) inTurn(b *builder, f *formulas, plan func(*formulas) (gldevice.Step, error)) (gldevice.Step, error) {
	if len(f.Outs)*f.Outs[0].Memory.targets() <= e.targets {
		return plan(f)
	}
	apart := *f
	apart.Outs = append([]matrix{}, f.Outs...)
	var steps []gldevice.Step
	for k, out := range f.Outs {
		if f.ReadsOld(k) {
			beside, err := b.Scratch(fmt.Sprint("result beside ", k), out.Rows, out.Cols)
			if err != nil {
				return nil, err
			}
			apart.Outs[k] = beside
		}
		step, err := plan(apart.Only(k))
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return gldevice.Sequence(append(steps, func() {
		for k, out := range f.Outs {
			if drawn := apart.Outs[k].Memory; drawn != out.Memory {
				out.Memory.surface, drawn.surface = drawn.surface, out.Memory.surface
				out.Memory.mirror.stale, drawn.mirror.stale = true, true
			}
		}
	})...), nil
}
