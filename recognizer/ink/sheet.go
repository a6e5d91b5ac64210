package ink

import "slices"

// sheet is the paper in a picture whose paper has an outline of its own, with round corners
// for instance: cut off around it, and what is transparent within filled with the grey of its
// border. Ink on a transparent ground is none: it fills less than half of its box, or has the
// same grey all over.
func sheet(img Image, alpha []float32) (Image, bool) {
	const (
		opaque    = 0.5
		different = 1.0 / 6 // in grey, of ink from its paper
		inked     = 1000    // one in so many pixels, at least
	)
	solid := Image{Width: img.Width, Height: img.Height, Pix: make([]float32, len(alpha))}
	area := 0
	for i, a := range alpha {
		if a >= opaque {
			solid.Pix[i] = 1
			area++
		}
	}
	x0, y0, x1, y1, ok := solid.inkedBox()
	if !ok || 2*area < (x1-x0)*(y1-y0) {
		return Image{}, false
	}
	paper := solid.borderGrey(img)
	unlike := 0
	cut := Image{Width: x1 - x0, Height: y1 - y0}
	for y := y0; y < y1; y++ {
		for i := y*img.Width + x0; i < y*img.Width+x1; i++ {
			a, v := alpha[i], img.Pix[i]
			if a < opaque { // no part of the sheet, but a shadow
				a = 0
			} else if max(v-paper, paper-v) >= different {
				unlike++
			}
			cut.Pix = append(cut.Pix, a*v+(1-a)*paper)
		}
	}
	return cut, unlike*inked >= area
}

// borderGrey is the median grey that img has where the pixels that are 1 border on others, or
// on the edge of the picture.
func (solid Image) borderGrey(img Image) float32 {
	var border []float32
	w, h := solid.Width, solid.Height
	for i, v := range solid.Pix {
		x, y := i%w, i/w
		if v == 1 && (x == 0 || y == 0 || x == w-1 || y == h-1 ||
			solid.Pix[i-1] == 0 || solid.Pix[i+1] == 0 || solid.Pix[i-w] == 0 || solid.Pix[i+w] == 0) {
			border = append(border, img.Pix[i])
		}
	}
	slices.Sort(border)
	return border[len(border)/2]
}
