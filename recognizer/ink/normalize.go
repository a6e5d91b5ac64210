package ink

import (
	"image"
	"math"
	"slices"

	"inkshade/glcompute/message"
)

// Normalize does the last steps of MNIST's protocol for a picture of ink of any size: the
// longer side of the inked box is scaled to 20 pixels and the centre of mass put in the
// middle of pixel (14, 14) of 28x28. A 28x28 picture that already is so, as MNIST's images
// are and those of Rasterize, is returned as it is, to the last bit.
//
// ErrEmpty means that no pixel is above 0. A picture whose pixels are not as many as its
// sides say, or not in 0 to 1, is an error.
func Normalize(img Image) (Image, error) {
	if img.Width < 0 || img.Height < 0 || img.Width*img.Height != len(img.Pix) {
		return Image{}, message.Errorf("a picture of %dx%d pixels holds %d values; give it width times height", img.Width, img.Height, len(img.Pix))
	}
	for i, v := range img.Pix {
		if !(v >= 0 && v <= 1) {
			return Image{}, message.Errorf("pixel %d,%d of the picture is %g; use 0 for paper to 1 for ink", i%img.Width, i/img.Width, v)
		}
	}
	inked := img.inkedBox()
	if inked.Empty() {
		return Image{}, ErrEmpty
	}
	out := Image{Width: Side, Height: Side, Pix: make([]float32, Side*Side), Detail: img.Detail}
	if img.normal(inked) {
		copy(out.Pix, img.Pix)
		return out, nil
	}
	cut, edges := img.cut(inked)
	var p placing
	place(out.Pix, cut, inked.Dx(), edges, boxSide/edges.longer(), &p)
	if out.Detail == nil {
		out.Detail = p.detail(cut, inked.Dx(), edges)
	}
	return out, nil
}

// cut gives the pixels of a box, and the box of their ink.
func (img Image) cut(part image.Rectangle) (pix []float32, edges box) {
	pix = make([]float32, 0, part.Dx()*part.Dy())
	for y := part.Min.Y; y < part.Max.Y; y++ {
		pix = append(pix, img.Pix[y*img.Width+part.Min.X:][:part.Dx()]...)
	}
	return pix, softEdges(pix, part.Dx())
}

// softEdges is the inked box to a fraction of a pixel, as anti-aliasing and enlarging blur
// its edges: going inward, every row or column counts as far as its strongest pixel is
// inked, until one is more than half.
func softEdges(pix []float32, width int) box {
	height := len(pix) / width
	rows, columns := make([]float32, height), make([]float32, width)
	for y := range height {
		for x, v := range pix[y*width:][:width] {
			rows[y], columns[x] = max(rows[y], v), max(columns[x], v)
		}
	}
	b := box{softEdge(columns), softEdge(rows), 0, 0}
	slices.Reverse(rows)
	slices.Reverse(columns)
	b.x1, b.y1 = float64(width)-softEdge(columns), float64(height)-softEdge(rows)
	return b
}

// softEdge is how far the ink begins behind the first of some rows or columns; a blur is
// narrow, and what goes on longer is faint ink.
func softEdge(strongest []float32) float64 {
	if len(strongest) < 3 {
		return 0
	}
	edge := float32(0)
	for _, v := range strongest[:1+len(strongest)/20] {
		edge += 1 - v
		if v >= 0.5 {
			break
		}
	}
	return float64(edge)
}

// inkedBox is the smallest box around the pixels above 0.
func (img Image) inkedBox() image.Rectangle {
	x0, y0, x1, y1 := img.Width, img.Height, 0, 0
	for y := range img.Height {
		for x, v := range img.Pix[y*img.Width:][:img.Width] {
			if v > 0 {
				x0, x1 = min(x0, x), max(x1, x+1)
				y0, y1 = min(y0, y), y+1
			}
		}
	}
	return image.Rectangle{image.Pt(x0, y0), image.Pt(x1, y1)}
}

// normal tells whether the picture meets the protocol already. MNIST itself was centred to
// whole pixels; a box placed to a fraction of a pixel touches 21 of them.
func (img Image) normal(inked image.Rectangle) bool {
	if img.Width != Side || img.Height != Side {
		return false
	}
	size := max(inked.Dx(), inked.Dy())
	if (size < boxSide-1 || size > boxSide+1) && float64(size) > dotWidth+1 {
		return false
	}
	_, x, y := centreOfMass(img.Pix, Side)
	return centred(x, inked.Min.X, inked.Max.X) && centred(y, inked.Min.Y, inked.Max.Y)
}

// centred tells whether the centre of mass lies within half a pixel of where it belongs,
// or as near as it can without ink falling off the edge.
func centred(mass float64, low, high int) bool {
	// MNIST's own centres reach from 13.98 to 15.00.
	const tolerance = 0.5 + 0.03
	off := mass - centre
	return math.Abs(off) <= tolerance || off > 0 && low == 0 || off < 0 && high == Side
}
