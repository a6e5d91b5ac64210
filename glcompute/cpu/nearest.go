package cpu

import "inkshade/glcompute/internal/program"

func init() {
	register(func(b *builder, op *program.Nearest) func() {
		d, class, out, n := b.Of(op.D), b.Of(op.Class), b.Of(op.Out), op.D.Cols
		return b.parallel(op.D.Rows, 2*costArithmetic*n, func(from, to int) { // compared and exchanged
			for r := from; r < to; r++ {
				row, first := d[r*n:(r+1)*n], 0
				if c := class[r]; c >= 0 && int(c)*op.PerClass < n {
					first = int(c) * op.PerClass
				} else {
					first = -op.PerClass
				}
				begin, end := max(0, first), max(0, min(first+op.PerClass, n))
				own := smallest(row[begin:end], begin)
				other := smallest(row[:begin], 0).before(smallest(row[end:], end))
				out[4*r], out[4*r+1], out[4*r+2], out[4*r+3] = own.value, other.value, float32(own.column), float32(other.column)
			}
		})
	})
}

// place is the smallest of some values, with its column.
type place struct {
	value  float32
	column int
}

// smallest is that of values whose first is in the column from.
func smallest(values []float32, from int) place {
	found := place{program.Farthest, -1}
	for j, v := range values {
		if !(v >= found.value) {
			found = place{v, from + j}
			if v != v {
				break
			}
		}
	}
	return found
}

// before is the smaller of p and another whose columns come later.
func (p place) before(q place) place {
	if p.value != p.value || p.value <= q.value {
		return p
	}
	return q
}
