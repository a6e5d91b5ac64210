package ink

import "math"

// thinnest is the least width of a stroke in a picture, as a share of the longer side of
// its inked box: two thirds of our own pen, so that a pen like it stays as it is though
// noise frays its edges. A hairline would be a shadow in 28x28 pixels, like nothing that
// MNIST holds.
const thinnest = penWidth * 2 / 3 / boxSide

// thicken widens thin strokes all around, as a broader pen would have written them; others
// are returned as they are. The detail, in which hairlines show, is that before.
func (d drawing) thicken() Image {
	inked := d.inkedBox()
	if inked.Empty() {
		return d.Image
	}
	for i, v := range d.Pix {
		d.solid[i] = d.solid[i] && v > 0
	}
	size := float64(max(inked.Dx(), inked.Dy()))
	// The box grows with the pen.
	radius := (thinnest*size - d.strokeWidth()) / (2 * (1 - thinnest))
	if !(radius > 0) {
		return d.Image
	}
	margin := int(math.Ceil(radius))
	out := drawing{Image: Image{Width: inked.Dx() + 2*margin, Height: inked.Dy() + 2*margin}}
	out.Pix, out.solid = make([]float32, out.Width*out.Height), make([]bool, out.Width*out.Height)
	for y := range inked.Dy() {
		to, from := (y+margin)*out.Width+margin, (inked.Min.Y+y)*d.Width+inked.Min.X
		copy(out.Pix[to:], d.Pix[from:from+inked.Dx()])
		copy(out.solid[to:], d.solid[from:from+inked.Dx()])
	}
	for i, distance := range out.distances() {
		out.Pix[i] = max(out.Pix[i], min(float32(radius)+1-distance, 1))
	}
	cut, edges := d.cut(inked)
	out.Detail = new(placing).detail(cut, inked.Dx(), edges)
	return out.Image
}

// Thicken widens thin strokes of a picture of one character, as FromPicture does.
func (img Image) Thicken() Image {
	d := drawing{img, make([]bool, len(img.Pix))}
	for i, v := range img.Pix {
		d.solid[i] = v >= 0.5
	}
	return d.thicken()
}

// strokeWidth is the mean width of the strokes, of what is solid: a long line has twice its
// area over its perimeter, which is the sum of the gradients.
func (d drawing) strokeWidth() float64 {
	var area, perimeter float64
	inked := func(x, y int) bool {
		return x >= 0 && y >= 0 && x < d.Width && y < d.Height && d.solid[y*d.Width+x]
	}
	for y := -1; y < d.Height; y++ {
		for x := -1; x < d.Width; x++ {
			here := inked(x, y)
			if here {
				area++
			}
			switch right, below := inked(x+1, y) != here, inked(x, y+1) != here; {
			case right && below:
				perimeter += math.Sqrt2
			case right || below:
				perimeter++
			}
		}
	}
	return 2 * area / perimeter
}

// distances tells for each pixel how far the nearest solid one is, along rows, columns and diagonals, in two passes
// (Rosenfeld and Pfaltz, "Sequential operations in digital picture processing", 1966).
func (img drawing) distances() []float32 {
	const far = math.MaxFloat32
	w, h := img.Width, img.Height
	d := make([]float32, len(img.Pix))
	for i, solid := range img.solid {
		if !solid {
			d[i] = far
		}
	}
	for _, back := range []int{-1, 1} { // from the pixels to the left and above, then from those to the right and below
		for n := range h {
			for m := range w {
				x, y := m, n
				if back > 0 {
					x, y = w-1-m, h-1-n
				}
				i := y*w + x
				if nx := x + back; nx >= 0 && nx < w {
					d[i] = min(d[i], d[i+back]+1)
				}
				if y+back < 0 || y+back >= h {
					continue
				}
				row := d[(y+back)*w:][:w]
				d[i] = min(d[i], row[x]+1, row[max(x-1, 0)]+math.Sqrt2, row[min(x+1, w-1)]+math.Sqrt2)
			}
		}
	}
	return d
}
