package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// label is text that never asks for more room than it was given: it wraps into a fixed
// number of lines and ends in an ellipsis, so that changing values move nothing.
type label struct {
	widget.BaseWidget
	text  string
	color fyne.ThemeColorName
	size  float32
	style fyne.TextStyle
	align fyne.TextAlign
	lines int
}

func newLabel(text string, size float32, color fyne.ThemeColorName) *label {
	l := &label{text: text, size: size, color: color, lines: 1}
	l.ExtendBaseWidget(l)
	return l
}

func (l *label) bold() *label                    { l.style.Bold = true; return l }
func (l *label) aligned(a fyne.TextAlign) *label { l.align = a; return l }
func (l *label) wrapped(lines int) *label        { l.lines = lines; return l }
func (l *label) set(text string)                 { l.show(text, l.color) }
func (l *label) recolor(c fyne.ThemeColorName)   { l.show(l.text, c) }
func (l *label) lineHeight() float32             { return fyne.MeasureText("0", l.size, l.style).Height }

func (l *label) width(text string) float32           { return fyne.MeasureText(text, l.size, l.style).Width }
func (l *label) CreateRenderer() fyne.WidgetRenderer { return newLabelRenderer(l) }

func (l *label) resize(size float32) {
	if l.size != size {
		l.size = size
		l.Refresh()
	}
}

func (l *label) show(text string, c fyne.ThemeColorName) {
	if l.text == text && l.color == c {
		return
	}
	l.text, l.color = text, c
	l.Refresh()
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

// fit is the number of bytes of text that fit into width, ending where a line may.
func (l *label) fit(text string, width float32, ellipsis bool) int {
	if ellipsis {
		width -= l.width("…")
	}
	ends := make([]int, 0, len(text))
	for i := range text {
		if i > 0 {
			ends = append(ends, i)
		}
	}
	lo, hi := 0, len(ends)
	for lo < hi {
		mid := (lo + hi) / 2
		if l.width(text[:ends[mid]]) <= width {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if len(ends) == 0 {
		return len(text)
	}
	if lo == 0 {
		return ends[0]
	}
	cut := ends[lo-1]
	if ellipsis {
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

type labelRenderer struct {
	label *label
	texts []*canvas.Text
	objs  []fyne.CanvasObject
	width float32
}

func newLabelRenderer(l *label) *labelRenderer {
	r := &labelRenderer{label: l}
	for range l.lines {
		t := canvas.NewText("", theme.Color(l.color))
		r.texts = append(r.texts, t)
		r.objs = append(r.objs, t)
	}
	r.Refresh()
	return r
}

func (r *labelRenderer) MinSize() fyne.Size {
	return fyne.NewSize(0, r.label.lineHeight()*float32(r.label.lines))
}

func (r *labelRenderer) Layout(size fyne.Size) {
	r.width = size.Width
	r.fill()
	h := r.label.lineHeight()
	for i, t := range r.texts {
		t.Move(fyne.NewPos(0, float32(i)*h))
		t.Resize(fyne.NewSize(size.Width, h))
	}
}

func (r *labelRenderer) fill() {
	lines := r.label.wrap(r.width)
	for i, t := range r.texts {
		t.Text = ""
		if i < len(lines) {
			t.Text = lines[i]
		}
		t.TextSize, t.TextStyle, t.Alignment = r.label.size, r.label.style, r.label.align
		t.Color = themed(r.label.color)
	}
}

func (r *labelRenderer) Refresh() {
	r.fill()
	for _, t := range r.texts {
		t.Refresh()
	}
}

func (r *labelRenderer) Objects() []fyne.CanvasObject { return r.objs }
func (r *labelRenderer) Destroy()                     {}
