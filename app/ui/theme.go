package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inkshade/assets"
)

// Appearance says which colours of the palette are used.
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

// palette are the colours as 0xRRGGBBAA, of the light appearance and of the dark one.
var palette = map[fyne.ThemeColorName][2]uint32{
	theme.ColorNameBackground:          {0xf4f5f8ff, 0x12141aff},
	theme.ColorNameForeground:          {0x1a1d26ff, 0xe9ebf2ff},
	theme.ColorNamePrimary:             {0x3a4fd0ff, 0x93a3ffff},
	theme.ColorNameHyperlink:           {0x3a4fd0ff, 0x93a3ffff},
	theme.ColorNameForegroundOnPrimary: {0xffffffff, 0x12141aff},
	theme.ColorNameFocus:               {0x0a123c50, 0xffffff50}, // seen on the primary colour too
	theme.ColorNameSelection:           {0x3a4fd030, 0x93a3ff40},
	theme.ColorNameButton:              {0xffffffff, 0x232730ff},
	theme.ColorNameHover:               {0x1a1d260d, 0xe9ebf212},
	theme.ColorNamePressed:             {0x1a1d261f, 0xe9ebf228},
	theme.ColorNameDisabled:            {0xaab0bdff, 0x565d6cff},
	theme.ColorNameDisabledButton:      {0xeceef2ff, 0x1d2028ff},
	theme.ColorNamePlaceHolder:         {0x5c6474ff, 0x9ba3b4ff},
	theme.ColorNameSeparator:           {0xe1e4eaff, 0x2a2f3aff},
	theme.ColorNameMenuBackground:      {0xffffffff, 0x20242dff},
	theme.ColorNameOverlayBackground:   {0xffffffff, 0x1b1e26ff},
	theme.ColorNameInputBackground:     {0xffffffff, 0x1b1e26ff},
	theme.ColorNameInputBorder:         {0xcfd4deff, 0x3a404dff},
	theme.ColorNameWarning:             {0x9a5b00ff, 0xf0b35aff},
	theme.ColorNameError:               {0xb3261eff, 0xff8f86ff},
	theme.ColorNameSuccess:             {0x1f7a4dff, 0x6fd0a0ff},
	theme.ColorNameShadow:              {0x1a1d2624, 0x00000066},
	colorCard:                          {0xffffffff, 0x1b1e26ff},
	colorBorder:                        {0xe1e4eaff, 0x2a2f3aff},
	colorPaper:                         {0xffffffff, 0x181b22ff},
	colorInk:                           {0x161a2bff, 0xf3f4faff},
	colorGuide:                         {0xd3d8e4ff, 0x353b49ff},
	colorMuted:                         {0x5c6474ff, 0x9ba3b4ff},
	colorFaint:                         {0x8d95a5ff, 0x727a8bff},
	colorTrack:                         {0xedeff4ff, 0x272b35ff},
	colorAccentSoft:                    {0xb4bdf0ff, 0x4a558fff},
	colorPreprocess:                    {0x9aa3b5ff, 0x6f788aff},
	colorUpload:                        {0x7cc0ddff, 0x5aa9c9ff},
	colorCompute:                       {0x3a4fd0ff, 0x93a3ffff},
	colorReadback:                      {0xd9a15bff, 0xd9a45fff},
}

// paletteColor gives a colour of the palette.
func paletteColor(name fyne.ThemeColorName, v fyne.ThemeVariant) (c color.NRGBA, ok bool) {
	both, ok := palette[name]
	rgba := both[1]
	if v == theme.VariantLight {
		rgba = both[0]
	}
	return color.NRGBA{R: uint8(rgba >> 24), G: uint8(rgba >> 16), B: uint8(rgba >> 8), A: uint8(rgba)}, ok
}

// houseTheme is Inkshade's look: calm greys, one ink blue, a little more room than Fyne's own.
type houseTheme struct {
	fyne.Theme
	appearance Appearance
}

func newTheme(a Appearance) *houseTheme { return &houseTheme{theme.DefaultTheme(), a} }

// Color implements fyne.Theme.
func (t *houseTheme) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	switch t.appearance {
	case Light:
		v = theme.VariantLight
	case Dark:
		v = theme.VariantDark
	}
	c, ok := paletteColor(name, v)
	switch {
	case name == theme.ColorNameForeground:
		muted, _ := paletteColor(colorMuted, v)
		return foreground(c, muted)
	case ok:
		return c
	}
	return t.Theme.Color(name, v)
}

// foreground is the colour c for everything but the keys beside the items of menus. For these
// Fyne 2.7.1 takes the low bytes of the 16-bit values of the foreground, where it means the high
// ones, and nine tenths of the alpha and a half, which makes them almost as pale as the ground.
// The alpha here is opaque, and so is that low byte.
func foreground(c, keys color.NRGBA) color.Color {
	both := func(high, low uint8) uint16 { return uint16(high)<<8 | uint16(low) }
	return color.RGBA64{R: both(c.R, keys.R), G: both(c.G, keys.G), B: both(c.B, keys.B), A: 0xffc9}
}

// Size implements fyne.Theme.
func (t *houseTheme) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case theme.SizeNameInputRadius, theme.SizeNameSelectionRadius:
		return 8
	case theme.SizeNameCaptionText:
		return 12
	}
	return t.Theme.Size(name)
}

// The fonts of Chinese, by whether they are bold.
var chineseFonts = map[bool]fyne.Resource{
	false: fyne.NewStaticResource("chinese-regular.otf", assets.Chinese(false)),
	true:  fyne.NewStaticResource("chinese-bold.otf", assets.Chinese(true)),
}

// Font implements fyne.Theme. Chinese is shown on systems without a font of it too; what the font
// lacks, which is all but Chinese, the toolkit takes from its own fonts and then from the system's.
func (t *houseTheme) Font(style fyne.TextStyle) fyne.Resource {
	if style.Monospace || style.Symbol || style.Italic {
		return t.Theme.Font(style)
	}
	return chineseFonts[style.Bold]
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
	w.theme.appearance = a
	w.restyle()
	w.win.SetMainMenu(w.menu())
}

// restyle shows the page in front in the look that was chosen. The toolkit measures and lays out anew all that
// the window holds, seen or not; the other pages are left out, and follow when they come to the front.
func (w *Window) restyle() {
	all := w.stack.Objects
	w.stack.Objects = []fyne.CanvasObject{w.pages[w.front].content}
	w.app.Settings().SetTheme(w.theme)
	w.stack.Objects = all
	w.pages[w.front].look = w.theme.appearance
}

// themed gives a colour of the theme now in use; none is transparent.
func themed(name fyne.ThemeColorName) color.Color {
	if name == "" {
		return color.Transparent
	}
	return theme.Color(name)
}
