package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

// span is a part of a bar, between two shares of its width.
type span struct {
	from, to float64
	color    fyne.ThemeColorName
}

// bar shows parts of a whole on a track. Its ends are round, or those of a square bar are not.
type bar struct {
	composed
	spans  []span
	square bool
}

const barRadius = 4

func newBar() *bar {
	b := &bar{}
	b.compose(b, container.New(arranged{atLeast(40, 2*barRadius), b.build}))
	return b
}

func (b *bar) show(spans ...span) {
	if !slices.Equal(b.spans, spans) {
		b.spans = spans
		b.Refresh()
	}
}

// build makes the parts anew. One shorter than a pixel is shown by square bars alone, and
// no part by itself that is shorter than its round ends: it would be a stray dot.
func (b *bar) build(size fyne.Size) {
	b.content.Objects = nil
	var first, last *canvas.Rectangle
	for i, s := range append([]span{{0, 1, colorTrack}}, b.spans...) {
		from, to := floor(size.Width*float32(s.from)+0.5), floor(size.Width*float32(s.to)+0.5)
		if b.square {
			to = max(to, from+1)
		} else if len(b.spans) == 1 && i == 1 && to >= 2 {
			to = max(to, barRadius)
		}
		if to <= from || to < 2 && !b.square && len(b.spans) == 1 {
			continue
		}
		r := canvas.NewRectangle(themed(s.color))
		place(r, from, 0, to-from, size.Height)
		b.content.Objects = append(b.content.Objects, r)
		if last = r; i == 0 && !b.square {
			r.CornerRadius = barRadius
		} else if first == nil {
			first = r
		}
	}
	if first != nil && !b.square {
		first.TopLeftCornerRadius, first.BottomLeftCornerRadius = barRadius, barRadius
		last.TopRightCornerRadius, last.BottomRightCornerRadius = barRadius, barRadius
	}
}

// barRow is a bar between a name and a value.
type barRow struct {
	name, value *label
	bar         *bar
}

func (r barRow) objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.name, r.bar, r.value} }

// put gives the columns of the name and of the value their widths and the bar the rest of a row.
func (r barRow) put(y, width, row, name, value, thick float32) {
	middle(r.name, 0, y, name-8, row, r.name.lineHeight())
	middle(r.bar, name, y, width-name-value, row, thick)
	middle(r.value, width-value, y, value, row, r.value.lineHeight())
}
