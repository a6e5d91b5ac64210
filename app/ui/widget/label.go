package widget

import (
	"cmp"
	"fmt"
	"image"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"golang.org/x/image/font/sfnt"

	"inkshade/recognizer/ink"
)

// Label is text that never asks for more room than it was given: it wraps into a fixed number of lines and ends in an ellipsis, so that
// changing values move nothing. A name has that inside: names often differ at their ends.
type Label struct {
	Composed // of a text for each line
	Text     string
	color    fyne.ThemeColorName
	TextSize float32
	Style    fyne.TextStyle
	align    fyne.TextAlign
	lines    int
	name     bool
	middle   bool // its lines stand in the middle of its height
	wide     bool // it asks for the width of its text, for Fyne's layouts
	pictures []*picture
	of       wrapping
	wrapped  []string
	tall     face
	height   float32
}

// wrapping is what the lines of a label depend on, face what their height does. Lines and height are kept: finding
// them measures many texts, and the toolkit forgets all measures when colours change.
type (
	wrapping struct {
		text  string
		width float32
		lines int
		name  bool
		face  face
	}
	face struct {
		font  fyne.Resource
		style fyne.TextStyle
		size  float32
	}
)

func NewLabel(text string, size float32, color fyne.ThemeColorName) *Label {
	l := &Label{Text: text, TextSize: size, color: color}
	l.Compose(l, container.NewWithoutLayout())
	return l.Wrapped(1)
}

func (l *Label) Bold() *Label                    { l.Style.Bold = true; return l }
func (l *Label) Aligned(a fyne.TextAlign) *Label { l.align = a; return l }
func (l *Label) OfName() *Label                  { l.name = true; return l }
func (l *Label) Natural() *Label                 { l.wide = true; return l }
func (l *Label) Centred() *Label                 { l.middle = true; return l }
func (l *Label) Set(text string)                 { l.SetColored(text, l.color) }
func (l *Label) Recolor(c fyne.ThemeColorName)   { l.SetColored(l.Text, c) }

func (l *Label) face() face {
	return face{fyne.CurrentApp().Settings().Theme().Font(l.Style), l.Style, l.TextSize}
}

func (l *Label) LineHeight() float32 {
	if f := l.face(); f != l.tall {
		l.tall, l.height = f, fyne.MeasureText("0", f.size, f.style).Height
	}
	return l.height
}

// Width is that of a text as the label would show it.
func (l *Label) Width(text string) float32 { return l.measure(l.readable(text)) }

func (l *Label) measure(text string) float32 {
	return fyne.MeasureText(text, l.TextSize, l.Style).Width
}

func (l *Label) Wrapped(lines int) *Label {
	l.lines, l.Content.Objects, l.pictures = lines, nil, nil
	for range lines {
		l.Content.Objects = append(l.Content.Objects, canvas.NewText("", Themed(l.color)))
	}
	return l
}

func (l *Label) SetSize(size float32) {
	if l.TextSize != size {
		l.TextSize = size
		l.Refresh()
	}
}

// SetSizeWithin takes a size, or the smaller one at which the text is no wider than width.
func (l *Label) SetSizeWithin(size, width float32) {
	if most := fyne.MeasureText(l.readable(l.Text), size, l.Style).Width; most > max(width, 0) {
		size = max(Floor(size*width/most), 8)
	}
	l.SetSize(size)
}

func (l *Label) SetColored(text string, c fyne.ThemeColorName) {
	if l.Text != text || l.color != c {
		l.Text, l.color = text, c
		l.Refresh()
	}
}

// Most is the height of all lines that it may have, height that of the lines of its text.
func (l *Label) Most() float32 { return l.LineHeight() * float32(l.lines) }

func (l *Label) Height(width float32) float32 { return float32(len(l.Wrap(width))) * l.LineHeight() }

// Whole tells whether nothing of the text is cut off.
func (l *Label) Whole(width float32) bool {
	lines := l.Wrap(width)
	return len(lines) < l.lines || strings.HasSuffix(strings.TrimSpace(l.readable(l.Text)), lines[len(lines)-1])
}

// Wrap breaks the text as it is shown into at most lines pieces no wider than width, by words where it can.
func (l *Label) Wrap(width float32) []string {
	if width <= 0 {
		return nil
	}
	if of := (wrapping{strings.TrimSpace(l.readable(l.Text)), width, l.lines, l.name, l.face()}); of != l.of {
		l.of, l.wrapped = of, l.wrap(of.text, width)
	}
	return l.wrapped
}

func (l *Label) wrap(rest string, width float32) (out []string) {
	for rest != "" && len(out) < l.lines {
		if l.measure(rest) <= width+0.5 {
			return append(out, rest)
		}
		last := len(out) == l.lines-1
		if last && l.name {
			return append(out, l.ends(rest, width))
		}
		cut := l.fit(rest, width, last)
		piece := strings.TrimRight(rest[:cut], " ")
		if last {
			return append(out, piece+"…")
		}
		out = append(out, piece)
		rest = strings.TrimLeft(rest[cut:], " ")
	}
	return out
}

