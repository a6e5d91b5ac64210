package cpu

import "inkshade/glcompute/internal/program"

// image is what positions see of an image through a table: of ld channels of a pixel, channels from pixels on.
// A position has a row of the table, taps pixels of it.
type image struct {
	table          []int32
	taps, channels int
	pixels         []float32
	ld             int
}

// images are those of a mini-batch, one after another in data, seen through the same table.
type images struct {
	image
	positions, size int // of an image: the rows of the table, and its values
}

// each calls f for the positions from to to-1 of all images, image by image, with the number of the first.
func (m *images) each(from, to int, f func(i image, first, positions int)) {
	for from < to {
		number, position := from/m.positions, from%m.positions
		count := min(m.positions-position, to-from)
		i := m.image
		i.table, i.pixels = i.table[position*i.taps:], i.pixels[number*m.size:]
		f(i, from, count)
		from += count
	}
}

func (b *builder) images(t *program.Tensor, table *program.Table, count int) images {
	return images{
		image:     image{table: table.Values(), taps: table.Cols, channels: t.Cols, pixels: b.Of(t), ld: t.Cols},
		positions: table.Rows, size: t.Len() / count,
	}
}

// matrix is the virtual image matrix of images, tiles of which the gradient of the filters makes: taps times channels
// values for each position of each image, of one group.
type matrix struct {
	images
	cols   int     // of a row
	starts []int   // where the runs of each position begin
	runs   []int32 // see gather in vectors.h
}

func (m images) matrix(channels int) *matrix {
	x := &matrix{images: m, cols: m.taps * channels, starts: make([]int, 1, m.positions+1)}
	x.channels = channels
	for p := range m.positions {
		first := len(x.runs)
		for _, q := range m.table[p*m.taps:][:m.taps] {
			if last := len(x.runs) - 2; last >= first {
				pixel, count := x.runs[last], &x.runs[last+1]
				if q < 0 && pixel < 0 || pixel >= 0 && q == pixel+*count && channels == m.ld {
					*count++
					continue
				}
			}
			x.runs = append(x.runs, q, 1)
		}
		x.starts = append(x.starts, len(x.runs))
	}
	return x
}

// rows makes the rows from to to-1 of a group.
func (m *matrix) rows(group, from, to int, out []float32) {
	m.each(from, to, func(i image, first, positions int) {
		p := first % m.positions
		gather(m.runs[m.starts[p]:m.starts[p+positions]], i.channels, i.pixels[group*i.channels:], i.ld, out[(first-from)*m.cols:])
	})
}

// segments are what each position sees, cut into runs of neighbouring values of one length, the longest that all positions have: the
// places where they begin in an image, -1 for zeros, and that length.
func (m images) segments(channels int) (places []int32, length int) {
	run := 1
	for n := m.taps; n > 1 && channels == m.ld; n-- {
		if m.taps%n == 0 && m.neighbours(n) {
			run = n
			break
		}
	}
	for i := 0; i < len(m.table); i += run {
		places = append(places, max(m.table[i]*int32(m.ld), -1))
	}
	return places, run * channels
}

// neighbours reports whether all taps are runs of n neighbouring pixels.
func (m images) neighbours(n int) bool {
	for i, q := range m.table {
		if q < 0 || i%n > 0 && q != m.table[i-1]+1 {
			return false
		}
	}
	return true
}

// convolution is a product whose left factor is a virtual image matrix, which is never made: a tile of the result reads what its
// positions see where it lies in the images, by the places in a table (claim 1 of US 10,255,547, NVIDIA).
func (b *builder) convolution(op *program.Product, f *formula) func() {
	g := op.Gathered()
	from := b.images(op.A.Tensor, op.A.Table, g.Images)
	switch depthwise := g.SourceCols == 1 && g.Channels == 1; {
	case g.Form == program.FilterGradient:
		return b.filterGradient(op, g, from, depthwise, f)
	case depthwise:
		return b.depthwise(op, from, f)
	}
	filters := b.panels(op.B.Tensor, b.filterPanels(op, g))
	rows := even(op.Out.Rows, max(op.Out.Rows/(8*b.threads), leastRows), leastRows)
	chunks := (op.Out.Rows + rows - 1) / rows
	all := block{left: leftImages, n: g.Channels, k: g.Inner, seen: newSeen(from, g.SourceCols), ldc: op.Out.Cols, f: f}
	out := b.Of(op.Out)
	multiply := b.parallel(chunks*g.Groups, rows*g.Channels*(g.Inner/sumsPerAddition+1), func(first, end int) {
		for ; first < end; first++ {
			x, group := all, first%g.Groups
			x.r0, x.c0 = first/g.Groups*rows, group*g.Channels
			x.m = min(rows, op.Out.Rows-x.r0)
			x.a, x.panels = from.pixels[group*g.SourceCols:], filters.packed[group]
			if f == nil {
				x.c = out[x.r0*x.ldc+x.c0:]
			}
			x.multiply()
		}
	})
	return func() {
		filters.update()
		multiply()
	}
}

