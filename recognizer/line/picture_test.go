package line_test

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// drawn makes a picture of ink, so many pixels high, with a round pen.
func drawn(t testing.TB, k ink.Ink, height float64) ink.Image {
	x0, y0, x1, y1, _ := k.Bounds()
	scale := height / (y1 - y0)
	const pen = 4
	p := image.NewGray(image.Rect(0, 0, int((x1-x0)*scale+20), int(height+20)))
	draw.Draw(p, p.Rect, image.White, image.Point{}, draw.Src)
	dot := func(x, y float64) {
		for v := int(y - pen); v <= int(y+pen)+1; v++ {
			for u := int(x - pen); u <= int(x+pen)+1; u++ {
				if math.Hypot(float64(u)-x, float64(v)-y) < pen {
					p.SetGray(u, v, color.Gray{})
				}
			}
		}
	}
	for _, s := range k {
		for i, b := range s {
			a := s[max(0, i-1)]
			steps := math.Ceil(math.Hypot(b.X-a.X, b.Y-a.Y)*scale) + 1
			for j := 0.0; j <= steps; j++ {
				dot(10+(a.X+(b.X-a.X)*j/steps-x0)*scale, 10+(a.Y+(b.Y-a.Y)*j/steps-y0)*scale)
			}
		}
	}
	img, err := ink.LineFromPicture(p)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func TestPicturesOfDigits(t *testing.T) {
	samples := composed(t, true, 30)
	r := open(t)
	right := 0
	for _, s := range samples {
		got, err := r.RecognizeLineImage(t.Context(), drawn(t, s.Ink, 150), line.Options{Language: line.Digits})
		if err != nil {
			t.Fatal(err)
		}
		if got.Text == s.Text {
			right++
		} else {
			t.Logf("%s read as %s, confidence %.2f", s.Text, got.Text, got.Confidence)
		}
	}
	if t.Logf("%d of %d right", right, len(samples)); right < len(samples)*8/10 {
		t.Errorf("only %d of %d pictures of five digits are read right", right, len(samples))
	}
}
