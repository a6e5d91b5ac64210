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
				l.paper = append(l.paper, float64(nth(of[i], int(share*float64(len(of[i]))))))
				of[i] = of[i][:0]
			}
		}
	}
	return l
}

// nth gives the value that sorted ones have at n, and leaves them in another order (C. A. R. Hoare, "Algorithm 65: Find", 1961).
func nth(values []uint16, n int) uint16 {
	for len(values) > 1 {
		left, right, pivot := 0, len(values)-1, values[len(values)/2]
		for left <= right {
			for values[left] < pivot {
				left++
			}
			for values[right] > pivot {
				right--
			}
			if left <= right {
				values[left], values[right] = values[right], values[left]
				left, right = left+1, right-1
			}
		}
		switch {
		case n <= right:
			values = values[:right+1]
		case n >= left:
			values, n = values[left:], n-left
		default:
			return pivot
		}
	}
	return values[0]
}

// flatten takes shadows off light paper: from now on, levels are as if all of the paper were as bright as where it is
// brightest. What is less than a quarter as bright is no paper, and stays as it is. Dark paper, and what is evenly bright, is left as it is.
// The stroke of one character may be thicker than those of a line, and light on darker paper or along a side: then there is a shadow
// where paper is uneven both along the sides of a photograph and far within them.
func (s *source) flatten(line bool) {
	const (
		small  = 100 // of the shorter side: a picture of one character that is no photograph
		coarse = 24  // parts along the longer side, to tell whether paper is light
		least  = 16  // side of such a part
		fine   = 256 // parts along the longer side, to follow the edge of a shadow
	)
	if !line && (s.transparent || min(s.width, s.height) < small) {
		return
	}
	longer, stroke := max(s.width, s.height), 0.06 // of the longer side, half the thickness of the thickest
	l := s.parts(max(2, longer/fine), 0.5)
	if !line {
		if stroke = 0.12; !unevenly(l.within(0, 1)) {
			return
		}
	}
	rough := s.parts(max(least, longer/coarse), 0.8)
	brightest, light := slices.Max(rough.paper), 0
	for _, v := range rough.paper {
		if v > brightest/3 {
			light++
		}
	}
	if brightest < levels/2 || 2*light < len(rough.paper) {
		return // the paper is dark
	}
	for i, v := range l.paper {
		if l.paper[i] = 0; v > brightest/4 {
			l.paper[i] = min(v/brightest, 1)
		}
	}
	radius := max(least*3/2, int(stroke*float64(longer))) / l.side
	l.close(radius)
	for i, v := range l.paper {
		if v == 0 {
			l.paper[i] = 1
		}
	}
	if unevenly(l.paper) && (line || unevenly(l.within(2*radius, max(l.width, l.height)))) {
		s.light = l
	}
}

// unevenly tells whether some of the paper is darker than even paper is anywhere.
func unevenly(paper []float64) bool { return slices.Min(paper) < 0.9*slices.Max(paper) }

// within gives the paper so many parts from the nearest side, or a third of the picture where that is less, up to so many.
func (l *light) within(from, to int) (paper []float64) {
	for i, v := range l.paper {
		x, y := i%l.width, i/l.width
		x, y = min(x, l.width-1-x), min(y, l.height-1-y)
		if x >= min(from, l.width/3) && y >= min(from, l.height/3) && min(x, y) < to {
			paper = append(paper, v)
		}
	}
	return paper
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
	const sharp = 0.8 // of what is lit beside it: the edge of a shadow, of which nobody knows where in a part it lies
	for x := range row {
		left, right, u := split(x, l.width)
		a, b, c, d := l.paper[above*l.width+left], l.paper[above*l.width+right], l.paper[below*l.width+left], l.paper[below*l.width+right]
		paper := (a*(1-u)+b*u)*(1-v) + (c*(1-u)+d*u)*v
		if least := min(a, b, c, d); least < sharp*max(a, b, c, d) {
			paper = least
		}
		row[x] = uint16(min(float64(row[x])/paper, levels-1))
	}
}