// filterPanels are the filters of each group as the right factor: those of the input gradient are
// transposed, tap by tap.
func (b *builder) filterPanels(op *program.Product, g program.Gathered) [][]packing {
	w, ld := b.Of(op.B.Tensor), op.B.Cols
	groups := make([][]packing, g.Groups)
	for i := range groups {
		if g.Form == program.Forward {
			groups[i] = []packing{{k: g.Inner, steps: g.Inner, n: g.Channels, b: w[i*g.Channels:], ld: ld}}
			continue
		}
		for t := range g.Taps {
			groups[i] = append(groups[i], packing{
				transposed: true, k: g.Inner, first: t * g.SourceCols, steps: g.SourceCols, n: g.Channels,
				b: w[t*g.Channels*ld+i*g.SourceCols:], ld: ld,
			})
		}
	}
	return groups
}

// depthwise has one channel in a group, so that neighbouring channels are neighbouring groups.
func (b *builder) depthwise(op *program.Product, from images, f *formula) func() {
	w, sums, n := b.Of(op.B.Tensor), b.sums(op.Out, f), op.Out.Cols
	return b.parallel(op.Out.Rows, n*(from.taps+1), func(r0, r1 int) {
		from.each(r0, r1, func(i image, at, positions int) { i.depthwise(positions, w, sums[at*n:]) })
		f.run(r0, r1, 0, n, sums[r0*n:], n)
	})
}

// filterParts is in how many parts of the positions the gradient of filters is summed up at most, each by one
// thread. It does not depend on their number, so that the sums do not.
const filterParts = 8

// filterGradient is w[Taps·In][Groups·Out] = Σ over all positions of what each sees times its gradient. Parts
// of the positions are summed up apart, then in their order.
func (b *builder) filterGradient(op *program.Product, g program.Gathered, from images, depthwise bool, f *formula) func() {
	d, n, size := b.Of(op.B.Tensor), op.B.Cols, op.Out.Len()
	const tileValues = 48 << 10 // of the virtual image matrix are made at once, to stay in the second cache
	m, virtual := g.Taps*g.SourceCols, from.matrix(g.SourceCols)
	steps := min(max(tileValues/m, 32), 512, g.Inner)
	parts := min(filterParts, (g.Inner+2*steps-1)/(2*steps))
	partial := b.Scratch(parts * size)
	tiles, packed := b.threadScratch(steps*m), b.threadScratch(packedLen(steps, g.Channels))
	sum := func(thread, group, first, end int, out []float32) {
		for r0 := first; r0 < end; r0 += steps {
			k := min(steps, end-r0)
			virtual.rows(group, r0, r0+k, tiles[thread])
			packing{k: k, steps: k, n: g.Channels, b: d[r0*n+group*g.Channels:], ld: n, out: packed[thread]}.pack(0, k)
			x := block{left: leftColumns, accumulate: true, m: m, n: g.Channels, k: k, a: tiles[thread], lda: m}
			x.panels, x.c, x.ldc = packed[thread], out[group*g.Channels:], n
			x.multiply()
		}
	}
	multiply := b.parallelOn(parts, g.Inner/parts*m*n/sumsPerAddition, func(thread, p, end int) {
		for ; p < end; p++ {
			out, first, last := partial[p*size:(p+1)*size], p*g.Inner/parts, (p+1)*g.Inner/parts
			clear(out)
			if depthwise {
				from.each(first, last, func(i image, at, positions int) { i.depthwiseFilter(positions, d[at*n:], out) })
				continue
			}
			for group := range g.Groups {
				sum(thread, group, first, last, out)
			}
		}
	})
	add := b.addParts(partial, parts, op.Out, f)
	return func() {
		multiply()
		add()
	}
}

// addParts sums up parts of a result in their order, with what follows.
func (b *builder) addParts(partial []float32, parts int, out *program.Tensor, f *formula) func() {
	sums, ones, size := b.sums(out, f), b.Scratch(parts), out.Len()
	for i := range ones {
		ones[i] = 1
	}
	return b.parallel(out.Rows, out.Cols*(parts+costCopy), func(from, to int) {
		from, to = from*out.Cols, to*out.Cols
		weighRows(to-from, parts, ones, nil, nil, partial[from:], size, sums[from:], nil, 0, 0)
		f.run(from/out.Cols, to/out.Cols, 0, out.Cols, sums[from:], out.Cols)
	})
}
