// Package glyph shows candidates that are characters of their own shape, Chinese ones with their pinyin and LaTeX symbols with their commands.
package glyph

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/recognizer"
	"inkshade/recognizer/line"
)

// First is how many candidates the grid shows, most with more of them.
const (
	First = 10
	most  = 100
	gap   = 4
)

// Grid is the best candidates of many as large characters with their pinyin. It makes the cells that it needs once.
type Grid struct {
	Answer  []recognizer.Candidate // best first
	offered []recognizer.Candidate // in place of the answer, for what is typed; nil for none
	typed   string
	strong  bool // the first of the answer is to be stressed
	More    bool
	Flat    bool // the first ones stand in one row
	Cells   []*Cell
	Content *fyne.Container
	pick    func(recognizer.Candidate)
}

func NewGrid(pick func(recognizer.Candidate)) *Grid {
	g := &Grid{pick: pick}
	g.Content = container.New(widget.Arranged{Least: func() fyne.Size {
		if g.Flat {
			return fyne.NewSize(300, 60)
		}
		return fyne.NewSize(300, 2*56+gap)
	}, Put: g.put})
	g.fill()
	return g
}

// Show takes the candidates of an answer; nil empties the grid.
func (g *Grid) Show(answer []recognizer.Candidate, unknown bool) {
	g.Answer, g.strong = answer, !unknown
	g.fill()
}

// Offer shows what can be read as what is typed, or the answer again where that is nothing. What is typed may be a new name too.
func (g *Grid) Offer(found []recognizer.Candidate, typed string) {
	if len(found) > 0 && found[0].Label != typed {
		found = slices.Insert(found, min(len(found), First-1), recognizer.Candidate{Label: typed})
	}
	g.offered, g.typed = found, typed
	g.fill()
}

// SetMore shows as many as it can, or the first ones alone.
func (g *Grid) SetMore(on bool) {
	g.More = on
	g.fill()
	widget.Rearrange(g.Content)
}

func (g *Grid) count() int {
	if g.More {
		return most
	}
	return First
}

func (g *Grid) fill() {
	for i := len(g.Cells); i < g.count(); i++ {
		g.Cells = append(g.Cells, newCell(i, g.pick))
		g.Content.Objects = append(g.Content.Objects, g.Cells[i])
	}
	shown := g.Answer
	if g.offered != nil {
		shown = g.offered
	}
	for i, c := range g.Cells {
		widget.Show(c, i < g.count())
		if i >= len(shown) {
			c.show(nil, "", false)
		} else if i < g.count() {
			c.show(&shown[i], g.typed, i == 0 && (g.strong || g.offered != nil))
		}
	}
}

// PickNth takes a candidate by its number, from 0.
func (g *Grid) PickNth(n int) {
	if c := g.Cells[n].Candidate; c != nil {
		g.pick(*c)
	}
}

// put gives all cells the same size: ten columns of many, and two rows of the first ones, or one.
func (g *Grid) put(size fyne.Size) {
	columns, rows := 5, 2
	switch {
	case g.Flat:
		columns, rows = First, 1
	case g.More:
		columns, rows = 10, most/10
	}
	w, h := (size.Width+gap)/float32(columns), (size.Height+gap)/float32(rows)
	for i, c := range g.Cells[:g.count()] {
		x, y := widget.Floor(float32(i%columns)*w), widget.Floor(float32(i/columns)*h)
		c.small, c.Number.Hidden = g.More, g.More || g.Flat
		widget.Place(c, x, y, widget.Floor(w)-gap, widget.Floor(h)-gap)
	}
}

// Cell is a candidate: its character, its pinyin or its command with the package, and where there is room number and probability.
type Cell struct {
	Pickable
	small                         bool
	Number, Share, Glyph, Reading *widget.Label
	pack                          *widget.Label // of a command; empty for none
}

// The texts around the character.
const (
	readingText = 12
	smallText   = 10
)

func newCell(i int, pick func(recognizer.Candidate)) *Cell {
	c := &Cell{
		Glyph:   widget.NewLabel("", 30, theme.ColorNameForeground).Aligned(fyne.TextAlignCenter).OfName(),
		Reading: widget.NewLabel("", readingText, widget.ColorMuted).Aligned(fyne.TextAlignCenter).OfName(),
		pack:    widget.NewLabel("", smallText, widget.ColorFaint).Aligned(fyne.TextAlignCenter),
		Share:   widget.NewLabel("", smallText, widget.ColorMuted).Aligned(fyne.TextAlignTrailing),
		Number:  widget.NewLabel("", smallText, widget.ColorFaint),
	}
	c.Veiled(8)
	c.OnTap = pick
	if i < First {
		c.Number.Set(string(rune('0' + (i+1)%First)))
	}
	ground := widget.NewFill(widget.ColorTrack, 8)
	c.Compose(c, container.New(widget.Arranged{Least: widget.AtLeast(20, 20), Put: func(size fyne.Size) {
		ground.Resize(size)
		c.Veil.Resize(size)
		c.put(size)
	}}, ground, c.Veil, c.Glyph, c.Reading, c.pack, c.Number, c.Share, c.Tip.Content))
	c.Cut = func() bool {
		return min(c.Reading.TextSize, c.Glyph.TextSize) < smallText || c.pack.Hidden && c.pack.Text != ""
	}
	return c
}

