package cpu

import "math"

// Constants of the argument reduction x = n·ln 2 + r with |r| <= ln 2 / 2. The high part of
// ln 2 has few enough bits that n times it is exact.
const (
	log2e  = 1.44269504088896340736
	ln2Hi  = 0.693359375
	ln2Lo  = -2.12194440054690582e-4
	roundN = 3 << 22 // adding it to a small float32 leaves the nearest integer in the low bits
)

// reduce splits e^x = scale·e^r, scale a power of two. It needs |x| <= 87; a NaN stays one in r.
func reduce(x float32) (scale, r float32) {
	shifted := x*log2e + roundN
	n := shifted - roundN
	return math.Float32frombits((math.Float32bits(shifted) + 127) << 23), x - n*ln2Hi - n*ln2Lo
}

// expLess1 is e^r - 1 for |r| <= ln 2 / 2: the Taylor series up to r⁷; the next term is
// below 6e-9. It and reduce are apart and short so that the compiler inlines them into loops.
func expLess1(r float32) float32 {
	p := float32(1.0 / 5040)
	p = p*r + 1.0/720
	p = p*r + 1.0/120
	p = p*r + 1.0/24
	p = p*r + 1.0/6
	p = p*r + 0.5
	return p*r*r + r
}

// exp32 is e^x for x <= 0 (softmax needs no more); below -87 it is e^-87, which float32
// cannot tell from nothing beside the row's 1.
func exp32(x float32) float32 {
	if x < -87 {
		x = -87
	}
	scale, r := reduce(x)
	return scale + scale*expLess1(r)
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

// relus is out[i] = max(x[i], 0).
func relus(out, x []float32) {
	out = out[:len(x)]
	for i, v := range x {
		out[i] = max(v, 0)
	}
}

// positive is 1 where y > 0 and 0 elsewhere, without a branch that would be taken at
// random: as integers, the bits of a positive number are positive and their negative is not.
func positive(y float32) float32 {
	bits := int32(math.Float32bits(y))
	return math.Float32frombits(math.Float32bits(1) & uint32((-bits>>31)&^(bits>>31)))
}
