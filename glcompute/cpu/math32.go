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
