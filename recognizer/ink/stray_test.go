package ink

import (
	"image"
	"image/color"
	"image/draw"
	"testing"
)

// What lies around the paper or is printed on it is no ink, in a picture and in its negative.
func TestWhatLiesAroundThePaperIsRemoved(t *testing.T) {
	k := Ink{curve(60)}
	want := drawn(t, k)
	fill := func(p *image.NRGBA, inside func(x, y int) bool) *image.NRGBA {
		for y := range p.Rect.Dy() {
			for x := range p.Rect.Dx() {
				if inside(x, y) {
					p.Set(x, y, color.Gray{Y: byte(40 + (x+y)%20)})
				}
			}
		}
		return p
	}
	page := func() *image.NRGBA { return paint(k, 600, 500, color.White, color.Black) }
	for name, p := range map[string]*image.NRGBA{
		"page at an angle": fill(page(), func(x, y int) bool { return 9*y < x || 7*x < y || 500-y < (600-x)/6 || 600-x < (500-y)/5 }),
		"corner of a page": fill(page(), func(x, y int) bool { return x < 40+y/9 || y < 70-x/9 }),
		"table beside it":  fill(page(), func(x, _ int) bool { return x >= 510 }),
		"thin frame":       fill(page(), func(x, y int) bool { return x < 2 || y < 2 || x >= 598 || y >= 498 }),
		"lines of a form":  fill(page(), func(_, y int) bool { return y%420 == 40 }),
	} {
		for _, negative := range []bool{false, true} {
			if negative {
				for i := range p.Pix {
					if i%4 != 3 {
						p.Pix[i] = 255 - p.Pix[i]
					}
				}
			}
			full, err := FromPicture(p)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, err := Normalize(full)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if most, mean := difference(got, want); mean > 0.015 {
				t.Errorf("%s, negative %v: a pixel differs by %.3f, %.4f on average", name, negative, most, mean)
			}
		}
	}
}

// Strokes that reach the sides are ink: the outer box of 回 cut out closely, and all of a small picture.
func TestStrokesThatReachTheSidesStay(t *testing.T) {
	for _, side := range []int{64, 300} {
		p := image.NewGray(image.Rect(0, 0, side, side))
		fill := func(r image.Rectangle, c color.Color) { draw.Draw(p, r, image.NewUniform(c), image.Point{}, draw.Src) }
		pen := side / 16
		for _, box := range []image.Rectangle{p.Rect, image.Rect(side/3, side/3, side*2/3, side*2/3)} {
			fill(box, color.Black)
			fill(box.Inset(pen), color.White)
		}
		full, err := FromPicture(p)
		if err != nil {
			t.Fatal(err)
		}
		if x0, y0, x1, y1 := sides(full.inkedBox()); x1-x0 < side-1 || y1-y0 < side-1 {
			t.Errorf("of %d pixels %dx%d are left", side, x1-x0, y1-y0)
		}
	}
}

// Of a page of writing a dot is a small share, and stays; a speck goes.
func TestDotsOfAPageStay(t *testing.T) {
	const letters, pen = 100, 6
	p := image.NewGray(image.Rect(0, 0, 1000, 600))
	fill := func(x, y, width, height int, c color.Color) {
		draw.Draw(p, image.Rect(x, y, x+width, y+height), image.NewUniform(c), image.Point{}, draw.Src)
	}
	fill(0, 0, 1000, 600, color.White)
	for i := range letters {
		x, y := 50+i%20*45, 40+i/20*110
		fill(x, y, pen, pen, color.Black)
		fill(x, y+2*pen, pen, 50, color.Black)
		fill(x+20, y+20, 2, 2, color.Black)
	}
	img, err := LineFromPicture(p)
	if err != nil {
		t.Fatal(err)
	}
	if parts := len(img.Components(0.5)); parts != 2*letters {
		t.Errorf("%d letters with a dot each are %d parts", letters, parts)
	}
}
