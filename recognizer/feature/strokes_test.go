package feature

import (
	"math"
	"slices"
	"testing"

	"inkshade/recognizer/ink"
)

func strokesOf(k ink.Ink) []float32 {
	dst := make([]float32, StrokesSize)
	Strokes(dst, k)
	return dst
}

// channel sums the values of one over all cells, and gives their centre in pixels of the image.
func channel(v []float32, c int) (sum, x, y float64) {
	for cell := range mapSide * mapSide {
		w := float64(v[cell*mapChannels+c])
		sum, x, y = sum+w, x+w*float64(cell%mapSide), y+w*float64(cell/mapSide)
	}
	return sum, 2*x/sum + 0.5, 2*y/sum + 0.5
}

func TestStrokesDirections(t *testing.T) {
	right := strokesOf(ink.Ink{path(0, 0, 100, 0)})
	if sum, x, y := channel(right, 0); math.Abs(sum-strokesBox/2) > 1e-4 || math.Abs(x-13.5) > 1e-3 || math.Abs(y-13.5) > 1e-3 {
		t.Errorf("a stroke to the right has %g cells of path around %g, %g, want %g around the middle", sum, x, y, strokesBox/2)
	}
	for c := 1; c < directions; c++ {
		if sum, _, _ := channel(right, c); sum != 0 {
			t.Errorf("a stroke to the right has %g cells in direction %d", sum, c)
		}
	}
	if begins, x, _ := channel(right, directions); math.Abs(begins-1) > 1e-5 || x > 6 {
		t.Errorf("%g strokes begin around %g, want 1 at the left", begins, x)
	}
	if ends, x, _ := channel(right, directions+1); math.Abs(ends-1) > 1e-5 || x < 21 {
		t.Errorf("%g strokes end around %g, want 1 at the right", ends, x)
	}
}

// The maps lie over the image: their centre of mass is about that of the image's pixels.
func TestStrokesLieOverTheImage(t *testing.T) {
	for _, k := range []ink.Ink{{path(0, 0, 100, 0, 100, 100)}, {path(0, 0, 30, 90, 35, 5), path(10, 40, 60, 45)}} {
		image, err := ink.Rasterize(k)
		if err != nil {
			t.Fatal(err)
		}
		var mass, x, y float64
		for i, v := range image.Pix {
			mass, x, y = mass+float64(v), x+float64(v)*float64(i%side), y+float64(v)*float64(i/side)
		}
		all := make([]float32, StrokesSize)
		for i, v := range strokesOf(k) {
			if c := i % mapChannels; c < directions {
				all[i-c] += v
			}
		}
		if _, mx, my := channel(all, 0); math.Hypot(mx-x/mass, my-y/mass) > 1 {
			t.Errorf("the maps lie around %.2f, %.2f, the image around %.2f, %.2f", mx, my, x/mass, y/mass)
		}
	}
}

func TestStrokesKnowNeitherPlaceNorSize(t *testing.T) {
	here := strokesOf(ink.Ink{path(0, 0, 10, 5, 3, 20)})
	there := strokesOf(ink.Ink{path(1000, 500, 1040, 520, 1012, 580)})
	for i := range here {
		if math.Abs(float64(here[i]-there[i])) > 1e-4 {
			t.Fatalf("value %d: %g here, %g four times as large elsewhere", i, here[i], there[i])
		}
	}
}

func TestStrokesWithoutInk(t *testing.T) {
	nan := math.NaN()
	for name, k := range map[string]ink.Ink{
		"nothing": nil, "no point": {{}}, "dot": {path(5, 5)}, "not finite": {path(nan, 1, 2, nan), path(1, 1, 2, 2)},
		"huge": {path(-1e300, 0, 1e300, 1)},
	} {
		if slices.ContainsFunc(strokesOf(k), func(v float32) bool { return v-v != 0 }) {
			t.Errorf("%s: a value is no finite number", name)
		}
	}
}

// A vector without the pen is that of a picture, whatever the strokes were.
func TestWithoutPen(t *testing.T) {
	k := ink.Ink{path(0, 0, 100, 0, 50, 100)}
	image, err := ink.Rasterize(k)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Names() {
		e, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		drawing, picture := e.Vector(image, k), e.Vector(image, nil)
		sees := e.Pen > 0 || e.Fine
		if slices.Equal(drawing, picture) == sees {
			t.Errorf("%s: strokes change the vector: %t, want %t", name, !sees, sees)
		}
		compared := e.Compared(drawing, image.Pix)
		gradient := make([]float32, GradientSize)
		Gradient(gradient, image.Pix)
		if !slices.Equal(compared[:GradientSize], gradient) || (len(compared) > GradientSize) != (e.Pen > 0) {
			t.Errorf("%s: characters are compared by %d values that do not begin with the gradient", name, len(compared))
		}
		if e.Pen > 0 && !slices.Equal(compared[GradientSize:], penOf(k)) {
			t.Errorf("%s: characters are not compared by the pen", name)
		}
		if e.WithoutPen(drawing); !e.Fine && !slices.Equal(drawing, picture) {
			t.Errorf("%s: a vector without its pen is not that of the picture", name)
		}
	}
}
