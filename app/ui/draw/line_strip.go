package draw

import (
	"slices"
	"sort"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/recognizer/line"
)

// lineStrip stands under ruled paper: each character that was read, under its ink, with a grip between two of them.
type lineStrip struct {
	widget.Composed
	pad    *widget.Pad
	all    []line.Character
	chosen int // of them; -1 for none
	cells  []*lineCell
	grips  []*lineGrip
	pick   func(i int)
	move   func(i int, x float64) // parts character i from the next at x
	space  func(i int)            // puts a space behind character i, or takes it out
	layer  *fyne.Container
}

func newLineStrip(p *widget.Pad, pick func(i int), move func(i int, x float64), space func(i int)) *lineStrip {
	s := &lineStrip{pad: p, chosen: -1, pick: pick, move: move, space: space}
	ground := widget.NewGround(widget.ColorPaper)
	s.layer = container.New(widget.Arranged{Least: widget.AtLeast(0, 0), Put: func(fyne.Size) { s.put() }})
	s.Compose(s, widget.Sized(200, 40, container.NewStack(ground, container.New(layout.NewCustomPaddedLayout(0, 0, 1, 1), container.NewClip(s.layer)))))
	p.OnScroll = s.put
	return s
}

func (s *lineStrip) show(all []line.Character, chosen int) {
	s.all, s.chosen = all, chosen
	for len(s.cells) < len(all) {
		s.cells = append(s.cells, newLineCell(s, len(s.cells)))
		g := &lineGrip{strip: s, index: len(s.grips), bar: widget.NewFill(widget.ColorGuide, 1)}
		g.Compose(g, container.New(widget.Arranged{Least: widget.AtLeast(gripWidth, 0), Put: func(size fyne.Size) {
			thick := float32(2)
			if g.space {
				thick = 6
			}
			widget.Place(g.bar, (size.Width-thick)/2, size.Height/7, thick, size.Height*5/7)
		}}, g.bar))
		s.grips = append(s.grips, g)
	}
	s.layer.Objects = nil
	for i := range all {
		s.layer.Objects = append(s.layer.Objects, s.cells[i])
	}
	for i := range all[:max(len(all)-1, 0)] {
		if all[i].Line == all[i+1].Line {
			s.layer.Objects = append(s.layer.Objects, s.grips[i])
			s.grips[i].fill(all[i+1].Space)
		}
	}
	for i, c := range all {
		s.cells[i].fill(c, i == chosen)
	}
	s.layer.Refresh()
}

func (s *lineStrip) border(i int) float64 { return (s.all[i].Box.MaxX + s.all[i+1].Box.MinX) / 2 }

// rows is how many lines are seen at a time, each in a row of its own.
const rows = 3

// put places what is read under its ink, and marks the chosen ink. The letters are as large as lets each stand by its ink.
// Of more lines than there are rows those around the chosen one are seen, or the last.
func (s *lineStrip) put() {
	if len(s.all) == 0 {
		s.pad.View.Mark.Hide()
		return
	}
	last := s.all[len(s.all)-1].Line
	first := max(last+1-rows, 0)
	if s.chosen >= 0 {
		first = min(first, max(s.all[s.chosen].Line-1, 0))
	}
	p, height := s.pad, s.Size().Height/float32(min(last+1, rows))
	p.View.Mark.Hide()
	var spots []spot
	var size float32
	for _, size = range []float32{34, 26, 20, 15, 12} {
		var drift float32
		if spots, drift = s.spots(size); drift <= gripWidth/2 && size <= 0.8*height {
			break
		}
	}
	for i, c := range s.all {
		y := float32(c.Line-first) * height
		if i == s.chosen {
			p.MarkBox(c.Box)
		}
		if i+1 < len(s.all) && !s.grips[i].held {
			width := min(gripWidth, min(spots[i].width, spots[i+1].width)/2) // a click on a narrow letter is one on the letter
			widget.Place(s.grips[i], widget.Floor(p.At(s.border(i)))-width/2, y, width, height)
		}
		s.cells[i].glyph.SetSize(size)
		widget.Place(s.cells[i], widget.Floor(spots[i].left), y, spots[i].width, height)
	}
}

