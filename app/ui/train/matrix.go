package train

import (
	"fmt"
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/personal"
)

// matrix is a confusion matrix whose cells are opened by a tap or keys. Rows are what was meant, columns what was answered.
type matrix struct {
	widget.Keyed
	labels   []string // of rows and columns
	cells    map[[2]int]personal.Cell
	rows     []int // samples of each row
	left     int   // classes without a mistake that are left out
	selected [2]int
	open     func(personal.Cell)
	chosen   func(cell widget.Area) // in the window; nil for nothing

	answered, meant *widget.Label   // over the columns, beside the rows
	names           []*widget.Label // of the rows, then of the columns
}

var (
	_ desktop.Mouseable  = (*matrix)(nil)
	_ desktop.Cursorable = (*matrix)(nil)
)

// manyClasses is how many classes a matrix shows whole; of more it shows at most mostClasses that take part in a mistake.
const (
	manyClasses = 16
	mostClasses = 48
)

// nowhere is a place outside of every matrix.
var nowhere = [2]int{-1, -1}

func newMatrix(open func(personal.Cell)) *matrix {
	m := &matrix{
		open: open, selected: nowhere,
		answered: widget.NewLabel(language.Tr("it answered"), 12, widget.ColorMuted), meant: widget.NewLabel(language.Tr("you meant"), 12, widget.ColorMuted),
	}
	m.Turned = m.Refresh
	by := func(rows, columns int) func() { return func() { m.move(rows, columns) } }
	m.Keys = map[fyne.KeyName]func(){
		fyne.KeyUp: by(-1, 0), fyne.KeyDown: by(1, 0), fyne.KeyLeft: by(0, -1), fyne.KeyRight: by(0, 1), fyne.KeyHome: by(-mostClasses, -mostClasses),
		fyne.KeyReturn: by(0, 0), fyne.KeyEnter: by(0, 0), fyne.KeySpace: by(0, 0),
	}
	m.Compose(m, container.New(widget.Arranged{Least: func() fyne.Size {
		n := float32(max(len(m.labels), 3))
		return fyne.NewSize(m.side()+n*smallestCell+ringed, matrixTop+n*smallestCell+ringed)
	}, Put: m.build}))
	return m
}

// matrixLabels are the classes to show of two confusions of the same samples, in the model's order, and how many more there are.
func matrixLabels(before, after personal.Confusion) (shown []string, left int) {
	mistakes := map[string]int{} // of every class
	for _, c := range slices.Concat(before.Cells, after.Cells) {
		n := len(c.Samples)
		if c.Want == c.Got {
			n = 0
		}
		mistakes[c.Want] += n
		mistakes[c.Got] += n
	}
	for _, l := range slices.Concat(after.Labels, before.Labels) {
		if _, known := mistakes[l]; known && !slices.Contains(shown, l) {
			shown = append(shown, l)
		}
	}
	all := len(shown)
	mistaken := slices.DeleteFunc(slices.Clone(shown), func(l string) bool { return mistakes[l] == 0 })
	if all > manyClasses && len(mistaken) > 0 {
		shown = mistaken
	}
	if len(shown) > mostClasses {
		worst := slices.SortedStableFunc(slices.Values(shown), func(a, b string) int { return mistakes[b] - mistakes[a] })[:mostClasses]
		shown = slices.DeleteFunc(shown, func(l string) bool { return !slices.Contains(worst, l) })
	}
	return shown, all - len(shown)
}

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

// choose opens a cell, also an empty one.
func (m *matrix) choose(place [2]int) {
	m.selected = place
	m.Refresh()
	if g := m.geometry(); m.chosen != nil {
		at := widget.AreaOf(m).Pos.AddXY(g.x+float32(place[1])*g.cell, g.y+float32(place[0])*g.cell)
		m.chosen(widget.Area{Pos: at, Size: fyne.NewSquareSize(g.cell)})
	}
	c := m.cells[place]
	c.Want, c.Got = m.labels[place[0]], m.labels[place[1]]
	m.open(c)
}

func (m *matrix) geometry() matrixGeometry {
	n, side, size := float32(max(len(m.labels), 1)), m.side(), m.Size()
	cell := widget.Floor(min((size.Width-side-ringed)/n, (size.Height-matrixTop-ringed)/n))
	return matrixGeometry{side, matrixTop, min(max(cell, smallestCell), largestCell)}
}

// matrixGeometry says where the cells are.
type matrixGeometry struct{ x, y, cell float32 }

const (
	ringed       = 2  // room for the ring of the focus, right and below
	matrixSide   = 30 // labels of the rows, where these are short
	matrixLong   = 84 // and where they are long
	matrixTop    = 40 // what rows and columns are called, and the labels of the columns
	matrixLabel  = 22 // height of the labels
	matrixText   = 12
	smallestCell = 14
	largestCell  = 60
)

