package ui

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2/theme"
)

// contrast is the ratio of relative luminances as WCAG 2.1 defines it.
func contrast(a, b color.NRGBA) float64 {
	luminance := func(c color.NRGBA) float64 {
		linear := func(v uint8) float64 {
			s := float64(v) / 255
			if s <= 0.04045 {
				return s / 12.92
			}
			return math.Pow((s+0.055)/1.055, 2.4)
		}
		return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestAppearanceForcesThePalette(t *testing.T) {
	for _, c := range []struct {
		look   Appearance
		system uint
		want   palette
	}{
		{System, uint(theme.VariantLight), lightPalette},
		{System, uint(theme.VariantDark), darkPalette},
		{Light, uint(theme.VariantDark), lightPalette},
		{Dark, uint(theme.VariantLight), darkPalette},
	} {
		got := newTheme(c.look).Color(theme.ColorNameBackground, theme.VariantDark)
		if c.system == uint(theme.VariantLight) {
			got = newTheme(c.look).Color(theme.ColorNameBackground, theme.VariantLight)
		}
		if got != color.Color(c.want[theme.ColorNameBackground]) {
			t.Errorf("%s on system variant %d: %v", c.look, c.system, got)
		}
	}
}

func TestBothPalettesNameTheSameColours(t *testing.T) {
	for n := range lightPalette {
		if _, ok := darkPalette[n]; !ok {
			t.Errorf("dark has no %s", n)
		}
	}
	if len(lightPalette) != len(darkPalette) {
		t.Errorf("light has %d colours, dark %d", len(lightPalette), len(darkPalette))
	}
}

func TestChosenAppearanceIsKept(t *testing.T) {
	s := open(t, &fakeEngine{})
	s.setAppearance(Dark)
	if got := chosenAppearance(s.app, ""); got != Dark {
		t.Errorf("kept %q", got)
	}
	if got := themed(colorPaper); got != color.Color(darkPalette[colorPaper]) {
		t.Errorf("paper is %v", got)
	}
}
