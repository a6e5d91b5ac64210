package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Appearance says which of the two palettes is used.
type Appearance string

// The appearances a person can choose.
const (
	System Appearance = "system"
	Light  Appearance = "light"
	Dark   Appearance = "dark"
)

// Colours of this house beside those of Fyne.
const (
	colorCard       fyne.ThemeColorName = "inkshade.card"
	colorBorder     fyne.ThemeColorName = "inkshade.border"
	colorPaper      fyne.ThemeColorName = "inkshade.paper"
	colorInk        fyne.ThemeColorName = "inkshade.ink"
	colorGuide      fyne.ThemeColorName = "inkshade.guide"
	colorMuted      fyne.ThemeColorName = "inkshade.muted"
	colorFaint      fyne.ThemeColorName = "inkshade.faint"
	colorTrack      fyne.ThemeColorName = "inkshade.track"
	colorAccentSoft fyne.ThemeColorName = "inkshade.accent-soft"
	colorPreprocess fyne.ThemeColorName = "inkshade.preprocess"
	colorUpload     fyne.ThemeColorName = "inkshade.upload"
	colorCompute    fyne.ThemeColorName = "inkshade.compute"
	colorReadback   fyne.ThemeColorName = "inkshade.readback"
)

type palette map[fyne.ThemeColorName]color.NRGBA

func hex(rgb uint32) color.NRGBA {
	return color.NRGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: 255}
}

func veil(rgb uint32, alpha uint8) color.NRGBA {
	c := hex(rgb)
	c.A = alpha
	return c
}

var lightPalette = palette{
	theme.ColorNameBackground:          hex(0xf4f5f8),
	theme.ColorNameForeground:          hex(0x1a1d26),
	theme.ColorNamePrimary:             hex(0x3a4fd0),
	theme.ColorNameHyperlink:           hex(0x3a4fd0),
	theme.ColorNameForegroundOnPrimary: hex(0xffffff),
	theme.ColorNameFocus:               veil(0x3a4fd0, 0x40),
	theme.ColorNameSelection:           veil(0x3a4fd0, 0x30),
	theme.ColorNameButton:              hex(0xffffff),
	theme.ColorNameHover:               veil(0x1a1d26, 0x0d),
	theme.ColorNamePressed:             veil(0x1a1d26, 0x1f),
	theme.ColorNameDisabled:            hex(0xaab0bd),
	theme.ColorNameDisabledButton:      hex(0xeceef2),
	theme.ColorNamePlaceHolder:         hex(0x5c6474),
	theme.ColorNameSeparator:           hex(0xe1e4ea),
	theme.ColorNameMenuBackground:      hex(0xffffff),
	theme.ColorNameOverlayBackground:   hex(0xffffff),
	theme.ColorNameInputBackground:     hex(0xffffff),
	theme.ColorNameInputBorder:         hex(0xcfd4de),
	theme.ColorNameWarning:             hex(0x9a5b00),
	theme.ColorNameError:               hex(0xb3261e),
	theme.ColorNameSuccess:             hex(0x1f7a4d),
	theme.ColorNameShadow:              veil(0x1a1d26, 0x24),
	colorCard:                          hex(0xffffff),
	colorBorder:                        hex(0xe1e4ea),
	colorPaper:                         hex(0xffffff),
	colorInk:                           hex(0x161a2b),
	colorGuide:                         hex(0xd3d8e4),
	colorMuted:                         hex(0x5c6474),
	colorFaint:                         hex(0x8d95a5),
	colorTrack:                         hex(0xedeff4),
	colorAccentSoft:                    hex(0xb4bdf0),
	colorPreprocess:                    hex(0x9aa3b5),
	colorUpload:                        hex(0x7cc0dd),
	colorCompute:                       hex(0x3a4fd0),
	colorReadback:                      hex(0xd9a15b),
}

