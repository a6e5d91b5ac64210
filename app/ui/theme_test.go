package ui

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
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

// Fyne shows the keys of menus in a colour that it makes itself of the foreground.
func TestKeysInMenusAreReadable(t *testing.T) {
	for look, p := range map[Appearance]palette{Light: lightPalette, Dark: darkPalette} {
		test.NewTempApp(t).Settings().SetTheme(newTheme(look))
		menu := widget.NewMenu(fyne.NewMenu("", withKey("Quit", fyne.KeyQ, fyne.KeyModifierControl, func() {})))
		test.NewTempWindow(t, menu)
		keys := 0
		for _, o := range test.LaidOutObjects(menu) {
			text, ok := o.(*canvas.Text)
			if !ok || text.Text == "" {
				continue
			}
			c := color.NRGBAModel.Convert(text.Color).(color.NRGBA)
			if got := contrast(c, p[theme.ColorNameMenuBackground]); got < 4.5 || c.A < 250 {
				t.Errorf("%s: %q has contrast %.2f, alpha %d", look, text.Text, got, c.A)
			}
			if text.Text != "Quit" {
				keys++
			}
		}
		if keys == 0 {
			t.Error("the menu shows no key")
		}
	}
}

// The foreground is the colour of the palette for all who take its high bytes, as painters do.
func TestForegroundIsThatOfThePalette(t *testing.T) {
	for look, p := range map[Appearance]palette{Light: lightPalette, Dark: darkPalette} {
		c := newTheme(look).Color(theme.ColorNameForeground, theme.VariantLight)
		if got := color.NRGBAModel.Convert(c); got != p[theme.ColorNameForeground] {
			t.Errorf("%s: %v, want %v", look, got, p[theme.ColorNameForeground])
		}
	}
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
