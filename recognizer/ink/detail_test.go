package ink

import (
	"errors"
	"image"
	"math"
	"testing"
)

// cross is a drawing that is wider than high, away from the origin.
var cross = Ink{{{X: 100, Y: 130}, {X: 180, Y: 130}}, {{X: 140, Y: 110}, {X: 140, Y: 150}}}

func TestDrawDetailFillsItsBox(t *testing.T) {
	img := Image{Width: DetailSide, Height: DetailSide, Pix: make([]float32, DetailSide*DetailSide)}
	for _, pen := range []float64{1, 2.4, 6} {
		if err := DrawDetail(img.Pix, cross, pen); err != nil {
			t.Fatal(err)
		}
		x0, y0, x1, y1 := sides(img.inkedBox())
		if x1-x0 != detailBox || x0+x1 != DetailSide || y0+y1 != DetailSide || y1-y0 > detailBox*2/3 {
			t.Errorf("pen %g: the ink lies in %d..%d, %d..%d, want %d pixels wide in the middle", pen, x0, x1, y0, y1, detailBox)
		}
		mass, _, _ := centreOfMass(img.Pix, DetailSide)
		if length := detailBox*1.5 - pen; math.Abs(mass/length-pen) > 0.25*pen {
			t.Errorf("pen %g: %g of ink on a path of about %g", pen, mass, length)
		}
	}
	if err := DrawDetail(img.Pix, Ink{{{X: math.NaN()}}}, 2); !errors.Is(err, ErrEmpty) {
		t.Errorf("without a point: %v", err)
	}
}

// A picture that is finer than 28x28 keeps its detail when it is normalised, wherever the ink lies.
func TestNormalizeKeepsDetail(t *testing.T) {
	want := make([]float32, DetailSide*DetailSide)
	if err := DrawDetail(want, cross, 2.4); err != nil {
		t.Fatal(err)
	}
	sheet := Image{Width: 100, Height: 90, Pix: make([]float32, 100*90)}
	for y := range DetailSide {
		copy(sheet.Pix[(y+20)*100+7:], want[y*DetailSide:][:DetailSide])
	}
	img, err := Normalize(sheet)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float32, len(want))
	img.DetailInto(got)
	off, all := 0.0, 0.0
	for i := range got {
		off, all = off+math.Abs(float64(got[i]-want[i])), all+float64(want[i])
	}
	if off > 0.1*all {
		t.Errorf("%g of %g of the ink lies elsewhere", off, all)
	}
}

// An image without detail is enlarged.
func TestDetailOfSmallImages(t *testing.T) {
	img, err := Rasterize(cross)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Normalize(img); err != nil || again.Detail != nil {
		t.Errorf("a normal image got detail that it lacks, error %v", err)
	}
	fine := Image{Width: DetailSide, Height: DetailSide, Pix: make([]float32, DetailSide*DetailSide)}
	img.DetailInto(fine.Pix)
	x0, y0, x1, y1 := sides(fine.inkedBox())
	if math.Abs(float64(x1-x0-detailBox)) > 4 || math.Abs(float64(x0+x1-DetailSide)) > 2 || math.Abs(float64(y0+y1-DetailSide)) > 2 {
		t.Errorf("the ink lies in %d..%d, %d..%d", x0, x1, y0, y1)
	}
	Image{Width: 2, Height: 2, Pix: make([]float32, 4)}.DetailInto(fine.Pix)
	if !fine.inkedBox().Empty() {
		t.Error("blank paper has ink")
	}
}

// sides are those of a box, from the left.
func sides(r image.Rectangle) (x0, y0, x1, y1 int) { return r.Min.X, r.Min.Y, r.Max.X, r.Max.Y }
