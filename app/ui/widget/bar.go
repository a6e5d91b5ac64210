package widget

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

// Span is a part of a bar, between two shares of its width.
type Span struct {
	From, To float64
	Color    fyne.ThemeColorName
}

// Bar shows parts of a whole on a track. Its ends are round, or those of a square bar are not.
type Bar struct {
	Composed
	Spans  []Span
	Square bool
}

const barRadius = 4

func NewBar() *Bar {
	b := &Bar{}
	b.Compose(b, container.New(Arranged{AtLeast(40, 2*barRadius), b.build}))
	return b
}

func (b *Bar) Set(spans ...Span) {
	if !slices.Equal(b.Spans, spans) {
		b.Spans = spans
		b.Refresh()
	}
}

// build makes the parts anew. One shorter than a pixel is shown by square bars alone, and
// no part by itself that is shorter than its round ends: it would be a stray dot.
func (b *Bar) build(size fyne.Size) {
	b.Content.Objects = nil
	var first, last *canvas.Rectangle
	for i, s := range append([]Span{{0, 1, ColorTrack}}, b.Spans...) {
		from, to := Floor(size.Width*float32(s.From)+0.5), Floor(size.Width*float32(s.To)+0.5)
		if b.Square {
			to = max(to, from+1)
		} else if len(b.Spans) == 1 && i == 1 && to >= 2 {
			to = max(to, barRadius)
		}
		if to <= from || to < 2 && !b.Square && len(b.Spans) == 1 {
			continue
		}
		r := canvas.NewRectangle(Themed(s.Color))
		Place(r, from, 0, to-from, size.Height)
		b.Content.Objects = append(b.Content.Objects, r)
		if last = r; i == 0 && !b.Square {
			r.CornerRadius = barRadius
		} else if first == nil {
			first = r
		}
	}
	if first != nil && !b.Square {
		first.TopLeftCornerRadius, first.BottomLeftCornerRadius = barRadius, barRadius
		last.TopRightCornerRadius, last.BottomRightCornerRadius = barRadius, barRadius
	}
}

// BarRow is a bar between a name and a value.
type BarRow struct {
	Name, Value *Label
	Bar         *Bar
}

func (r BarRow) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.Name, r.Bar, r.Value} }

// Put gives the columns of the name and of the value their widths and the bar the rest of a row.
func (r BarRow) Put(y, width, row, name, value, thick float32) {
	Middle(r.Name, 0, y, name-8, row, r.Name.LineHeight())
	Middle(r.Bar, name, y, width-name-value, row, thick)
	Middle(r.Value, width-value, y, value, row, r.Value.LineHeight())
}
