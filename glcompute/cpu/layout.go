package cpu

import "inkshade/glcompute/program"

func init() {
	register(func(b *builder, op *program.Transpose) func() {
		x, out, rows, cols := b.Of(op.X), b.Of(op.Out), op.X.Rows, op.X.Cols
		return parallel(cols, rows*costArithmetic, func(from, to int) {
			transpose(out, x, rows, cols, from, to)
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
