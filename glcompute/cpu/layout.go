package cpu

import "inkshade/glcompute/internal/program"

func init() {
	register(func(b *builder, op *program.Transpose) func() {
		x, out, rows, cols := b.Of(op.X), b.Of(op.Out), op.X.Rows, op.X.Cols
		return b.parallel(cols, rows*costArithmetic, func(from, to int) {
			transpose(out, x, rows, cols, from, to)
		})
	})
	register(func(b *builder, op *program.Reshape) func() {
		out, x := b.Of(op.Out), b.Of(op.X)
		if &out[0] == &x[0] {
			return func() {}
		}
		return b.parallel(len(x), costCopy, func(from, to int) { copy(out[from:to], x[from:to]) })
	})
	register(func(b *builder, op *program.Columns) func() { // none of which is in two parts
		out, cols := b.Of(op.Out), op.Out.Cols
		return b.parallel(op.Out.Rows, cols*costCopy, func(r0, r1 int) {
			for i, t := range op.Xs {
				x, to, from := b.Of(t), max(-op.From[i], 0), max(op.From[i], 0)
				for r := r0; r < r1; r++ {
					copy(out[r*cols+to:(r+1)*cols], x[r*t.Cols+from:(r+1)*t.Cols])
				}
			}
		})
	})
}

// tile is the side of the squares that transpose works in, so that both the rows it
// reads and those it writes stay in the first cache.
const tile = 32

// transpose is out[c][r] = x[r][c] for the columns from to to-1 of x[rows][cols].
func transpose(out, x []float32, rows, cols, from, to int) {
	for r0 := 0; r0 < rows; r0 += tile {
		r1 := min(r0+tile, rows)
		for c0 := from; c0 < to; c0 += tile {
			for c := c0; c < min(c0+tile, to); c++ {
				line := out[c*rows+r0 : c*rows+r1]
				for r := range line {
					line[r] = x[(r0+r)*cols+c]
				}
			}
		}
	}
}
