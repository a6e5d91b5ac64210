package ui

import (
	"math"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"inkshade/recognizer/line"
)

// lineStrip stands under ruled paper: each character that was read, under its ink, with a grip between two of them.
type lineStrip struct {
	composed
	pad    *pad
	all    []line.Character
	chosen int // of them; -1 for none
	cells  []*lineCell
	grips  []*lineGrip
	pick   func(i int)
	move   func(i int, x float64) // parts character i from the next at x
	layer  *fyne.Container
}

func newLineStrip(p *pad, pick func(i int), move func(i int, x float64)) *lineStrip {
	s := &lineStrip{pad: p, chosen: -1, pick: pick, move: move}
	ground := newGround(colorPaper)
	s.layer = container.New(arranged{atLeast(0, 0), func(fyne.Size) { s.put() }})
	clip := container.NewClip(s.layer)
	s.compose(s, container.New(arranged{atLeast(200, 40), func(size fyne.Size) {
		ground.Resize(size)
		place(clip, 1, 0, size.Width-2, size.Height)
	}}, ground, clip))
	p.OnScroll = s.put
	return s
}

// show takes what was read, and which character is chosen.
func (s *lineStrip) show(all []line.Character, chosen int) {
	s.all, s.chosen = all, chosen
	for len(s.cells) < len(all) {
		s.cells = append(s.cells, newLineCell(s, len(s.cells)))
		s.grips = append(s.grips, newLineGrip(s, len(s.grips)))
	}
	s.layer.Objects = nil
	for i := range all {
		s.layer.Objects = append(s.layer.Objects, s.cells[i])
	}
	for i := range all[:max(len(all)-1, 0)] {
		if all[i].Line == all[i+1].Line {
			s.layer.Objects = append(s.layer.Objects, s.grips[i])
		}
	}
	for i, c := range all {
		s.cells[i].fill(c, i == chosen)
	}
	s.layer.Refresh()
}

// border is where character i ends and the next begins.
func (s *lineStrip) border(i int) float64 { return (s.all[i].Box.MaxX + s.all[i+1].Box.MinX) / 2 }

// put places what is read under its ink, and marks the chosen ink. The letters are as large as lets each stand by its ink.
func (s *lineStrip) put() {
	p, height := s.pad, s.Size().Height
	p.view.mark.Hide()
	var spots []spot
	var size float32
	for _, size = range []float32{34, 26, 20, 15, 12} {
		var drift float32
		if spots, drift = s.spots(size); drift <= gripWidth/2 {
			break
		}
	}
	for i, c := range s.all {
		if i == s.chosen {
			p.markBox(c.Box)
		}
		if i+1 < len(s.all) && !s.grips[i].held {
			place(s.grips[i], floor(p.at(s.border(i)))-gripWidth/2, 0, gripWidth, height)
		}
		s.cells[i].glyph.resize(size)
		place(s.cells[i], floor(spots[i].left), 0, spots[i].width, height)
	}
}

// spot is where a cell stands.
type spot struct{ left, width float32 }

