package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/recognizer"
)

// manyLabels is from how many classes on a model's candidates are shown as a grid of characters.
const manyLabels = 500

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

func newGlyphGrid() *glyphGrid {
	g := &glyphGrid{}
	g.content = container.New(arranged{atLeast(300, 2*56+glyphGap), g.put})
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
	rearrange(g.content)
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
		g.cells = append(g.cells, newGlyphCell(i, func(c recognizer.Candidate) { g.pick(c) }))
		g.content.Objects = append(g.content.Objects, g.cells[i])
	}
	shown := g.answer
	if g.offered != nil {
		shown = g.offered
	}
	for i, c := range g.cells {
		show(c, i < g.count())
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
		x, y := floor(float32(i%columns)*w), floor(float32(i/columns)*h)
		c.small = g.more
		place(c, x, y, floor(w)-glyphGap, floor(h)-glyphGap)
	}
}

// glyphCell is a candidate: its character, its pinyin, and where there is room its number and its
// probability.
type glyphCell struct {
	pickable
	small                         bool
	number, share, glyph, reading *label
}

// The texts around the character.
const (
	readingText = 12
	smallText   = 10
)

func newGlyphCell(i int, pick func(recognizer.Candidate)) *glyphCell {
	c := &glyphCell{
		pickable: pickable{veil: newFill("", 8), onTap: pick},
		glyph:    newLabel("", 30, theme.ColorNameForeground).aligned(fyne.TextAlignCenter),
		reading:  newLabel("", readingText, colorMuted).aligned(fyne.TextAlignCenter),
		share:    newLabel("", smallText, colorMuted).aligned(fyne.TextAlignTrailing),
		number:   newLabel("", smallText, colorFaint),
	}
	if i < firstGlyphs {
		c.number.set(string(rune('0' + (i+1)%firstGlyphs)))
	}
	ground := newFill(colorTrack, 8)
	c.compose(c, container.New(arranged{atLeast(20, 20), func(size fyne.Size) {
		ground.Resize(size)
		c.veil.Resize(size)
		c.put(size)
	}}, ground, c.veil, c.glyph, c.reading, c.number, c.share))
	return c
}

func (c *glyphCell) put(size fyne.Size) {
	over, under := float32(smallText+3), float32(readingText+4)
	if c.small {
		over, under = 0, smallText+3
	}
	c.number.Hidden, c.share.Hidden = c.small, c.small
	place(c.number, 5, 1, 16, c.number.lineHeight())
	place(c.share, 16, 1, size.Width-21, c.share.lineHeight())
	c.glyph.resizeWithin(max(floor(min(size.Height-over-under, size.Width-2)*0.9), smallText), size.Width-2)
	middle(c.glyph, 0, over-1, size.Width, size.Height-over-under, c.glyph.lineHeight())
	c.reading.resizeWithin(floor(min(under-3, readingText)), size.Width-2)
	middle(c.reading, 0, size.Height-under-1, size.Width, under, c.reading.lineHeight())
}

// show takes a candidate, nil for none, of which that reading is shown that fits what is typed; a
// strong one is the answer.
func (c *glyphCell) show(x *recognizer.Candidate, typed string, strong bool) {
	c.candidate = x
	label, reading, share, tone := "", "", "", theme.ColorNameForeground
	if x != nil {
		label, reading, share = x.Label, readingFor(x.Label, typed), percent(x.Probability)
	}
	if strong {
		tone = theme.ColorNamePrimary
	}
	c.glyph.show(label, tone)
	c.reading.set(reading)
	c.share.set(share)
	if c.hovered || c.focused {
		c.ground()
	}
	rearrange(c.content)
}
