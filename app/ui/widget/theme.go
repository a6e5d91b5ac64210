package widget

import (
	"cmp"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
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

// Chosen is the appearance that was asked for, or else the one that was chosen last time.
func Chosen(p setting.Preferences, asked Appearance) Appearance {
	return cmp.Or(asked, Appearance(setting.Appearance.Get(p)))
}

// Colours of this house beside those of Fyne.
const (
	ColorCard       fyne.ThemeColorName = "inkshade.card"
	ColorBorder     fyne.ThemeColorName = "inkshade.border"
	ColorPaper      fyne.ThemeColorName = "inkshade.paper"
	ColorInk        fyne.ThemeColorName = "inkshade.ink"
	ColorGuide      fyne.ThemeColorName = "inkshade.guide"
	ColorMuted      fyne.ThemeColorName = "inkshade.muted"
	ColorFaint      fyne.ThemeColorName = "inkshade.faint"
	ColorTrack      fyne.ThemeColorName = "inkshade.track"
	ColorAccentSoft fyne.ThemeColorName = "inkshade.accent-soft"
	ColorPreprocess fyne.ThemeColorName = "inkshade.preprocess"
	ColorUpload     fyne.ThemeColorName = "inkshade.upload"
	ColorCompute    fyne.ThemeColorName = "inkshade.compute"
	ColorReadback   fyne.ThemeColorName = "inkshade.readback"
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
	ColorCard:                          {0xffffffff, 0x1b1e26ff},
	ColorBorder:                        {0xe1e4eaff, 0x2a2f3aff},
	ColorPaper:                         {0xffffffff, 0x181b22ff},
	ColorInk:                           {0x161a2bff, 0xf3f4faff},
	ColorGuide:                         {0xd3d8e4ff, 0x353b49ff},
	ColorMuted:                         {0x5c6474ff, 0x9ba3b4ff},
	ColorFaint:                         {0x8d95a5ff, 0x727a8bff},
	ColorTrack:                         {0xedeff4ff, 0x272b35ff},
	ColorAccentSoft:                    {0xb4bdf0ff, 0x4a558fff},
	ColorPreprocess:                    {0x9aa3b5ff, 0x6f788aff},
	ColorUpload:                        {0x7cc0ddff, 0x5aa9c9ff},
	ColorCompute:                       {0x3a4fd0ff, 0x93a3ffff},
	ColorReadback:                      {0xd9a15bff, 0xd9a45fff},
}

func paletteColor(name fyne.ThemeColorName, v fyne.ThemeVariant) (c color.NRGBA, ok bool) {
	both, ok := palette[name]
	rgba := both[1]
	if v == theme.VariantLight {
		rgba = both[0]
	}
	return color.NRGBA{R: uint8(rgba >> 24), G: uint8(rgba >> 16), B: uint8(rgba >> 8), A: uint8(rgba)}, ok
}

// HouseTheme is Inkshade's look: calm greys, one ink blue, a little more room than Fyne's own.
type HouseTheme struct {
	fyne.Theme
	Appearance Appearance
	Japanese   bool // Chinese characters have the shapes of Japan
}

func NewTheme(a Appearance) *HouseTheme {
	return &HouseTheme{theme.DefaultTheme(), a, language.Spoken() == "ja"}
}

func (t *HouseTheme) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	switch t.Appearance {
	case Light:
		v = theme.VariantLight
	case Dark:
		v = theme.VariantDark
	}
	c, ok := paletteColor(name, v)
	switch {
	case name == theme.ColorNameForeground:
		muted, _ := paletteColor(ColorMuted, v)
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

func (t *HouseTheme) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case theme.SizeNameInputRadius, theme.SizeNameSelectionRadius:
		return 8
	case theme.SizeNameCaptionText:
		return 12
	}
	return t.Theme.Size(name)
}

// easternFonts are those of Chinese and of Japanese characters, by whether they are bold.
var easternFonts = map[bool]map[bool]fyne.Resource{
	false: {false: fyne.NewStaticResource("chinese-regular.otf", assets.Chinese(false)), true: fyne.NewStaticResource("chinese-bold.otf", assets.Chinese(true))},
	true:  {false: fyne.NewStaticResource("japanese-regular.otf", assets.Japanese(false)), true: fyne.NewStaticResource("japanese-bold.otf", assets.Japanese(true))},
}

// symbolFont has what LaTeX prints; Fyne's own font of symbols what it lacks.
var symbolFont = fyne.NewStaticResource("symbols.otf", assets.Symbols())

// Font implements fyne.Theme. Chinese is shown on systems without a font of it too; what the font
// lacks, which is all but Chinese, the toolkit takes from its own fonts and then from the system's.
func (t *HouseTheme) Font(style fyne.TextStyle) fyne.Resource {
	if style.Symbol {
		return symbolFont
	}
	if style.Monospace || style.Italic {
		return t.Theme.Font(style)
	}
	return easternFonts[t.Japanese][style.Bold]
}

// Themed gives a colour of the theme now in use; none is transparent.
func Themed(name fyne.ThemeColorName) color.Color {
	if name == "" {
		return color.Transparent
	}
	return theme.Color(name)
}

// SliderTheme is the theme in use but for the track of sliders, which would be white on white.
type SliderTheme struct{ *HouseTheme }

func (t SliderTheme) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	if name == theme.ColorNameInputBackground {
		name = ColorGuide
	}
	return t.HouseTheme.Color(name, v)
}