// spot is where a cell stands.
type spot struct{ left, width float32 }

// spots are those of all cells, under their ink and side by side where that overlaps, and how far one is from where it belongs at most.
func (s *lineStrip) spots(size float32) (all []spot, drift float32) {
	var end float32
	for i, c := range s.all {
		begins, ends := i == 0 || s.all[i-1].Line != c.Line, i+1 == len(s.all) || s.all[i+1].Line != c.Line
		from, to := s.pad.At(c.Box.MinX), s.pad.At(c.Box.MaxX)
		if !begins {
			from = max(from, s.pad.At(s.border(i-1)))
		}
		if !ends {
			to = min(to, s.pad.At(s.border(i)))
		}
		width := max(to-from, s.cells[i].widthAt(size))
		left := (from + to - width) / 2
		if begins {
			end = left
		}
		drift, left = max(drift, end-left), max(left, end)
		end = left + width
		all = append(all, spot{left, width})
	}
	return all, drift
}

// sureness is the colour of a character: that of what a person said, of a sure reading, of a doubtful one, or of none.
func sureness(c line.Character) fyne.ThemeColorName {
	switch {
	case c.Fixed:
		return theme.ColorNameSuccess
	case c.Unknown:
		return widget.ColorMuted
	case c.Confidence < 0.8:
		return theme.ColorNameWarning
	}
	return theme.ColorNamePrimary
}

// unknown tells whether a character is like none, and nobody said what it is.
func unknown(c line.Character) bool { return c.Unknown && !c.Fixed }

// glyphOf is what is shown of a character: a question mark where it is unknown.
func glyphOf(c line.Character) string {
	if unknown(c) {
		return "?"
	}
	return c.Label
}

// lineCell is one character that was read, under a bracket as wide as its ink.
type lineCell struct {
	widget.Composed
	glyph         *widget.Label
	bracket, veil *widget.Fill
	pick          func()
}

const (
	bracketThick = 3
	gripWidth    = 10
)

func newLineCell(s *lineStrip, i int) *lineCell {
	c := &lineCell{
		glyph: widget.NewLabel("", 34, theme.ColorNamePrimary).Bold().Aligned(fyne.TextAlignCenter),
		veil:  widget.NewFill("", 8), bracket: widget.NewFill("", bracketThick/2),
		pick: func() { s.pick(i) },
	}
	c.Compose(c, container.New(widget.Arranged{
		Least: func() fyne.Size { return fyne.NewSize(c.widthAt(c.glyph.TextSize), c.glyph.LineHeight()) },
		Put: func(size fyne.Size) {
			edge := min(4, size.Height/12)
			widget.Place(c.bracket, 0, edge, size.Width, min(bracketThick, edge))
			widget.Area{Pos: fyne.NewPos(0, 2*edge), Size: size.SubtractWidthHeight(0, 3*edge)}.Put(c.veil, c.glyph)
		},
	}, c.veil, c.bracket, c.glyph))
	return c
}

// widthAt is what the cell needs with a letter of a size.
func (c *lineCell) widthAt(size float32) float32 {
	return fyne.MeasureText(c.glyph.Text, size, c.glyph.Style).Width + size/4
}

func (c *lineCell) fill(of line.Character, chosen bool) {
	c.glyph.SetColored(glyphOf(of), sureness(of))
	c.bracket.Recolor(sureness(of))
	c.veil.Recolor("")
	if chosen {
		c.veil.Recolor(theme.ColorNameSelection)
	}
}

// These implement fyne.Tappable and desktop.Cursorable.
func (c *lineCell) Tapped(*fyne.PointEvent) { c.pick() }
func (c *lineCell) Cursor() desktop.Cursor  { return desktop.PointerCursor }

// lineGrip is dragged to part two neighbours elsewhere, and clicked to put a space between them or take it out.
type lineGrip struct {
	widget.Composed
	strip *lineStrip
	index int
	space bool // stands there
	held  bool
	to    float32 // where it was dragged, in the strip
	bar   *widget.Fill
}

var _ fyne.Draggable = (*lineGrip)(nil)

func (g *lineGrip) fill(space bool) {
	g.space = space
	g.MouseOut()
	widget.Rearrange(g.Content)
}

