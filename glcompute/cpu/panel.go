//go:build openblas && amd64

package cpu

// #cgo noescape panel_pack
// #cgo nocallback panel_pack
// #cgo noescape panel_tiles
// #cgo nocallback panel_tiles
// #cgo noescape panel_product
// #cgo nocallback panel_product
// #cgo noescape panel_row
// #cgo nocallback panel_row
// #cgo noescape panel_activate
// #cgo nocallback panel_activate
// #include "panel.h"
import "C"

import (
	"runtime"

	processor "golang.org/x/sys/cpu"

	"inkshade/glcompute/program"
)

// lanes is how many float32 a vector of the processor holds, 0 where it is too old for panels.
// GODEBUG=cpu.avx512f=off takes AVX2 on a processor that has both, and cpu.avx2=off neither.
var lanes = vectorLanes()

func vectorLanes() int {
	switch {
	case processor.X86.HasAVX512F:
		return 16
	case processor.X86.HasAVX2 && processor.X86.HasFMA:
		return 8
	}
	return 0
}

// panelName names the vectors in use.
func panelName() string {
	switch lanes {
	case 16:
		return "AVX-512 panels, "
	case 8:
		return "AVX2 panels, "
	}
	return ""
}

// panels is a layer whose right factor is rearranged into panels (see panel.h), once for as
// long as it does not change. The sums get bias and nonlinearity while they are in the first
// cache. Each is taken over k one after another, whichever thread does it and however many
// rows there are.
type panels struct {
	gemm
	bias       []float32
	activation program.Activation
	packed     []float32
	tiles      []float32 // of the left factor, nil where it is read as it is
}

// inPanels gives a layer in panels, nil where the processor cannot.
func inPanels(b *builder, op *program.MatMul, g gemm) func() {
	if lanes == 0 {
		return nil
	}
	p := panels{gemm: g, bias: b.Of(op.Bias), activation: op.Activation}
	p.packed = b.Scratch((g.n + lanes - 1) / lanes * lanes * g.k)
	pack, multiply := p.pack(), p.multiply()
	if g.transA && g.k >= longColumns && p.count() >= manyPanels {
		p.tiles = b.Scratch(p.tileCount() * tileRows() * g.k)
		tile, multiplyTiles := p.tile(), p.multiply()
		multiply = func() {
			tile()
			multiplyTiles()
		}
	}
	changes := b.Changes(op.B)
	if changes == nil {
		return func() {
			pack()
			multiply()
		}
	}
	seen := *changes - 1
	return func() {
		if seen != *changes {
			pack()
			seen = *changes
		}
		multiply()
	}
}

// A tile of a transposed left factor takes a few values from each of its rows, which lie on as
// many pages. From so many rows on it pays to bring them together, where enough panels use them.
const (
	longColumns = 192
	manyPanels  = 16
)

// tileRows is how many rows of the left factor are taken at once.
func tileRows() int {
	if lanes == 16 {
		return C.PANEL_TILE_16
	}
	return C.PANEL_TILE_8
}

func (p panels) tileCount() int { return (p.m + tileRows() - 1) / tileRows() }

func (p panels) tile() func() {
	return parallel(p.tileCount(), tileRows()*p.k*costCopy, func(from, to int) {
		C.panel_tiles(C.int(lanes), C.long(p.m), C.long(p.k), address(p.a), C.long(p.lda), C.long(from), C.long(to), address(p.tiles))
	})
}

func (p panels) pack() func() {
	units, cost := p.k, p.n
	if p.transB {
		units, cost = p.count(), 2*lanes*p.k
	}
	return parallel(units, cost*costCopy, func(from, to int) {
		C.panel_pack(C.int(lanes), flag(p.transB), C.long(p.k), C.long(p.n), address(p.b), C.long(p.ldb), C.long(from), C.long(to), address(p.packed))
	})
}

// count is the number of panels.
func (p panels) count() int { return (p.n + 2*lanes - 1) / (2 * lanes) }

// sumsPerAddition is how many products are summed up in the time of one addition of a plain loop.
const sumsPerAddition = 24

// multiply shares out panels for chunks of rows of a, which stay in the second cache meanwhile.
func (p panels) multiply() func() {
	const most, least, items = 120, 12, 16
	across := p.count()
	rows := even(p.m, min(most, max(least, p.m*across/(items*runtime.GOMAXPROCS(0)))), least)
	chunks := (p.m + rows - 1) / rows
	return parallel(chunks*across, rows*2*lanes*p.k/sumsPerAddition, func(from, to int) {
		for from < to {
			chunk, panel := from/across, from%across
			end := min(across, panel+to-from)
			p.part(chunk*rows, min(p.m, (chunk+1)*rows), panel*2*lanes, min(p.n, end*2*lanes))
			from += end - panel
		}
	})
}

// part computes the rows i to iEnd-1 of the columns j to jEnd-1, which begin with a panel.
func (p panels) part(i, iEnd, j, jEnd int) {
	a, order := p.a, C.PANEL_ROWS
	switch {
	case !p.transA:
		a = p.a[i*p.lda:]
	case p.tiles != nil:
		a, order = p.tiles[i*p.k:], C.PANEL_TILES
	default:
		a, order = p.a[i:], C.PANEL_COLUMNS
	}
	var bias *C.float
	if p.bias != nil {
		bias = address(p.bias[j:])
	}
	C.panel_product(C.int(lanes), C.int(order), C.long(iEnd-i), C.long(jEnd-j), C.long(p.k), address(a), C.long(p.lda),
		address(p.packed[j*p.k:]), bias, function(p.activation), flag(p.beta != 0), address(p.c[i*p.n+j:]), C.long(p.n))
}

// inRow gives a layer of one row in vectors, nil where the processor cannot and for a
// transposed right factor. It runs on the calling thread, with the sums of a layer in panels.
func inRow(b *builder, op *program.MatMul, g gemm) func() {
	if lanes == 0 || g.transB {
		return nil
	}
	var bias *C.float
	if op.Bias != nil {
		bias = address(b.Of(op.Bias))
	}
	sums := g.c
	if op.Accumulate {
		sums = b.Scratch(g.n)
	}
	return func() {
		C.panel_row(C.int(lanes), C.long(g.n), C.long(g.k), address(g.a), address(g.b), C.long(g.ldb),
			bias, function(op.Activation), flag(op.Accumulate), address(sums), address(g.c))
	}
}

// vectorActivate is activate in vectors; it is false where the processor cannot.
func vectorActivate(out, x []float32, f program.Activation) bool {
	if lanes == 0 || len(x) == 0 {
		return lanes != 0
	}
	C.panel_activate(C.int(lanes), function(f), C.long(len(x)), address(x), address(out))
	return true
}

func function(f program.Activation) C.int {
	switch f {
	case program.Identity:
		return C.PANEL_IDENTITY
	case program.Tanh:
		return C.PANEL_TANH
	case program.Sigmoid:
		return C.PANEL_SIGMOID
	case program.ReLU:
		return C.PANEL_RELU
	}
	panic("cpu: no kernel for " + f.String())
}

func address(x []float32) *C.float { return (*C.float)(&x[0]) }

func flag(yes bool) C.int {
	if yes {
		return 1
	}
	return 0
}
