package ink

import (
	"image"
	"image/color"
	"math"
	"testing"
)

// A word on a page that lies half in shadow is found as on one that does not; white ink on dark paper stays what it is.
func TestShadowsAreTakenOff(t *testing.T) {
	word := func(light func(x, y int) float64) *image.Gray {
		p := image.NewGray(image.Rect(0, 0, 900, 500))
		for i := range p.Pix {
			x, y := i%900, i/900
			v := 230.0
			if y > 200 && y < 300 && x > 100 && x < 800 && (x/6)%8 == 0 {
				v = 50
			}
			p.SetGray(x, y, color.Gray{Y: uint8(v * light(x, y))})
		}
		return p
	}
	inked := func(p image.Image) (n int, sum float64) {
		img, err := LineFromPicture(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range img.Pix {
			if sum += float64(v); v > 0.5 {
				n++
			}
		}
		return n, sum
	}
	want, all := inked(word(func(int, int) float64 { return 1 }))
	for name, light := range map[string]func(x, y int) float64{
		"slope": func(x, _ int) float64 { return 1 - 0.6*float64(x)/900 },
		"lamp":  func(x, y int) float64 { return 1 - 0.5*math.Hypot(float64(x-450), float64(y-250))/515 },
		"table": func(x, _ int) float64 {
			if x > 840 {
				return 0.3
			}
			return 1 - 0.4*float64(x)/900
		},
		"edge":         func(x, _ int) float64 { return 0.8 - 0.2*math.Tanh(float64(x-450)/60) },
		"sharp edge":   func(x, y int) float64 { return 0.7 - 0.3*math.Tanh(float64(x-600+y/2)/8) },
		"faint, sharp": func(x, y int) float64 { return 0.85 - 0.15*math.Tanh(float64(x-300-y/3)/8) },
	} {
		if got, sum := inked(word(light)); math.Abs(float64(got-want)) > 0.05*float64(want) || math.Abs(sum-all) > 0.1*all {
			t.Errorf("%s: %d pixels are inked and %.0f in all, %d and %.0f without a shadow", name, got, sum, want, all)
		}
	}
	negative := word(func(x, _ int) float64 { return 1 })
	for i, v := range negative.Pix {
		negative.Pix[i] = 255 - v
	}
	if got, _ := inked(negative); math.Abs(float64(got-want)) > 0.05*float64(want) {
		t.Errorf("on dark paper %d pixels are inked, %d on light", got, want)
	}
}

// four is a digit that pen draws.
var four = Ink{{{X: 130, Y: 60}, {X: 80, Y: 170}, {X: 200, Y: 170}}, {{X: 180, Y: 120}, {X: 180, Y: 250}}}

// lit gives a picture other levels than black on white, and light.
func lit(p *image.Gray, ink, paper float64, light func(x, y float64) float64) *image.Gray {
	side := float64(p.Rect.Dx())
	for i, v := range p.Pix {
		x, y := float64(i%p.Stride)/side, float64(i/p.Stride)/side
		p.Pix[i] = uint8((ink + (paper-ink)*float64(v)/255) * light(x, y))
	}
	return p
}

// One character in a photograph is found as in even light.
func TestACharacterIsFoundInShadow(t *testing.T) {
	for name, light := range map[string]func(x, y float64) float64{
		"slope":  func(x, _ float64) float64 { return 1 - 0.6*x },
		"lamp":   func(x, y float64) float64 { return 1 - 0.6*math.Hypot(x-0.4, y-0.5) },
		"edge":   func(x, y float64) float64 { return 0.7 - 0.3*math.Tanh((x-0.6+y/4)/0.1) },
		"sharp":  func(x, y float64) float64 { return 0.75 - 0.25*math.Tanh((x-0.6+y/4)/0.01) },
		"corner": func(x, y float64) float64 { return 0.75 - 0.25*math.Tanh((x+y-1.1)/0.05) },
		"faint":  func(_, y float64) float64 { return 0.85 - 0.15*math.Tanh((y-0.5)/0.02) },
	} {
		for _, width := range []float64{4, 14, 30} {
			normal := func(p image.Image) Image {
				full, err := FromPicture(p)
				if err != nil {
					t.Fatalf("%s, pen of %g: %v", name, width, err)
				}
				img, err := Normalize(full)
				if err != nil {
					t.Fatalf("%s, pen of %g: %v", name, width, err)
				}
				return img
			}
			want, got := normal(pen(four, width)), normal(lit(pen(four, width), 60, 225, light))
			if most, mean := difference(got, want); mean > 0.02 {
				t.Errorf("%s, pen of %g: a pixel differs by %.3f, %.4f on average", name, width, most, mean)
			}
		}
	}
}

// Nothing is taken off a clean picture of one character, which is read to the last bit as if there were no shadows.
func TestACleanCharacterHasNoShadow(t *testing.T) {
	along := Ink{{{X: 0, Y: 0}, {X: 300, Y: 0}, {X: 120, Y: 300}}, {{X: 300, Y: 0}, {X: 300, Y: 300}}}
	for _, width := range []float64{3, 14, 40, 60} {
		for name, p := range map[string]image.Image{
			"black":             pen(four, width),
			"white on black":    lit(pen(four, width), 255, 0, func(_, _ float64) float64 { return 1 }),
			"chalk":             lit(pen(four, width), 230, 100, func(_, _ float64) float64 { return 1 }),
			"pencil":            lit(pen(four, width), 150, 255, func(_, _ float64) float64 { return 1 }),
			"along the sides":   lit(pen(along, width), 100, 255, func(_, _ float64) float64 { return 1 }),
			"transparent":       paint(four, 300, 300, color.Transparent, color.Gray{Y: 150}),
			"white transparent": paint(four, 300, 300, color.Transparent, color.White),
			"small":             lit(image.NewGray(image.Rect(0, 0, Side, Side)), 200, 0, func(x, _ float64) float64 { return x }),
		} {
			s := luminance(p)
			if s.flatten(false); s.light != nil {
				t.Errorf("%s, pen of %g: a shadow is seen", name, width)
			}
		}
	}
}

// The edge of a shadow is no ink, however sharp it is.
func TestTheEdgeOfAShadowIsNoInk(t *testing.T) {
	const width, height = 660, 400
	for _, slope := range []float64{0, 0.2, 0.7} {
		p := image.NewGray(image.Rect(0, 0, width, height))
		for i := range p.Pix {
			x, y := i%width, i/width
			p.Pix[i] = uint8(230 - i*7%11)
			if y > 100 && y < 130 && x >= 60 && x < 600 && x%30 < 4 {
				p.Pix[i] /= 4
			}
			if float64(x)-slope*float64(y) > 290 {
				p.Pix[i] /= 2
			}
		}
		img, err := LineFromPicture(p)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(img.Components(0.3)); n != 18 {
			t.Errorf("with an edge that leans by %g there are %d strokes, want 18", slope, n)
		}
	}
}