func (g *lineGrip) Dragged(e *fyne.DragEvent) {
	p := g.strip.pad
	if !g.held {
		g.held, g.to = true, p.At(g.strip.border(g.index))
	}
	g.to += e.Dragged.DX
	widget.Place(g, g.to-g.Size().Width/2, g.Position().Y, g.Size().Width, g.Size().Height)
	p.View.Cut.Show()
	widget.Place(p.View.Cut, g.to-1, 1, 2, p.Size().Height-2)
}

func (g *lineGrip) DragEnd() {
	if p := g.strip.pad; g.held {
		g.held = false
		p.View.Cut.Hide()
		g.strip.move(g.index, p.Scroll+float64(g.to)/p.Unit())
	}
}

// These implement fyne.Tappable, desktop.Hoverable and desktop.Cursorable.
func (g *lineGrip) Tapped(*fyne.PointEvent)        { g.strip.space(g.index) }
func (g *lineGrip) MouseIn(*desktop.MouseEvent)    { g.bar.Recolor(theme.ColorNamePrimary) }
func (g *lineGrip) MouseMoved(*desktop.MouseEvent) {}
func (g *lineGrip) Cursor() desktop.Cursor         { return desktop.HResizeCursor }
func (g *lineGrip) MouseOut() {
	c := widget.ColorGuide
	if g.space {
		c = widget.ColorMuted
	}
	g.bar.Recolor(c)
}

// lineText is the text of a line, how sure it is, who read it, and what else it may be.
type lineText struct {
	text, sure, by, or, invite *widget.Label
	others                     *fyne.Container // a button each
	readings                   []line.Alternative
	content                    *fyne.Container
	pick                       func(text string)
}

func newLineText(pick func(text string)) *lineText {
	v := &lineText{
		pick:   pick,
		text:   widget.NewLabel("", 34, theme.ColorNamePrimary).Bold().Wrapped(2),
		sure:   widget.NewLabel("", 20, theme.ColorNameForeground).Bold(),
		by:     widget.NewLabel("", 13, widget.ColorMuted).Wrapped(2),
		or:     widget.NewLabel("", otherText, widget.ColorMuted).Natural(),
		invite: widget.NewLabel("", 14, widget.ColorMuted).Wrapped(7),
	}
	v.others = container.New(widget.Arranged{Least: widget.AtLeast(100, 2*otherHeight), Put: v.putOthers})
	v.content = container.New(widget.Arranged{Least: widget.AtLeast(220, 150), Put: func(size fyne.Size) {
		a := widget.Whole(size)
		a.Put(v.invite)
		a.Bottom(2*otherHeight, 4).Put(v.others)
		a.Bottom(v.by.Most(), 0).Put(v.by)
		a.Bottom(v.sure.LineHeight(), 0).Put(v.sure)
		a.Size.Height = max(a.Size.Height, 0)
		a.Put(v.text)
		v.fit()
	}}, v.text, v.sure, v.by, v.others, v.invite)
	v.nothing()
	return v
}

// fit makes a text smaller that does not fit into its one or two lines.
func (v *lineText) fit() {
	room := v.text.Size()
	for _, size := range []float32{46, 34, 26, 20} {
		v.text.SetSize(size)
		if v.text.Height(room.Width) <= room.Height && v.text.Whole(room.Width) {
			break
		}
	}
}

func (v *lineText) nothing() {
	v.say("", theme.ColorNameDisabled, "", "")
	v.invite.Set(language.Sentences(language.Tr("The text appears here while you write: numbers and words, joined or letter by letter."),
		language.Tr("Scratch out what is wrong; beside the writing a long stroke to the left deletes, one to the right begins a word.")))
}

// waits tells that a reading is not there yet.
func (v *lineText) waits() { v.say(v.text.Text, widget.ColorMuted, "", language.Tr("Reading…")) }

