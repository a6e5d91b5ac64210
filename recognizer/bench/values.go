package bench

import (
	"fmt"
	"math/rand/v2"

	"inkshade/glcompute"
	"inkshade/recognizer/ink"
)

// seven is the drawing that is recognised when there is no other, in a box of 70 by 100.
var seven = ink.Ink{
	{{X: 4, Y: 6}, {X: 24, Y: 3}, {X: 46, Y: 2}, {X: 66, Y: 4}, {X: 54, Y: 28}, {X: 42, Y: 56}, {X: 34, Y: 80}, {X: 30, Y: 99}},
	{{X: 20, Y: 52}, {X: 40, Y: 50}, {X: 58, Y: 47}},
}

// matrix is a parameter of random values between -scale and scale.
func matrix(rows, cols int, scale float32, stream uint64) *glcompute.Parameter {
	rng := rand.New(rand.NewPCG(seed, stream))
	p := glcompute.NewParameter(fmt.Sprintf("m%d", stream), rows, cols, nil)
	for i := range p.Data {
		p.Data[i] = scale * (2*rng.Float32() - 1)
	}
	return p
}

// pixels are images of which a fifth is ink, about as much as a drawing has.
func pixels(n int) []float32 {
	rng := rand.New(rand.NewPCG(seed, 7))
	x := make([]float32, n)
	for i := range x {
		if rng.IntN(5) == 0 {
			x[i] = rng.Float32()
		}
	}
	return x
}

// classes are targets of a batch: each class in its turn.
func classes(batch int) []float32 {
	n := network[len(network)-1]
	x := make([]float32, batch*n)
	for i := range batch {
		x[i*n+i%n] = 1
	}
	return x
}
