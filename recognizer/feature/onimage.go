package feature

import "strings"

// OnImage brings values, one for each of a vector of the extractor, onto the 28x28 image that the
// vector was made of: that of a pixel to the pixel, or those that it was mixed of, and that of a cell
// evenly to the pixels of the cell. What belongs to no place, such as the number of strokes, is left out.
func (e Extractor) OnImage(values []float32) []float32 {
	image := make([]float32, side*side)
	if strings.HasPrefix(e.Name, pictureName) {
		if p, err := parsePicture(e.Name); err == nil {
			p.mix()(func(pixel, at int, weight float32) { image[at] += weight * values[pixel] })
		}
		return image
	}
	if e.Fine {
		for i, v := range values {
			onCell(image, v, i/directions, mapCells)
		}
		return image
	}
	if !e.Edges {
		copy(image, values)
		return image
	}
	planes := GradientSize
	if e.Pen >= PenSize {
		planes += penPlanes * cells * cells
	}
	for i, v := range values[:planes] {
		onCell(image, v, i%(cells*cells), cells)
	}
	if e.Pen > PenSize {
		maps := values[GradientSize+PenSize:]
		for i, v := range maps[:StrokesSize] {
			onCell(image, v, i/mapChannels, mapSide)
		}
		for i, v := range maps[StrokesSize:] {
			image[i] += v
		}
	}
	return image
}

// onCell adds a value evenly to the pixels whose centres lie in a cell, of n along each axis.
func onCell(image []float32, v float32, cell, n int) {
	first := func(c int) int { return (2*c*side + n - 1) / (2 * n) } // round half down
	y0, y1, x0, x1 := first(cell/n), first(cell/n+1), first(cell%n), first(cell%n+1)
	v /= float32((y1 - y0) * (x1 - x0))
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			image[y*side+x] += v
		}
	}
}
