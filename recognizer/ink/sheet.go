package ink

import (
	"image"
	"math"
	"slices"
)

// sheet is the paper alone of a picture that shows it whole, on a table that is darker or lighter; nil where there is none. A sheet is
// a large part of one shade that touches no side and nearly fills what lies between its four corners, and the table is thicker than what is
// in it: a thick stroke is round or has larger gaps, and the box of 回 is as thick as what is in it.
func (s *source) sheet(p image.Image) *source {
	const (
		least  = 200  // pixels of the shorter side
		cells  = 256  // along the longer side
		large  = 0.2  // of the picture
		gaps   = 0.8  // of what lies between the corners is paper at least
		round  = 1.05 // and at most
		margin = 2    // cells, where table and paper meet
		much   = 1.5  // times as thick as ink is the table
	)
	if s.transparent || min(s.width, s.height) < least {
		return nil
	}
	grid := s.parts((max(s.width, s.height)+cells-1)/cells, 0.5)
	h := make(histogram, levels)
	for _, v := range grid.paper {
		h[int(v)]++
	}
	threshold := float64(h.otsu())
	var shades [2]Image // all that is dark, and all that is light
	for i := range shades {
		shades[i] = Image{Width: grid.width, Height: grid.height, Pix: make([]float32, len(grid.paper))}
		for j, v := range grid.paper {
			if v >= threshold == (i > 0) {
				shades[i].Pix[j] = 1
			}
		}
	}
	for i, shade := range shades {
		for _, pixels := range shade.Components(1) {
			if float64(len(pixels)) < large*float64(len(shade.Pix)) || shade.component(pixels).sides > 0 {
				continue
			}
			c := shade.corners(pixels)
			if filled := float64(len(pixels)) / c.area(); filled < gaps || filled > round || c.skewed() || !shades[1-i].framed(much) {
				continue
			}
			for j, inward := range [4]vec{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}} {
				c[j] = c[j].plus(vec{0.5, 0.5}).plus(inward.times(margin)).times(float64(grid.side))
			}
			return c.of(p)
		}
	}
	return nil
}

// framed tells whether something that touches a side is so much thicker than the largest of what touches none.
func (img Image) framed(much float32) bool {
	var around, largest component
	for _, pixels := range img.Components(1) {
		if c := img.component(pixels); c.sides == 0 && c.mass > largest.mass {
			largest = c
		} else if c.sides > 0 && c.thickness > around.thickness {
			around = c
		}
	}
	return around.thickness > much*largest.thickness
}

// corners are those of a sheet, clockwise from the upper left.
type corners [4]vec

// corners finds those that lie farthest along the diagonals.
func (img Image) corners(pixels []int) (c corners) {
	var most [4]int
	for n, i := range pixels {
		x, y := i%img.Width, i/img.Width
		for j, far := range [4]int{-x - y, x - y, x + y, y - x} {
			if n == 0 || far > most[j] {
				most[j], c[j] = far, vec{float64(x), float64(y)}
			}
		}
	}
	return c
}

func (c corners) area() float64 {
	return math.Abs(c[2].minus(c[0]).cross(c[3].minus(c[1]))) / 2
}

// skewed tells whether opposite sides differ more than those of paper photographed at an angle.
func (c corners) skewed() bool {
	const alike = 0.7
	width, height := c.sides()
	return slices.Min(width[:]) < alike*slices.Max(width[:]) || slices.Min(height[:]) < alike*slices.Max(height[:])
}

// sides gives the lengths of the upper and lower, and of the left and right side.
func (c corners) sides() (width, height [2]float64) {
	length := func(from, to int) float64 { return math.Hypot(c[to].x-c[from].x, c[to].y-c[from].y) }
	return [2]float64{length(0, 1), length(3, 2)}, [2]float64{length(0, 3), length(1, 2)}
}

// of reads what lies between the corners of a picture as a rectangle.
func (c corners) of(p image.Image) *source {
	width, height := c.sides()
	s := &source{width: int(slices.Max(width[:])), height: int(slices.Max(height[:]))}
	at, from := pixelsOf(p), p.Bounds().Min
	s.read = func(y int, grey, _ []uint16) {
		v := float64(y) / float64(s.height)
		left, right := c[0].times(1-v).plus(c[3].times(v)), c[1].times(1-v).plus(c[2].times(v))
		for x := range grey {
			u := float64(x) / float64(s.width)
			q := left.times(1 - u).plus(right.times(u))
			grey[x], _ = straight(at(from.X+int(q.x), from.Y+int(q.y)))
		}
	}
	return s
}
