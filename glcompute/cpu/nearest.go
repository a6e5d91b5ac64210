package cpu

import (
	"inkshade/glcompute/expr"
	"inkshade/glcompute/program"
)

func init() {
	register(func(b *builder, op *program.Nearest) func() {
		d, class, out := b.Of(op.D), b.Of(op.Class), b.Of(op.Out)
		n, count := op.D.Cols, len(op.Exprs)
		cost := n
		expr.Walk(func(*expr.Expr) { cost += costExp }, op.Exprs...)
		return b.parallel(op.D.Rows, cost, func(from, to int) {
			at := expr.Values{Args: make([]float64, 4)}
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
				at.Args[0], at.Args[1], at.Args[2], at.Args[3] = float64(own.value), float64(own.column), float64(other.value), float64(other.column)
				for k, e := range op.Exprs {
					out[r*count+k] = float32(e.Evaluate(&at))
				}
			}
		})
	})
	register(func(b *builder, op *program.Attract) func() { return newAttraction(b, op).do })
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

// attraction moves the rows of w that pairs name. Pairs of the same row are linked in their order.
type attraction struct {
	w, x, pairs, rate []float32
	n, cols           int     // of w
	count, width      int     // pairs of a row of x, and the values that they lie among
	first, next       []int32 // one more than the first pair of a row of w, and than the next of a pair; 0 for none
	named             []int32 // the rows of w that have any
	sums              [][]float32
	move              func()
}

func newAttraction(b *builder, op *program.Attract) *attraction {
	a := &attraction{
		w: b.Of(op.W), x: b.Of(op.X), pairs: b.Of(op.Pairs), rate: b.Of(op.Rate), n: op.W.Rows, cols: op.W.Cols, count: op.Count, width: op.Pairs.Cols,
		first: make([]int32, op.W.Rows), next: make([]int32, op.Pairs.Rows*op.Count), sums: b.threadScratch(op.W.Cols),
	}
	a.move = b.parallelOn(len(a.next), 2*costArithmetic*a.cols, func(thread, from, to int) {
		for i := from; i < min(to, len(a.named)); i++ {
			a.moveRow(int(a.named[i]), a.sums[thread])
		}
	})
	return a
}

// pair is number i of them all.
func (a *attraction) pair(i int) []float32 { return a.pairs[i/a.count*a.width+i%a.count*2:] }

func (a *attraction) do() {
	a.named = a.named[:0]
	for i := len(a.next) - 1; i >= 0; i-- {
		j := a.pair(i)[0]
		if !(j >= 0 && j < float32(a.n)) {
			continue
		}
		if a.first[int(j)] == 0 {
			a.named = append(a.named, int32(j))
		}
		a.next[i], a.first[int(j)] = a.first[int(j)], int32(i+1)
	}
	a.move()
	for _, j := range a.named {
		a.first[j] = 0
	}
}

func (a *attraction) moveRow(j int, sums []float32) {
	w := a.w[j*a.cols : (j+1)*a.cols]
	clear(sums)
	for i := a.first[j]; i != 0; i = a.next[i-1] {
		weight := a.pair(int(i - 1))[1]
		x := a.x[int(i-1)/a.count*a.cols:][:len(w)]
		for c, v := range w {
			sums[c] += weight * (x[c] - v)
		}
	}
	rate := a.rate[0]
	for c, sum := range sums[:len(w)] {
		w[c] += rate * sum
	}
}
