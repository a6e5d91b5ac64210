package feature

import (
	"math"

	"inkshade/recognizer/ink"
)

const (
	penPlanes  = mapChannels // where the pen moved each way, where strokes begin and end
	penStrokes = 4           // one, two, three, four or more strokes
)

// PenSize is the length of the vector Pen makes.
const PenSize = penPlanes*cells*cells + penStrokes

const (
	penBox    = 20.0 // pixels that the longer side of the ink is fitted into, as for the image
	penScale  = 0.3  // brings the strongest cells of ordinary characters to about one
	penEnd    = 3.0  // weight of a stroke's first and last point, in pixels of path
	penJitter = 0.7  // pixels below which a movement has no direction of its own
)

// Pen computes what only the pen knows, from the strokes: the length of path in each of
// eight directions of movement, and where strokes begin and end, blurred and sampled at
// 8 x 8 cells like Gradient, and the number of strokes. Directional features of the
// trajectory after Bai and Huo, "A study on the use of 8-directional features for online
// handwritten Chinese character recognition" (ICDAR 2005).
//
// dst has PenSize elements: direction, row, column; then beginnings and ends by row and
// column; then the number of strokes. All are 0 when k is nil: a picture has no pen.
func Pen(dst []float32, k ink.Ink) {
	_ = dst[PenSize-1]
	clear(dst)
	x0, y0, x1, y1, ok := k.Bounds()
	if !ok {
		return
	}
	scale := 0.0
	if longer := math.Max(x1-x0, y1-y0); longer > 0 {
		scale = penBox / longer
	}
	left, top := side/2-(x0/2+x1/2)*scale, side/2-(y0/2+y1/2)*scale
	at := func(p ink.Point) (x, y float64) { return p.X*scale + left, p.Y*scale + top }
	add := func(plane int, share float32, x, y float64, weight float32) {
		column, row := int(x*halves+0.5), int(y*halves+0.5)
		if column < 0 || row < 0 || column >= len(blur) || row >= len(blur) {
			return
		}
		for _, w := range [2]float32{weight * (1 - share), weight * share} {
			planes := dst[plane*cells*cells : (plane+1)*cells*cells]
			for r, a := range blur[row] {
				for c, b := range blur[column] {
					planes[r*cells+c] += w * a * b
				}
			}
			if plane = (plane + 1) % directions; share == 0 {
				break
			}
		}
	}
	strokes := 0
	for _, s := range k {
		if len(s) > 0 {
			strokes++
			x, y := at(s[0])
			add(beginnings, 0, x, y, penEnd)
			x, y = walk(s, at, penJitter, add)
			add(ends, 0, x, y, penEnd)
		}
	}
	planes := dst[:penPlanes*cells*cells]
	for i, v := range planes {
		planes[i] = penScale * float32(math.Sqrt(float64(v)))
	}
	dst[len(planes)+min(strokes, penStrokes)-1] = 1
}
