package dataset

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"inkshade/recognizer/ink"
)

// detailed are samples of one drawing: its strokes, and a picture of them by a wide pen.
func detailed(t *testing.T) (strokes, picture Sample) {
	t.Helper()
	sheet := ink.Image{Width: ink.DetailSide, Height: ink.DetailSide, Pix: make([]float32, detailPixels)}
	if err := ink.DrawDetail(sheet.Pix, tree, 5); err != nil {
		t.Fatal(err)
	}
	img, err := ink.Normalize(sheet)
	if err != nil {
		t.Fatal(err)
	}
	return Sample{Ink: tree, Image: img}, Sample{Image: img}
}

func TestApplyDetail(t *testing.T) {
	strokes, picture := detailed(t)
	d := DefaultDistortion()
	d.Strokes = 1
	for name, s := range map[string]Sample{"strokes": strokes, "picture": picture} {
		first, again, other := make([]float32, detailPixels), make([]float32, detailPixels), make([]float32, detailPixels)
		for seed := range uint64(50) {
			d.ApplyDetail(first, &s, rand.New(rand.NewPCG(seed, 1)))
			d.ApplyDetail(again, &s, rand.New(rand.NewPCG(seed, 1)))
			d.ApplyDetail(other, &s, rand.New(rand.NewPCG(seed, 2)))
			if !slices.Equal(first, again) || slices.Equal(first, other) {
				t.Fatalf("%s, seed %d: the image does not depend on the seed alone", name, seed)
			}
			sum := float32(0)
			for i, v := range first {
				if !(v >= 0 && v <= 1) {
					t.Fatalf("%s, seed %d: pixel %d is %g", name, seed, i, v)
				}
				sum += v
			}
			if sum < 20 || sum > detailPixels/2 {
				t.Errorf("%s, seed %d: there is %g of ink", name, seed, sum)
			}
		}
	}
}

// Without any distortion a picture stays as it is.
func TestApplyDetailWithoutDistortion(t *testing.T) {
	_, picture := detailed(t)
	got, want := make([]float32, detailPixels), make([]float32, detailPixels)
	Distortion{}.ApplyDetail(got, &picture, rand.New(rand.NewPCG(1, 1)))
	picture.Image.DetailInto(want)
	for i := range got {
		if math.Abs(float64(got[i]-want[i])) > 1e-3 {
			t.Fatalf("pixel %d is %g, want %g", i, got[i], want[i])
		}
	}
}

// The pen that drew a picture becomes about the one that is asked for, as far as it may.
func TestSetPen(t *testing.T) {
	width := func(img []float32) float64 { // of a line across
		sum := 0.0
		for y := range ink.DetailSide {
			sum += float64(img[y*ink.DetailSide+ink.DetailSide/2])
		}
		return sum
	}
	for _, c := range []struct{ drawn, wanted, low, high float64 }{{5, 3, 2.7, 3.6}, {3, 4, 3.5, 4.5}, {6, 1.2, 2.4, 3.7}, {2, 9, 3, 4}, {1.2, 0.5, 0.8, 1.4}} {
		img := make([]float32, detailPixels)
		if err := ink.DrawDetail(img, ink.Ink{{{X: 0, Y: 0}, {X: 100, Y: 0}}}, c.drawn); err != nil {
			t.Fatal(err)
		}
		setPen(img, c.wanted)
		if got := width(img); !(got >= c.low && got <= c.high) {
			t.Errorf("a line %g wide, asked to be %g, is %g, want %g to %g", c.drawn, c.wanted, got, c.low, c.high)
		}
	}
}
