package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
)

// ListCard is a row of a list: a title with a badge beside it, and lines under both. It is chosen when the button goes
// down: a tap would be lost when the pointer moves by a hair, because the list can be dragged.
type ListCard struct {
	Composed
	Ground *Fill
	Title  *Label
	badge  *Badge
	Lines  []*Label
	Chosen func()
}

var _ desktop.Mouseable = (*ListCard)(nil)

func NewListCard(ground fyne.ThemeColorName, left, top float32, lines int) *ListCard {
	c := &ListCard{Ground: NewFill(ground, 10), Title: NewLabel("", 14, theme.ColorNameForeground).Bold().OfName(), badge: NewBadge()}
	objs := []fyne.CanvasObject{c.Ground, c.Title, c.badge}
	for range lines {
		l := NewLabel("", 12, ColorMuted)
		c.Lines, objs = append(c.Lines, l), append(objs, l)
	}
	h, line := c.Title.LineHeight(), c.Lines[0].LineHeight()
	c.Compose(c, container.New(Arranged{AtLeast(120, 2*top+h+float32(lines)*line), func(size fyne.Size) {
		c.Ground.Resize(size)
		w := c.badge.MinSize().Width
		Middle(c.badge, size.Width-left-w+4, top, w, h, badgeHeight)
		Place(c.Title, left, top, size.Width-2*left-w, h)
		for i, l := range c.Lines {
			Place(l, left, top+h+float32(i)*line, size.Width-2*left, line)
		}
	}}, objs...))
	return c
}

// Set takes what is written, and what role the badge names; empty for none.
func (c *ListCard) Set(title, role string, lines ...string) {
	c.Title.Set(title)
	c.badge.Set("", role)
	for i, words := range lines {
		c.Lines[i].Set(words)
	}
	c.Refresh()
}

func (c *ListCard) MouseDown(*desktop.MouseEvent) { c.Chosen() }
func (c *ListCard) MouseUp(*desktop.MouseEvent)   {}
