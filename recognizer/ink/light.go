package ink

import (
	"math"
	"slices"
)

// light is how bright the paper is in each part of a picture.
type light struct {
	side          int // of a part, in pixels
	width, height int // in parts
	paper         []float64
}

// parts gives the level below which a share of the pixels of each part of the picture lies.
func (s *source) parts(side int, share float64) *light {
	l := &light{side: side, width: (s.width + side - 1) / side, height: (s.height + side - 1) / side}
	row := make([]uint16, s.width)
	of := make([][]uint16, l.width)
	for y := range s.height {
		s.row(y, row)
		for x, v := range row {
			of[x/side] = append(of[x/side], v)
		}
		if y%side == side-1 || y == s.height-1 {
			for i := range of {
				slices.Sort(of[i])
				l.paper = append(l.paper, float64(of[i][int(share*float64(len(of[i])))]))
				of[i] = of[i][:0]
			}
		}
	}
	return l
}

// flatten takes shadows off light paper: from now on, levels are as if all of the paper were as bright as where it is
// brightest. What is less than a quarter as bright is no paper, and stays as it is. Dark paper, and what is evenly bright, is left as it is.
func (s *source) flatten() {
	const (
		coarse = 24   // parts along the longer side, to tell whether paper is light
		least  = 16   // side of such a part
		fine   = 256  // parts along the longer side, to follow the edge of a shadow
		stroke = 0.06 // of the longer side, half the thickness of the thickest
		uneven = 0.9  // of the brightest, that no even paper falls below
	)
	longer := max(s.width, s.height)
	l := s.parts(max(least, longer/coarse), 0.8)
	brightest, light := slices.Max(l.paper), 0
	for _, v := range l.paper {
		if v > brightest/3 {
			light++
		}
	}
	if brightest < levels/2 || 2*light < len(l.paper) {
		return // the paper is dark
	}
	l = s.parts(max(2, longer/fine), 0.5)
	for i, v := range l.paper {
		if l.paper[i] = 0; v > brightest/4 {
			l.paper[i] = min(v/brightest, 1)
		}
	}
	l.close(max(least*3/2, int(stroke*float64(longer))) / l.side)
	for i, v := range l.paper {
		if v == 0 {
			l.paper[i] = 1
		}
	}
	if slices.Min(l.paper) < uneven {
		s.light = l
	}
}

// close fills what is dark and narrower than a square of radius parts on every side of its middle, and leaves the edge of a shadow where it is
// (the closing of mathematical morphology; Serra, "Image analysis and mathematical morphology", 1982). Beyond its sides the picture goes on as there.
func (l *light) close(radius int) {
	width, height := l.width+2*radius, l.height+2*radius
	padded := make([]float64, 0, width*height)
	for y := range height {
		row := l.paper[min(max(y-radius, 0), l.height-1)*l.width:][:l.width]
		for x := range width {
			padded = append(padded, row[min(max(x-radius, 0), l.width-1)])
		}
	}
	for _, of := range []func(a, b float64) float64{math.Max, math.Min} {
		padded = along(along(padded, width, radius, of), height, radius, of)
	}
	for y := range l.height {
		copy(l.paper[y*l.width:][:l.width], padded[(y+radius)*width+radius:])
	}
}

// along gives the most, or least, around each value of rows, by columns.
func along(values []float64, width, radius int, of func(a, b float64) float64) []float64 {
	height := len(values) / width
	out := make([]float64, len(values))
	for i := range values {
		x, y := i%width, i/width
		most := values[i]
		for _, v := range values[y*width+max(x-radius, 0) : y*width+min(x+radius+1, width)] {
			most = of(most, v)
		}
		out[x*height+y] = most
	}
	return out
}

// even brightens a row by how dark its paper is, with even steps between the middles of parts.
func (l *light) even(y int, row []uint16) {
	split := func(at, parts int) (first, next int, part float64) {
		middle := max((float64(at)+0.5)/float64(l.side)-0.5, 0)
		first = min(int(middle), parts-1)
		return first, min(first+1, parts-1), middle - float64(first)
	}
	above, below, v := split(y, l.height)
	for x := range row {
		left, right, u := split(x, l.width)
		at := func(y int) float64 { return l.paper[y*l.width+left]*(1-u) + l.paper[y*l.width+right]*u }
		row[x] = uint16(min(float64(row[x])/(at(above)*(1-v)+at(below)*v), levels-1))
	}
}
