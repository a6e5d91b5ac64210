package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
)

// planCTC makes a column of all samples in a pass, from the first on forward and from the last on backward, so that no pass is
// long.
func planCTC[T any](b *gldevice.Builder[T], o *program.CTC) gldevice.Step {
	logits, perSample, longest := b.Of(o.Logits), o.PerSample(), o.Labels.Cols
	scratch := func(purpose string, rows, texels int) gldevice.Matrix[T] {
		return b.Scratch(purpose, rows, texels*gldevice.TexelValues)
	}
	statistics, totals := scratch("statistics of rows", logits.Rows, 1), scratch("totals", o.Loss.Rows, 1)
	written := scratch("what is written", logits.Rows, longest+1)
	states, after := scratch("states", logits.Rows, longest+1), scratch("states after a pass", logits.Rows, longest+1)
	stage := func(number int, out gldevice.Matrix[T], work int, reads ...gldevice.Operand[T]) gldevice.Kernel[T] {
		k := gldevice.Kernel[T]{Op: o.Name(), File: "ctc.glsl", Out: out, Work: work, Reads: reads}
		k.Source.Define("STAGE", number).Define("PER_SAMPLE", perSample).Define("BLANK", logits.Cols-1)
		return k
	}
	operand := func(name string, m gldevice.Matrix[T]) gldevice.Operand[T] {
		return gldevice.Operand[T]{Name: name, Matrix: m}
	}
	ofRows := gldevice.Kernel[T]{
		Op: o.Name(), File: "softmax.glsl", Out: statistics, Work: elementwiseWork * logits.Stride(),
		Reads: []gldevice.Operand[T]{operand("A", logits), operand("Statistics", logits)},
	}
	ofRows.Source.Define("STAGE", softmaxParts)
	kernels := []gldevice.Kernel[T]{
		ofRows,
		stage(0, written, elementwiseWork+8*longest, operand("Logits", logits), operand("Labels", b.Of(o.Labels)), operand("Statistics", statistics)),
	}
	columns := operand("Columns", b.Of(o.Columns).Lying())
	for pass := range perSample {
		k := stage(1, after, 2*elementwiseWork, operand("Before", states), operand("Written", written), columns)
		k.Uniforms = func(u *gldevice.Uniforms) { u.Int("pass", pass) }
		kernels = append(kernels, k)
		states, after = after, states
	}
	return b.Plan(append(kernels,
		stage(2, totals, 8*longest, operand("States", states), operand("Written", written), columns),
		stage(3, b.Of(o.Loss), 8, operand("Totals", totals)),
		stage(4, b.Of(o.ByLogits), elementwiseWork*(2+longest), operand("Logits", logits), operand("States", states), operand("Written", written),
			operand("Statistics", statistics), operand("Totals", totals)),
	)...)
}
