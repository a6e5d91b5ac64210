package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// card is a quiet surface with round corners that its content fills but for a margin.
type card struct {
	widget.BaseWidget
	content fyne.CanvasObject
	margin  float32
}

func newCard(content fyne.CanvasObject) *card {
	c := &card{content: content, margin: 16}
	c.ExtendBaseWidget(c)
	return c
}

func (c *card) setMargin(m float32) {
	if c.margin != m {
		c.margin = m
		c.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (c *card) CreateRenderer() fyne.WidgetRenderer {
	r := &cardRenderer{card: c, ground: canvas.NewRectangle(themed(colorCard))}
	r.ground.CornerRadius, r.ground.StrokeWidth = paperRadius, 1
	r.ground.StrokeColor = themed(colorBorder)
	return r
}

type cardRenderer struct {
	card   *card
	ground *canvas.Rectangle
}

func (r *cardRenderer) MinSize() fyne.Size {
	return r.card.content.MinSize().AddWidthHeight(2*r.card.margin, 2*r.card.margin)
}

func (r *cardRenderer) Layout(size fyne.Size) {
	m := r.card.margin
	r.ground.Resize(size)
	r.card.content.Move(fyne.NewPos(m, m))
	r.card.content.Resize(size.SubtractWidthHeight(2*m, 2*m))
}

func (r *cardRenderer) Refresh() {
	r.ground.FillColor, r.ground.StrokeColor = themed(colorCard), themed(colorBorder)
	r.ground.Refresh()
	r.Layout(r.card.Size())
	r.card.content.Refresh()
}

func (r *cardRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.card.content}
}
func (r *cardRenderer) Destroy() {}
