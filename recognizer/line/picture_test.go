package line_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"testing"

	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/samples"
)

// painted makes a picture of ink, so many pixels high, with a round pen.
func painted(k ink.Ink, height float64) *image.Gray {
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
	return p
}

func TestPicturesOfDigits(t *testing.T) {
	all := composed(t, true, 30)
	r := open(t)
	o := line.Options{Language: line.Digits}
	for what, read := range map[string]func(*image.Gray) (*line.Result, error){
		"pictures": func(p *image.Gray) (*line.Result, error) {
			img, err := ink.LineFromPicture(p)
			if err != nil {
				return nil, err
			}
			return line.ReadImage(t.Context(), img, o, r.AskLine)
		},
		"pictures traced": func(p *image.Gray) (*line.Result, error) {
			var file bytes.Buffer
			if err := png.Encode(&file, p); err != nil {
				return nil, err
			}
			k, err := samples.ReadPicture(bytes.NewReader(file.Bytes()), true)
			if err != nil {
				return nil, err
			}
			return line.Read(t.Context(), k, o, r.AskLine)
		},
	} {
		right := 0
		for _, s := range all {
			got, err := read(painted(s.Ink, 150))
			if err != nil {
				t.Fatal(err)
			}
			if got.Text == s.Text {
				right++
			} else {
				t.Logf("%s read as %s, confidence %.2f", s.Text, got.Text, got.Confidence)
			}
		}
		if t.Logf("%d of %d %s right", right, len(all), what); right < len(all)*8/10 {
			t.Errorf("only %d of %d %s of five digits are read right", right, len(all), what)
		}
	}
}
