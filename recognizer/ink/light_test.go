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
