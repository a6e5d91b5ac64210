package ui

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// classList is the classes with their counts; the first row stands for all of them.
type classList struct {
	gallery *gallery
	list    *widget.List
	legend  *label
	under   *fyne.Container // of the list: the legend
	content *fyne.Container
	choose  func(label string)
	quiet   bool // the list is being brought in step, nobody chose
}

func newClassList(g *gallery, choose func(label string)) *classList {
	few := tr("Marked classes have fewer than {{.Few}} samples.", map[string]any{"Few": thin})
	c := &classList{gallery: g, choose: choose, legend: newLabel(few, 12, theme.ColorNameWarning).wrapped(3)}
	c.list = widget.NewList(
		func() int { return len(g.classes) + 1 },
		func() fyne.CanvasObject { return newClassRow() },
		func(i int, o fyne.CanvasObject) {
			row := o.(*classRow)
			if i == 0 {
				row.show(tr("All"), len(g.all), false)
				return
			}
			x := g.classes[i-1]
			row.show(x.Label, x.Samples, x.Samples < thin)
		})
	c.list.HideSeparators = true
	c.list.OnSelected = func(i int) {
		if c.quiet {
			return
		}
		if i == 0 {
			c.choose("")
		} else {
			c.choose(g.classes[i-1].Label)
		}
	}
	c.under = container.NewPadded(c.legend)
	c.content = container.NewBorder(nil, c.under, nil, nil, c.list)
	return c
}

// refresh shows what the gallery has now.
func (c *classList) refresh() {
	at := 0
	for i, x := range c.gallery.classes {
		if x.Label == c.gallery.query.label {
			at = i + 1
		}
	}
	c.under.Hidden = len(c.gallery.thinClasses()) == 0
	c.quiet = true
	c.list.Select(at)
	c.list.Refresh()
	c.quiet = false
	c.content.Refresh()
}

// classRow is a class and the number of its samples; of a thin one the number warns, by
// its colour and by a sign.
type classRow struct {
	composed
	name, count *label
	sign        *widget.Icon
}

func newClassRow() *classRow {
	const countWidth, icon = 48, 14
	r := &classRow{
		name:  newLabel("", 16, theme.ColorNameForeground).bold(),
		count: newLabel("", 13, colorMuted).aligned(fyne.TextAlignTrailing),
		sign:  widget.NewIcon(theme.NewWarningThemedResource(theme.WarningIcon())),
	}
	r.compose(r, container.New(arranged{atLeast(100, 26), func(size fyne.Size) {
		middle(r.name, 8, 0, size.Width-countWidth-icon-20, size.Height, r.name.lineHeight())
		middle(r.sign, size.Width-countWidth-icon-4, 0, icon, size.Height, icon)
		middle(r.count, size.Width-countWidth-8, 0, countWidth, size.Height, r.count.lineHeight())
	}}, r.name, r.sign, r.count))
	return r
}

func (r *classRow) show(name string, n int, few bool) {
	r.name.set(name)
	r.count.show(strconv.Itoa(n), colorMuted)
	if r.sign.Hidden = !few; few {
		r.count.recolor(theme.ColorNameWarning)
	}
}
