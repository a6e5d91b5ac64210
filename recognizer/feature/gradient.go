// Package feature turns a character, as its 28x28 image and its strokes, into the vector a model reads:
// its pixels, its gradient directions, these and the movement of the pen, or maps of directions in a
// finer picture.
package feature

import "math"

const (
	side       = 28 // of the image, in pixels
	directions = 8  // of the gradient, 45 degrees apart
	cells      = 8  // sampling points along each axis
)

// GradientSize is the length of the vector Gradient makes: 8 directions x 8 x 8 cells.
const GradientSize = directions * cells * cells

// halves is the number of positions a pixel at which the blur is tabulated.
const halves = 2

// blur[p][c] is the weight of position p/halves, in pixels, in cell c: a Gaussian around the cell's
// centre whose standard deviation is half the distance of two centres times √2, as in Liu et al.,
// "Handwritten digit recognition: investigation of normalization and feature extraction
// techniques", Pattern Recognition 37, 2004.
var blur = func() (w [side*halves + 1][cells]float32) {
	const step = float64(side) / cells
	const sigma = step * math.Sqrt2 / 2
	for p := range w {
		for c := range cells {
			d := float64(p)/halves - ((float64(c)+0.5)*step - 0.5)
			w[p][c] = float32(math.Exp(-d * d / (2 * sigma * sigma)))
		}
	}
	return w
}()

// Gradient computes gradient direction features, the 512 of Su et al., "GPU-based
// large-scale prototype learning" (2016): the Sobel gradient of every pixel is split onto
// its two nearest of eight directions, each direction's plane is blurred and sampled at
// 8 x 8 cells, and the square root evens out strong and weak edges.
//
// pix is 28*28 row-major, 0 paper to 1 ink; dst has GradientSize elements, ordered
// direction, row, column, each about 0..1.
func Gradient(dst, pix []float32) {
	_ = dst[GradientSize-1]
	var rows [directions][side][cells]float32
	for y := range side {
		for x := range side {
			gx, gy := sobel(pix, x, y)
			if gx == 0 && gy == 0 {
				continue
			}
			magnitude := float32(math.Hypot(float64(gx), float64(gy)))
			low, share := direction(float64(gx), float64(gy))
			high := (low + 1) % directions
			for c, w := range blur[x*halves] {
				rows[low][y][c] += w * magnitude * (1 - share)
				rows[high][y][c] += w * magnitude * share
			}
		}
	}
	for d := range directions {
		plane := dst[d*cells*cells : (d+1)*cells*cells]
		clear(plane)
		for y := range side {
			for r, w := range blur[y*halves] {
				cell := plane[r*cells : (r+1)*cells]
				for c, v := range rows[d][y] {
					cell[c] += w * v
				}
			}
		}
		for i, v := range plane {
			plane[i] = scale * float32(math.Sqrt(float64(v)))
		}
	}
}

// scale brings the strongest cells of ordinary characters to about one.
const scale = 0.15

// sobel is the gradient of the image at x, y; outside it there is paper.
func sobel(pix []float32, x, y int) (gx, gy float32) {
	at := func(x, y int) float32 {
		if x < 0 || y < 0 || x >= side || y >= side {
			return 0
		}
		return pix[y*side+x]
	}
	a, b, c := at(x-1, y-1), at(x, y-1), at(x+1, y-1)
	d, e := at(x-1, y), at(x+1, y)
	f, g, h := at(x-1, y+1), at(x, y+1), at(x+1, y+1)
	return slopes(a, b, c, d, e, f, g, h)
}

// slopes is Sobel's gradient of a pixel with these around it, row by row.
func slopes(a, b, c, d, e, f, g, h float32) (gx, gy float32) {
	return c + 2*e + h - a - 2*d - f, f + 2*g + h - a - 2*b - c
}