// spots are those of all cells with letters of a size, under their ink and side by side where that overlaps, and how far one
// is from where it belongs at most. Of several lines of a picture the characters follow each other.
func (s *lineStrip) spots(size float32) (all []spot, drift float32) {
	end := float32(math.Inf(-1))
	for i, c := range s.all {
		from, to := s.pad.at(c.Box.MinX), s.pad.at(c.Box.MaxX)
		if i > 0 && c.Line == 0 {
			from = max(from, s.pad.at(s.border(i-1)))
		}
		if i+1 < len(s.all) && c.Line == 0 {
			to = min(to, s.pad.at(s.border(i)))
		}
		width := max(to-from, s.cells[i].widthAt(size))
		left := (from + to - width) / 2
		if c.Line > 0 {
			left = end + 4
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
		return colorMuted
	case c.Confidence < 0.8:
		return theme.ColorNameWarning
	}
	return theme.ColorNamePrimary
}

// glyphOf is what is shown of a character: a question mark where it is like none.
func glyphOf(c line.Character) string {
	if c.Unknown && !c.Fixed {
		return "?"
	}
	return c.Label
}

// lineCell is one character that was read, under a bracket as wide as its ink.
type lineCell struct {
	composed
	glyph         *label
	bracket, veil *fill
	pick          func()
}

const (
	bracketThick = 3
	gripWidth    = 14
)

func newLineCell(s *lineStrip, i int) *lineCell {
	c := &lineCell{
		glyph: newLabel("", 34, theme.ColorNamePrimary).bold().aligned(fyne.TextAlignCenter),
		veil:  newFill("", 8), bracket: newFill("", bracketThick/2),
		pick: func() { s.pick(i) },
	}
	c.compose(c, container.New(arranged{
		func() fyne.Size { return fyne.NewSize(c.widthAt(c.glyph.size), c.glyph.lineHeight()) },
		func(size fyne.Size) {
			place(c.veil, 0, 8, size.Width, size.Height-12)
			place(c.bracket, 0, 4, size.Width, bracketThick)
			middle(c.glyph, 0, 8, size.Width, size.Height-12, c.glyph.lineHeight())
		},
	}, c.veil, c.bracket, c.glyph))
	return c
}

// widthAt is what the cell needs with a letter of a size.
func (c *lineCell) widthAt(size float32) float32 {
	return fyne.MeasureText(c.glyph.text, size, c.glyph.style).Width + size/4
}

func (c *lineCell) fill(of line.Character, chosen bool) {
	c.glyph.show(glyphOf(of), sureness(of))
	c.bracket.recolor(sureness(of))
	c.veil.recolor("")
	if chosen {
		c.veil.recolor(theme.ColorNameSelection)
	}
}

// These implement fyne.Tappable and desktop.Cursorable.
func (c *lineCell) Tapped(*fyne.PointEvent) { c.pick() }
func (c *lineCell) Cursor() desktop.Cursor  { return desktop.PointerCursor }

// lineGrip is dragged to part two neighbours elsewhere.
type lineGrip struct {
	composed
	strip *lineStrip
	index int
	held  bool
	to    float32 // where it was dragged, in the strip
	bar   *fill
}

var _ fyne.Draggable = (*lineGrip)(nil)

func newLineGrip(s *lineStrip, i int) *lineGrip {
	g := &lineGrip{strip: s, index: i, bar: newFill(colorGuide, 1)}
	g.compose(g, container.New(arranged{atLeast(gripWidth, 0), func(size fyne.Size) {
		place(g.bar, (size.Width-2)/2, 10, 2, size.Height-20)
	}}, g.bar))
	return g
}

func (g *lineGrip) Dragged(e *fyne.DragEvent) {
	p := g.strip.pad
	if !g.held {
		g.held, g.to = true, p.at(g.strip.border(g.index))
	}
	g.to += e.Dragged.DX
	place(g, g.to-gripWidth/2, 0, gripWidth, g.Size().Height)
	p.view.cut.Show()
	place(p.view.cut, g.to-1, 1, 2, p.Size().Height-2)
}

func (g *lineGrip) DragEnd() {
	if p := g.strip.pad; g.held {
		g.held = false
		p.view.cut.Hide()
		g.strip.move(g.index, p.scroll+float64(g.to)/p.unit())
	}
}

// These implement desktop.Hoverable and desktop.Cursorable.
func (g *lineGrip) MouseIn(*desktop.MouseEvent)    { g.bar.recolor(theme.ColorNamePrimary) }
func (g *lineGrip) MouseMoved(*desktop.MouseEvent) {}
func (g *lineGrip) MouseOut()                      { g.bar.recolor(colorGuide) }
func (g *lineGrip) Cursor() desktop.Cursor         { return desktop.HResizeCursor }

// lineText is the text of a line, how sure it is, who read it, and what else it may be.
type lineText struct {
	text, sure, by, others, invite *label
	content                        *fyne.Container
}

func newLineText() *lineText {
	v := &lineText{
		text:   newLabel("", 34, theme.ColorNamePrimary).bold().wrapped(2),
		sure:   newLabel("", 20, theme.ColorNameForeground).bold(),
		by:     newLabel("", 13, colorMuted).wrapped(2),
		others: newLabel("", 13, colorMuted).wrapped(2),
		invite: newLabel("", 14, colorMuted).wrapped(5),
	}
	v.content = container.New(arranged{atLeast(220, 150), func(size fyne.Size) {
		y := max(size.Height-v.sure.lineHeight()-v.by.most()-v.others.most()-4, 0)
		place(v.text, 0, 0, size.Width, y)
		v.fit()
		place(v.sure, 0, y, size.Width, v.sure.lineHeight())
		y += v.sure.lineHeight()
		place(v.by, 0, y, size.Width, v.by.most())
		place(v.others, 0, y+v.by.most()+4, size.Width, v.others.most())
		place(v.invite, 0, 0, size.Width, v.invite.most())
	}}, v.text, v.sure, v.by, v.others, v.invite)
	v.nothing()
	return v
}

// fit makes a text smaller that does not fit into its one or two lines.
func (v *lineText) fit() {
	room := v.text.Size()
	for _, size := range []float32{46, 34, 26, 20} {
		v.text.resize(size)
		if v.text.height(room.Width) <= room.Height && v.text.whole(room.Width) {
			break
		}
	}
}

func (v *lineText) nothing() {
	v.say("", theme.ColorNameDisabled, "", "", "")
	v.invite.set(tr("The text appears here while you write. It is for numbers, postcodes and words printed letter by letter; joined writing is not read."))
}

func (v *lineText) fail(err error) {
	v.say("!", theme.ColorNameError, "", tr("No answer: {{.Reason}}", map[string]any{"Reason": said(err.Error())}), "")
	v.by.recolor(theme.ColorNameError)
}

func (v *lineText) say(text string, c fyne.ThemeColorName, sure, by, others string) {
	v.text.show(text, c)
	v.fit()
	v.sure.set(sure)
	v.by.show(by, colorMuted)
	v.others.set(others)
	v.invite.set("")
}

func (v *lineText) show(r reply) {
	var others []string
	for _, a := range r.line.Alternatives[1:] {
		if a.Confidence >= speaks {
			others = append(others, strings.ReplaceAll(a.Text, "\n", " ")+" ("+percent(a.Confidence)+")")
		}
	}
	also := ""
	if len(others) > 0 {
		also = tr("Or: {{.Texts}}", map[string]any{"Texts": strings.Join(others, tr(", "))})
	}
	c, sure := theme.ColorNamePrimary, percent(r.line.Confidence)
	if slices.ContainsFunc(r.line.Characters, func(c line.Character) bool { return c.Unknown && !c.Fixed }) {
		c, sure = theme.ColorNameWarning, tr("Not sure")
	} else if r.line.Confidence < 0.5 {
		c = theme.ColorNameWarning
	}
	by := map[string]any{"Side": string(r.by), "Time": duration(r.took)}
	who := tr("answered by the {{.Side}} in {{.Time}}", by)
	if r.line.Asked == 0 { // as after a correction: the network has no part in it
		who = tr("read again in {{.Time}}", by)
	}
	v.say(strings.ReplaceAll(textOf(r.line), "\n", " "), c, sure, who, also)
}

// textOf is the text as it is shown and copied.
func textOf(r *line.Result) string {
	var b strings.Builder
	for i, c := range r.Characters {
		switch {
		case i > 0 && c.Line != r.Characters[i-1].Line:
			b.WriteByte('\n')
		case c.Space:
			b.WriteByte(' ')
		}
		b.WriteString(glyphOf(c))
	}
	return b.String()
}
