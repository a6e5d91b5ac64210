package ui

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// label is text that never asks for more room than it was given: it wraps into a fixed
// number of lines and ends in an ellipsis, so that changing values move nothing. A name has that inside: names that
// differ often do so at their ends.
type label struct {
	composed // of a text for each line
	text     string
	color    fyne.ThemeColorName
	size     float32
	style    fyne.TextStyle
	align    fyne.TextAlign
	lines    int
	name     bool
	wide     bool // it asks for the width of its text, for Fyne's layouts
}

func newLabel(text string, size float32, color fyne.ThemeColorName) *label {
	l := &label{text: text, size: size, color: color}
	l.compose(l, container.NewWithoutLayout())
	return l.wrapped(1)
}

func (l *label) bold() *label                    { l.style.Bold = true; return l }
func (l *label) aligned(a fyne.TextAlign) *label { l.align = a; return l }
func (l *label) ofName() *label                  { l.name = true; return l }
func (l *label) natural() *label                 { l.wide = true; return l }
func (l *label) set(text string)                 { l.show(text, l.color) }
func (l *label) recolor(c fyne.ThemeColorName)   { l.show(l.text, c) }
func (l *label) lineHeight() float32             { return fyne.MeasureText("0", l.size, l.style).Height }

func (l *label) width(text string) float32 { return fyne.MeasureText(text, l.size, l.style).Width }

func (l *label) wrapped(lines int) *label {
	l.lines, l.content.Objects = lines, nil
	for range lines {
		l.content.Objects = append(l.content.Objects, canvas.NewText("", themed(l.color)))
	}
	return l
}

func (l *label) resize(size float32) {
	if l.size != size {
		l.size = size
		l.Refresh()
	}
}

// resizeWithin takes a size, or the smaller one at which the text is no wider than width.
func (l *label) resizeWithin(size, width float32) {
	if most := fyne.MeasureText(l.text, size, l.style).Width; most > max(width, 0) {
		size = max(floor(size*width/most), 8)
	}
	l.resize(size)
}

func (l *label) show(text string, c fyne.ThemeColorName) {
	if l.text != text || l.color != c {
		l.text, l.color = text, c
		l.Refresh()
	}
}

// most is the height of all lines that it may have, height that of the lines of its text.
func (l *label) most() float32 { return l.lineHeight() * float32(l.lines) }

func (l *label) height(width float32) float32 { return float32(len(l.wrap(width))) * l.lineHeight() }

// whole tells whether nothing of the text is cut off.
func (l *label) whole(width float32) bool {
	lines := l.wrap(width)
	return len(lines) < l.lines || strings.HasSuffix(strings.TrimSpace(l.text), lines[len(lines)-1])
}

// wrap breaks text into at most lines pieces no wider than width, by words where it can.
func (l *label) wrap(width float32) []string {
	if width <= 0 {
		return nil
	}
	var out []string
	rest := strings.TrimSpace(l.text)
	for rest != "" && len(out) < l.lines {
		if l.width(rest) <= width+0.5 {
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
func (l *label) ends(text string, width float32) string {
	cut := l.fit(text, (width+l.width("…"))/2, true)
	begin, rest := strings.TrimRight(text[:cut], " ")+"…", []rune(text[cut:])
	from := sort.Search(len(rest), func(i int) bool { return l.width(begin+string(rest[i:])) <= width })
	return begin + strings.TrimLeft(string(rest[from:]), " ")
}

// fit is the number of bytes of text that fit into width, at least one character, ending where
// a line may.
func (l *label) fit(text string, width float32, ellipsis bool) int {
	if ellipsis {
		width -= l.width("…")
	}
	var ends []int
	for i := range text {
		ends = append(ends, i)
	}
	ends = append(ends, len(text))[1:]
	fits := sort.Search(len(ends), func(i int) bool { return l.width(text[:ends[i]]) > width })
	cut := ends[max(fits-1, 0)]
	if ellipsis || fits == 0 {
		return cut
	}
	return breakBefore(text, cut)
}

// breakBefore is the last place up to cut where a line may end, or cut where that would leave
// it half empty.
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
// breaks anywhere but before a mark that closes and behind one that opens.
func mayBreak(last, next rune) bool {
	if strings.ContainsRune("。，、；：？！）》”’…", next) || strings.ContainsRune("（《“‘", last) {
		return false
	}
	return last == ' ' || next == ' ' || isChinese(last) || isChinese(next)
}

// isChinese tells whether r is a character or a mark of Chinese.
func isChinese(r rune) bool {
	return unicode.Is(unicode.Han, r) || strings.ContainsRune("。，、；：？！）》”’…（《“‘", r)
}

// MinSize implements fyne.Widget.
func (l *label) MinSize() fyne.Size {
	if l.wide {
		return fyne.NewSize(l.width(l.text)+2, l.most())
	}
	return fyne.NewSize(0, l.most())
}

// Resize implements fyne.Widget.
func (l *label) Resize(size fyne.Size) {
	if size != l.Size() {
		l.BaseWidget.Resize(size)
		l.Refresh()
	}
}

// Refresh implements fyne.Widget.
func (l *label) Refresh() {
	width, height := l.Size().Width, l.lineHeight()
	lines := l.wrap(width)
	for i, o := range l.content.Objects {
		t := o.(*canvas.Text)
		t.Text = ""
		if i < len(lines) {
			t.Text = lines[i]
		}
		t.TextSize, t.TextStyle, t.Alignment, t.Color = l.size, l.style, l.align, themed(l.color)
		place(t, 0, float32(i)*height, width, height)
		t.Refresh()
	}
}

// badge is up to two short words on pills: what a device is, and that it answers.
type badge struct {
	composed
	words [2]*label
}

const badgeHeight = 17

func newBadge() *badge {
	b := &badge{words: [2]*label{
		newLabel("", 11, colorMuted).aligned(fyne.TextAlignCenter),
		newLabel("", 11, theme.ColorNamePrimary).aligned(fyne.TextAlignCenter),
	}}
	pills := [2]*fill{newFill(colorTrack, 8), newFill(colorTrack, 8)}
	width := func(l *label) float32 { return floor(l.width(l.text) + 14) }
	b.compose(b, container.New(arranged{
		func() fyne.Size {
			size := fyne.NewSize(0, badgeHeight)
			for _, l := range b.words {
				if l.text != "" {
					size.Width += width(l) + 4
				}
			}
			return size
		},
		func(size fyne.Size) {
			x := float32(0)
			for i, l := range b.words {
				if pills[i].Hidden = l.text == ""; !pills[i].Hidden {
					place(pills[i], x, 0, width(l), size.Height)
					middle(l, x, 0, width(l), size.Height, l.lineHeight())
					x += width(l) + 4
				}
			}
		},
	}, pills[0], pills[1], b.words[0], b.words[1]))
	return b
}

func (b *badge) show(what, role string) {
	b.words[0].set(what)
	b.words[1].set(role)
	b.Refresh()
}
