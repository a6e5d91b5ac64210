package feature

import (
	"math"
	"testing"

	"inkshade/recognizer/ink"
)

// path draws a stroke through the given points in order.
func path(xy ...float64) ink.Stroke {
	var s ink.Stroke
	for i := 0; i < len(xy); i += 2 {
		s = append(s, ink.Point{X: xy[i], Y: xy[i+1]})
	}
	return s
}

func penOf(k ink.Ink) []float32 {
	dst := make([]float32, PenSize)
	Pen(dst, k)
	return dst
}

func TestPenDirections(t *testing.T) {
	right, left := penOf(ink.Ink{path(0, 0, 100, 0)}), penOf(ink.Ink{path(100, 0, 0, 0)})
	if strength(right, 0) == 0 || strength(right, 4) != 0 {
		t.Errorf("a stroke to the right has %g to the right and %g to the left", strength(right, 0), strength(right, 4))
	}
	if strength(left, 4) == 0 || strength(left, 0) != 0 {
		t.Errorf("a stroke to the left has %g to the left and %g to the right", strength(left, 4), strength(left, 0))
	}
	// Where one begins the other ends.
	for i := range cells * cells {
		begin, end := right[directions*cells*cells+i], left[(directions+1)*cells*cells+i]
		if math.Abs(float64(begin-end)) > 1e-6 {
			t.Fatalf("cell %d: beginning %g, end of the opposite stroke %g", i, begin, end)
		}
	}
}

func TestPenKnowsNeitherPlaceNorSize(t *testing.T) {
	here := penOf(ink.Ink{path(0, 0, 10, 5, 3, 20)})
	there := penOf(ink.Ink{path(1000, 500, 1040, 520, 1012, 580)})
	for i := range here {
		if math.Abs(float64(here[i]-there[i])) > 1e-5 {
			t.Fatalf("feature %d: %g here, %g four times as large elsewhere", i, here[i], there[i])
		}
	}
}

func TestPenCountsStrokes(t *testing.T) {
	for n := 1; n <= 6; n++ {
		var k ink.Ink
		for i := range n {
			k = append(k, path(0, float64(i), 10, float64(i)), ink.Stroke{})
		}
		counted := penOf(k)[penPlanes*cells*cells:]
		for i, v := range counted {
			want := float32(0)
			if i == min(n, penStrokes)-1 {
				want = 1
			}
			if v != want {
				t.Errorf("%d strokes: count %d is %g, want %g", n, i+1, v, want)
			}
		}
	}
}

func TestPenWithoutInk(t *testing.T) {
	nan := math.NaN()
	for name, k := range map[string]ink.Ink{
		"nothing": nil, "no point": {{}}, "dot": {path(5, 5)}, "not finite": {path(nan, 1, 2, nan), path(1, 1, 2, 2)},
		"huge": {path(-1e300, 0, 1e300, 1)},
	} {
		for i, v := range penOf(k) {
			if v-v != 0 {
				t.Fatalf("%s: feature %d is %g", name, i, v)
			}
			if v != 0 && (name == "nothing" || name == "no point") {
				t.Fatalf("%s: feature %d is %g, want 0", name, i, v)
			}
		}
	}
}

func BenchmarkPen(b *testing.B) {
	k := ink.Ink{path(0, 0, 30, 10, 60, 40, 50, 80, 20, 100, 0, 90), path(0, 50, 100, 50)}
	dst := make([]float32, PenSize)
	for b.Loop() {
		Pen(dst, k)
	}
}
