package ui

import (
	"fmt"
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/recognizer/personal"
)

// matrix is a confusion matrix whose cells can be opened by a tap, or by the arrow keys
// and Enter. Rows are what was meant, columns what was answered.
type matrix struct {
	widget.BaseWidget
	labels   []string // of rows and columns
	cells    map[[2]int]personal.Cell
	rows     []int // samples of each row
	left     int   // classes without a mistake that are left out
	selected [2]int
	focused  bool
	open     func(personal.Cell)
}

var (
	_ desktop.Mouseable  = (*matrix)(nil)
	_ fyne.Focusable     = (*matrix)(nil)
	_ desktop.Cursorable = (*matrix)(nil)
)

// manyClasses is how many classes a matrix shows whole; of more it shows those that take
// part in a mistake.
const manyClasses = 16

// nowhere is a place outside of every matrix.
var nowhere = [2]int{-1, -1}

func newMatrix(open func(personal.Cell)) *matrix {
	m := &matrix{open: open, selected: nowhere}
	m.ExtendBaseWidget(m)
	return m
}

// matrixLabels are the classes to show of two confusions of the same samples, in the order
// of the model, and how many more there are.
func matrixLabels(before, after personal.Confusion) (shown []string, left int) {
	all, mistaken := map[string]bool{}, map[string]bool{}
	for _, c := range slices.Concat(before.Cells, after.Cells) {
		all[c.Want], all[c.Got] = true, true
		if c.Want != c.Got {
			mistaken[c.Want], mistaken[c.Got] = true, true
		}
	}
	keep := all
	if len(all) > manyClasses && len(mistaken) > 0 {
		keep = mistaken
	}
	for _, labels := range [][]string{after.Labels, before.Labels} {
		for _, l := range labels {
			if keep[l] && !slices.Contains(shown, l) {
				shown = append(shown, l)
			}
		}
	}
	return shown, len(all) - len(shown)
}

// show takes a confusion and the labels to show of it.
func (m *matrix) show(c personal.Confusion, labels []string, left int) {
	m.labels, m.left = labels, left
	m.cells, m.rows = map[[2]int]personal.Cell{}, make([]int, len(labels))
	for _, cell := range c.Cells {
		row, column := slices.Index(labels, cell.Want), slices.Index(labels, cell.Got)
		if row >= 0 {
			m.rows[row] += len(cell.Samples)
		}
		if row >= 0 && column >= 0 {
			m.cells[[2]int{row, column}] = cell
		}
	}
	m.selected = nowhere
	m.Refresh()
}

// at gives a cell, also an empty one.
func (m *matrix) at(place [2]int) personal.Cell {
	c := m.cells[place]
	c.Want, c.Got = m.labels[place[0]], m.labels[place[1]]
	return c
}

// choose opens a cell.
func (m *matrix) choose(place [2]int) {
	m.selected = place
	m.Refresh()
	m.open(m.at(place))
}

func (m *matrix) geometry() matrixGeometry {
	return matrixOf(len(m.labels), m.side(), m.Size())
}

// matrixGeometry says where the cells are.
type matrixGeometry struct{ x, y, cell float32 }

const (
	matrixSide   = 30 // labels of the rows, where these are short
	matrixLong   = 84 // and where they are long
	matrixTop    = 40 // what rows and columns are called, and the labels of the columns
	matrixLabel  = 22 // height of the labels
	matrixText   = 12
	tinyText     = 9 // the smallest that a label of a column may shrink to
	smallestCell = 14
	largestCell  = 60
)

// side is the room for the labels of the rows.
func (m *matrix) side() float32 {
	width := float32(matrixSide)
	for _, l := range m.labels {
		width = max(width, fyne.MeasureText(l, matrixText, fyne.TextStyle{}).Width+8)
	}
	return min(floor(width), matrixLong)
}

func matrixOf(n int, side float32, size fyne.Size) matrixGeometry {
	cell := floor(min((size.Width-side)/float32(max(n, 1)), (size.Height-matrixTop)/float32(max(n, 1))))
	return matrixGeometry{side, matrixTop, min(max(cell, smallestCell), largestCell)}
}

