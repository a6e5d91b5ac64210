package feature

import (
	"math"

	"inkshade/recognizer/ink"
)

const (
	mapSide     = side / 2 // cells along each axis, of two pixels each
	mapChannels = directions + 2
)

// StrokesSize is the length of the vector Strokes makes.
const StrokesSize = mapSide * mapSide * mapChannels

// strokesBox is the longer side of the pen's path in the 28x28 image, in pixels: the box of the
// ink without the pen's width (ink.Rasterize).
const strokesBox = 17.55

// Strokes draws what only the pen knows as an image of 14 x 14 cells that lies over the 28x28
// image, for networks that see both as channels: the length of path in each of eight directions of
// movement, in cells, and where strokes begin and end. Every piece of path falls on the four
// nearest cells (bilinearly) and on its two nearest directions, as in the direction maps of Bai and
// Huo (see Pen).
//
// dst has StrokesSize elements: row, column, channel; the channels are the directions, then
// beginnings, then ends. All are 0 when k is nil: a picture has no pen.
func Strokes(dst []float32, k ink.Ink) {
	_ = dst[StrokesSize-1]
	clear(dst)
	x0, y0, x1, y1, ok := k.Bounds()
	if !ok {
		return
	}
	m := strokesMap{dst: dst, middleX: x0/2 + x1/2, middleY: y0/2 + y1/2}
	if longer := math.Max(x1-x0, y1-y0); longer > 0 {
		m.scale = strokesBox / longer
	}
	// The centre of mass goes where that of the image lies.
	var mass, x, y float64
	for _, s := range k {
		m.pieces(s, func(px, py, _, _, length float64) {
			mass, x, y = mass+length, x+length*px, y+length*py
		})
	}
	if mass > 0 {
		m.shiftX, m.shiftY = x/mass, y/mass
	}
	for _, s := range k {
		if len(s) > 0 {
			m.end(s[0], directions)
			m.pieces(s, m.piece)
			m.end(s[len(s)-1], directions+1)
		}
	}
}

// strokesMap adds strokes to the cells; scale, the middle of the ink, and then the shift bring it
// to pixels around the centre of the image.
type strokesMap struct {
	dst                     []float32
	scale, middleX, middleY float64
	shiftX, shiftY          float64
}

// at is where a point lies before the shift.
func (m *strokesMap) at(p ink.Point) (x, y float64) {
	return (p.X - m.middleX) * m.scale, (p.Y - m.middleY) * m.scale
}

// pieces cuts a stroke into pieces of a pixel at most and gives the middle of each, before the
// shift, with its direction and its length.
func (m *strokesMap) pieces(s ink.Stroke, yield func(x, y, dx, dy, length float64)) {
	if len(s) == 0 {
		return
	}
	x, y := m.at(s[0])
	for _, p := range s[1:] {
		toX, toY := m.at(p)
		dx, dy := toX-x, toY-y
		length := math.Hypot(dx, dy)
		if !(length >= penJitter) { // too short, or not a number
			continue
		}
		n := math.Ceil(length)
		for i := 0.5; i < n; i++ {
			yield(x+dx*i/n, y+dy*i/n, dx, dy, length/n)
		}
		x, y = toX, toY
	}
}

func (m *strokesMap) piece(x, y, dx, dy, length float64) {
	low, share := direction(dx, dy)
	weight := float32(length) * mapSide / side
	m.add(low, x, y, weight*(1-share))
	m.add((low+1)%directions, x, y, weight*share)
}

func (m *strokesMap) end(p ink.Point, channel int) {
	x, y := m.at(p)
	m.add(channel, x, y, 1)
}

// add lays a weight on the four cells around a place.
func (m *strokesMap) add(channel int, x, y float64, weight float32) {
	const cell = float64(side) / mapSide
	x, y = (x-m.shiftX)/cell+(mapSide-1)/2.0, (y-m.shiftY)/cell+(mapSide-1)/2.0
	if !(x >= 0 && y >= 0 && x <= mapSide-1 && y <= mapSide-1) { // outside, or not a number
		return
	}
	column, row := min(int(x), mapSide-2), min(int(y), mapSide-2)
	u, v := float32(x-float64(column)), float32(y-float64(row))
	at := func(row, column int) *float32 { return &m.dst[(row*mapSide+column)*mapChannels+channel] }
	*at(row, column) += weight * (1 - u) * (1 - v)
	*at(row, column+1) += weight * u * (1 - v)
	*at(row+1, column) += weight * (1 - u) * v
	*at(row+1, column+1) += weight * u * v
}
