package widget

import (
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/language"
	"inkshade/recognizer/personal"
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
	Thick  float32 // at least
}

const barRadius = 4

func NewBar() *Bar {
	b := &Bar{Thick: 2 * barRadius}
	b.Compose(b, container.New(Arranged{func() fyne.Size { return fyne.NewSize(40, b.Thick) }, b.build}))
	return b
}

func (b *Bar) Set(spans ...Span) {
	if !slices.Equal(b.Spans, spans) {
		b.Spans = spans
		b.Refresh()
	}
}

// build makes the parts anew. One shorter than a pixel is shown by square bars alone; one shorter than its round ends would be a stray dot.
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
	Place(r.Name, 0, y, name-8, row)
	Middle(r.Bar, name, y, width-name-value, row, thick)
	Place(r.Value, width-value, y, value, row)
}

// Comparison shows wrong answers before and after as two bars under a title.
type Comparison struct {
	Composed
	rows   [2]BarRow
	slight float64 // a change of the share below this counts as none
}

func NewComparison(title string, slight float64) *Comparison {
	const row = 20
	c := &Comparison{slight: slight}
	head := NewLabel(title, 13, theme.ColorNameForeground).Bold()
	objs := []fyne.CanvasObject{head}
	for i, name := range []string{language.Tr("before"), language.Tr("after")} {
		c.rows[i] = BarRow{NewLabel(name, 12, ColorMuted), NewLabel("", 12, theme.ColorNameForeground).Aligned(fyne.TextAlignTrailing), NewBar()}
		objs = append(objs, c.rows[i].Objects()...)
	}
	c.rows[1].Value.Bold()
	c.Compose(c, container.New(Arranged{AtLeast(200, head.LineHeight()+4+2*row), func(size fyne.Size) {
		Place(head, 0, 0, size.Width, head.LineHeight())
		var name, value float32
		for _, r := range c.rows {
			name, value = max(name, r.Name.Width(r.Name.Text)+10), max(value, r.Value.Width(r.Value.Text)+12)
		}
		for i, r := range c.rows {
			r.Put(head.LineHeight()+4+float32(i)*row, size.Width, row, name, value, 8)
		}
	}}, objs...))
	return c
}

func (c *Comparison) Set(of personal.Comparison) {
	tones := [2]fyne.ThemeColorName{ColorPreprocess, c.tone(of)}
	for i, wrong := range [2]int{of.Before, of.After} {
		c.rows[i].Value.Set(language.Tr("not measured"))
		c.rows[i].Bar.Set()
		if of.Samples > 0 {
			c.rows[i].Value.Set(language.Number("%d / %d  (%.1f %%)", wrong, of.Samples, 100*float64(wrong)/float64(of.Samples)))
			c.rows[i].Bar.Set(Span{0, float64(wrong) / float64(of.Samples), tones[i]})
		}
	}
	c.Refresh()
}

func (c *Comparison) tone(of personal.Comparison) fyne.ThemeColorName {
	switch d := of.ErrorAfter() - of.ErrorBefore(); {
	case of.After == of.Before || math.Abs(d) < c.slight:
		return theme.ColorNamePrimary
	case d < 0:
		return theme.ColorNameSuccess
	}
	return theme.ColorNameError
}
