package dataset

import (
	"math"
	"testing"

	"inkshade/glcompute"
)

// warped is src moved by what DrawWarp draws, by the definition of the operation.
func warped(d Distortion, src []float32, seed uint64) []float64 {
	g := d.WarpGrid()
	affine, grid := make([]float32, 6), make([]float32, 2*g*g)
	d.DrawWarp(affine, grid, newRand(seed))
	p, values := glcompute.NewProgram(), glcompute.Values{}
	input := func(rows int, data []float32) *glcompute.Tensor {
		t := p.Input(rows, len(data)/rows)
		for i, v := range data {
			values.Of(t)[i] = float64(v)
		}
		return t
	}
	out := p.Warp(input(1, src), input(1, affine), input(2*g, grid), side, side)
	p.RunReference(values)
	return values.Of(out)
}

// Without elastic displacements both ways are the same map.
func TestWarpMovesAsApplyDoes(t *testing.T) {
	d := Distortion{Shift: 2, Rotate: 15, Scale: 0.2, Shear: 0.2}
	src, dst := plus(), make([]float32, pixels)
	for seed := range uint64(20) {
		d.Apply(dst, src, newRand(seed))
		for i, want := range dst {
			if got := warped(d, src, seed)[i]; math.Abs(got-float64(want)) > 1e-4 {
				t.Fatalf("seed %d: pixel %d is %g, want %g", seed, i, got, want)
			}
		}
	}
}

// On an image whose value is its column the change of a pixel is its displacement.
func TestWarpSpreadsAsSimardsFieldDoes(t *testing.T) {
	ramp := make([]float32, pixels)
	for i := range ramp {
		ramp[i] = float32(i % side)
	}
	for _, c := range []struct{ alpha, sigma float64 }{{16, 5}, {6, 2.5}, {12, 4}} {
		d := Distortion{ElasticAlpha: c.alpha, ElasticSigma: c.sigma}
		power, count := 0.0, 0
		for seed := range uint64(600) {
			out := warped(d, ramp, seed)
			for i := 6; i < side-6; i++ {
				for j := 6; j < side-6; j += 3 {
					v := out[i*side+j] - float64(j)
					power += v * v
					count++
				}
			}
		}
		want := c.alpha / (c.sigma * math.Sqrt(12*math.Pi))
		if got := math.Sqrt(power / float64(count)); math.Abs(got/want-1) > 0.07 {
			t.Errorf("%+v: a spread of %.4f pixels, want %.4f", c, got, want)
		}
	}
}
