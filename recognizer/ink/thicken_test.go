package ink

import (
	"image"
	"image/color"
	"math"
	"testing"
)

// pen paints the ink black on white with a pen of some width, in pixels.
func pen(k Ink, width float64) *image.Gray {
	const side = 300
	p := image.NewGray(image.Rect(0, 0, side, side))
	for i := range p.Pix {
		x, y := float64(i%side)+0.5, float64(i/side)+0.5
		nearest := math.Inf(1)
		for _, s := range k {
			for j := 1; j < len(s); j++ {
				ax, ay, bx, by := s[j-1].X, s[j-1].Y, s[j].X, s[j].Y
				along := ((x-ax)*(bx-ax) + (y-ay)*(by-ay)) / (math.Pow(bx-ax, 2) + math.Pow(by-ay, 2))
				along = min(max(along, 0), 1)
				nearest = min(nearest, math.Hypot(x-ax-along*(bx-ax), y-ay-along*(by-ay)))
			}
		}
		covered := min(max(width/2+0.5-nearest, 0), 1)
		p.SetGray(i%side, i/side, color.Gray{Y: uint8(255 - 255*covered)})
	}
	return p
}

// TestThinLines wants the picture of a pen of any width to look nearly as if our own
// had written it, also where the line runs along the edge of the picture.
func TestThinLines(t *testing.T) {
	for name, k := range map[string]Ink{
		"curve":   {curve(25)},
		"strokes": {{{X: 40, Y: 30}, {X: 40, Y: 150}, {X: 200, Y: 150}}, {{X: 160, Y: 80}, {X: 160, Y: 280}}},
		"edge":    {{{X: 0, Y: 20}, {X: 250, Y: 0}, {X: 110, Y: 300}}},
	} {
		want := drawn(t, k)
		for _, width := range []float64{1, 1.5, 3, 8} {
			full, err := FromPicture(pen(k, width))
			if err != nil {
				t.Errorf("%s, %g wide: %v", name, width, err)
				continue
			}
			got, err := Normalize(full)
			if err != nil {
				t.Errorf("%s, %g wide: %v", name, width, err)
				continue
			}
			if most, mean := difference(got, want); mean > 0.045 {
				t.Errorf("%s, %g wide: a pixel differs by %.3f, %.4f on average", name, width, most, mean)
			}
		}
	}
}

// TestBroadLinesStay draws with a pen that is broader than ours.
func TestBroadLinesStay(t *testing.T) {
	img := drawing{Image{Width: 50, Height: 60, Pix: make([]float32, 3000)}, make([]bool, 3000)}
	for y := 5; y < 50; y++ {
		for x := 20; x < 27; x++ {
			img.Pix[y*50+x], img.solid[y*50+x] = 1, true
		}
	}
	if out := img.thicken(); out.Width != 50 || &out.Pix[0] != &img.Pix[0] {
		t.Error("a broad line was changed")
	}
}

// A line has two sides also where it runs along an edge of the picture.
func TestStrokeWidthAlongEdges(t *testing.T) {
	for _, at := range []int{0, 20, 44} {
		d := drawing{Image: Image{Width: 50, Height: 50}, solid: make([]bool, 2500)}
		for y := range 50 {
			for x := at; x < at+6; x++ {
				d.solid[y*50+x] = true
			}
		}
		if w := d.strokeWidth(); math.Abs(w-5.3) > 0.1 { // its ends belong to the perimeter
			t.Errorf("a line 6 wide at %d has a width of %.2f", at, w)
		}
	}
}
