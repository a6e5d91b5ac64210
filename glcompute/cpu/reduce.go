package cpu

import "inkshade/glcompute/internal/program"

func init() {
	register(func(b *builder, op *program.Reduce) func() {
		f := b.epilogue(op.Epilogue)
		switch op.Along {
		case program.AlongGroups:
			return b.pool(op, f)
		case program.AlongRows:
			return b.reduceRows(op, f)
		}
		return b.reduceColumns(op, f)
	})
}

// divide makes means of sums.
func divide(kind program.ReduceKind, out []float32, count int) {
	if kind == program.ReduceMean {
		for i := range out {
			out[i] /= float32(count)
		}
	}
}

func (b *builder) reduceRows(op *program.Reduce, f *formula) func() {
	term := b.term(op)
	out, index := b.sums(op.Out, f), b.Of(op.Index)
	return b.parallel(op.ExtentRows, op.ExtentCols*term.cost, func(from, to int) {
		term.reduceRows(op.Kind, from, to, out[from:], part(index, from))
		divide(op.Kind, out[from:to], op.ExtentCols)
		f.run(from, to, 0, 1, out[from:], 1)
	})
}

// Columns are reduced in at most so many parts of their rows, and in so many columns at once: shapes alone
// decide, so that sums do not depend on the number of threads.
const (
	rowParts    = 16
	partRows    = 256
	partColumns = 256
	longColumn  = 1 << 16 // so many values of a single column are reduced as a row
)

func (b *builder) reduceColumns(op *program.Reduce, f *formula) func() {
	term := b.term(op)
	rows, cols := op.ExtentRows, op.ExtentCols
	if term.rows < rows {
		out, index := b.sums(op.Out, f), b.Of(op.Index)
		return func() {
			term.reduceRows(op.Kind, 0, 1, out, index)
			divide(op.Kind, out[:1], rows)
			f.run(0, 1, 0, 1, out, 1)
		}
	}
	parts := min(rowParts, (rows+partRows-1)/partRows)
	across := (cols + partColumns - 1) / partColumns
	partial := b.Scratch(parts * cols)
	var places []float32
	if op.Index != nil {
		places = b.Scratch(parts * cols)
	}
	out, index := b.sums(op.Out, f), b.Of(op.Index)
	reduce := b.parallel(parts*across, (rows/parts)*min(cols, partColumns)*term.cost, func(from, to int) {
		for ; from < to; from++ {
			p, c := from/across, from%across*partColumns
			term.reduceColumns(op.Kind, p*rows/parts, (p+1)*rows/parts, c, min(c+partColumns, cols), partial[p*cols+c:], part(places, p*cols+c))
		}
	})
	return func() {
		reduce()
		combine(op.Kind, partial, places, out, index)
		divide(op.Kind, out[:cols], rows)
		f.run(0, 1, 0, cols, out, cols)
	}
}

// combine takes the parts of a reduction, rows of partial, in their order; of equal values the first counts.
func combine(kind program.ReduceKind, partial, places, out, index []float32) {
	cols := len(out)
	copy(out, partial)
	copy(index, places)
	for p := cols; p < len(partial); p += cols {
		for c, v := range partial[p : p+cols] {
			switch kind {
			case program.ReduceSum, program.ReduceMean:
				out[c] += v
				continue
			case program.ReduceMax:
				if !(v > out[c]) {
					continue
				}
			case program.ReduceMin:
				if !(v < out[c]) {
					continue
				}
			}
			out[c] = v
			if index != nil {
				index[c] = places[p+c]
			}
		}
	}
}

// part is x from there on, and nil for nil.
func part(x []float32, from int) []float32 {
	if x == nil {
		return nil
	}
	return x[from:]
}

// pool reduces what positions of images see through a table.
func (b *builder) pool(op *program.Reduce, f *formula) func() {
	count, _ := op.Images()
	from := b.images(op.Args[0].Tensor, op.Table, count)
	match, out, index, n := b.Of(op.Match), b.sums(op.Out, f), b.Of(op.Index), op.Out.Cols
	return b.parallel(op.Out.Rows, n*(from.taps+1), func(r0, r1 int) {
		from.each(r0, r1, func(i image, at, positions int) {
			i.pool(op.Kind, positions, part(match, at/from.positions*from.size), out[at*n:], part(index, at*n))
		})
		divide(op.Kind, out[r0*n:r1*n], from.taps)
		f.run(r0, r1, 0, n, out[r0*n:], n)
	})
}
