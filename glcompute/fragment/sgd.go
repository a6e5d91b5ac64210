package fragment

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/program"
)

// planSGD draws the weights and the momentum of a folded matrix at once. One in planes takes
// all render targets for itself, so that it is updated in two passes.
func (e *executor) planSGD(b *builder, o *program.SGD) (gldevice.Step, error) {
	if b.Of(o.W).Memory.targets() > 1 || o.Low != nil {
		return glops.PlanSGD(b, o)
	}
	return e.planStep(b, o, glops.PlainGradient(b, o))
}

// planStep plans the step of a matrix that is not in planes.
func (e *executor) planStep(b *builder, o *program.SGD, g glops.Gradient[*texture]) (gldevice.Step, error) {
	u, err := glops.InPlace(b, o)
	if err != nil {
		return nil, err
	}
	k := glops.Update(b, o, u, g)
	k.Also = []gldevice.Operand[*texture]{{Name: "V", Matrix: u.V}}
	return e.plan(b, drawn{Kernel: k, mirrors: e.mirrors})
}
