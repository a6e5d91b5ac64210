package samples

import (
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/samples"
)

// classList is the classes with their counts; the first row stands for all of them.
type classList struct {
	gallery *gallery
	list    *widget.RingedList
	legend  *widget.Label
	name    *widget.Button  // of the collection, above the list; opens the others
	under   *fyne.Container // of the list: the legend
	content *fyne.Container
	choose  func(label string)
}

func newClassList(g *gallery, choose func(label string), collections func()) *classList {
	few := language.Tr("Marked classes have fewer than {{.Few}} samples.", map[string]any{"Few": state.Fewest})
	c := &classList{gallery: g, choose: choose, legend: widget.NewLabel(few, 12, theme.ColorNameWarning).Wrapped(3)}
	c.list = widget.NewRingedList(func() int { return len(g.counts) + 1 }, func() fyne.CanvasObject { return newClassRow() }, func(i int, o fyne.CanvasObject) {
		row := o.(*classRow)
		if i == 0 {
			row.show(language.Tr("All"), total(g.counts), false)
			return
		}
		x := g.counts[i-1]
		name := x.Label
		if name == ofLines {
			name = language.Tr("Lines")
		}
		row.show(name, x.Samples, isThin(x))
	}, func(i int) {
		label := ""
		if i > 0 {
			label = g.classes[i-1].Label
		}
		if label != g.query.label { // somebody chose it
			c.choose(label)
		}
	})
	c.under = container.NewPadded(c.legend)
	c.name = widget.NewQuietButton(13, collections)
	c.name.Hide()
	c.content = container.NewBorder(c.name, c.under, nil, nil, container.NewStack(c.list, c.list.Ring))
	return c
}

func (c *classList) refresh() {
	at := 1 + slices.IndexFunc(c.gallery.classes, func(x samples.Class) bool { return x.Label == c.gallery.query.label })
	c.under.Hidden = !slices.ContainsFunc(c.gallery.counts, isThin)
	c.list.Select(at)
	c.list.Refresh()
	c.content.Refresh()
}

// classRow is a class and the number of its samples, which warns by its colour and a dot where they are few.
type classRow struct {
	widget.Composed
	name, count *widget.Label
	dot         *widget.Fill
}

func newClassRow() *classRow {
	r := &classRow{
		name:  widget.NewLabel("", 16, theme.ColorNameForeground).Bold(),
		count: widget.NewLabel("", 13, widget.ColorMuted).Aligned(fyne.TextAlignTrailing),
		dot:   widget.NewFill(theme.ColorNameWarning, 3),
	}
	row := widget.Beside(8, r.name, container.NewCenter(widget.Sized(6, 6, r.dot)), widget.Sized(40, 26, r.count))
	r.Compose(r, widget.Sized(100, 0, container.New(layout.NewCustomPaddedLayout(0, 0, 8, 8), row)))
	return r
}

func (r *classRow) show(name string, n int, few bool) {
	r.name.Set(name)
	r.count.SetColored(strconv.Itoa(n), widget.ColorMuted)
	if r.dot.Hidden = !few; few {
		r.count.Recolor(theme.ColorNameWarning)
	}
}

// inkGrid is the gallery's grid. It makes cells for what is visible, and leaves choosing to the gallery, which knows Ctrl and Shift.
type inkGrid struct {
	toolkit.GridWrap
	gallery  *gallery
	focused  bool
	selected func() // called when what is chosen has changed
}

func newInkGrid(g *gallery) *inkGrid {
	x := &inkGrid{gallery: g}
	x.Length = func() int { return len(g.shown) }
	x.CreateItem = func() fyne.CanvasObject { return newInkCell(x.down) }
	x.UpdateItem = func(i int, o fyne.CanvasObject) {
		s := &g.shown[i]
		o.(*inkCell).show(i, s, g.wholes[together(s)], g.selected[s.ID], x.focused && i == g.cursor, g.likely(s) != "")
	}
	x.ExtendBaseWidget(x)
	return x
}

func (x *inkGrid) down(i int, m fyne.KeyModifier) {
	x.gallery.click(i, m&fyne.KeyModifierShortcutDefault != 0, m&fyne.KeyModifierShift != 0)
	if c := fyne.CurrentApp().Driver().CanvasForObject(x); c != nil {
		c.Focus(x)
	}
	x.changed(false)
}

func (x *inkGrid) changed(follow bool) {
	if follow {
		x.ScrollTo(x.gallery.cursor)
	}
	x.Refresh()
	x.selected()
}

func (x *inkGrid) FocusGained()     { x.focused = true; x.Refresh(); widget.Reveal(x) }
func (x *inkGrid) FocusLost()       { x.focused = false; x.Refresh() }
func (x *inkGrid) TypedRune(r rune) { widget.PassRune(x, r) }

