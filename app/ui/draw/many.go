package draw

import (
	"cmp"
	"strings"
	"time"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/recognizer"
)

// manyPanel is what the Draw page has for a model of many classes: the grid of candidates, and a line
// of text to which every confirmed character is appended.
type manyPanel struct {
	grid       *glyphGrid
	text       *toolkit.Entry
	copy, more *widget.Button
	unicode    *widget.Button // copies LaTeX symbols as signs
	drawing    uint64         // that the last character came from
	last       string         // what was appended for it
	shownAt    time.Time      // the last answer; while the pen is down, new characters every so often are enough
	content    *fyne.Container
}

const panelRow = 36 // height of the line of text

func newManyPanel(d *Page) *manyPanel {
	p := &manyPanel{text: toolkit.NewEntry()}
	quiet := func(icon fyne.Resource, name string, do func()) *widget.Button {
		b := widget.NewQuietButton(13, do)
		b.Rename(icon, name)
		return b
	}
	p.copy = quiet(nil, language.Tr("Copy"), func() {
		if p.text.Text != "" {
			d.win.CopyText(p.text.Text)
		}
	})
	p.unicode = quiet(nil, language.Tr("Unicode"), func() { d.win.CopyText(inUnicode(p.text.Text)) })
	p.unicode.Hide()
	p.more = quiet(theme.MoreHorizontalIcon(), language.Tr("More"), func() { d.setMore(!p.grid.more) })
	p.grid = newGlyphGrid(func(c recognizer.Candidate) {
		d.entry.SetText("")
		d.win.Win.Canvas().Unfocus()
		d.teach(c.Label)
		d.setMore(false)
	})
	d.entry.OnChanged = func(typed string) { p.grid.offer(d.readable(typed), typed) }
	p.text.SetPlaceHolder(language.Tr("Confirmed characters"))
	p.text.Scroll = fyne.ScrollNone
	const gap = 8
	p.content = container.New(widget.Arranged{
		Least: func() fyne.Size { return p.grid.content.MinSize().AddWidthHeight(0, gap+panelRow) },
		Put: func(size fyne.Size) {
			y, x := size.Height-panelRow, size.Width
			widget.Place(p.grid.content, 0, 0, size.Width, y-gap)
			for _, b := range []*widget.Button{p.more, p.unicode, p.copy} {
				if !b.Visible() {
					continue
				}
				least := b.MinSize()
				x -= least.Width
				widget.Middle(b, x, y, least.Width, panelRow, least.Height)
			}
			widget.Place(p.text, 0, y, x-gap, panelRow)
		},
	}, p.grid.content, p.text, p.copy, p.unicode, p.more)
	p.content.Hide()
	return p
}

// collect appends what a drawing is, in place of what was said of the same drawing before.
func (p *manyPanel) collect(label string, drawing uint64) {
	text := p.text.Text
	if drawing == p.drawing {
		text = strings.TrimSuffix(text, p.last)
	}
	p.drawing, p.last = drawing, collected(label)
	p.write(text + p.last)
}

// drop takes what a lesson collected off the end of the line, which then has what was said before, if anything was.
func (p *manyPanel) drop(l *lesson) {
	if text, ends := strings.CutSuffix(p.text.Text, collected(l.saved.Label)); ends {
		p.last = ""
		if l.before != nil {
			p.last = collected(l.before.saved.Label)
		}
		p.write(text + p.last)
	}
}

// takeBack removes the last character or command of the line.
func (p *manyPanel) takeBack() {
	p.drawing = 0
	if text, ends := strings.CutSuffix(p.text.Text, " "); ends {
		p.write(text[:strings.LastIndex(text, " ")+1])
	} else if text != "" {
		_, last := utf8.DecodeLastRuneInString(text)
		p.write(text[:len(text)-last])
	}
}

func (p *manyPanel) write(text string) {
	p.text.SetText(text)
	p.text.CursorColumn = len([]rune(text))
	p.text.Refresh()
}

// setMany shows the candidates as a model of many classes has them, or as bars.
func (d *Page) setMany(many bool) {
	d.isMany = many
	d.setMore(false)
	d.offer.Hide()
	widget.Show(d.many.content, many && !d.inLine)
	widget.Show(d.candidates.content, !many || d.inLine)
	d.candidates.fill()
	widget.Rearrange(d.content)
}

// setMore shows as many candidates as have room in place of all that is beside the paper.
func (d *Page) setMore(on bool) {
	if on == d.many.grid.more || on && !d.many.content.Visible() {
		return
	}
	widget.Show(d.cards[0], !on && !d.inLine)
	widget.Show(d.cards[2], !on)
	d.many.grid.setMore(on)
	d.many.more.Rename(nil, map[bool]string{false: language.Tr("More"), true: language.Tr("Fewer")}[on])
	widget.Rearrange(d.content)
}

