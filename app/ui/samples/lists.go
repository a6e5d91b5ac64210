package samples

import (
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/samples"
)

// classList is the classes with their counts; the first row stands for all of them.
type classList struct {
	gallery *gallery
	list    *classRows
	legend  *widget.Label
	name    *widget.Button  // of the collection, above the list; opens the others
	under   *fyne.Container // of the list: the legend
	content *fyne.Container
	choose  func(label string)
}

func newClassList(g *gallery, choose func(label string), collections func()) *classList {
	few := language.Tr("Marked classes have fewer than {{.Few}} samples.", map[string]any{"Few": thin})
	c := &classList{gallery: g, choose: choose, legend: widget.NewLabel(few, 12, theme.ColorNameWarning).Wrapped(3)}
	c.list = &classRows{RingedList: widget.RingedList{Ring: widget.NewFill("", 8)}}
	c.list.CreateItem = func() fyne.CanvasObject { return newClassRow() }
	c.list.Length = func() int { return len(g.classes) + 1 }
	c.list.UpdateItem = func(i int, o fyne.CanvasObject) {
		row := o.(*classRow)
		if i == 0 {
			row.show(language.Tr("All"), total(g.classes), false)
			return
		}
		x := g.classes[i-1]
		name, few := x.Label, x.Samples < thin
		if x.Label == ofLines {
			name, few = language.Tr("Lines"), false
		}
		row.show(name, x.Samples, few)
	}
	c.list.OnSelected = func(i int) {
		c.list.at = i
		label := ""
		if i > 0 {
			label = g.classes[i-1].Label
		}
		if label != g.query.label { // somebody chose it
			c.choose(label)
		}
	}
	c.list.HideSeparators = true
	c.list.ExtendBaseWidget(c.list)
	c.under = container.NewPadded(c.legend)
	c.name = widget.NewQuietButton(13, collections)
	c.name.Hide()
	c.content = container.NewBorder(c.name, c.under, nil, nil, container.NewStack(c.list, c.list.Ring))
	return c
}

// refresh shows what the gallery has now.
func (c *classList) refresh() {
	at := 1 + slices.IndexFunc(c.gallery.classes, func(x samples.Class) bool { return x.Label == c.gallery.query.label })
	c.under.Hidden = len(c.gallery.thinClasses()) == 0
	c.list.Select(at)
	c.list.Refresh()
	c.content.Refresh()
}

// classRows is the list itself. The row that is chosen shows where one is, and the keys choose.
type classRows struct {
	widget.RingedList
	at int
}

// TypedRune implements fyne.Focusable.
func (x *classRows) TypedRune(r rune) { widget.PassRune(x, r) }

// TypedKey implements fyne.Focusable.
func (x *classRows) TypedKey(e *fyne.KeyEvent) {
	by, ok := map[fyne.KeyName]int{fyne.KeyUp: -1, fyne.KeyDown: 1, fyne.KeyHome: -x.Length(), fyne.KeyEnd: x.Length()}[e.Name]
	if !ok {
		widget.PassKey(x, e)
		return
	}
	x.Select(min(max(x.at+by, 0), x.Length()-1))
}

// classRow is a class and the number of its samples; of a thin one the number warns, by its colour and by a dot, which is no
// character and nothing to press.
type classRow struct {
	widget.Composed
	name, count *widget.Label
	dot         *widget.Fill
}

func newClassRow() *classRow {
	const countWidth, dot = 48, 6
	r := &classRow{
		name:  widget.NewLabel("", 16, theme.ColorNameForeground).Bold(),
		count: widget.NewLabel("", 13, widget.ColorMuted).Aligned(fyne.TextAlignTrailing),
		dot:   widget.NewFill(theme.ColorNameWarning, dot/2),
	}
	r.Compose(r, container.New(widget.Arranged{Least: widget.AtLeast(100, 26), Put: func(size fyne.Size) {
		widget.Middle(r.name, 8, 0, size.Width-countWidth-dot-24, size.Height, r.name.LineHeight())
		widget.Middle(r.dot, size.Width-countWidth-dot-8, 0, dot, size.Height, dot)
		widget.Middle(r.count, size.Width-countWidth-8, 0, countWidth, size.Height, r.count.LineHeight())
	}}, r.name, r.dot, r.count))
	return r
}

func (r *classRow) show(name string, n int, few bool) {
	r.name.Set(name)
	r.count.SetColored(strconv.Itoa(n), widget.ColorMuted)
	if r.dot.Hidden = !few; few {
		r.count.Recolor(theme.ColorNameWarning)
	}
}

// inkGrid is the gallery's grid. It makes cells only for what is visible, and leaves
// choosing to the selection, which knows Ctrl and Shift.
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
		s := g.shown[i]
		o.(*inkCell).show(i, s, g.wholes[together(&s)], g.selected.ids[s.ID], x.focused && i == g.selected.cursor, g.likely(&s) != "")
	}
	x.ExtendBaseWidget(x)
	return x
}

func (x *inkGrid) down(i int, m fyne.KeyModifier) {
	x.gallery.selected.click(x.gallery.order, i, m&fyne.KeyModifierShortcutDefault != 0, m&fyne.KeyModifierShift != 0)
	if c := fyne.CurrentApp().Driver().CanvasForObject(x); c != nil {
		c.Focus(x)
	}
	x.changed(false)
}