// TypedKey implements fyne.Focusable: arrows and the like move, with Shift they extend.
func (x *inkGrid) TypedKey(e *fyne.KeyEvent) {
	columns, all := x.ColumnCount(), len(x.gallery.shown)
	page := max(int(x.Size().Height/(cellSide+cellUnder)), 1) * columns
	by := map[fyne.KeyName]int{
		fyne.KeyLeft: -1, fyne.KeyRight: 1, fyne.KeyUp: -columns, fyne.KeyDown: columns,
		fyne.KeyPageUp: -page, fyne.KeyPageDown: page, fyne.KeyHome: -all, fyne.KeyEnd: all,
	}
	step, ok := by[e.Name]
	if !ok {
		widget.PassKey(x, e)
		return
	}
	x.gallery.move(step, widget.ShiftHeld())
	x.changed(true)
}

// inkCell is one sample in the gallery: its ink, its label, and marks for what is known of it.
type inkCell struct {
	widget.Composed
	index  int
	view   *widget.InkView
	label  *widget.Label
	frame  *widget.Fill
	marks  *fyne.Container
	onDown func(index int, m fyne.KeyModifier)
}

// The size of a cell and the height of what is under its ink.
const (
	cellSide  = 88
	cellUnder = 20
	cellIcon  = 15
)

func newInkCell(onDown func(index int, m fyne.KeyModifier)) *inkCell {
	c := &inkCell{
		onDown: onDown,
		view:   widget.NewInkView(cellSide - 8),
		label:  widget.NewLabel("", 14, theme.ColorNameForeground).Bold().Aligned(fyne.TextAlignCenter),
		frame:  widget.NewFill(theme.ColorNameSelection, 10).Edged(theme.ColorNamePrimary, 2),
		marks:  widget.Beside(1, layout.NewSpacer()),
	}
	for _, m := range slices.Backward(marks()) {
		c.marks.Add(widget.Sized(cellIcon, cellIcon, toolkit.NewIcon(m.sign)))
	}
	inked := container.NewStack(c.view, container.New(layout.NewCustomPaddedLayout(4, cellSide-8-4-cellIcon, 0, 4), c.marks))
	c.Compose(c, container.NewStack(c.frame, container.New(layout.NewCustomPaddedLayout(4, 2, 4, 4), widget.Under(2, inked, widget.Sized(0, cellUnder, c.label)))))
	return c
}

// show shows a sample on the scale of those written with it, whether it is chosen, has the focus, and is contradicted.
func (c *inkCell) show(index int, s *samples.Sample, whole float64, selected, here, doubtful bool) {
	c.index = index
	c.view.SetBeside(s.Ink, s.ID, whole)
	c.label.Set(s.Label)
	ground, edge, width := fyne.ThemeColorName(""), widget.ColorMuted, float32(2) // where the focus is alone
	if selected {
		ground, edge = theme.ColorNameSelection, theme.ColorNamePrimary
	}
	if selected && here {
		width = 4
	}
	c.frame.Edged(edge, width).Recolor(ground)
	changed := c.frame.Hidden == (selected || here)
	c.frame.Hidden = !selected && !here
	for i, marked := range []bool{doubtful, s.HoldOut, s.Correction} {
		icon := c.marks.Objects[i+1]
		changed = changed || icon.Visible() != marked
		widget.Show(icon, marked)
	}
	if changed {
		c.Refresh()
	}
}

// MouseDown chooses: a tap would be lost when the pointer moves by a hair, because what is around can be dragged.
func (c *inkCell) MouseDown(e *desktop.MouseEvent) { c.onDown(c.index, e.Modifier) }

func (c *inkCell) MouseUp(*desktop.MouseEvent) {}

// mark is a sign for what is known of a sample in the gallery, and what it means.
type mark struct {
	sign  fyne.Resource
	words string
}

func marks() []mark {
	return []mark{
		{theme.NewPrimaryThemedResource(theme.DocumentCreateIcon()), language.Tr("You corrected the answer.")},
		{theme.NewThemedResource(theme.VisibilityOffIcon()), language.Tr("Kept for testing: it measures what was learned.")},
		{theme.NewWarningThemedResource(theme.WarningIcon()), language.Tr("Drawings like it have another label.")},
	}
}

// markLine explains a mark.
type markLine struct {
	widget.Composed
	words *widget.Label
}

const markIndent = cellIcon + 8

func newMarkLine(of mark) *markLine {
	m := &markLine{words: widget.NewLabel(of.words, 13, widget.ColorMuted).Wrapped(3)}
	m.Compose(m, widget.Beside(8, widget.Under(0, widget.Sized(cellIcon, m.words.LineHeight(), toolkit.NewIcon(of.sign))), m.words))
	return m
}

// Height is what the line needs at a width.
func (m *markLine) Height(width float32) float32 {
	return max(m.words.Height(width-markIndent), cellIcon)
}
