package feature

import (
	"math"

	"inkshade/recognizer/ink"
)

// mapSide is the number of cells along each axis, of two pixels each.
const mapSide = side / 2

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
	middleX, middleY, scale := x0/2+x1/2, y0/2+y1/2, 0.0
	if longer := math.Max(x1-x0, y1-y0); longer > 0 {
		scale = strokesBox / longer
	}
	pixels := func(p ink.Point) (x, y float64) { return (p.X - middleX) * scale, (p.Y - middleY) * scale }
	type piece struct {
		channel       int
		x, y          float64
		share, weight float32
	}
	var pieces []piece
	var mass, sumX, sumY float64 // the centre of mass goes where that of the image lies
	path := func(channel int, share float32, x, y float64, weight float32) {
		pieces = append(pieces, piece{channel, x, y, share, weight * mapSide / side})
		w := float64(weight)
		mass, sumX, sumY = mass+w, sumX+w*x, sumY+w*y
	}
	end := func(channel int, p ink.Point) {
		x, y := pixels(p)
		pieces = append(pieces, piece{channel, x, y, 0, 1})
	}
	for _, s := range k {
		if len(s) > 0 {
			end(beginnings, s[0])
			walk(s, pixels, penJitter, path)
			end(ends, s[len(s)-1])
		}
	}
	mass = max(mass, 1e-9)
	m := pathMap{dst, mapSide, mapSide}
	const cell = side / mapSide
	for _, p := range pieces {
		m.add(p.channel, p.share, (p.x-sumX/mass)/cell+mapSide/2, (p.y-sumY/mass)/cell+mapSide/2, p.weight)
	}
}