// say shows a reading, how sure it is, who read it, and what else it may be.
func (v *lineText) say(text string, c fyne.ThemeColorName, sure, by string, others ...line.Alternative) {
	v.text.SetColored(text, c)
	v.fit()
	v.sure.Set(sure)
	v.by.SetColored(by, widget.ColorMuted)
	v.invite.Set("")
	v.or.Set("")
	v.others.Objects, v.readings = []fyne.CanvasObject{v.or}, nil
	for _, a := range others {
		if a.Confidence < speaks {
			continue
		}
		v.or.Set(language.Tr("Or:"))
		a.Text = strings.ReplaceAll(a.Text, "\n", " ")
		v.readings = append(v.readings, a)
		v.others.Add(widget.NewQuietButton(otherText, func() { v.pick(a.Text) }))
	}
	v.others.Refresh()
}

// differing is what of a text is not as in another, with as much around it as fits.
func differing(text, other string, fits func(string) bool) string {
	t, o := []rune(text), []rune(other)
	from, to := 0, 0 // the latter is counted from the end
	for from < min(len(t), len(o)) && t[from] == o[from] {
		from++
	}
	for to < min(len(t), len(o))-from && t[len(t)-1-to] == o[len(o)-1-to] {
		to++
	}
	from, to = max(from-2, 0), min(len(t)-to+2, len(t)) // with what it stands by
	half := (to - from) / 2
	// Of the difference so many runes are shown on each side, and beyond half of them so many around it.
	part := func(count int) string {
		begin, end := max(from-max(count-half, 0), 0), min(to+max(count-half, 0), len(t))
		shown := string(t[begin:end])
		if count < half {
			shown = string(t[begin:begin+count]) + "…" + string(t[end-count:end])
		}
		if begin > 0 {
			shown = "…" + shown
		}
		if end < len(t) {
			shown += "…"
		}
		return shown
	}
	return part(sort.Search(half+len(t), func(count int) bool { return !fits(part(count + 1)) }))
}

// The other readings: the size of their letters, and the height of one.
const (
	otherText   = 13
	otherHeight = 26
)

// putOthers places the other readings in two rows; those that find no room are left out.
func (v *lineText) putOthers(size fyne.Size) {
	x, y := float32(0), float32(0)
	indent := v.or.MinSize().Width + 4
	for i, o := range v.others.Objects {
		if b, ok := o.(*widget.Button); ok {
			a := v.readings[i-1]
			share := " (" + language.Percent(a.Confidence) + ")"
			b.Whole = ""
			shown := differing(a.Text, v.text.Text, func(shown string) bool {
				return b.Words.Width(shown+share)+2*widget.QuietInset+1 <= size.Width-indent
			})
			if shown != a.Text {
				b.Whole = a.Text
			}
			b.Rename(nil, shown+share)
		}
		width := min(o.MinSize().Width, size.Width-indent)
		if x > indent && x+width > size.Width {
			x, y = indent, y+otherHeight
		}
		widget.Show(o, y+otherHeight <= size.Height)
		widget.Middle(o, x, y, width, otherHeight, min(o.MinSize().Height, otherHeight))
		x += width + 4
	}
}

// speaks is the least probability of a reading for which something speaks.
const speaks = 0.0005

func (v *lineText) show(r worker.Reply) {
	c, sure := theme.ColorNamePrimary, language.Percent(r.Line.Confidence)
	if r.Line.Confidence < 0.5 {
		c = theme.ColorNameWarning
	}
	if slices.ContainsFunc(r.Line.Characters, unknown) {
		c, sure = theme.ColorNameWarning, language.Tr("Not sure")
	}
	by := map[string]any{"Side": string(r.By), "Time": language.Duration(r.Took)}
	who := language.Tr("answered by the {{.Side}} in {{.Time}}", by)
	if r.Line.Asked == 0 { // as after a correction: the network has no part in it
		who = language.Tr("read again in {{.Time}}", by)
	}
	v.say(strings.ReplaceAll(textOf(r.Line.Characters), "\n", " "), c, sure, who, r.Line.Alternatives[1:]...)
}

// textOf is the text as it is shown and copied.
func textOf(all []line.Character) string {
	var b strings.Builder
	for i, c := range all {
		switch {
		case i > 0 && c.Line != all[i-1].Line:
			b.WriteByte('\n')
		case c.Space:
			b.WriteByte(' ')
		}
		b.WriteString(glyphOf(c))
	}
	return b.String()
}