// ends are the beginning and the end of a text, as much of both as fits.
func (l *Label) ends(text string, width float32) string {
	cut := l.fit(text, (width+l.measure("…"))/2, true)
	begin, rest := strings.TrimRight(text[:cut], " ")+"…", []rune(text[cut:])
	from := sort.Search(len(rest), func(i int) bool { return l.measure(begin+string(rest[i:])) <= width })
	return begin + strings.TrimLeft(string(rest[from:]), " ")
}

// fit is the number of bytes of text that fit into width, at least one character, ending where a line may.
func (l *Label) fit(text string, width float32, ellipsis bool) int {
	if ellipsis {
		width -= l.measure("…")
	}
	var ends []int
	for i := range text {
		ends = append(ends, i)
	}
	ends = append(ends, len(text))[1:]
	fits := sort.Search(len(ends), func(i int) bool { return l.measure(text[:ends[i]]) > width })
	cut := ends[max(fits-1, 0)]
	if ellipsis || fits == 0 {
		return cut
	}
	return breakBefore(text, cut)
}

// breakBefore is the last place up to cut where a line may end, or cut where that would leave it half empty.
func breakBefore(text string, cut int) int {
	for at := cut; at > cut/2; {
		last, size := utf8.DecodeLastRuneInString(text[:at])
		next, _ := utf8.DecodeRuneInString(text[at:])
		if mayBreak(last, next) {
			return at
		}
		at -= size
	}
	return cut
}

// mayBreak tells whether a line may end between two characters: words stay whole, Chinese
// and Japanese break anywhere but before a mark that closes and behind one that opens.
func mayBreak(last, next rune) bool {
	if strings.ContainsRune("。，、；：？！）》”’…」ーっッゃゅょャュョ", next) || strings.ContainsRune("（《“‘「", last) {
		return false
	}
	return last == ' ' || next == ' ' || isEastern(last) || isEastern(next)
}

// isEastern tells whether r is a character or a mark of Chinese or Japanese.
func isEastern(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || strings.ContainsRune("。，、；：？！）》”’…（《“‘「」", r)
}

func (l *Label) MinSize() fyne.Size {
	if l.wide {
		return fyne.NewSize(l.Width(l.Text)+2, l.Most())
	}
	return fyne.NewSize(0, l.Most())
}

func (l *Label) Resize(size fyne.Size) {
	if size != l.Size() {
		l.BaseWidget.Resize(size)
		l.Refresh()
	}
}

func (l *Label) Refresh() {
	width, height, top := l.Size().Width, l.LineHeight(), float32(0)
	lines, drawn := l.Wrap(width), 0
	if _, sign := signs[l.Text]; sign { // however narrow the label is
		lines = []string{l.readable(l.Text)}
	}
	if l.lines == 1 || l.middle {
		top = Floor((l.Size().Height - height*float32(max(len(lines), 1))) / 2)
	}
	for i, o := range l.Content.Objects[:l.lines] {
		t := o.(*canvas.Text)
		t.Text = ""
		if i < len(lines) {
			t.Text = l.draw(lines[i], top+float32(i)*height, &drawn)
		}
		t.TextSize, t.TextStyle, t.Alignment, t.Color = l.TextSize, l.Style, l.align, Themed(l.color)
		Place(t, 0, top+float32(i)*height, width, height)
		t.Refresh()
	}
	for i, p := range l.pictures {
		Show(p.raster, i < drawn)
		p.raster.Refresh()
	}
}

// Badge is up to two short words on pills: what a device is, and that it answers.
type Badge struct {
	Composed
	Words [2]*Label
	pills *fyne.Container
}

func NewBadge() *Badge {
	b := &Badge{Words: [2]*Label{NewLabel("", 11, ColorMuted), NewLabel("", 11, theme.ColorNamePrimary)}}
	b.pills = Beside(4)
	for _, l := range b.Words {
		b.pills.Add(Sized(0, 17, container.NewStack(NewFill(ColorTrack, 8), container.New(layout.NewCustomPaddedLayout(0, 0, 6, 6), l.Natural()))))
	}
	b.Compose(b, container.NewCenter(b.pills))
	b.Set("", "")
	return b
}

func (b *Badge) Set(what, role string) {
	for i, text := range []string{what, role} {
		b.Words[i].Set(text)
		Show(b.pills.Objects[i], text != "")
	}
	b.Refresh()
}

// A drawing in place of a sign is so large a share of the height of its line, and its pen has so large a radius.
const (
	signShare = 0.62
	signPen   = 0.045
)

// signs are the drawings that labels show in place of what no font has, signNames what they stand for, the longest first.
var (
	signs     map[string]ink.Ink
	signNames []string
)

