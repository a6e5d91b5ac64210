package glops

import (
	"slices"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
)

// Together plans formulas of several results, as far as an executor has room for them at once.
type Together[T any] func(f *Formulas[T], plan func(*Formulas[T]) (gldevice.Step, error)) (gldevice.Step, error)

// PlanReduce plans a reduction: along rows, columns, or the groups of a table.
func PlanReduce[T any](b *gldevice.Builder[T], o *program.Reduce, together Together[T]) (gldevice.Step, error) {
	if o.Along == program.AlongGroups {
		return planGroups(b, o, together)
	}
	return planLines(b, o.Name(), o)
}

// finished are the formulas that follow a reduction of so many values to each of its results.
func finished[T any](b *gldevice.Builder[T], o *program.Reduce, values int) (f *Formulas[T], err error) {
	outs := []gldevice.Matrix[T]{b.Of(o.Out).Lying()}
	if o.Index != nil {
		outs = append(outs, b.Of(o.Index).Lying())
	}
	f, err = after(b, o.Epilogue, outs...)
	if o.Kind == program.ReduceMean {
		f.divideSum(values)
	}
	return f, err
}

// planGroups is pooling and its gradients.
func planGroups[T any](b *gldevice.Builder[T], o *program.Reduce, together Together[T]) (gldevice.Step, error) {
	if err := tooMany(o.Name(), o.Table.Cols, LongestPart*gldevice.TexelValues/lanes(b.Of(o.Out).Column())); err != nil {
		return nil, err
	}
	table, err := b.Table(o.Table)
	if err != nil {
		return nil, err
	}
	f, err := finished(b, o, o.Table.Cols)
	if err != nil {
		return nil, err
	}
	images, pixels := o.Images()
	return together(f, func(f *Formulas[T]) (gldevice.Step, error) {
		k := gldevice.Kernel[T]{
			Op: o.Name(), File: "groups.glsl", Table: table, Work: 2 * gldevice.TexelValues * o.Table.Cols,
			Reads: []gldevice.Operand[T]{{Name: "X", Matrix: b.Of(o.Args[0].Tensor)}},
			Uniforms: func(u *gldevice.Uniforms) {
				u.Int("images", images).Int("positions", o.Table.Rows).Int("pixels", pixels)
			},
		}
		if o.Match != nil {
			k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "Match", Matrix: b.Of(o.Match)})
		}
		k.Source.Define("KIND", int(o.Kind)).Define("MATCH", o.Match != nil).Define("COLUMN", b.Of(o.Out).Column()).
			Define("TEXELS", (o.Table.Cols+gldevice.TexelValues-1)/gldevice.TexelValues).
			Define("FULL", o.Table.Cols%gldevice.TexelValues == 0 && !slices.Contains(o.Table.Values(), -1))
		f.AddTo(&k)
		return b.Plan(k)
	})
}
