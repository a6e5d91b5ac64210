package cpu

import "inkshade/glcompute/internal/program"

// panels are a right factor b'[k][n], or the filters of several groups, rearranged as vectors.h says, once for as
// long as they do not change.
type panels struct {
	packed [][]float32 // of each group
	update func()
}

// packing is a part of a right factor: steps rows of b', from first of all k on; out is for all of it.
type packing struct {
	transposed         bool
	k, first, steps, n int
	b                  []float32
	ld                 int
	out                []float32
}

// panels packs the parts that t is made of, one list for each group.
func (b *builder) panels(t *program.Tensor, groups [][]packing) *panels {
	p := &panels{}
	var parts []packing
	for _, list := range groups {
		out := b.Scratch(packedLen(list[0].k, list[0].n))
		for _, part := range list {
			part.out = out
			parts = append(parts, part)
		}
		p.packed = append(p.packed, out)
	}
	pack := b.packAll(parts)
	if t.Parameter == nil { // any replay may bring other values
		p.update = pack
		return p
	}
	changes := &b.params[t.Parameter].changes
	seen := *changes - 1
	p.update = func() {
		if seen != *changes {
			pack()
			seen = *changes
		}
	}
	return p
}

func (b *builder) packAll(parts []packing) func() {
	if len(parts) == 1 {
		p := parts[0]
		return b.parallel(p.units(), p.k*p.n/p.units()*costCopy, p.pack)
	}
	return b.parallel(len(parts), parts[0].steps*parts[0].n*costCopy, func(from, to int) {
		for _, p := range parts[from:to] {
			p.pack(0, p.units())
		}
	})
}

// units is the number of what pack takes one by one: rows of b, or panels where it is transposed.
func (p packing) units() int {
	if p.transposed {
		return panelCount(p.n)
	}
	return p.steps
}

func panelCount(n int) int { return (n + 2*lanes - 1) / (2 * lanes) }

// block is a part of a product: c[m][n] = Σ a'·panels, from the column of the right factor on; see multiply
// in vectors.h.
type block struct {
	left                 int // leftRows, ...
	distance, accumulate bool
	m, n, k              int
	a                    []float32
	lda                  int
	seen                 *seen // of leftImages
	panels               []float32
	column               int // the first of the right factor
	c                    []float32
	ldc                  int
	f                    *formula
	r0, c0               int
}

// dense is a product of two matrices.
type dense struct {
	block
	packed *panels
}

// inPanels is a product in panels, with what follows.
func (b *builder) inPanels(op *program.Product, f *formula) func() {
	m, n, k := op.Dims()
	p := dense{block: block{distance: op.Distance, m: m, n: n, k: k, a: b.Of(op.A.Tensor), lda: op.A.Cols}}
	p.c, p.ldc, p.f = b.Of(op.Out), n, f
	p.packed = b.panels(op.B.Tensor, [][]packing{{{transposed: op.B.Trans, k: k, steps: k, n: n, b: b.Of(op.B.Tensor), ld: op.B.Cols}}})
	p.block.panels = p.packed.packed[0]
	tile := func() {}
	if op.A.Trans {
		p.left = leftColumns
		if k >= longColumns && panelCount(n) >= manyPanels {
			tile = p.tile(b)
		}
	}
	multiply := p.multiplied(b)
	return func() {
		p.packed.update()
		tile()
		multiply()
	}
}

// A tile of a transposed left factor takes a few values from each of its rows, which lie on as
// many pages. From so many rows on it pays to bring them together, where enough panels use them.
const (
	longColumns = 192
	manyPanels  = 16
)

func (p *dense) tile(b *builder) func() {
	count, a := (p.m+tileRows()-1)/tileRows(), p.a
	tiles := b.Scratch(count * tileRows() * p.k)
	p.left, p.a = leftTiles, tiles
	return b.parallel(count, tileRows()*p.k*costCopy, func(from, to int) { packTiles(p.m, p.k, a, p.lda, from, to, tiles) })
}

// sumsPerAddition is how many products are summed up in the time of one addition of a plain loop.
const sumsPerAddition = 24

// leastRows of a are worth a loop of their own: whole tiles, of any width of vectors.
const leastRows = 12

// multiplied shares out panels for chunks of rows of a, which stay in the second cache meanwhile.
func (p *dense) multiplied(b *builder) func() {
	const most, items = 120, 16
	across := panelCount(p.n)
	rows := even(p.m, min(most, max(leastRows, p.m*across/(items*b.threads))), leastRows)
	chunks := (p.m + rows - 1) / rows
	cost := p.k/sumsPerAddition + 1
	if p.f != nil {
		cost += p.f.cost
	}
	return b.parallel(chunks*across, rows*2*lanes*cost, func(from, to int) {
		for from < to {
			chunk, panel := from/across, from%across
			end := min(across, panel+to-from)
			p.part(chunk*rows, min(p.m, (chunk+1)*rows), panel*2*lanes, min(p.n, end*2*lanes))
			from += end - panel
		}
	})
}

// part computes the rows i to iEnd-1 of the columns j to jEnd-1, which begin with a panel.
func (p *dense) part(i, iEnd, j, jEnd int) {
	x := p.block
	x.m, x.n, x.column, x.r0, x.c0 = iEnd-i, jEnd-j, j, i, j
	switch x.left {
	case leftRows:
		x.a = x.a[i*x.lda:]
	case leftColumns:
		x.a = x.a[i:]
	case leftTiles:
		x.a = x.a[i*x.k:]
	}
	if x.f == nil {
		x.c = x.c[i*x.ldc+j:]
	}
	x.multiply()
}

// even splits n into equal parts of at most size, rounded up to a multiple of step.
func even(n, size, step int) int {
	parts := (n + size - 1) / size
	part := (n + parts - 1) / parts
	return min((part+step-1)/step*step, n)
}
