package cpu

// #cgo LDFLAGS: -lm
// #include "vectors.h"
import "C"

import (
	"unsafe"

	processor "golang.org/x/sys/cpu"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
	"inkshade/glcompute/message"
)

// lanes is how many float32 a vector of the processor holds. GODEBUG=cpu.avx512f=off takes AVX2 on a
// processor that has both, and with cpu.avx2=off the 4 that every one has.
var lanes = vectorLanes()

func vectorLanes() int {
	switch {
	case processor.X86.HasAVX512F:
		return 16
	case processor.X86.HasAVX2 && processor.X86.HasFMA:
		return 8
	}
	return 4
}

// readBeyond is how many values after the end of a slice are read.
const readBeyond = C.READ_BEYOND

func engine() *message.Message {
	if name := map[int]string{16: "AVX-512", 8: "AVX2"}[lanes]; name != "" {
		return message.Text("%s", name)
	}
	return message.Text("vectors of %d", lanes)
}

// bound is a formula as C reads it.
type bound struct {
	formula  C.formula
	operands []C.formula_operand
	steps    []C.formula_step
	results  []C.formula_result
}

var opcodes = map[expr.Kind]C.int32_t{
	expr.OpAdd: C.ADD, expr.OpSub: C.SUB, expr.OpMul: C.MUL, expr.OpDiv: C.DIV, expr.OpMax: C.MAX, expr.OpMin: C.MIN,
	expr.OpExp: C.EXP, expr.OpLog: C.LOG, expr.OpSqrt: C.SQRT, expr.OpTanh: C.TANH, expr.OpSigmoid: C.SIGMOID,
	expr.OpSelect: C.SELECT, opMulAdd: C.MUL_ADD, opSubMul: C.SUB_MUL, opAddMax: C.ADD_MAX,
}

var spreads = map[program.Spread]C.whole{
	program.SpreadNone: C.SPREAD_NONE, program.SpreadRow: C.SPREAD_ROW, program.SpreadColumn: C.SPREAD_COLUMN,
	program.SpreadValue: C.SPREAD_VALUE, spreadSums: C.SPREAD_SUMS,
}

func (f *formula) bind() {
	b := &f.bound
	for _, o := range f.operands {
		b.operands = append(b.operands, C.formula_operand{at(o.data), C.whole(o.ld), spreads[o.spread]})
	}
	for _, list := range [][]instruction{f.once, f.each} {
		for _, in := range list {
			b.steps = append(b.steps, C.formula_step{opcodes[in.op], C.int32_t(in.out), C.int32_t(in.a), C.int32_t(in.b), C.int32_t(in.c)})
		}
	}
	for _, r := range f.results {
		b.results = append(b.results, C.formula_result{at(r.data), C.whole(r.ld), C.whole(r.from)})
	}
	b.formula = C.formula{
		operand: at(b.operands), constant: at(f.constants), step: at(b.steps), result: at(b.results),
		operands: C.whole(len(b.operands)), constants: C.whole(len(f.constants)), once: C.whole(len(f.once)),
		steps: C.whole(len(b.steps)), results: C.whole(len(b.results)), registers: C.whole(f.registers),
	}
}

// at is where a slice lies. Slices of a formula are kept by it, and nothing moves in memory.
func at[T any](x []T) C.uintptr_t { return C.uintptr_t(uintptr(unsafe.Pointer(unsafe.SliceData(x)))) }

func (f *formula) c() *C.formula {
	if f == nil {
		return nil
	}
	return &f.bound.formula
}

// The functions below are those of vectors.h.

// run does nothing where no formula follows.
func (f *formula) run(r0, r1, c0, c1 int, sums []float32, ld int) {
	if f != nil {
		C.run_formula(C.int(lanes), f.c(), C.whole(r0), C.whole(r1), C.whole(c0), C.whole(c1), values(sums), C.whole(ld))
	}
}

func (f *formula) reduceRows(kind program.ReduceKind, r0, r1 int, out, index []float32) {
	C.reduce_rows(C.int(lanes), f.c(), reductions[kind], C.whole(r0), C.whole(r1), C.whole(f.cols), values(out), values(index))
}

func (f *formula) reduceColumns(kind program.ReduceKind, r0, r1, c0, c1 int, out, index []float32) {
	C.reduce_columns(C.int(lanes), f.c(), reductions[kind], C.whole(r0), C.whole(r1), C.whole(c0), C.whole(c1),
		values(out), values(index))
}

