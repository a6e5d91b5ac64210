package ink

import (
	"image"
	"image/color"
	"math"
	"testing"
)

// page is a sheet of paper, lit from above, with three lines of strokes on it, or rules, too.
func page(ruled bool) *image.Gray {
	p := image.NewGray(image.Rect(0, 0, 800, 600))
	for i := range p.Pix {
		if p.Pix[i] = uint8(240 - i/800/20); ruled && i/800%40 < 2 {
			p.Pix[i] = 170
		}
	}
	for at := 40.0; at < 500; at += 150 {
		for _, k := range shapes() {
			sketch(p, k.transformed(0.5, at*1.2, at), 0, 1, 6, color.Gray{Y: 40})
		}
	}
	return p
}

// photograph shows a page that is turned about the middle of a table, and fills such a share of it.
func photograph(of *image.Gray, share, degrees float64, table uint8) *image.Gray {
	b := of.Rect.Max
	scale := 1 / math.Sqrt(share)
	p := image.NewGray(image.Rect(0, 0, int(float64(b.X)*scale), int(float64(b.Y)*scale)))
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	for i := range p.Pix {
		x, y := float64(i%p.Stride-p.Rect.Max.X/2), float64(i/p.Stride-p.Rect.Max.Y/2)
		if at := image.Pt(int(x*cos+y*sin)+b.X/2, int(y*cos-x*sin)+b.Y/2); at.In(of.Rect) {
			p.Pix[i] = of.GrayAt(at.X, at.Y).Y
		} else {
			p.Pix[i] = table + uint8(i%3)
		}
	}
	return p
}

func inkOf(t *testing.T, p image.Image) (n int) {
	t.Helper()
	img, err := LineFromPicture(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range img.Pix {
		if v > 0.5 {
			n++
		}
	}
	return n
}

// What is written on a sheet that lies on a table is found as on the sheet alone, however large the table is and whatever is printed on the sheet.
func TestSheetsOnTables(t *testing.T) {
	want := inkOf(t, page(false))
	for _, c := range []struct {
		ruled          bool
		share, degrees float64
		table          uint8
		negative       bool
	}{
		{false, 0.35, 20, 20, false},
		{false, 0.53, 0, 55, false},
		{false, 0.53, 4, 135, true},
		{false, 0.75, -3, 55, false},
		{true, 0.53, 4, 55, true},
		{true, 0.75, 0, 135, false},
		{true, 0.75, -3, 20, false},
	} {
		p := photograph(page(c.ruled), c.share, c.degrees, c.table)
		if c.negative {
			for i, v := range p.Pix {
				p.Pix[i] = 255 - v
			}
		}
		if got := inkOf(t, p); math.Abs(float64(got-want)) > 0.06*float64(want) {
			t.Errorf("%+v: %d pixels are inked, %d on the sheet alone", c, got, want)
		}
	}
}

// No stroke is taken for a sheet, however thick, nor what a lamp lights, nor what reaches a side.
func TestWhatIsNoSheet(t *testing.T) {
	circle := shapes()["circle"]
	strokes := map[string]Ink{
		"0":     circle,
		"8":     append(circle.transformed(0.6, 30, 0), circle.transformed(0.6, 30, 52)...),
		"1":     {{{X: 50, Y: 20}, {X: 50, Y: 120}}},
		"7":     shapes()["corner"],
		"curve": shapes()["curve"],
		"box":   {{{X: 20, Y: 20}, {X: 100, Y: 20}, {X: 100, Y: 110}, {X: 20, Y: 110}, {X: 20, Y: 20}}},
		"day":   {{{X: 20, Y: 20}, {X: 100, Y: 20}, {X: 100, Y: 110}, {X: 20, Y: 110}, {X: 20, Y: 20}}, {{X: 20, Y: 65}, {X: 100, Y: 65}}},
	}
	for name, k := range strokes {
		for _, width := range []float64{20, 50, 70} {
			x0, y0, x1, y1, _ := k.Bounds()
			scale := 250 / max(x1-x0, y1-y0)
			p := sketch(image.NewGray(image.Rect(0, 0, 400, 400)), k.transformed(scale, 200-scale*(x0+x1)/2, 200-scale*(y0+y1)/2), 0, 1, width, color.White)
			if s := luminance(p).sheet(p); s != nil {
				t.Errorf("%s, %v wide, is taken for a sheet of %dx%d pixels", name, width, s.width, s.height)
			}
		}
	}
	for name, light := range map[string]func(x, y float64) bool{
		"lamp":   func(x, y float64) bool { return math.Hypot(x-400, y-300) < 250 },
		"shadow": func(x, y float64) bool { return x < 500-y/3 },
		"blank":  func(float64, float64) bool { return true },
	} {
		p := page(false)
		for i := range p.Pix {
			if !light(float64(i%800), float64(i/800)) {
				p.Pix[i] = p.Pix[i] * 2 / 5
			}
		}
		if luminance(p).sheet(p) != nil {
			t.Errorf("%s: there is no table", name)
		}
	}
}