// readable are the characters that can be read as what is typed, where the model has many.
func (d *Page) readable(typed string) []recognizer.Candidate {
	if !d.many.content.Visible() {
		return nil
	}
	all := d.many.grid.answer
	if all == nil {
		for _, l := range d.win.Status.Labels {
			all = append(all, recognizer.Candidate{Label: l})
		}
	}
	return append(readAs(typed, all), commanded(typed, all)...)
}

// teachTyped teaches what was typed or, where that is the pinyin of characters or a command, the first of these.
func (d *Page) teachTyped(typed string) {
	if d.inLine && d.line.ofAll(typed) {
		d.line.tell(typed)
		return
	}
	if c := d.readable(typed); len(c) > 0 {
		typed = c[0].Label
	}
	d.teach(typed)
}

// manyKey does what a key does where the model has many classes, and tells whether it did anything.
func (d *Page) manyKey(k fyne.KeyName) bool {
	switch {
	case !d.many.content.Visible():
		return false
	case k == fyne.KeyPageDown:
		d.setMore(true)
	case k == fyne.KeyPageUp, k == fyne.KeyEscape && d.many.grid.more:
		d.setMore(false)
	case k == fyne.KeyReturn, k == fyne.KeyEnter:
		if d.last.Drawing == d.win.Worker.Sequence() && !d.last.Answer.Unknown {
			d.many.grid.pickNth(0)
		}
	case k == fyne.KeyBackspace && (len(d.pad.Drawing()) == 0 || d.pad.Done):
		d.many.takeBack()
	default:
		return false
	}
	return true
}

// manyRune takes a candidate by its number, 0 being the tenth, and tells whether r is one.
func (d *Page) manyRune(r rune) bool {
	if !d.many.content.Visible() || r < '0' || r > '9' {
		return false
	}
	d.many.grid.pickNth((int(r-'0') + firstGlyphs - 1) % firstGlyphs)
	return true
}

// So many candidates the grid shows, and so many with more of them.
const (
	firstGlyphs = 10
	mostGlyphs  = 100
	glyphGap    = 4
)

// glyphGrid is the best candidates of many as large characters with their pinyin. It makes the cells
// that it needs once.
type glyphGrid struct {
	answer  []recognizer.Candidate // best first
	offered []recognizer.Candidate // in place of the answer, for what is typed; nil for none
	typed   string
	strong  bool // the first of the answer is to be stressed
	more    bool
	cells   []*glyphCell
	content *fyne.Container
	pick    func(recognizer.Candidate)
}

func newGlyphGrid(pick func(recognizer.Candidate)) *glyphGrid {
	g := &glyphGrid{pick: pick}
	g.content = container.New(widget.Arranged{Least: widget.AtLeast(300, 2*56+glyphGap), Put: g.put})
	g.fill()
	return g
}

// show takes the candidates of an answer; nil empties the grid.
func (g *glyphGrid) show(answer []recognizer.Candidate, unknown bool) {
	g.answer, g.strong = answer, !unknown
	g.fill()
}

// offer shows what can be read as what is typed, or the answer again where that is nothing.
func (g *glyphGrid) offer(found []recognizer.Candidate, typed string) {
	g.offered, g.typed = found, typed
	g.fill()
}

// setMore shows as many as it can, or the first ones alone.
func (g *glyphGrid) setMore(on bool) {
	g.more = on
	g.fill()
	widget.Rearrange(g.content)
}

// count is how many cells there are to see.
func (g *glyphGrid) count() int {
	if g.more {
		return mostGlyphs
	}
	return firstGlyphs
}

func (g *glyphGrid) fill() {
	for i := len(g.cells); i < g.count(); i++ {
		g.cells = append(g.cells, newGlyphCell(i, g.pick))
		g.content.Objects = append(g.content.Objects, g.cells[i])
	}
	shown := g.answer
	if g.offered != nil {
		shown = g.offered
	}
	for i, c := range g.cells {
		widget.Show(c, i < g.count())
		if i >= len(shown) {
			c.show(nil, "", false)
		} else if i < g.count() {
			c.show(&shown[i], g.typed, i == 0 && (g.strong || g.offered != nil))
		}
	}
}

// pickNth takes a candidate by its number, from 0.
func (g *glyphGrid) pickNth(n int) {
	if c := g.cells[n].candidate; c != nil {
		g.pick(*c)
	}
}