// fitInto makes a text small enough for a width, and cuts what is longer even so.
func fitInto(t *canvas.Text, text string, width float32) {
	t.Text, t.TextSize = text, matrixText
	of := func(text string) float32 { return fyne.MeasureText(text, t.TextSize, t.TextStyle).Width }
	for t.TextSize > tinyText && of(text) > width {
		t.TextSize--
	}
	for cut := []rune(text); of(t.Text) > width && len(cut) > 1; {
		cut = cut[:len(cut)-1]
		t.Text = string(cut) + "…"
	}
}

// MouseDown implements desktop.Mouseable. A tap would be lost when the pointer moves by a
// hair, because what the matrix lies in can be dragged.
func (m *matrix) MouseDown(e *desktop.MouseEvent) {
	g := m.geometry()
	column, row := int((e.Position.X-g.x)/g.cell), int((e.Position.Y-g.y)/g.cell)
	if e.Position.X < g.x || e.Position.Y < g.y || row >= len(m.labels) || column >= len(m.labels) {
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(m); c != nil {
		c.Focus(m)
	}
	m.choose([2]int{row, column})
}

// MouseUp implements desktop.Mouseable.
func (m *matrix) MouseUp(*desktop.MouseEvent) {}

// Cursor implements desktop.Cursorable.
func (m *matrix) Cursor() desktop.Cursor { return desktop.PointerCursor }

// FocusGained implements fyne.Focusable.
func (m *matrix) FocusGained() { m.focused = true; m.Refresh() }

// FocusLost implements fyne.Focusable.
func (m *matrix) FocusLost() { m.focused = false; m.Refresh() }

// TypedRune implements fyne.Focusable.
func (m *matrix) TypedRune(rune) {}

// TypedKey implements fyne.Focusable: the arrows open the cell beside.
func (m *matrix) TypedKey(e *fyne.KeyEvent) {
	n := len(m.labels)
	if n == 0 {
		return
	}
	at := m.selected
	switch e.Name {
	case fyne.KeyUp:
		at[0]--
	case fyne.KeyDown:
		at[0]++
	case fyne.KeyLeft:
		at[1]--
	case fyne.KeyRight:
		at[1]++
	case fyne.KeyHome:
		at = [2]int{}
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
	default:
		passKey(m, e)
		return
	}
	if m.selected == nowhere {
		at = [2]int{}
	}
	m.choose([2]int{min(max(at[0], 0), n-1), min(max(at[1], 0), n-1)})
}

// CreateRenderer implements fyne.Widget.
func (m *matrix) CreateRenderer() fyne.WidgetRenderer {
	r := &matrixRenderer{
		matrix:  m,
		ground:  canvas.NewRectangle(themed(colorTrack)),
		frame:   canvas.NewRectangle(color.Transparent),
		columns: newLabel(tr("it answered"), 12, colorMuted),
		rows:    newLabel(tr("you meant"), 12, colorMuted),
	}
	r.ground.CornerRadius, r.frame.CornerRadius = 4, 4
	r.Refresh()
	return r
}

type matrixRenderer struct {
	matrix        *matrix
	ground, frame *canvas.Rectangle
	columns, rows *label
	lines         []fyne.CanvasObject
	names         []*canvas.Text // of the rows, then of the columns
	fills         []*canvas.Rectangle
	counts        []*canvas.Text
	places        [][2]int // of fills and counts
}

func (r *matrixRenderer) MinSize() fyne.Size {
	n := float32(max(len(r.matrix.labels), 3))
	return fyne.NewSize(r.matrix.side()+n*smallestCell, matrixTop+n*smallestCell)
}

func (r *matrixRenderer) Layout(fyne.Size) {
	m, g := r.matrix, r.matrix.geometry()
	n := len(m.labels)
	side := g.cell * float32(n)
	place(r.ground, g.x, g.y, side, side)
	words := floor(r.rows.width(r.rows.text) + 14)
	place(r.rows, 4, 0, words, r.rows.lineHeight())
	left := max(g.x+floor((side-r.columns.width(r.columns.text))/2), words)
	place(r.columns, left, 0, r.columns.width(r.columns.text)+4, r.columns.lineHeight())
	for i := range n {
		at := float32(i) * g.cell
		fitInto(r.names[i], m.labels[i], g.x-8)
		place(r.names[i], 0, g.y+at+floor((g.cell-matrixLabel)/2), g.x-8, matrixLabel)
		fitInto(r.names[n+i], m.labels[i], g.cell-3)
		place(r.names[n+i], g.x+at, g.y-matrixLabel, g.cell, matrixLabel)
	}
	for i, line := range r.lines {
		at := float32(i/2+1) * g.cell
		if i%2 == 0 {
			place(line, g.x+at, g.y, 1, side)
		} else {
			place(line, g.x, g.y+at, side, 1)
		}
	}
	for i, p := range r.places {
		x, y := g.x+float32(p[1])*g.cell, g.y+float32(p[0])*g.cell
		place(r.fills[i], x+1, y+1, g.cell-1, g.cell-1)
		place(r.counts[i], x, y, g.cell, g.cell)
	}
	r.frame.Hide()
	if m.selected != nowhere && n > 0 {
		place(r.frame, g.x+float32(m.selected[1])*g.cell-1, g.y+float32(m.selected[0])*g.cell-1, g.cell+3, g.cell+3)
		r.frame.Show()
	}
}

// Refresh makes what is to be seen anew: matrices change seldom.
func (r *matrixRenderer) Refresh() {
	m := r.matrix
	r.ground.FillColor = themed(colorTrack)
	r.frame.StrokeWidth, r.frame.StrokeColor = 2, themed(theme.ColorNameForeground)
	if m.focused {
		r.frame.StrokeWidth, r.frame.StrokeColor = 3, themed(theme.ColorNamePrimary)
	}
	r.names, r.fills, r.counts, r.places, r.lines = nil, nil, nil, nil, nil
	for i := range 2 * len(m.labels) {
		name := canvas.NewText("", themed(theme.ColorNameForeground))
		name.Alignment = fyne.TextAlignCenter
		if i < len(m.labels) {
			name.Alignment = fyne.TextAlignTrailing
		}
		r.names = append(r.names, name)
	}
	for range 2 * max(len(m.labels)-1, 0) {
		r.lines = append(r.lines, canvas.NewRectangle(themed(colorCard)))
	}
	for row := range m.labels {
		for column := range m.labels {
			p := [2]int{row, column}
			c, ok := m.cells[p]
			if !ok {
				continue
			}
			fill := canvas.NewRectangle(cellColor(row == column, float32(len(c.Samples))/float32(max(m.rows[row], 1))))
			number := canvas.NewText(fmt.Sprint(len(c.Samples)), themed(theme.ColorNameForeground))
			number.TextSize, number.Alignment = 11, fyne.TextAlignCenter
			number.TextStyle.Bold = row != column
			r.fills, r.counts, r.places = append(r.fills, fill), append(r.counts, number), append(r.places, p)
		}
	}
	r.columns.Refresh()
	r.rows.Refresh()
	r.Layout(m.Size())
	canvas.Refresh(m)
}

// cellColor is stronger the larger the share of its row a cell has.
func cellColor(right bool, share float32) color.Color {
	c := theme.ColorNameError
	if right {
		c = theme.ColorNamePrimary
	}
	ground := color.NRGBAModel.Convert(themed(colorTrack)).(color.NRGBA)
	full := color.NRGBAModel.Convert(themed(c)).(color.NRGBA)
	return mix(ground, full, 0.14+0.36*share)
}

func (r *matrixRenderer) Objects() []fyne.CanvasObject {
	o := []fyne.CanvasObject{r.ground, r.columns, r.rows}
	o = append(o, r.lines...)
	for _, name := range r.names {
		o = append(o, name)
	}
	for i := range r.fills {
		o = append(o, r.fills[i], r.counts[i])
	}
	return append(o, r.frame)
}
func (r *matrixRenderer) Destroy() {}
