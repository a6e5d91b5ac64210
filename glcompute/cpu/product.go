package cpu

import "inkshade/glcompute/internal/program"

func init() {
	register(func(b *builder, op *program.Product) func() {
		f := b.epilogue(op.Epilogue)
		m, n, _ := op.Dims()
		switch {
		case op.A.Table != nil:
			return b.convolution(op, f)
		case op.A.Sparse != nil:
			return b.sparse(op, f)
		case (m == 1 || n == 1) && !op.Distance:
			return b.vector(op, f)
		}
		return b.inPanels(op, f)
	})
}

// epilogue compiles what follows the sums, nil for nothing.
func (b *builder) epilogue(e *program.Epilogue) *formula {
	if e == nil {
		return nil
	}
	return b.formula(e.Elementwise, e.Sum)
}

// sums gives a place for the result of an operation that a formula may follow.
func (b *builder) sums(out *program.Tensor, f *formula) []float32 {
	if f == nil {
		return b.Of(out)
	}
	return b.Scratch(out.Len())
}

// vector is a product with a single row, one drawing, or a single column, which reads the matrix once as it
// is: to bring it into panels would take longer. It is a sum of rows of the matrix, each times a
// value of the vector, or dot products with its rows. Most of a drawing is paper, whose rows are left out.
func (b *builder) vector(op *program.Product, f *formula) func() {
	m, n, k := op.Dims()
	x, matrix, weighed := op.A, op.B, !op.B.Trans
	if n == 1 {
		x, matrix, weighed = op.B, op.A, op.A.Trans
	}
	values, rows, ld, sums := b.Of(x.Tensor), b.Of(matrix.Tensor), matrix.Cols, b.sums(op.Out, f)
	cost := k/sumsPerAddition + 1
	if f != nil {
		cost += f.cost
	}
	if n > 1 && weighed {
		return b.parallel(n, cost, func(from, to int) {
			weighRows(to-from, k, values, nil, nil, rows[from:], ld, sums[from:], f, 0, from)
		})
	}
	return b.parallel(m*n, cost, func(from, to int) {
		out := sums[from:]
		if weighed {
			weighRows(to-from, k, values, nil, nil, rows[from:], ld, out, nil, 0, 0)
		} else {
			dotRows(to-from, k, values, rows[from*ld:], ld, out)
		}
		if n == 1 {
			f.run(from, to, 0, 1, out, 1)
		} else {
			f.run(0, 1, from, to, out, n)
		}
	})
}

// sparse is a product with sparse rows: of each row its values times rows of b, or of each column
// that has any (claims 1 and 2 of US 12,008,475, NVIDIA).
func (b *builder) sparse(op *program.Product, f *formula) func() {
	s, n := op.A.Sparse, op.Out.Cols
	values, rows, sums := b.Of(s.Values), b.Of(op.B.Tensor), b.sums(op.Out, f)
	starts, order, at := b.Of(s.Starts), []float32(nil), b.Of(s.Columns)
	if op.A.Trans {
		starts, order, at = b.Of(s.Runs), b.Of(s.Order), b.Of(s.Sources)
	}
	return b.parallel(op.Out.Rows, (s.Capacity/op.Out.Rows+1)*n/sumsPerAddition+n*costCopy, func(from, to int) {
		for i := from; i < to; i++ {
			first, count := int(starts[i]), int(starts[i+1])-int(starts[i])
			given, by := values[first:], order
			if by != nil { // the order is that of all values
				given, by = values, by[first:]
			}
			weighRows(n, count, given, by, at[first:], rows, n, sums[i*n:], f, i, 0)
		}
	})
}