var reductions = [...]C.int{program.ReduceSum: C.REDUCE_SUM, program.ReduceMean: C.REDUCE_SUM, program.ReduceMax: C.REDUCE_MAX, program.ReduceMin: C.REDUCE_MIN}

func (p packing) pack(from, to int) {
	C.pack_panels(C.int(lanes), flag(p.transposed), C.whole(p.k), C.whole(p.first), C.whole(p.steps), C.whole(p.n),
		values(p.b), C.whole(p.ld), C.whole(from), C.whole(to), values(p.out))
}

// packedLen is how many values the panels of b'[k][n] take.
func packedLen(k, n int) int { return (n + lanes - 1) / lanes * lanes * k }

// tileRows is how many rows of the left factor are taken at once.
func tileRows() int {
	if lanes == 16 {
		return 12
	}
	return 6
}

func packTiles(m, k int, a []float32, lda, from, to int, out []float32) {
	C.pack_tiles(C.int(lanes), C.whole(m), C.whole(k), values(a), C.whole(lda), C.whole(from), C.whole(to), values(out))
}

// How the left factor of a block is stored.
const (
	leftRows    = C.LEFT_ROWS    // a[m][k]
	leftColumns = C.LEFT_COLUMNS // a[k][m]
	leftTiles   = C.LEFT_TILES   // what packTiles writes
	leftImages  = C.LEFT_IMAGES  // images through a table
)

// seen is the virtual image matrix of a group of images, as multiply reads it.
type seen struct {
	places []int32
	zeros  []float32
	images C.images
}

func newSeen(m images, channels int) *seen {
	places, length := m.segments(channels)
	s := &seen{places: places, zeros: make([]float32, length)}
	s.images = C.images{
		places: at(s.places), zeros: at(s.zeros), segments: C.whole(len(places) / m.positions), length: C.whole(length),
		positions: C.whole(m.positions), size: C.whole(m.size),
	}
	return s
}

func (s *seen) c() *C.images {
	if s == nil {
		return nil
	}
	return &s.images
}

func (x block) multiply() {
	C.multiply(C.int(lanes), C.int(x.left), flag(x.distance), flag(x.accumulate), C.whole(x.m), C.whole(x.n), C.whole(x.k),
		values(x.a), C.whole(x.lda), x.seen.c(), values(x.panels[x.column*x.k:]), values(x.c), C.whole(x.ldc), x.f.c(), C.whole(x.r0), C.whole(x.c0))
}

func weighRows(n, count int, x, order, at, b []float32, ldb int, out []float32, f *formula, r, c int) {
	C.weigh_rows(C.int(lanes), C.whole(n), C.whole(count), values(x), values(order), values(at), values(b), C.whole(ldb),
		values(out), f.c(), C.whole(r), C.whole(c))
}

func dotRows(n, k int, a, b []float32, ldb int, out []float32) {
	C.dot_rows(C.int(lanes), C.whole(n), C.whole(k), values(a), values(b), C.whole(ldb), values(out))
}

func relax() { C.relax() }

func gather(runs []int32, channels int, pixels []float32, ld int, out []float32) {
	C.gather(C.int(lanes), C.whole(len(runs)/2), C.whole(channels), numbers(runs), values(pixels), C.whole(ld), values(out))
}

func (i image) pool(kind program.ReduceKind, positions int, match, out, index []float32) {
	C.pool(C.int(lanes), reductions[kind], C.whole(positions), C.whole(i.taps), C.whole(i.channels), numbers(i.table),
		values(i.pixels), values(match), values(out), values(index))
}

func (i image) depthwise(positions int, w, out []float32) {
	C.depthwise(C.int(lanes), C.whole(positions), C.whole(i.taps), C.whole(i.channels), numbers(i.table), values(i.pixels),
		values(w), values(out))
}

func (i image) depthwiseFilter(positions int, d, w []float32) {
	C.depthwise_filter(C.int(lanes), C.whole(positions), C.whole(i.taps), C.whole(i.channels), numbers(i.table), values(i.pixels),
		values(d), values(w))
}

func values(x []float32) *C.float { return (*C.float)(unsafe.SliceData(x)) }

func numbers(x []int32) *C.int32_t { return (*C.int32_t)(unsafe.SliceData(x)) }

func flag(yes bool) C.int {
	if yes {
		return 1
	}
	return 0
}
