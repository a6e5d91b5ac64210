package cpu

import "inkshade/glcompute/internal/program"

func init() {
	register(func(b *builder, op *program.Gather) func() {
		x, index, out, cols := b.Of(op.X), b.Of(op.Index), b.Of(op.Out), op.X.Cols
		return b.parallel(op.Out.Rows, cols*costCopy, func(from, to int) {
			for r := from; r < to; r++ {
				row := out[r*cols : (r+1)*cols]
				if j, ok := rowOf(index[r], op.X.Rows); ok {
					copy(row, x[j*cols:])
				} else {
					clear(row)
				}
			}
		})
	})
	register(func(b *builder, op *program.ScatterAdd) func() { return newScatter(b, op).do })
}

// rowOf is the row that an index names, if there is one.
func rowOf(index float32, rows int) (row int, ok bool) {
	if index >= 0 && index < float32(rows) {
		return int(index), true
	}
	return 0, false
}

// scatter adds rows of x to those that they name. Rows of the same name are linked in their order.
type scatter struct {
	out, x, index []float32
	rows, cols    int     // of out
	fresh         bool    // out begins with zeros
	first, next   []int32 // one more than the first row of x for a row of out, and than the next after a row of x; 0 for none
	named         []int32 // the rows of out that have any
	add           func()
}

func newScatter(b *builder, op *program.ScatterAdd) *scatter {
	s := &scatter{
		out: b.Of(op.Out), x: b.Of(op.X), index: b.Of(op.Index), rows: op.Out.Rows, cols: op.Out.Cols, fresh: !op.InPlace(),
		first: make([]int32, op.Out.Rows), next: make([]int32, op.X.Rows),
	}
	s.add = b.parallel(op.X.Rows, costArithmetic*s.cols, func(from, to int) {
		for i := from; i < min(to, len(s.named)); i++ {
			j := int(s.named[i])
			row := s.out[j*s.cols : (j+1)*s.cols]
			for r := s.first[j]; r != 0; r = s.next[r-1] {
				for c, v := range s.x[int(r-1)*s.cols:][:len(row)] {
					row[c] += v
				}
			}
		}
	})
	return s
}

func (s *scatter) do() {
	s.named = s.named[:0]
	for r := len(s.next) - 1; r >= 0; r-- {
		j, ok := rowOf(s.index[r], s.rows)
		if !ok {
			continue
		}
		if s.first[j] == 0 {
			s.named = append(s.named, int32(j))
		}
		s.next[r], s.first[j] = s.first[j], int32(r+1)
	}
	if s.fresh {
		clear(s.out)
	}
	s.add()
	for _, j := range s.named {
		s.first[j] = 0
	}
}