func (x *inkGrid) changed(follow bool) {
	if follow {
		x.ScrollTo(x.gallery.selected.cursor)
	}
	x.Refresh()
	x.selected()
}

// These implement fyne.Focusable.
func (x *inkGrid) FocusGained()     { x.focused = true; x.Refresh() }
func (x *inkGrid) FocusLost()       { x.focused = false; x.Refresh() }
func (x *inkGrid) TypedRune(r rune) { widget.PassRune(x, r) }

// TypedKey implements fyne.Focusable: arrows and the like move, with Shift they extend.
func (x *inkGrid) TypedKey(e *fyne.KeyEvent) {
	columns := x.ColumnCount()
	page := max(int(x.Size().Height/(cellSide+cellUnder)), 1) * columns
	by := map[fyne.KeyName]int{
		fyne.KeyLeft: -1, fyne.KeyRight: 1, fyne.KeyUp: -columns, fyne.KeyDown: columns,
		fyne.KeyPageUp: -page, fyne.KeyPageDown: page, fyne.KeyHome: -len(x.gallery.order), fyne.KeyEnd: len(x.gallery.order),
	}
	step, ok := by[e.Name]
	if !ok {
		widget.PassKey(x, e)
		return
	}
	x.gallery.selected.move(x.gallery.order, step, widget.ShiftHeld())
	x.changed(true)
}

// inkCell is one sample in the gallery: its ink, its label, and marks for what is known of it.
type inkCell struct {
	widget.Composed
	index  int
	view   *widget.InkView
	label  *widget.Label
	frame  *widget.Fill
	icons  [markCount]*toolkit.Icon
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
	}
	objs := []fyne.CanvasObject{c.frame, c.view, c.label}
	for i := range c.icons {
		sign, _ := markOf(i)
		c.icons[i] = toolkit.NewIcon(sign)
		objs = append(objs, c.icons[i])
	}
	c.Compose(c, container.New(widget.Arranged{Least: widget.AtLeast(cellSide, cellSide+cellUnder), Put: c.put}, objs...))
	return c
}

func (c *inkCell) put(size fyne.Size) {
	c.frame.Resize(size)
	inner := size.Width - 8
	widget.Place(c.view, 4, 4, inner, inner)
	widget.Middle(c.label, 4, size.Height-cellUnder-2, inner, cellUnder, c.label.LineHeight())
	x := size.Width - 8
	for _, icon := range c.icons {
		if icon.Visible() {
			x -= cellIcon + 1
			widget.Place(icon, x, 8, cellIcon, cellIcon)
		}
	}
}

// show shows a sample on the scale of those written with it, whether it is chosen, whether the focus is here, and
// whether others contradict it.
func (c *inkCell) show(index int, s samples.Sample, whole float64, selected, here, doubtful bool) {
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
	c.frame.Recolor(ground)
	c.frame.Edged(edge, width)
	changed := c.frame.Hidden == (selected || here)
	c.frame.Hidden = !selected && !here
	for i, marked := range [markCount]bool{s.Correction, s.HoldOut, doubtful} {
		changed = changed || c.icons[i].Hidden == marked
		c.icons[i].Hidden = !marked
	}
	if changed {
		c.Refresh()
	}
}

// MouseDown implements desktop.Mouseable. A tap would be lost when the pointer moves by a
// hair, because the list under it can be dragged.
func (c *inkCell) MouseDown(e *desktop.MouseEvent) { c.onDown(c.index, e.Modifier) }

// MouseUp implements desktop.Mouseable.
func (c *inkCell) MouseUp(*desktop.MouseEvent) {}

// The marks of a sample in the gallery.
const (
	markCorrected = iota
	markHeldOut
	markContradicted
	markCount
)

// markOf is the sign of a mark and what it means.
func markOf(mark int) (icon fyne.Resource, words string) {
	switch mark {
	case markCorrected:
		return theme.NewPrimaryThemedResource(theme.DocumentCreateIcon()), language.Tr("You corrected the answer.")
	case markHeldOut:
		return theme.NewThemedResource(theme.VisibilityOffIcon()), language.Tr("Kept for testing: it measures what was learned.")
	}
	return theme.NewWarningThemedResource(theme.WarningIcon()), language.Tr("Drawings like it have another label.")
}

// markLine explains a mark.
type markLine struct {
	widget.Composed
	words *widget.Label
}

const markIndent = cellIcon + 8

func newMarkLine(mark int) *markLine {
	sign, words := markOf(mark)
	icon, m := toolkit.NewIcon(sign), &markLine{words: widget.NewLabel(words, 13, widget.ColorMuted).Wrapped(3)}
	m.Compose(m, container.New(widget.Arranged{Least: widget.AtLeast(120, cellIcon), Put: func(size fyne.Size) {
		widget.Middle(icon, 0, 0, cellIcon, m.words.LineHeight(), cellIcon)
		widget.Place(m.words, markIndent, 0, size.Width-markIndent, size.Height)
	}}, icon, m.words))
	return m
}

// Height is what the line needs at a width.
func (m *markLine) Height(width float32) float32 {
	return max(m.words.Height(width-markIndent), cellIcon)
}
