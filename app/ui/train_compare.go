package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/recognizer/personal"
)

// comparison shows wrong answers before and after as two bars under a title.
type comparison struct {
	composed
	rows   [2]barRow
	slight float64 // a change of the share below this counts as none
}

func newComparison(title string, slight float64) *comparison {
	const row = 20
	c := &comparison{slight: slight}
	head := newLabel(title, 13, theme.ColorNameForeground).bold()
	objs := []fyne.CanvasObject{head}
	for i, name := range []string{tr("before"), tr("after")} {
		c.rows[i] = barRow{newLabel(name, 12, colorMuted), newLabel("", 12, theme.ColorNameForeground).aligned(fyne.TextAlignTrailing), newBar()}
		objs = append(objs, c.rows[i].objects()...)
	}
	c.rows[1].value.bold()
	c.compose(c, container.New(arranged{atLeast(200, head.lineHeight()+4+2*row), func(size fyne.Size) {
		place(head, 0, 0, size.Width, head.lineHeight())
		var name, value float32
		for _, r := range c.rows {
			name, value = max(name, r.name.width(r.name.text)+10), max(value, r.value.width(r.value.text)+12)
		}
		for i, r := range c.rows {
			r.put(head.lineHeight()+4+float32(i)*row, size.Width, row, name, value, 8)
		}
	}}, objs...))
	return c
}

func (c *comparison) show(of personal.Comparison) {
	tones := [2]fyne.ThemeColorName{colorPreprocess, c.tone(of)}
	for i, wrong := range [2]int{of.Before, of.After} {
		c.rows[i].value.set(tr("not measured"))
		c.rows[i].bar.show()
		if of.Samples > 0 {
			c.rows[i].value.set(errorRate(wrong, of.Samples))
			c.rows[i].bar.show(span{0, float64(wrong) / float64(max(of.Before, of.After, 1)), tones[i]})
		}
	}
	c.Refresh()
}

// tone is the colour of what came after.
func (c *comparison) tone(of personal.Comparison) fyne.ThemeColorName {
	switch d := of.ErrorAfter() - of.ErrorBefore(); {
	case of.After == of.Before || d < c.slight && d > -c.slight:
		return theme.ColorNamePrimary
	case d < 0:
		return theme.ColorNameSuccess
	}
	return theme.ColorNameError
}