var darkPalette = palette{
	theme.ColorNameBackground:          hex(0x12141a),
	theme.ColorNameForeground:          hex(0xe9ebf2),
	theme.ColorNamePrimary:             hex(0x93a3ff),
	theme.ColorNameHyperlink:           hex(0x93a3ff),
	theme.ColorNameForegroundOnPrimary: hex(0x12141a),
	theme.ColorNameFocus:               veil(0x93a3ff, 0x50),
	theme.ColorNameSelection:           veil(0x93a3ff, 0x40),
	theme.ColorNameButton:              hex(0x232730),
	theme.ColorNameHover:               veil(0xe9ebf2, 0x12),
	theme.ColorNamePressed:             veil(0xe9ebf2, 0x28),
	theme.ColorNameDisabled:            hex(0x565d6c),
	theme.ColorNameDisabledButton:      hex(0x1d2028),
	theme.ColorNamePlaceHolder:         hex(0x9ba3b4),
	theme.ColorNameSeparator:           hex(0x2a2f3a),
	theme.ColorNameMenuBackground:      hex(0x20242d),
	theme.ColorNameOverlayBackground:   hex(0x1b1e26),
	theme.ColorNameInputBackground:     hex(0x1b1e26),
	theme.ColorNameInputBorder:         hex(0x3a404d),
	theme.ColorNameWarning:             hex(0xf0b35a),
	theme.ColorNameError:               hex(0xff8f86),
	theme.ColorNameSuccess:             hex(0x6fd0a0),
	theme.ColorNameShadow:              veil(0x000000, 0x66),
	colorCard:                          hex(0x1b1e26),
	colorBorder:                        hex(0x2a2f3a),
	colorPaper:                         hex(0x181b22),
	colorInk:                           hex(0xf3f4fa),
	colorGuide:                         hex(0x353b49),
	colorMuted:                         hex(0x9ba3b4),
	colorFaint:                         hex(0x727a8b),
	colorTrack:                         hex(0x272b35),
	colorAccentSoft:                    hex(0x4a558f),
	colorPreprocess:                    hex(0x6f788a),
	colorUpload:                        hex(0x5aa9c9),
	colorCompute:                       hex(0x93a3ff),
	colorReadback:                      hex(0xd9a45f),
}

// houseTheme is Inkshade's look: calm greys, one ink blue, a little more room than Fyne's own.
type houseTheme struct{ appearance Appearance }

func newTheme(a Appearance) *houseTheme { return &houseTheme{appearance: a} }

func (t *houseTheme) variant(system fyne.ThemeVariant) fyne.ThemeVariant {
	switch t.appearance {
	case Light:
		return theme.VariantLight
	case Dark:
		return theme.VariantDark
	}
	return system
}

// Color implements fyne.Theme.
func (t *houseTheme) Color(name fyne.ThemeColorName, system fyne.ThemeVariant) color.Color {
	v := t.variant(system)
	colors := darkPalette
	if v == theme.VariantLight {
		colors = lightPalette
	}
	if name == theme.ColorNameForeground {
		return foreground(colors[name], colors[colorMuted])
	}
	if c, ok := colors[name]; ok {
		return c
	}
	return theme.DefaultTheme().Color(name, v)
}

// foreground is the colour c for everything but the keys beside the items of menus. For these
// Fyne 2.7.1 takes the low bytes of the 16-bit values of the foreground, where it means the high
// ones, and nine tenths of the alpha and a half, which makes them almost as pale as the ground.
// The alpha here is opaque, and so is that low byte.
func foreground(c, keys color.NRGBA) color.Color {
	both := func(high, low uint8) uint16 { return uint16(high)<<8 | uint16(low) }
	return color.RGBA64{R: both(c.R, keys.R), G: both(c.G, keys.G), B: both(c.B, keys.B), A: 0xffc9}
}

// Font implements fyne.Theme.
func (t *houseTheme) Font(s fyne.TextStyle) fyne.Resource { return theme.DefaultTheme().Font(s) }

// Icon implements fyne.Theme.
func (t *houseTheme) Icon(n fyne.ThemeIconName) fyne.Resource { return theme.DefaultTheme().Icon(n) }

// Size implements fyne.Theme.
func (t *houseTheme) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case theme.SizeNameInputRadius, theme.SizeNameSelectionRadius:
		return 8
	case theme.SizeNameCaptionText:
		return 12
	}
	return theme.DefaultTheme().Size(name)
}

const appearancePreference = "appearance"

// chosenAppearance is what the caller asked for, or else what was chosen last time.
func chosenAppearance(a fyne.App, asked Appearance) Appearance {
	if asked == "" {
		asked = Appearance(a.Preferences().StringWithFallback(appearancePreference, string(System)))
	}
	switch asked {
	case Light, Dark:
		return asked
	}
	return System
}

// setAppearance switches the palette at once and remembers it.
func (w *Window) setAppearance(a Appearance) {
	w.app.Preferences().SetString(appearancePreference, string(a))
	w.theme = newTheme(a)
	w.app.Settings().SetTheme(w.theme)
	w.win.SetMainMenu(w.menu())
}

// themed gives a colour of the theme now in use.
func themed(name fyne.ThemeColorName) color.Color { return theme.Color(name) }
