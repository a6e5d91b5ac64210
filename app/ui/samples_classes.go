package ui

import (
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/recognizer/samples"
)

// classList is the classes with their counts; the first row stands for all of them.
type classList struct {
	gallery *gallery
	list    *classRows
	legend  *label
	name    *button         // of the collection, above the list; opens the others
	under   *fyne.Container // of the list: the legend
	content *fyne.Container
	choose  func(label string)
	quiet   bool // the list is being brought in step, nobody chose
}

func newClassList(g *gallery, choose func(label string), collections func()) *classList {
	few := tr("Marked classes have fewer than {{.Few}} samples.", map[string]any{"Few": thin})
	c := &classList{gallery: g, choose: choose, legend: newLabel(few, 12, theme.ColorNameWarning).wrapped(3)}
	c.list = newClassRows()
	c.list.Length = func() int { return len(g.classes) + 1 }
	c.list.UpdateItem = func(i int, o fyne.CanvasObject) {
		row := o.(*classRow)
		if i == 0 {
			row.show(tr("All"), len(g.all), false)
			return
		}
		x := g.classes[i-1]
		row.show(x.Label, x.Samples, x.Samples < thin)
	}
	c.list.OnSelected = func(i int) {
		c.list.at = i
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
	c.name = newQuietButton(13, collections)
	c.name.Hide()
	c.content = container.NewBorder(c.name, c.under, nil, nil, container.NewStack(c.list, c.list.ring))
	return c
}

// refresh shows what the gallery has now.
func (c *classList) refresh() {
	at := 1 + slices.IndexFunc(c.gallery.classes, func(x samples.Class) bool { return x.Label == c.gallery.query.label })
	c.under.Hidden = len(c.gallery.thinClasses()) == 0
	c.quiet = true
	c.list.Select(at)
	c.list.Refresh()
	c.quiet = false
	c.content.Refresh()
}

// classRows is the list itself. The row that is chosen shows where one is, and the keys choose.
type classRows struct {
	ringedList
	at int
}

func newClassRows() *classRows {
	x := &classRows{ringedList: ringedList{ring: newFill("", 8)}}
	x.CreateItem = func() fyne.CanvasObject { return newClassRow() }
	x.HideSeparators = true
	x.ExtendBaseWidget(x)
	return x
}

// TypedRune implements fyne.Focusable.
func (x *classRows) TypedRune(r rune) { passRune(x, r) }

// TypedKey implements fyne.Focusable.
func (x *classRows) TypedKey(e *fyne.KeyEvent) {
	by, ok := map[fyne.KeyName]int{fyne.KeyUp: -1, fyne.KeyDown: 1, fyne.KeyHome: -x.Length(), fyne.KeyEnd: x.Length()}[e.Name]
	if !ok {
		passKey(x, e)
		return
	}
	x.Select(min(max(x.at+by, 0), x.Length()-1))
}

// classRow is a class and the number of its samples; of a thin one the number warns, by
// its colour and by a sign that asks for more.
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
		sign:  widget.NewIcon(theme.NewWarningThemedResource(theme.ContentAddIcon())),
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
