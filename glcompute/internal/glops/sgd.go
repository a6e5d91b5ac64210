package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

// PlanSGD makes two steps of the update: the momentum first, from the weights as they
// were, then the weights from the new momentum. Weights in two floats take two more: see
// twoFloats.
func PlanSGD[T any](b *gldevice.Builder[T], o *program.SGD) (gldevice.Step, error) {
	w, v := b.Of(o.W), b.Of(o.V)
	settings := gldevice.Operand[T]{Name: "Settings", Matrix: b.Of(o.Settings)}
	momentum := gldevice.Kernel[T]{
		Op: o.Name(), File: "sgd_momentum.glsl", Out: v, Work: elementwiseWork,
		Reads: []gldevice.Operand[T]{
			{Name: "V", Matrix: v}, {Name: "W", Matrix: w}, {Name: "DW", Matrix: b.Of(o.DW)}, settings,
		},
	}
	momentum.Source.Define("HAS_ANCHOR", o.Anchor != nil).Define("HAS_LOW", o.Low != nil)
	if o.Anchor != nil {
		momentum.Reads = append(momentum.Reads, gldevice.Operand[T]{Name: "Anchor", Matrix: b.Of(o.Anchor)})
	}
	if o.Low != nil {
		momentum.Reads = append(momentum.Reads, gldevice.Operand[T]{Name: "Low", Matrix: b.Of(o.Low)})
		return twoFloats(b, o, lying(momentum))
	}
	return b.Plan(lying(momentum), Weights(b, o))
}

// Weights is the kernel of the second half of an SGD step.
func Weights[T any](b *gldevice.Builder[T], o *program.SGD) gldevice.Kernel[T] {
	w := b.Of(o.W)
	return lying(gldevice.Kernel[T]{
		Op: o.Name(), File: "sgd_weights.glsl", Out: w, Work: elementwiseWork,
		Reads: []gldevice.Operand[T]{{Name: "W", Matrix: w}, {Name: "V", Matrix: b.Of(o.V)}, {Name: "Settings", Matrix: b.Of(o.Settings)}},
	})
}

// twoFloats is the update of W + Low after that of the momentum, in three passes: the sum
// W + step into memory of its own, with step = Low - Rate·V; then Low = what rounding left
// out of it; then W = the sum. OpenGL 3.3 has no word against compilers that take
// (W + step) - W for step, so that the sum goes through memory, where none can see it.
func twoFloats[T any](b *gldevice.Builder[T], o *program.SGD, momentum gldevice.Kernel[T]) (gldevice.Step, error) {
	w, low := b.Of(o.W).Lying(), b.Of(o.Low).Lying()
	sum, err := b.Scratch("sums of two floats", w.Rows, w.Cols)
	if err != nil {
		return nil, err
	}
	pass := func(stage int, out gldevice.Matrix[T]) gldevice.Kernel[T] {
		k := gldevice.Kernel[T]{
			Op: o.Name(), File: "sgd_two_floats.glsl", Out: out, Work: elementwiseWork,
			Reads: []gldevice.Operand[T]{
				{Name: "W", Matrix: w}, {Name: "Low", Matrix: low}, {Name: "V", Matrix: b.Of(o.V)}, {Name: "Settings", Matrix: b.Of(o.Settings)},
			},
		}
		if stage > 0 {
			k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "Sum", Matrix: sum})
		}
		k.Source.Define("STAGE", stage)
		return lying(k)
	}
	copySum := elementwise(o.Name(), "map.glsl", sum, sum, w)
	copySum.Source.Define("ACTIVATION", int(program.Identity))
	return b.Plan(momentum, pass(0, sum), pass(1, low), copySum)
}