// put gives all cells the same size: ten columns of many, and two rows of the first ones.
func (g *glyphGrid) put(size fyne.Size) {
	columns, rows := 5, 2
	if g.more {
		columns, rows = 10, mostGlyphs/10
	}
	w, h := (size.Width+glyphGap)/float32(columns), (size.Height+glyphGap)/float32(rows)
	for i, c := range g.cells[:g.count()] {
		x, y := widget.Floor(float32(i%columns)*w), widget.Floor(float32(i/columns)*h)
		c.small = g.more
		widget.Place(c, x, y, widget.Floor(w)-glyphGap, widget.Floor(h)-glyphGap)
	}
}

// glyphCell is a candidate: its character, its pinyin or its command and the package of that, and where there is room its number and its
// probability.
type glyphCell struct {
	pickable
	small                         bool
	number, share, glyph, reading *widget.Label
	pack                          *widget.Label // of a command; empty for none
}

// The texts around the character.
const (
	readingText = 12
	smallText   = 10
)

func newGlyphCell(i int, pick func(recognizer.Candidate)) *glyphCell {
	c := &glyphCell{
		glyph:   widget.NewLabel("", 30, theme.ColorNameForeground).Aligned(fyne.TextAlignCenter),
		reading: widget.NewLabel("", readingText, widget.ColorMuted).Aligned(fyne.TextAlignCenter),
		pack:    widget.NewLabel("", smallText, widget.ColorFaint).Aligned(fyne.TextAlignCenter),
		share:   widget.NewLabel("", smallText, widget.ColorMuted).Aligned(fyne.TextAlignTrailing),
		number:  widget.NewLabel("", smallText, widget.ColorFaint),
	}
	c.veiled(8)
	c.onTap = pick
	if i < firstGlyphs {
		c.number.Set(string(rune('0' + (i+1)%firstGlyphs)))
	}
	ground := widget.NewFill(widget.ColorTrack, 8)
	c.Compose(c, container.New(widget.Arranged{Least: widget.AtLeast(20, 20), Put: func(size fyne.Size) {
		ground.Resize(size)
		c.veil.Resize(size)
		c.put(size)
	}}, ground, c.veil, c.glyph, c.reading, c.pack, c.number, c.share))
	return c
}

func (c *glyphCell) put(size fyne.Size) {
	over, under := float32(smallText+3), float32(readingText+4)
	if c.small {
		over, under = 0, smallText+3
	}
	c.number.Hidden, c.share.Hidden = c.small, c.small
	const withPackage = 70 // a height below which the sign needs the room
	c.pack.Hidden = c.small || size.Height < withPackage || symbolOf(c.label()).Command == ""
	if !c.pack.Hidden {
		under += smallText + 3
	}
	widget.Place(c.number, 5, 1, 16, c.number.LineHeight())
	widget.Place(c.share, 16, 1, size.Width-21, c.share.LineHeight())
	share := float32(0.9)
	if c.glyph.Style.Symbol { // some are higher than characters
		share = 0.8
	}
	c.glyph.SetSizeWithin(max(widget.Floor(min(size.Height-over-under, size.Width-2)*share), smallText), size.Width-2)
	widget.Middle(c.glyph, 0, over-1, size.Width, size.Height-over-under, c.glyph.LineHeight())
	c.reading.SetSizeWithin(widget.Floor(min(under-3, readingText)), size.Width-2)
	line := c.reading.LineHeight()
	if c.pack.Hidden {
		widget.Middle(c.reading, 0, size.Height-under-1, size.Width, under, line)
		return
	}
	widget.Place(c.reading, 0, size.Height-under-1, size.Width, line)
	widget.Place(c.pack, 0, size.Height-c.pack.LineHeight()-1, size.Width, c.pack.LineHeight())
}

// label is that of the candidate, "" without one.
func (c *glyphCell) label() string {
	if c.candidate == nil {
		return ""
	}
	return c.candidate.Label
}

// show takes a candidate, nil for none, of which that reading is shown that fits what is typed; a
// strong one is the answer.
func (c *glyphCell) show(x *recognizer.Candidate, typed string, strong bool) {
	c.candidate = x
	label, reading, share, tone := "", "", "", theme.ColorNameForeground
	s := symbolOf(c.label())
	if x != nil {
		label, c.glyph.Style = printed(x.Label, fyne.TextStyle{})
		reading, share = cmp.Or(s.Command, readingFor(x.Label, typed)), language.Percent(x.Probability)
	}
	if strong {
		tone = theme.ColorNamePrimary
	}
	c.glyph.SetColored(label, tone)
	c.reading.Set(reading)
	c.share.Set(share)
	c.pack.Set(s.Package)
	if c.Hovered || c.Focused {
		c.ground()
	}
	widget.Rearrange(c.Content)
}