func (m *matrix) side() float32 {
	width := float32(matrixSide)
	for _, l := range m.labels {
		width = max(width, fyne.MeasureText(l, matrixText, fyne.TextStyle{}).Width+8)
	}
	return min(widget.Floor(width), matrixLong)
}

// MouseDown chooses: a tap would be lost when the pointer moves by a hair, because what is around can be dragged.
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

func (m *matrix) MouseUp(*desktop.MouseEvent) {}
func (m *matrix) Cursor() desktop.Cursor      { return desktop.PointerCursor }

// move opens the cell so many rows and columns from the one that is open, or the first.
func (m *matrix) move(rows, columns int) {
	n := len(m.labels)
	if n == 0 {
		return
	}
	at := [2]int{m.selected[0] + rows, m.selected[1] + columns}
	if m.selected == nowhere {
		at = [2]int{}
	}
	m.choose([2]int{min(max(at[0], 0), n-1), min(max(at[1], 0), n-1)})
}

// build makes what is to be seen anew: matrices change seldom.
func (m *matrix) build(fyne.Size) {
	g := m.geometry()
	n := len(m.labels)
	side := g.cell * float32(n)
	m.Content.Objects, m.names = nil, make([]*widget.Label, 2*n)
	rectangle := func(c color.Color, x, y, w, h float32) *canvas.Rectangle {
		r := canvas.NewRectangle(c)
		widget.Place(r, x, y, w, h)
		m.Content.Objects = append(m.Content.Objects, r)
		return r
	}
	label := func(text string, align fyne.TextAlign, size, x, y, w, h float32) *widget.Label {
		l := widget.NewLabel(text, size, theme.ColorNameForeground).Aligned(align)
		l.SetSizeWithin(size, w)
		widget.Place(l, x, y, w, h)
		m.Content.Objects = append(m.Content.Objects, l)
		return l
	}
	rectangle(widget.Themed(widget.ColorTrack), g.x, g.y, side, side).CornerRadius = 4
	words := widget.Floor(m.meant.Width(m.meant.Text) + 14)
	widget.Place(m.meant, 4, 0, words, m.meant.LineHeight())
	left := max(g.x+widget.Floor((side-m.answered.Width(m.answered.Text))/2), words)
	widget.Place(m.answered, left, 0, m.answered.Width(m.answered.Text)+4, m.answered.LineHeight())
	m.Content.Objects = append(m.Content.Objects, m.meant, m.answered)
	for i, text := range m.labels {
		at := float32(i) * g.cell
		m.names[i] = label(text, fyne.TextAlignTrailing, matrixText, 0, g.y+at, g.x-8, g.cell)
		m.names[n+i] = label(text, fyne.TextAlignCenter, matrixText, g.x+at+1, g.y-matrixLabel, g.cell-3, matrixLabel)
		if i > 0 {
			rectangle(widget.Themed(widget.ColorCard), g.x+at, g.y, 1, side)
			rectangle(widget.Themed(widget.ColorCard), g.x, g.y+at, side, 1)
		}
	}
	for p, c := range m.cells {
		x, y := g.x+float32(p[1])*g.cell, g.y+float32(p[0])*g.cell
		tone, share := theme.ColorNameError, float32(len(c.Samples))/float32(max(m.rows[p[0]], 1)) // of its row
		if p[0] == p[1] {
			tone = theme.ColorNamePrimary
		}
		rectangle(widget.Mix(widget.Opaque(widget.ColorTrack), widget.Opaque(tone), 0.14+0.36*share), x+1, y+1, g.cell-1, g.cell-1)
		if count := label(fmt.Sprint(len(c.Samples)), fyne.TextAlignCenter, 11, x, y, g.cell, g.cell); p[0] != p[1] {
			count.Bold().Refresh()
		}
	}
	frame := func(c fyne.ThemeColorName, width, x, y, side float32) {
		r := rectangle(color.Transparent, x, y, side, side)
		r.CornerRadius, r.StrokeWidth, r.StrokeColor = 4, width, widget.Themed(c)
	}
	if m.Focused {
		frame(theme.ColorNamePrimary, 2, g.x-2, g.y-2, side+4)
	}
	if m.selected == nowhere || n == 0 {
		return
	}
	x, y := g.x+float32(m.selected[1])*g.cell, g.y+float32(m.selected[0])*g.cell
	frame(theme.ColorNameForeground, 2, x-1, y-1, g.cell+3)
	if m.Focused { // told from the cell's own colour by a line between
		frame(widget.ColorCard, 6, x-4, y-4, g.cell+9)
		frame(theme.ColorNamePrimary, 3, x-4, y-4, g.cell+9)
	}
}
