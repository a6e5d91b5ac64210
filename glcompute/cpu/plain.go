//go:build !cgo

package cpu

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/gonum"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/program"
)

// Without C the functions of vectors.h are plain loops and gonum's products. A panel is a column of
// the right factor b'[k][n], which lies in memory as that.

// lanes is half the number of columns that a thread takes at once.
const lanes = 32

const readBeyond = 0

// slowness is how many times as long as in vectors a formula takes.
const slowness = 8

func engine() string { return "gonum" }

// bound is empty: loops read the formula itself.
type bound struct{}

func (f *formula) bind() { f.bound = bound{} }

// stripLen is how many elements go through a formula at once.
const stripLen = 384

// strips calls use with every strip of rows r0 to r1-1 and columns c0 to c1-1, a part of a row, and its registers.
func (f *formula) strips(r0, r1, c0, c1 int, sums []float32, ld int, use func(r, c int, registers [][]float32)) {
	room, registers := make([]float32, f.registers*stripLen), make([][]float32, f.registers)
	most := min(stripLen, c1-c0)
	for i := range registers {
		registers[i] = room[i*stripLen:][:most]
	}
	for i, v := range f.constants {
		fill(registers[len(f.operands)+i], v)
	}
	for i, o := range f.operands {
		if o.spread == program.SpreadValue {
			fill(registers[i], o.data[0])
		}
	}
	for _, in := range f.once {
		in.do(registers)
	}
	for r := r0; r < r1; r++ {
		for c := c0; c < c1; c += stripLen {
			n := min(stripLen, c1-c)
			for i := range registers {
				registers[i] = room[i*stripLen:][:n]
			}
			for i, o := range f.operands {
				switch o.spread {
				case program.SpreadNone:
					registers[i] = o.data[r*o.ld+c:][:n]
				case program.SpreadRow:
					registers[i] = o.data[c:][:n]
				case program.SpreadColumn:
					fill(registers[i], o.data[r])
				case spreadSums:
					registers[i] = sums[(r-r0)*ld+c-c0:][:n]
				}
			}
			for _, in := range f.each {
				in.do(registers)
			}
			use(r, c, registers)
		}
	}
}

func fill(x []float32, v float32) {
	for i := range x {
		x[i] = v
	}
}

func (in instruction) do(registers [][]float32) {
	out, a, b, c := registers[in.out], registers[in.a], registers[in.b], registers[in.c]
	a, b, c = a[:len(out)], b[:len(out)], c[:len(out)]
	switch in.op {
	case expr.OpAdd:
		for i := range out {
			out[i] = a[i] + b[i]
		}
	case expr.OpSub:
		for i := range out {
			out[i] = a[i] - b[i]
		}
	case expr.OpMul:
		for i := range out {
			out[i] = a[i] * b[i]
		}
	case expr.OpDiv:
		for i := range out {
			out[i] = a[i] / b[i]
		}
	case expr.OpMax:
		for i := range out {
			out[i] = max(a[i], b[i])
		}
	case expr.OpMin:
		for i := range out {
			out[i] = min(a[i], b[i])
		}
	case expr.OpSelect:
		for i := range out {
			out[i] = c[i]
			if a[i] > 0 {
				out[i] = b[i]
			}
		}
	case opMulAdd:
		for i := range out {
			out[i] = a[i]*b[i] + c[i]
		}
	case opSubMul:
		for i := range out {
			out[i] = c[i] - a[i]*b[i]
		}
	case expr.OpTanh:
		tanhs(out, a)
	case expr.OpSigmoid:
		sigmoids(out, a)
	default:
		for i := range out {
			out[i] = single(in.op, a[i])
		}
	}
}

// single is a primitive of one value that no hot loop needs.
func single(op expr.Kind, x float32) float32 {
	switch op {
	case expr.OpExp:
		return float32(math.Exp(float64(x)))
	case expr.OpLog:
		return float32(math.Log(float64(x)))
	case expr.OpSqrt:
		return float32(math.Sqrt(float64(x)))
	}
	panic("cpu: no loop for a primitive")
}

const sign = 1 << 31 // of the bits of a float32

// tanhs is out[i] = (1-t)/(1+t) with t = e^-2|x[i]|, by way of t-1 so that a small x keeps
// all its digits.
func tanhs(out, x []float32) {
	out = out[:len(x)]
	for i, v := range x {
		bits := math.Float32bits(v)
		y := -2 * math.Float32frombits(bits&^sign)
		if y < -40 {
			y = -40
		}
		scale, r := reduce(y)
		less := scale*expLess1(r) + (scale - 1)
		out[i] = math.Float32frombits(math.Float32bits(-less/(2+less)) | bits&sign)
	}
}

// sigmoids is out[i] = 1/(1+e^-x[i]).
func sigmoids(out, x []float32) {
	out = out[:len(x)]
	for i, v := range x {
		y := -v
		if y < -87 {
			y = -87
		}
		if y > 87 {
			y = 87
		}
		scale, r := reduce(y)
		out[i] = 1 / (1 + scale + scale*expLess1(r))
	}
}

func (f *formula) run(r0, r1, c0, c1 int, sums []float32, ld int) {
	f.strips(r0, r1, c0, c1, sums, ld, func(r, c int, registers [][]float32) {
		for _, to := range f.results {
			copy(to.data[r*to.ld+c:], registers[to.from])
		}
	})
}

func (f *formula) reduceRows(kind program.ReduceKind, r0, r1 int, out, index []float32) {
	f.strips(r0, r1, 0, f.cols, nil, 0, func(r, c int, registers [][]float32) {
		values := registers[f.results[0].from]
		if kind == program.Sum || kind == program.Mean {
			sum := 0.0
			for _, v := range values {
				sum += float64(v)
			}
			keep(kind, &out[r-r0], nil, float32(sum), c, c == 0)
			return
		}
		for i, v := range values {
			keep(kind, &out[r-r0], part(index, r-r0), v, c+i, c+i == 0)
		}
	})
}

