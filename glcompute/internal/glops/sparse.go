package glops

import (
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

// PlanSparse plans a product with sparse rows or with their transposed: a thread adds up the rows of
// the right factor that belong to the non-zeros of its row, in their order (claims 1, 2 and 12 of
// US 12,008,475, NVIDIA).
func PlanSparse[T any](b *gldevice.Builder[T], o *program.Product, together Together[T]) (gldevice.Step, error) {
	if err := tooMany(o.Name(), min(o.B.Rows, o.A.Sparse.Capacity), 2*LongestPart/lanes(o.Out.Cols == 1)); err != nil {
		return nil, err
	}
	f, err := after(b, o.Epilogue, b.Of(o.Out).Lying())
	if err != nil {
		return nil, err
	}
	return together(f, func(f *Formulas[T]) (gldevice.Step, error) { return b.Plan(sparseKernel(b, o, f)) })
}

func sparseKernel[T any](b *gldevice.Builder[T], o *program.Product, f *Formulas[T]) gldevice.Kernel[T] {
	s := o.A.Sparse
	k := gldevice.Kernel[T]{Op: o.Name(), File: "sparse.glsl"}
	k.Source.Define("TRANSPOSED", o.A.Trans).Define("COLUMN", o.Out.Cols == 1)
	lists := map[string]*program.Tensor{"Values": s.Values, "Starts": s.Starts, "Rows": s.Columns}
	if o.A.Trans {
		lists = map[string]*program.Tensor{"Values": s.Values, "Starts": s.Runs, "Rows": s.Sources, "Order": s.Order}
	}
	addLists(b, &k, lists)
	k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "B", Matrix: b.Of(o.B.Tensor)})
	f.AddTo(&k)
	k.Work += 2 * gldevice.TexelValues * (s.Capacity/o.Out.Rows + 1)
	return k
}

// planRowwise plans rows of a compact matrix in their places: alone, or as a step of those of a variable, which
// leaves the others as they are (claims 5, 6 and 11).
func planRowwise[T any](b *gldevice.Builder[T], o *program.Rowwise) (gldevice.Step, error) {
	k := gldevice.Kernel[T]{Op: o.Name(), File: "places.glsl"}
	addLists(b, &k, map[string]*program.Tensor{"Places": o.S.Places})
	k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "Rows", Matrix: b.Of(o.X)})
	k.Source.Define("COLUMN", o.X.Cols == 1)
	f := plainSum(b.Of(o.Out).Lying())
	if o.Rate != nil {
		step := &program.Elementwise{
			Args:  []program.Operand{program.Whole(o.Out), program.ValueOf(o.Rate, 0), program.Whole(o.X)},
			Exprs: []*expr.Expr{expr.Sub(expr.Arg(0), expr.Mul(expr.Arg(1), expr.Arg(2)))}, Outs: []*program.Tensor{o.Out},
		}
		var err error
		if f, err = NewFormulas(b, step, 2); err != nil {
			return nil, err
		}
	}
	f.AddTo(&k)
	return b.Plan(k)
}

// addLists makes columns of numbers operands, as the rows that they lie as.
func addLists[T any](b *gldevice.Builder[T], k *gldevice.Kernel[T], lists map[string]*program.Tensor) {
	for _, name := range []string{"Values", "Starts", "Rows", "Order", "Places"} {
		if t := lists[name]; t != nil {
			k.Reads = append(k.Reads, gldevice.Operand[T]{Name: name, Matrix: b.Of(t).Lying()})
		}
	}
}
