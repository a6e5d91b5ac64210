package ink

// DetailSide is the width and height of the pictures that DrawDetail and Image.DetailInto make, for
// characters whose strokes lie too close together for 28x28. The longer side of the ink is detailBox
// of these pixels, and the middle of its box lies in the middle.
const (
	DetailSide = 64
	detailBox  = 48
)

// DrawDetail draws the ink into the DetailSide*DetailSide pixels of dst with a round pen that is so
// many of these wide. ErrEmpty says that there is no finite point.
func DrawDetail(dst []float32, k Ink, pen float64) error {
	f, ok := fitInk(k, detailBox, pen, 2*pen)
	if !ok {
		return ErrEmpty
	}
	width, height := f.inked()
	f.left, f.top = (DetailSide-width)/2, (DetailSide-height)/2
	b := brushes.Get().(*brush)
	b.render(dst, DetailSide, DetailSide, k, f)
	brushes.Put(b)
	return nil
}

// DetailInto writes the image's Detail to dst, from 0, paper, to 1, ink; an image without it is enlarged.
func (img Image) DetailInto(dst []float32) {
	if img.Detail != nil {
		for i, v := range img.Detail {
			dst[i] = float32(v) / 255
		}
		return
	}
	inked := img.inkedBox()
	if inked.Empty() {
		clear(dst[:DetailSide*DetailSide])
		return
	}
	new(placing).enlarge(dst, img.Pix, img.Width, box{float64(inked.Min.X), float64(inked.Min.Y), float64(inked.Max.X), float64(inked.Max.Y)})
}

// detail is Image.Detail of a picture, nil where that is no finer than 28x28 pixels.
func (p *placing) detail(pix []float32, width int, inked box) []uint8 {
	if inked.longer() <= boxSide+1 {
		return nil
	}
	fine, detail := make([]float32, DetailSide*DetailSide), make([]uint8, DetailSide*DetailSide)
	p.enlarge(fine, pix, width, inked)
	for i, v := range fine {
		detail[i] = uint8(v*255 + 0.5)
	}
	return detail
}

// enlarge brings the inked box of a picture into the middle of dst.
func (p *placing) enlarge(dst, src []float32, width int, inked box) {
	scale := detailBox / inked.longer()
	p.resample(dst, DetailSide, src, width, scale, DetailSide/2-(inked.x0+inked.x1)/2*scale, DetailSide/2-(inked.y0+inked.y1)/2*scale)
}
