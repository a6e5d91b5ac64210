package widget

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/language"
	"inkshade/recognizer/personal"
)

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
			c.rows[i].Value.Set(errorRate(wrong, of.Samples))
			c.rows[i].Bar.Set(Span{0, float64(wrong) / float64(max(of.Before, of.After, 1)), tones[i]})
		}
	}
	c.Refresh()
}

// tone is the colour of what came after.
func (c *Comparison) tone(of personal.Comparison) fyne.ThemeColorName {
	switch d := of.ErrorAfter() - of.ErrorBefore(); {
	case of.After == of.Before || d < c.slight && d > -c.slight:
		return theme.ColorNamePrimary
	case d < 0:
		return theme.ColorNameSuccess
	}
	return theme.ColorNameError
}

// errorRate writes wrong answers of all and their share.
func errorRate(wrong, samples int) string {
	return fmt.Sprintf("%d / %d  (%.1f %%)", wrong, samples, 100*float64(wrong)/float64(samples))
}