func (c *Cell) put(size fyne.Size) {
	over, under := float32(smallText+3), float32(readingText+4)
	if c.small {
		over, under = 0, smallText+3
	}
	c.Share.Hidden = c.small
	const withPackage = 70 // a height below which the sign needs the room
	c.pack.Hidden = c.small || size.Height < withPackage || SymbolOf(c.label()).Command == ""
	above := widget.Area{Pos: fyne.NewPos(5, 1), Size: fyne.NewSize(size.Width-10, c.Share.LineHeight())}
	if c.Number.Hidden {
		above.Left(-3, 0)
	} else {
		above.Left(11, 0).Put(c.Number)
	}
	above.Put(c.Share)
	share := float32(0.9)
	if c.Glyph.Style.Symbol { // some are higher than characters
		share = 0.8
	}
	a := widget.Area{Pos: fyne.NewPos(0, over-1), Size: size.SubtractWidthHeight(0, over)}
	c.Reading.SetSizeWithin(widget.Floor(min(under-3, readingText)), size.Width-2)
	if !c.pack.Hidden {
		a.Bottom(c.pack.LineHeight(), 0).Put(c.pack)
		a.Bottom(c.Reading.LineHeight(), 0).Put(c.Reading)
	} else {
		a.Bottom(under, 0).Put(c.Reading)
	}
	c.Glyph.SetSizeWithin(max(widget.Floor(min(a.Size.Height, size.Width-2)*share), smallText), size.Width-2)
	a.Put(c.Glyph)
}

// label is that of the candidate, "" without one.
func (c *Cell) label() string {
	if c.Candidate == nil {
		return ""
	}
	return c.Candidate.Label
}

// show takes a candidate, nil for none, of which that reading is shown that fits what is typed; a strong one is the answer.
func (c *Cell) show(x *recognizer.Candidate, typed string, strong bool) {
	c.Candidate = x
	label, reading, share, tone := "", "", "", theme.ColorNameForeground
	s := SymbolOf(c.label())
	if x != nil {
		label, c.Glyph.Style = Printed(x.Label, fyne.TextStyle{})
		reading, share = cmp.Or(s.Command, readingFor(x.Label, typed)), language.Percent(x.Probability)
	}
	if strong {
		tone = theme.ColorNamePrimary
	} else if x != nil && x.Label == typed { // a class of this name would be the first
		reading, share = language.Tr("new name"), ""
	}
	c.Glyph.SetColored(label, tone)
	c.Reading.Set(reading)
	c.Share.Set(share)
	c.pack.Set(s.Package)
	widget.Rearrange(c.Content)
	if c.Hovered || c.Focused {
		c.Ground()
	}
}

// Listed are the candidates of a character of a line. What was read comes first, as sure as it is in the line, whatever its ink alone
// looks like; the others share what is left as their ink says, none more than that.
func Listed(c line.Character) []recognizer.Candidate {
	others := slices.DeleteFunc(slices.Clone(c.Candidates), func(x recognizer.Candidate) bool { return x.Label == c.Label })
	sum := 1e-30
	for _, x := range others {
		sum += x.Probability
	}
	for i := range others {
		others[i].Probability = min(others[i].Probability*(1-c.Confidence)/sum, c.Confidence)
	}
	return slices.Insert(others, 0, recognizer.Candidate{Label: c.Label, Probability: c.Confidence})
}

// Pickable is the base of what shows a candidate that a tap, or Enter, says it was.
type Pickable struct {
	widget.Pressable
	Candidate *recognizer.Candidate // nil for none
	Veil      *widget.Fill          // shows where the pointer and the focus are
	OnTap     func(recognizer.Candidate)
	Cut       func() bool // its name is cut or too small to be read, or its package is hidden
	Tip       *widget.Tip // says it then
}

var _ fyne.Disableable = (*Pickable)(nil)

// Veiled gives it a veil of that radius, and makes it pickable.
func (p *Pickable) Veiled(radius float32) {
	p.Veil, p.Turned, p.Tip = widget.NewFill("", radius), p.Ground, widget.NewTip()
	p.Usable = func() bool { return p.OnTap != nil && p.Candidate != nil }
	p.Press = func() { p.OnTap(*p.Candidate) }
	p.PressedBy(fyne.KeyReturn, fyne.KeyEnter)
}

// Ground shows whether the row can be pressed, by the pointer or by a key.
func (p *Pickable) Ground() {
	color, edge, width := fyne.ThemeColorName(""), fyne.ThemeColorName(""), float32(0)
	if p.Hovered && p.Usable() {
		color = theme.ColorNameHover
	}
	if p.Focused {
		edge, width = theme.ColorNamePrimary, 2
	}
	p.Veil.Edged(edge, width).Recolor(color)
	name := ""
	if p.Candidate != nil && p.Cut() {
		s := SymbolOf(p.Candidate.Label)
		if name = cmp.Or(s.Command, p.Candidate.Label); s.Package != "" {
			name += " (" + s.Package + ")"
		}
	}
	p.Tip.Show(p.Veil, p.Hovered, name)
}

// The focus passes over one without a candidate.
func (p *Pickable) Enable()        {}
func (p *Pickable) Disable()       {}
func (p *Pickable) Disabled() bool { return !p.Usable() }
