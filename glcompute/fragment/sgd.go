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
	k := drawn{Kernel: glops.Update(b, o), also: b.Of(o.V).Memory, mirrors: e.mirrors}
	k.File = "sgd.glsl"
	k.Reads = append(k.Reads, oldValues(b, o)...)
	return e.plan(b, k)
}

// oldValues are the operands with the values from before an update.
func oldValues(b *builder, o *program.SGD) []gldevice.Operand[*texture] {
	return []gldevice.Operand[*texture]{{Name: "V", Matrix: b.Of(o.V).Lying()}, {Name: "W", Matrix: b.Of(o.W).Lying()}}
}
