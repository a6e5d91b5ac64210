package feature

import (
	"math"
	"strings"
	"testing"

	"inkshade/recognizer/ink"
)

func TestParseScale(t *testing.T) {
	for text, want := range map[string]string{
		"0..1": "0..1", "0..255": "0..255", "-1..1": "-1..1", "255..0": "255..0", " -0.5 .. 0.5 ": "-0.5..0.5",
		"0.5,0.5": "-1..1", "0.1307,0.3081": "-0.42421293..2.8214865",
		"": "", "1": "", "a..b": "", "1..1": "", "0..NaN": "", "0..1e39": "", "0.5,0": "", "0..Inf": "",
	} {
		s, err := ParseScale(text)
		if want == "" {
			if err == nil || !strings.Contains(err.Error(), "write it like 0..1") {
				t.Errorf("%q: %v, error %v", text, s, err)
			}
			continue
		}
		if err != nil || s.String() != want {
			t.Errorf("%q: %v, error %v, want %s", text, s, err, want)
		}
	}
}

// A dark pixel goes where the name says, as the value that it says.
func TestPictures(t *testing.T) {
	image := ink.Image{Width: side, Height: side, Pix: make([]float32, side*side)}
	image.Pix[10*side+6] = 1 // row 10, column 6
	for name, want := range map[string]struct{ row, column int }{
		"picture 28x28 0..255":            {10, 6},
		"picture 28x28 1..0":              {10, 6},
		"picture 28x28 -1..1 transposed":  {6, 10},
		"picture 32x32 0..1":              {12, 8},
		"picture 20x24 0..1":              {6, 4},
		"picture 56x56 0..1 resized":      {20, 12},
		"picture 14x14 0..1 resized":      {5, 3},
		"picture 64x32 -1..1 transposed":  {24, 12},
		"picture 14x14 255..0 transposed": {-1, 0},
		"picture 40x40 0..1 cut":          {12, 4},
		"picture 20x20 0..1 cut":          {6, 2},
	} {
		x, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := parsePicture(name)
		got, paper := x.Vector(image, nil), x.Vector(ink.Image{Width: side, Height: side, Pix: make([]float32, side*side)}, nil)
		if x.Name != name || x.Size != p.Height*p.Width || x.Pen > 0 || x.Edges {
			t.Errorf("%s: %+v", name, x)
		}
		most, sum := -1, 0.0
		for i, v := range got {
			if paper[i] != float32(p.Paper) {
				t.Fatalf("%s: paper is %g", name, paper[i])
			}
			ink := math.Abs(float64(v - paper[i]))
			if sum += ink; ink > 0 && (most < 0 || ink > math.Abs(float64(got[most]-paper[most]))) {
				most = i
			}
		}
		if at := want.row*p.Width + want.column; most != at && want.row >= 0 || want.row < 0 && most >= 0 {
			t.Errorf("%s: the pixel is at %d, want %d", name, most, at)
		}
		if area := float64(p.Height*p.Width) / (side * side); p.Fit == Resized && math.Abs(sum-area*math.Abs(p.Scale.Ink-p.Paper)) > 0.02 {
			t.Errorf("%s: the ink is %g, want as much of the picture as before, %g", name, sum, area)
		}
	}
	for _, name := range []string{"picture ", "picture 28x28", "picture 0x28 0..1", "picture 28x28 0..1 upside", "picture 9999x28 0..1", "picture 28x28 white", "picture 28x28 0..1 resized transposed"} {
		if _, err := ByName(name); err == nil || !strings.Contains(err.Error(), "scale") && !strings.Contains(err.Error(), `written like "picture 28x28 0..1 transposed"`) && !strings.Contains(err.Error(), "is not understood") {
			t.Errorf("%q: error %v", name, err)
		}
	}
}

// What the values of a vector say falls where their ink is, and nothing of it is lost.
func TestOnImage(t *testing.T) {
	image := ink.Image{Width: side, Height: side, Pix: make([]float32, side*side)}
	for y := 8; y < 20; y++ {
		image.Pix[y*side+6], image.Pix[y*side+7] = 1, 1
	}
	stroke := ink.Ink{{{X: 0, Y: 0}, {X: 0, Y: 50}}}
	for _, name := range append(Names(), "picture 28x28 0..1 transposed", "picture 32x32 0..1", "picture 14x14 0..1 resized") {
		x, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		values := x.Vector(image, nil)
		if x.Pen > 0 {
			values = x.Vector(image, stroke)
			clear(values[GradientSize+penPlanes*cells*cells : GradientSize+PenSize])
		}
		got := x.OnImage(values)
		sum, want, left := 0.0, 0.0, 0.0
		for i, v := range got {
			sum += float64(v)
			if i%side < side/2+4 {
				left += float64(v)
			}
		}
		for _, v := range values {
			want += float64(v)
		}
		if name == "picture 14x14 0..1 resized" {
			want = sum // weights of pixels that are shared
		}
		if sum == 0 || math.Abs(sum-want) > 1e-3*want || left < 0.6*sum {
			t.Errorf("%s: %v of %v is on the image, %v of it left", name, sum, want, left)
		}
	}
}
