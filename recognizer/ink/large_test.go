package ink

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"runtime"
	"testing"
)

// sketch paints the ink with a pen of some width on a sheet, each point k of it at
// at + zoom·k.
func sketch(p draw.Image, k Ink, at, zoom, width float64, pen color.Color) draw.Image {
	for _, s := range k {
		for j := 1; j < len(s); j++ {
			ax, ay, bx, by := at+zoom*s[j-1].X, at+zoom*s[j-1].Y, at+zoom*s[j].X, at+zoom*s[j].Y
			steps := math.Ceil(4 * max(math.Abs(bx-ax), math.Abs(by-ay)) / max(width, 1))
			for i := 0.0; i <= steps; i++ {
				x, y := ax+(bx-ax)*i/steps, ay+(by-ay)*i/steps
				for py := math.Floor(y - width/2); py <= y+width/2; py++ {
					for px := math.Floor(x - width/2); px <= x+width/2; px++ {
						if width <= 1 && (px != math.Floor(x) || py != math.Floor(y)) || width > 1 && math.Hypot(px+0.5-x, py+0.5-y) > width/2 {
							continue
						}
						p.Set(int(px), int(py), pen)
					}
				}
			}
		}
	}
	return p
}

// TestLargePictures wants of the picture of a large sheet what our own pen would have
// written, also by a hairline, small on a sheet with dust, and in every kind of picture.
func TestLargePictures(t *testing.T) {
	const side = 4500
	size := image.Rect(0, 0, side, side)
	k := Ink{{{X: 40, Y: 30}, {X: 40, Y: 150}, {X: 200, Y: 150}}, {{X: 160, Y: 80}, {X: 160, Y: 280}}}
	want := drawn(t, k)
	white := func(p draw.Image) draw.Image {
		draw.Draw(p, p.Bounds(), image.White, image.Point{}, draw.Src)
		return p
	}
	paletted := image.NewPaletted(size, color.Palette{color.White, color.Black})
	ycbcr := image.NewYCbCr(size, image.YCbCrSubsampleRatio420)
	lines := sketch(white(image.NewGray(size)), k, 300, 12, 40, color.Black).(*image.Gray)
	copy(ycbcr.Y, lines.Pix)
	for i := range ycbcr.Cb {
		ycbcr.Cb[i], ycbcr.Cr[i] = 128, 128
	}
	dusty := sketch(white(image.NewGray(size)), k, 3000, 1.5, 6, color.Gray{Y: 60}).(*image.Gray)
	for i := range 9 {
		dusty.Pix[(20+i/3)*side+20+i%3] = 0
	}
	for name, p := range map[string]image.Image{
		"lines":                 lines,
		"hairlines":             sketch(white(image.NewGray(size)), k, 300, 12, 1, color.Black),
		"grey hairlines":        sketch(white(image.NewGray(size)), k, 300, 12, 1, color.Gray{Y: 150}),
		"light on dark":         sketch(image.NewGray(size), k, 300, 12, 1, color.White),
		"small, with dust":      dusty,
		"sixteen bits":          sketch(white(image.NewGray16(size)), k, 300, 12, 40, color.Black),
		"palette":               sketch(paletted, k, 300, 12, 40, color.Black),
		"colours of JPEG":       ycbcr,
		"transparent":           sketch(image.NewNRGBA(size), k, 300, 12, 40, color.NRGBA{R: 9, A: 255}),
		"white, transparent":    sketch(image.NewRGBA(size), k, 300, 12, 1, color.White),
		"hairlines, odd factor": sketch(white(image.NewGray(image.Rect(0, 0, 4001, 3701))), k, 100, 12, 1, color.Black),
	} {
		full, err := FromPicture(p)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if longer := max(full.Width, full.Height); longer >= 2*side/3 {
			t.Errorf("%s: %d pixels are left", name, longer)
		}
		got, err := Normalize(full)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if most, mean := difference(got, want); mean > 0.045 {
			t.Errorf("%s: a pixel differs by %.3f, %.4f on average", name, most, mean)
		}
	}
}

// A copy of a picture at its full size takes two bytes a pixel at least.
func TestLargePicturesAreNotCopied(t *testing.T) {
	const side = 6000
	p := image.NewNRGBA(image.Rect(0, 0, side, side))
	sketch(p, Ink{{{X: 1, Y: 1}, {X: 9, Y: 5}, {X: 1, Y: 9}}}, 0, 550, 300, color.Black)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := FromPicture(p); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > side*side*3/2 {
		t.Errorf("%d bytes were taken for %d pixels", bytes, side*side)
	}
}
