package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

// planGroups reduces along the groups of a table: pooling and its gradients. The number of the
// tap that was taken is a pass of its own.
func planGroups[T any](b *gldevice.Builder[T], o *program.Reduce) (gldevice.Step, error) {
	table, err := b.Table(o.Table)
	if err != nil {
		return nil, err
	}
	_, pixels := o.Images()
	kernel := func(out *program.Tensor, index bool) gldevice.Kernel[T] {
		k := gldevice.Kernel[T]{
			Op: o.Name(), File: "groups.glsl", Out: b.Of(out), Table: table, Work: 2 * gldevice.TexelValues * o.Table.Cols,
			Reads: []gldevice.Operand[T]{{Name: "X", Matrix: b.Of(o.Args[0].Tensor)}},
			Uniforms: func(u *gldevice.Uniforms) {
				u.Int("positions", o.Table.Rows).Int("pixels", pixels).Float("taps", float32(o.Table.Cols))
			},
		}
		if o.Match != nil {
			k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "Match", Matrix: b.Of(o.Match)})
		}
		k.Source.Define("KIND", int(o.Kind)).Define("MATCH", o.Match != nil).Define("INDEX", index)
		return k
	}
	kernels := []gldevice.Kernel[T]{kernel(o.Out, false)}
	if o.Index != nil {
		kernels = append(kernels, kernel(o.Index, true))
	}
	return b.Plan(kernels...)
}
