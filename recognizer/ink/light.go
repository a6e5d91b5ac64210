package ink

import "slices"

// light is how bright the paper is in each part of a picture.
type light struct {
	side          int // of a part, in pixels
	width, height int // in parts
	paper         []float64
}

// flatten takes shadows off light paper: from now on, levels are as if all of the paper were as bright as where it is
// brightest. What is less than a third as bright is no paper, and stays as it is. Dark paper, and what is evenly bright, is left as it is.
func (s *source) flatten() {
	const (
		parts  = 24  // along the longer side
		least  = 16  // side of a part
		paper  = 0.8 // quantile of the levels of a part
		uneven = 0.9 // of the brightest, that no even paper falls below
	)
	side := max(least, max(s.width, s.height)/parts)
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
				l.paper = append(l.paper, float64(of[i][int(paper*float64(len(of[i])))]))
				of[i] = of[i][:0]
			}
		}
	}
	brightest, light := slices.Max(l.paper), 0
	for i, v := range l.paper {
		if l.paper[i] = 0; v > brightest/3 {
			l.paper[i] = v / brightest
			light++
		}
	}
	if brightest < levels/2 || 2*light < len(l.paper) {
		return // the paper is dark
	}
	l.around(slices.Max[[]float64]) // ink may fill a part
	for i, v := range l.paper {
		if v == 0 {
			l.paper[i] = 1
		}
	}
	l.around(func(near []float64) float64 {
		sum := 0.0
		for _, v := range near {
			sum += v
		}
		return sum / float64(len(near))
	})
	if slices.Min(l.paper) < uneven {
		s.light = l
	}
}

// around gives each part a value of those of it and its neighbours.
func (l *light) around(of func(near []float64) float64) {
	before := slices.Clone(l.paper)
	for i := range l.paper {
		var near []float64
		x, y := i%l.width, i/l.width
		for v := max(y-1, 0); v <= min(y+1, l.height-1); v++ {
			near = append(near, before[v*l.width+max(x-1, 0):v*l.width+min(x+2, l.width)]...)
		}
		l.paper[i] = of(near)
	}
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
