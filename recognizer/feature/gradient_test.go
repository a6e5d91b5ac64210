package feature

import (
	"math"
	"testing"
)

// bar draws a stroke three pixels thick through the middle, standing or lying.
func bar(standing bool) []float32 {
	pix := make([]float32, side*side)
	for a := 6; a < 22; a++ {
		for b := 13; b < 16; b++ {
			if standing {
				pix[a*side+b] = 1
			} else {
				pix[b*side+a] = 1
			}
		}
	}
	return pix
}

// strength sums the squares of one direction's cells.
func strength(features []float32, direction int) (sum float64) {
	for _, v := range features[direction*cells*cells : (direction+1)*cells*cells] {
		sum += float64(v) * float64(v)
	}
	return sum
}

func TestGradientDirections(t *testing.T) {
	for _, c := range []struct {
		standing     bool
		strong, weak int
	}{{true, 0, 2}, {false, 2, 0}} {
		features := make([]float32, GradientSize)
		Gradient(features, bar(c.standing))
		if s, w := strength(features, c.strong), strength(features, c.weak); s < 3*w {
			t.Errorf("standing %t: direction %d has %g, direction %d has %g; want at least three times", c.standing, c.strong, s, c.weak, w)
		}
		// Both edges of a stroke are there: opposite directions are equally strong.
		if a, b := strength(features, c.strong), strength(features, c.strong+4); math.Abs(a-b) > 1e-3*a {
			t.Errorf("standing %t: opposite edges %g and %g differ", c.standing, a, b)
		}
	}
}

func TestGradientOverwritesAndStaysFinite(t *testing.T) {
	features := make([]float32, GradientSize)
	for i := range features {
		features[i] = float32(math.NaN())
	}
	Gradient(features, make([]float32, side*side))
	for i, v := range features {
		if v != 0 {
			t.Fatalf("feature %d of blank paper is %g, want 0", i, v)
		}
	}
}

func BenchmarkGradient(b *testing.B) {
	pix, features := bar(true), make([]float32, GradientSize)
	for b.Loop() {
		Gradient(features, pix)
	}
}
