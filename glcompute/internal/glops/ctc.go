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
	stage := func(number int, out gldevice.Matrix[T], work int) *gldevice.Kernel[T] {
		return gldevice.NewKernel(o, "ctc.glsl", out, work).Define("STAGE", number).Define("PER_SAMPLE", perSample).Define("BLANK", logits.Cols-1)
	}
	kernels := []*gldevice.Kernel[T]{
		softmaxStage(o, softmaxParts, logits, logits, statistics),
		stage(0, written, elementwiseWork+8*longest).Read("Logits", logits).Read("Labels", b.Of(o.Labels)).Read("Statistics", statistics),
	}
	columns := b.Of(o.Columns).Lying()
	for pass := range perSample {
		kernels = append(kernels, stage(1, after, 2*elementwiseWork).Read("Before", states).Read("Written", written).Read("Columns", columns).Int("pass", pass))
		states, after = after, states
	}
	return b.Plan(append(kernels,
		stage(2, totals, 8*longest).Read("States", states).Read("Written", written).Read("Columns", columns),
		stage(3, b.Of(o.Loss), 8).Read("Totals", totals),
		stage(4, b.Of(o.ByLogits), elementwiseWork*(2+longest)).Read("Logits", logits).Read("States", states).Read("Written", written).
			Read("Statistics", statistics).Read("Totals", totals),
	)...)
}
