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
	return together(b, after(b, o.Epilogue, b.Of(o.Out).Lying()), func(f *Formulas[T]) gldevice.Step { return b.Plan(sparseKernel(b, o, f)) })
}

func sparseKernel[T any](b *gldevice.Builder[T], o *program.Product, f *Formulas[T]) gldevice.Kernel[T] {
	s := o.A.Sparse
	k := gldevice.Kernel[T]{Op: o.Name(), File: "sparse.glsl"}
	k.Source.Define("TRANSPOSED", o.A.Trans).Define("COLUMN", o.Out.Cols == 1)
	lists := map[string]*program.Tensor{"Values": s.Values, "Starts": s.Starts, "Rows": s.Columns}
	if o.A.Trans {
		lists = map[string]*program.Tensor{"Values": s.Values, "Starts": s.Runs, "Rows": s.Sources, "Order": s.Order}
	}
	for _, name := range []string{"Values", "Starts", "Rows", "Order"} { // columns, as the rows that they lie as
		if t := lists[name]; t != nil {
			k.Reads = append(k.Reads, gldevice.Operand[T]{Name: name, Matrix: b.Of(t).Lying()})
		}
	}
	k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "B", Matrix: b.Of(o.B.Tensor)})
	f.AddTo(&k)
	k.Work += 2 * gldevice.TexelValues * (s.Capacity/o.Out.Rows + 1)
	return k
}
