package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
)

// PlanSparse plans a product with sparse rows or with their transposed: a thread adds up the rows of
// the right factor that belong to the non-zeros of its row, in their order (claims 1, 2 and 12 of
// US 12,008,475, NVIDIA).
func PlanSparse[T any](b *gldevice.Builder[T], o *program.Product, together Together[T]) gldevice.Step {
	limit(o.Name(), min(o.B.Rows, o.A.Sparse.Capacity), 2*LongestPart/lanes(o.Out.Cols == 1))
	s, out := o.A.Sparse, b.Of(o.Out).Lying()
	return together(b, after(b, o.Epilogue, out), func(f *Formulas[T]) gldevice.Step {
		k := gldevice.NewKernel(o, "sparse.glsl", out, 2*gldevice.TexelValues*(s.Capacity/o.Out.Rows+1)).Read("Values", b.Of(s.Values).Lying())
		if o.A.Trans {
			k.Read("Starts", b.Of(s.Runs).Lying()).Read("Rows", b.Of(s.Sources).Lying()).Read("Order", b.Of(s.Order).Lying())
		} else {
			k.Read("Starts", b.Of(s.Starts).Lying()).Read("Rows", b.Of(s.Columns).Lying())
		}
		k.Read("B", b.Of(o.B.Tensor)).Define("TRANSPOSED", o.A.Trans).Define("COLUMN", o.Out.Cols == 1)
		return b.Plan(f.AddTo(k))
	})
}
