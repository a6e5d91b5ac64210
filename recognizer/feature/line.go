package feature

import (
	"math"

	"inkshade/recognizer/ink"
)

// Maps of a line of writing have LineRows cells in height and as many columns as the line is long, of LineChannels
// values: those of Strokes.
const (
	LineRows     = 32
	LineChannels = mapChannels
)

const (
	// writingSize is the mean height of a movement up or down, about that of a small letter, in cells.
	writingSize = 10
	// lineMargin is around the ink at least, in cells.
	lineMargin = 2
	// longestLine bounds the length of a line in cells; longer ones are made smaller.
	longestLine = 2048
)

// Line brings a line of writing to cells: its size is the mean height of movements of the pen up and down, which hardly
// depends on which letters there are, and their middle comes to that of the rows. What would be higher than
// the rows is made smaller. The result is nil where there is no point. A unit of the ink is scale cells.
func Line(k ink.Ink) (line ink.Ink, scale float64) {
	k = k.Clean()
	x0, y0, x1, y1, ok := k.Bounds()
	if !ok {
		return nil, 1
	}
	height, width := y1-y0, x1-x0
	size, middle := movements(k, height)
	if size == 0 {
		size, middle = max(height, width/longestLine), y0/2+y1/2
	}
	const room = LineRows - 2*lineMargin
	scale = writingSize / size
	if size == 0 {
		scale = 1
	}
	scale = min(scale, room/max(height, room/scale), longestLine/max(width, longestLine/scale))
	top := min(max(LineRows/2-(middle-y0)*scale, lineMargin), LineRows-lineMargin-height*scale)
	return k.Map(func(p ink.Point) ink.Point {
		p.X, p.Y = (p.X-x0)*scale+lineMargin, (p.Y-y0)*scale+top
		return p
	}), scale
}

// movements gives the mean height of the pen's movements up and down, which end where it turns by more than a part of
// the height of the ink, and the mean of their middles; 0 where there are none.
func movements(k ink.Ink, height float64) (size, middle float64) {
	const turn, least = 0.05, 0.1 // parts of the height
	n := 0.0
	for _, s := range k {
		from, to := s[0].Y, s[0].Y // where the movement began and has come to
		add := func() {
			if h := math.Abs(to - from); h > least*height {
				n, size, middle = n+1, size+h, middle+(from+to)/2
			}
		}
		for _, p := range s[1:] {
			switch {
			case to == from || (p.Y > to) == (to > from):
				to = p.Y
			case math.Abs(p.Y-to) > turn*height:
				add()
				from, to = to, p.Y
			}
		}
		add()
	}
	if n > 0 {
		size, middle = size/n, middle/n
	}
	return size, middle
}

// ColumnCells is the width of a column, for which a network that reads lines gives an answer.
const ColumnCells = 2

// LineColumns is how many columns a line in cells has, with the margin behind it.
func LineColumns(line ink.Ink) int {
	_, _, x1, _, _ := line.Bounds()
	return (int(x1) + lineMargin + ColumnCells) / ColumnCells
}

// ColumnEdge is where a column begins, in the units of ink whose left edge and scale (see Line) these are.
func ColumnEdge(column, left, scale float64) float64 {
	return left + (column*ColumnCells-lineMargin)/scale
}

// LineInput is the number of values that a network is given of a line of so many columns: the maps and the mask.
func LineInput(columns int) int { return columns * (ColumnCells*LineRows*LineChannels + 1) }

// FillLine writes what a network with so many columns is given of a line in cells, which has as many or fewer.
func FillLine(dst []float32, line ink.Ink, columns int) {
	maps := len(dst) - columns
	drawLine(dst[:maps], ColumnCells*columns, line)
	used := min(LineColumns(line), columns)
	for i := range columns {
		dst[maps+i] = 0
		if i < used {
			dst[maps+i] = 1
		}
	}
}

// drawLine draws a line in cells into dst[LineRows][columns][LineChannels]: the length of the pen's path in each of eight
// directions, and where strokes begin and end, as Strokes does. What lies outside is left out.
func drawLine(dst []float32, columns int, line ink.Ink) {
	clear(dst[:LineRows*columns*LineChannels])
	m := pathMap{dst, LineRows, columns}
	cells := func(p ink.Point) (x, y float64) { return p.X, p.Y }
	for _, s := range line {
		if len(s) > 0 {
			m.add(beginnings, 0, s[0].X, s[0].Y, 1)
			x, y := walk(s, cells, lineJitter, m.add)
			m.add(ends, 0, x, y, 1)
		}
	}
}

// lineJitter is how many cells a movement has at least that has a direction of its own.
const lineJitter = 0.35