func (f *formula) reduceColumns(kind program.ReduceKind, r0, r1, c0, c1 int, out, index []float32) {
	f.strips(r0, r1, c0, c1, nil, 0, func(r, c int, registers [][]float32) {
		for i, v := range registers[f.results[0].from] {
			keep(kind, &out[c-c0+i], part(index, c-c0+i), v, r, r == r0)
		}
	})
}

// keep takes the value v with number i into a reduction, the first where it begins; index may be nil.
func keep(kind program.ReduceKind, out *float32, index []float32, v float32, i int, begin bool) {
	switch {
	case begin, kind == program.Max && v > *out, kind == program.Min && v < *out:
		*out = v
		if index != nil {
			index[0] = float32(i)
		}
	case kind == program.Sum || kind == program.Mean:
		*out += v
	}
}

func (p packing) pack(from, to int) {
	if !p.transposed {
		for l := from; l < to; l++ {
			copy(p.out[(p.first+l)*p.n:][:p.n], p.b[l*p.ld:])
		}
		return
	}
	for j := from * 2 * lanes; j < min(p.n, to*2*lanes); j++ {
		for l := range p.steps {
			p.out[(p.first+l)*p.n+j] = p.b[j*p.ld+l]
		}
	}
}

func packedLen(k, n int) int { return k * n }

func tileRows() int { return 8 }

func packTiles(m, k int, a []float32, lda, from, to int, out []float32) {
	for i := from * tileRows(); i < min(m, to*tileRows()); i++ {
		for l := range k {
			out[i*k+l] = a[l*lda+i]
		}
	}
}

func (x block) multiply() {
	c, ldc := x.c, x.ldc
	if x.f != nil {
		c, ldc = make([]float32, x.m*x.n), x.n
	}
	b := x.panels[x.column:]
	if x.distance {
		x.distances(c, b, ldc)
	} else {
		trans, lda, beta := blas.NoTrans, x.lda, float32(0)
		switch x.left {
		case leftColumns:
			trans = blas.Trans
		case leftTiles:
			lda = x.k
		}
		if x.accumulate {
			beta = 1
		}
		blas32.Implementation().Sgemm(trans, blas.NoTrans, x.m, x.n, x.k, 1, x.a, lda, b, x.width, beta, c, ldc)
	}
	if x.f != nil {
		x.f.run(x.r0, x.r0+x.m, x.c0, x.c0+x.n, c, ldc)
	}
}

func (x block) distances(c, b []float32, ldc int) {
	for i := range x.m {
		row := c[i*ldc:][:x.n]
		clear(row)
		for l := range x.k {
			a := x.a[i*x.lda+l]
			if x.left == leftColumns {
				a = x.a[l*x.lda+i]
			}
			for j, v := range b[l*x.width:][:x.n] {
				row[j] += (a - v) * (a - v)
			}
		}
	}
}

var loops gonum.Implementation

func weighRows(n, count int, x, order, at, b []float32, ldb int, out []float32, f *formula, r, c int) {
	out = out[:n]
	clear(out)
	for l := range count {
		i, row := l, l
		if order != nil {
			i = int(order[l])
		}
		if at != nil {
			row = int(at[l])
		}
		if x[i] != 0 {
			loops.Saxpy(n, x[i], b[row*ldb:], 1, out, 1)
		}
	}
	if f != nil {
		f.run(r, r+1, c, c+n, out, n)
	}
}

func dotRows(n, k int, a, b []float32, ldb int, out []float32) {
	for j := range n {
		out[j] = loops.Sdot(k, a, 1, b[j*ldb:], 1)
	}
}

// see gives the pixel that the position number p sees through tap t, nil for none.
func (i image) see(x []float32, p, t, ld int) []float32 {
	if q := int(i.table[p*i.taps+t]); q >= 0 {
		return x[q*ld:][:i.channels]
	}
	return nil
}

func gather(runs []int32, channels int, pixels []float32, ld int, out []float32) {
	for ; len(runs) > 0; runs = runs[2:] {
		for q := runs[0]; q < runs[0]+runs[1]; q++ {
			to := out[:channels]
			clear(to)
			if runs[0] >= 0 {
				copy(to, pixels[int(q)*ld:])
			}
			out = out[channels:]
		}
	}
}

func (i image) pool(kind program.ReduceKind, positions int, match, out, index []float32) {
	for p := range positions {
		row := out[p*i.channels:][:i.channels]
		at := part(index, p*i.channels)
		clear(row)
		for c := range at[:min(len(at), i.channels)] {
			at[c] = -1
		}
		begin := true
		for t := range i.taps {
			pixel := i.see(i.pixels, p, t, i.ld)
			for c, v := range pixel {
				if match == nil || i.see(match, p, t, i.ld)[c] == float32(t) {
					keep(kind, &row[c], part(at, c), v, t, begin && match == nil)
				}
			}
			begin = begin && pixel == nil
		}
	}
}

func (i image) depthwise(positions int, w, out []float32) {
	for p := range positions {
		row := out[p*i.channels:][:i.channels]
		clear(row)
		for t := range i.taps {
			for c, v := range i.see(i.pixels, p, t, i.ld) {
				row[c] += v * w[t*i.channels+c]
			}
		}
	}
}

func (i image) depthwiseFilter(positions int, d, w []float32) {
	for t := range i.taps {
		for p := range positions {
			for c, v := range i.see(i.pixels, p, t, i.ld) {
				w[t*i.channels+c] += v * d[p*i.channels+c]
			}
		}
	}
}
