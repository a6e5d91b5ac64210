package compute

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

// planSGD updates momentum and weights in one pass, where the shared plan needs two: a
// thread reads its texel of both before it writes them, and no other thread reads it.
func (e *executor) planSGD(b *builder, o *program.SGD) (gldevice.Step, error) {
	const work = 64
	w := b.Of(o.W)
	l := launch{
		Kernel: gldevice.Kernel[*buffer]{
			Op: o.Name(), File: "sgd.glsl", Out: w,
			Reads: []operand{{Name: "DW", Matrix: b.Of(o.DW)}, {Name: "Settings", Matrix: b.Of(o.Settings)}},
		},
		also:  []operand{{Name: "V", Matrix: b.Of(o.V)}},
		items: w.Rows * w.Stride(), work: work,
	}
	if o.Anchor != nil {
		l.Reads = append(l.Reads, operand{Name: "Anchor", Matrix: b.Of(o.Anchor)})
	}
	if o.Low != nil {
		l.also = append(l.also, operand{Name: "Low", Matrix: b.Of(o.Low)})
	}
	l.Source.Define("HAS_ANCHOR", o.Anchor != nil).Define("HAS_LOW", o.Low != nil)
	return e.plan(l)
}