// SetSigns has drawings stand in labels wherever they have one of these texts, and tells whether that is new.
func SetSigns(now map[string]ink.Ink) bool {
	before := signs
	signs, signNames = now, slices.SortedFunc(maps.Keys(now), func(a, b string) int {
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
	return !maps.EqualFunc(before, now, SameInk)
}

// Lacking tells whether no font has some sign of a text in a style.
func Lacking(text string, style fyne.TextStyle) bool {
	return strings.ContainsFunc(text, func(sign rune) bool { return lacking(sign, style) })
}

// lacks remembers for a font of the theme and a sign whether neither it nor another font has that.
var lacks sync.Map

// lacking tells whether no font has a sign. Beside that of the theme fonts of the system may have it: what none has is as wide as one that is
// private and in no font.
func lacking(sign rune, style fyne.TextStyle) bool {
	if sign <= unicode.MaxLatin1 {
		return false
	}
	key := struct {
		font fyne.Resource
		sign rune
	}{fyne.CurrentApp().Settings().Theme().Font(style), sign}
	known, ok := lacks.Load(key)
	if !ok {
		width := func(sign rune) float32 { return fyne.MeasureText(string(sign), 100, style).Width }
		known = width(sign) == width('\U0010FFFD') && !has(key.font, sign)
		lacks.Store(key, known)
	}
	return known.(bool)
}

// fonts are what is known of the fonts of the theme, nil of those that cannot be read.
var fonts sync.Map

// has tells whether a font has a sign itself.
func has(font fyne.Resource, sign rune) bool {
	known, ok := fonts.Load(font)
	if !ok {
		parsed, _ := sfnt.Parse(font.Content())
		known, _ = fonts.LoadOrStore(font, parsed)
	}
	parsed := known.(*sfnt.Font)
	if parsed == nil {
		return false
	}
	glyph, err := parsed.GlyphIndex(nil, sign)
	return err == nil && glyph > 0
}

// Readable is a text with the code points of the signs that no font has, for what can show no drawings: menus, titles, buttons of the toolkit.
func Readable(text string) string { return readable(text, nil) }

// readable is the text of a label with its drawings as private characters, from firstSign on.
func (l *Label) readable(text string) string {
	if l.Style.Symbol { // a font of its own
		return text
	}
	return readable(text, signNames)
}

const (
	firstSign = '\U00100000'
	signSpace = "\u3000" // what a drawing stands on; one em wide, in the fonts of the program
)

func readable(text string, drawn []string) string {
	if len(drawn) == 0 && !Lacking(text, fyne.TextStyle{}) {
		return text
	}
	var out strings.Builder
	for text != "" {
		i := slices.IndexFunc(drawn, func(name string) bool { return strings.HasPrefix(text, name) })
		sign, size := utf8.DecodeRuneInString(text)
		switch {
		case i >= 0:
			size = len(drawn[i])
			out.WriteRune(firstSign + rune(i))
		case lacking(sign, fyne.TextStyle{}):
			fmt.Fprintf(&out, "%U", sign)
		default:
			out.WriteString(text[:size])
		}
		text = text[size:]
	}
	return out.String()
}

// picture is a drawing in place of a sign.
type picture struct {
	raster *canvas.Raster
	ink    ink.Ink
}

// draw places the drawings of a line, of which there are so many before it, and gives its text with room for them.
func (l *Label) draw(text string, top float32, drawn *int) string {
	blank := func(text string) string {
		for i := range signNames {
			text = strings.ReplaceAll(text, string(firstSign+rune(i)), signSpace)
		}
		return text
	}
	shown, begin, side := blank(text), float32(0), min(l.Size().Width, l.LineHeight())
	switch l.align {
	case fyne.TextAlignCenter:
		begin = (l.Size().Width - l.measure(shown)) / 2
	case fyne.TextAlignTrailing:
		begin = l.Size().Width - l.measure(shown)
	}
	for at, r := range text {
		if i := int(r - firstSign); i >= 0 && i < len(signNames) {
			if *drawn == len(l.pictures) {
				l.addPicture()
			}
			p := l.pictures[*drawn]
			p.ink = signs[signNames[i]]
			*drawn++
			Place(p.raster, begin+l.measure(blank(text[:at]))+(l.measure(signSpace)-side)/2, top+(l.LineHeight()-side)/2, side, side)
		}
	}
	return shown
}

func (l *Label) addPicture() {
	p := &picture{}
	p.raster = canvas.NewRaster(func(w, h int) image.Image {
		s := newSheet(w, h, Opaque(l.color))
		side := float64(min(w, h))
		s.draw(fitted(p.ink, side*signShare), max(side*signPen, 0.9))
		return s.img
	})
	p.raster.ScaleMode = canvas.ImageScaleFastest
	l.pictures, l.Content.Objects = append(l.pictures, p), append(l.Content.Objects, p.raster)
}
