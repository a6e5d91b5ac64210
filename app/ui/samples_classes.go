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
	content *fyne.Container
	choose  func(label string)
	quiet   bool // the list is being brought in step, nobody chose
}

func newClassList(g *gallery, choose func(label string)) *classList {
	c := &classList{gallery: g, choose: choose, legend: newLabel("", 12, colorMuted).wrapped(3)}
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
	c.content = container.New(&classLayout{c}, c.list, c.legend)
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
	c.legend.set("")
	if len(c.gallery.thinClasses()) > 0 {
		c.legend.show(tr("Marked classes have fewer than {{.Few}} samples.",
			map[string]any{"Few": thin}), theme.ColorNameWarning)
	}
	c.quiet = true
	c.list.Select(at)
	c.list.Refresh()
	c.quiet = false
	c.content.Refresh()
}

type classLayout struct{ list *classList }

func (l *classLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(120, 120) }

func (l *classLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	c := l.list
	under := float32(0)
	if c.legend.text != "" {
		under = c.legend.MinSize().Height + 8
	}
	place(c.list, 0, 0, size.Width, size.Height-under)
	place(c.legend, 4, size.Height-under+8, size.Width-8, c.legend.MinSize().Height)
}

// classRow is a class and the number of its samples; of a thin one the number warns, by
// its colour and by a sign.
type classRow struct {
	widget.BaseWidget
	name, count *label
	sign        *widget.Icon
}

func newClassRow() *classRow {
	r := &classRow{
		name:  newLabel("", 16, theme.ColorNameForeground).bold(),
		count: newLabel("", 13, colorMuted).aligned(fyne.TextAlignTrailing),
		sign:  widget.NewIcon(theme.NewWarningThemedResource(theme.WarningIcon())),
	}
	r.ExtendBaseWidget(r)
	return r
}

func (r *classRow) show(name string, n int, few bool) {
	r.name.set(name)
	c := fyne.ThemeColorName(colorMuted)
	if few {
		c = theme.ColorNameWarning
	}
	r.count.show(strconv.Itoa(n), c)
	r.sign.Hidden = !few
	r.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (r *classRow) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.New(&classRowLayout{}, r.name, r.sign, r.count))
}

type classRowLayout struct{}

func (classRowLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(100, 26) }

func (classRowLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const countWidth, icon = 48, 14
	for i, x := range []float32{8, size.Width - countWidth - icon - 4, size.Width - countWidth - 8} {
		width := []float32{size.Width - countWidth - icon - 20, icon, countWidth}[i]
		h := min(o[i].MinSize().Height, size.Height)
		if i == 1 {
			h = icon
		}
		place(o[i], x, floor((size.Height-h)/2), width, h)
	}
}
