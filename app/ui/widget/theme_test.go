package widget

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

var variants = map[Appearance]fyne.ThemeVariant{Light: theme.VariantLight, Dark: theme.VariantDark}

func colorAt(name fyne.ThemeColorName, v fyne.ThemeVariant) color.NRGBA {
	c, _ := paletteColor(name, v)
	return c
}

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
	for look, v := range variants {
		test.NewTempApp(t).Settings().SetTheme(NewTheme(look))
		quit := fyne.NewMenuItem("Quit", func() {})
		quit.Shortcut = &desktop.CustomShortcut{KeyName: fyne.KeyQ, Modifier: fyne.KeyModifierControl}
		menu := widget.NewMenu(fyne.NewMenu("", quit))
		test.NewTempWindow(t, menu)
		keys := 0
		for _, o := range test.LaidOutObjects(menu) {
			text, ok := o.(*canvas.Text)
			if !ok || text.Text == "" {
				continue
			}
			c := color.NRGBAModel.Convert(text.Color).(color.NRGBA)
			if got := contrast(c, colorAt(theme.ColorNameMenuBackground, v)); got < 4.5 || c.A < 250 {
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
	for look, v := range variants {
		c := NewTheme(look).Color(theme.ColorNameForeground, theme.VariantLight)
		if got := color.NRGBAModel.Convert(c); got != colorAt(theme.ColorNameForeground, v) {
			t.Errorf("%s: %v, want %v", look, got, colorAt(theme.ColorNameForeground, v))
		}
	}
}

func TestAppearanceForcesThePalette(t *testing.T) {
	for _, c := range []struct {
		look         Appearance
		system, want fyne.ThemeVariant
	}{
		{System, theme.VariantLight, theme.VariantLight},
		{System, theme.VariantDark, theme.VariantDark},
		{Light, theme.VariantDark, theme.VariantLight},
		{Dark, theme.VariantLight, theme.VariantDark},
	} {
		if got := NewTheme(c.look).Color(theme.ColorNameBackground, c.system); got != color.Color(colorAt(theme.ColorNameBackground, c.want)) {
			t.Errorf("%s on system variant %d: %v", c.look, c.system, got)
		}
	}
}

// A tool button shows its icon from the start, enabled or not.
func TestToolButtonsShowTheirIcons(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(Light))
	for _, on := range []bool{true, false} {
		b := NewToolButton(theme.DeleteIcon(), "Clear", "Del", func() {})
		Enable(b, on)
		test.NewTempWindow(t, b)
		icons := 0
		for _, o := range test.LaidOutObjects(b) {
			if img, ok := o.(*canvas.Image); ok && img.Resource != nil && !img.Size().IsZero() {
				icons++
			}
		}
		if icons != 1 {
			t.Errorf("enabled %t: %d icons", on, icons)
		}
	}
}

// A Chinese character is as wide as it is high, whatever fonts the system has; letters stay as they are.
func TestChineseNeedsNoFontOfTheSystem(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(NewTheme(Light))
	for _, style := range []fyne.TextStyle{{}, {Bold: true}} {
		if got := fyne.MeasureText("汉字，", 40, style).Width; math.Abs(float64(got)-120) > 0.5 {
			t.Errorf("%+v: three characters of 40 are %g wide", style, got)
		}
		space := fyne.MeasureText("n n", 40, style).Width - fyne.MeasureText("nn", 40, style).Width
		if got := fyne.MeasureText("汉 字\u00a0文", 40, style).Width; math.Abs(float64(got-120-2*space)) > 0.5 {
			t.Errorf("%+v: with two spaces they are %g wide", style, got)
		}
		own := fyne.MeasureText("Ink 0 nǚ", 40, style)
		app.Settings().SetTheme(theme.DefaultTheme())
		if was := fyne.MeasureText("Ink 0 nǚ", 40, style); was != own {
			t.Errorf("%+v: letters measure %v, in the toolkit's own font %v", style, own, was)
		}
		app.Settings().SetTheme(NewTheme(Light))
	}
}

// Text must be readable: WCAG asks for a contrast of 4.5 for text of normal size.
func TestTextIsReadableOnItsGround(t *testing.T) {
	for name, v := range variants {
		for _, c := range []fyne.ThemeColorName{theme.ColorNameForeground, ColorMuted, theme.ColorNamePrimary, theme.ColorNameWarning, theme.ColorNameError} {
			for _, ground := range []fyne.ThemeColorName{ColorCard, ColorPaper, theme.ColorNameBackground} {
				if got := contrast(colorAt(c, v), colorAt(ground, v)); got < 4.5 {
					t.Errorf("%s: %s on %s has contrast %.2f, want 4.5", name, c, ground, got)
				}
			}
		}
	}
}
