package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

// PlanSGD makes two steps of the update: the momentum first, from the weights as they
// were, then the weights from the new momentum. Weights in two floats take two more: see
// twoFloats.
func PlanSGD[T any](b *gldevice.Builder[T], o *program.SGD) (gldevice.Step, error) {
	u, err := InPlace(b, o)
	if err != nil {
		return nil, err
	}
	momentum := Update(b, o, u, PlainGradient(b, o))
	momentum.File, momentum.Out = "sgd_momentum.glsl", u.V
	if o.Low != nil {
		return twoFloats(b, o, u, momentum)
	}
	return b.Plan(momentum, Weights(b, o, u))
}

// Updated is what an SGD step changes, as it lies in memory.
type Updated[T any] struct{ W, V, Low gldevice.Matrix[T] }

// InPlace gives what the step changes; while variants are tried it is something else.
func InPlace[T any](b *gldevice.Builder[T], o *program.SGD) (u Updated[T], err error) {
	for _, of := range []struct {
		name   string
		tensor *program.Tensor
		matrix *gldevice.Matrix[T]
	}{{"W", o.W, &u.W}, {"V", o.V, &u.V}, {"Low", o.Low, &u.Low}} {
		if of.tensor == nil {
			continue
		}
		if *of.matrix, err = b.InPlace(of.name, b.Of(of.tensor).Lying()); err != nil {
			return u, err
		}
	}
	return u, nil
}

// Old are the operands with the values from before the step.
func (u *Updated[T]) Old() []gldevice.Operand[T] {
	return []gldevice.Operand[T]{{Name: "V", Matrix: u.V}, {Name: "W", Matrix: u.W}}
}

// Update is the kernel of a step in which W is the result; which of its shaders' parts does
// what is the executor's affair.
func Update[T any](b *gldevice.Builder[T], o *program.SGD, u Updated[T], g Gradient[T]) gldevice.Kernel[T] {
	k := gldevice.Kernel[T]{Op: o.Name(), File: "sgd.glsl", Out: u.W, Work: elementwiseWork, Reads: u.Old()}
	g.AddTo(&k)
	Settings(b, &k, o)
	if o.Low != nil {
		k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "Low", Matrix: u.Low})
	}
	return k
}

// Weights is the kernel of the second half of an SGD step.
func Weights[T any](b *gldevice.Builder[T], o *program.SGD, u Updated[T]) gldevice.Kernel[T] {
	return gldevice.Kernel[T]{
		Op: o.Name(), File: "sgd_weights.glsl", Out: u.W, Work: elementwiseWork,
		Reads: append(u.Old(), gldevice.Operand[T]{Name: "Settings", Matrix: b.Of(o.Settings)}),
	}
}

// Settings adds the operands of a step that it does not change to a kernel.
func Settings[T any](b *gldevice.Builder[T], k *gldevice.Kernel[T], o *program.SGD) {
	k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "Settings", Matrix: b.Of(o.Settings)})
	k.Source.Define("HAS_ANCHOR", o.Anchor != nil).Define("HAS_LOW", o.Low != nil)
	if o.Anchor != nil {
		k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "Anchor", Matrix: b.Of(o.Anchor).Lying()})
	}
}

// twoFloats is the update of W + Low after that of the momentum, in three passes: the sum
// W + step into memory of its own, with step = Low - Rate·V; then Low = what rounding left
// out of it; then W = the sum. OpenGL 3.3 has no word against compilers that take
// (W + step) - W for step, so that the sum goes through memory, where none can see it.
func twoFloats[T any](b *gldevice.Builder[T], o *program.SGD, u Updated[T], momentum gldevice.Kernel[T]) (gldevice.Step, error) {
	sum, err := b.Scratch("sums of two floats", u.W.Rows, u.W.Cols)
	if err != nil {
		return nil, err
	}
	pass := func(stage int, out gldevice.Matrix[T]) gldevice.Kernel[T] {
		k := gldevice.Kernel[T]{
			Op: o.Name(), File: "sgd_two_floats.glsl", Out: out, Work: elementwiseWork,
			Reads: append(u.Old(), gldevice.Operand[T]{Name: "Low", Matrix: u.Low}, gldevice.Operand[T]{Name: "Settings", Matrix: b.Of(o.Settings)}),
		}
		if stage > 0 {
			k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "Sum", Matrix: sum})
		}
		k.Source.Define("STAGE", stage)
		return k
	}
	copySum := elementwise(o.Name(), "map.glsl", sum, sum, u.W)
	copySum.Source.Define("ACTIVATION", int(program.Identity))
	return b.Plan(momentum, pass(0, sum), pass(1, u.Low), copySum)
}
