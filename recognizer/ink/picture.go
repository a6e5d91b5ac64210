package ink

import (
	"image"

	"inkshade/glcompute/message"
)

// FromPicture finds the ink in a picture: dark on light or light on dark, as the edge of the
// picture and the majority of its pixels tell, with or without transparency; of a sheet that
// lies whole on a table, that of the sheet, made a rectangle. Paper becomes 0
// and full ink 1; what differs from paper by less than the noise, and specks, are removed;
// hairlines are thickened. Shadows on the paper of a photograph are taken off. Normalize does the rest.
//
// The ink has the picture's scale or, where the longer side of its box has 2048 pixels or
// more, that of the picture reduced by a whole number, to 1024 to 2047 pixels; then paper
// around the box may be left out. A picture is read a row at a time, and no copy of it is
// made at its full size.
//
// A clean 28x28 picture that meets MNIST's protocol keeps its values to the last bit.
// ErrEmpty means a blank picture; one of more than MaxPixels pixels is an error.
func FromPicture(p image.Image) (Image, error) {
	d, err := fromPicture(p, false)
	if err != nil || d.solid == nil {
		return d.Image, err
	}
	return d.thicken(), nil
}

// LineFromPicture is FromPicture for a picture of many characters, whose hairlines stay as they
// are: how much they must be thickened depends on the size of a character; see Image.Thicken.
func LineFromPicture(p image.Image) (Image, error) {
	d, err := fromPicture(p, true)
	return d.Image, err
}

// fromPicture finds the ink; solid is nil where the picture is a normalised one.
func fromPicture(p image.Image, line bool) (drawing, error) {
	b := p.Bounds()
	if b.Dx() <= 0 || b.Dy() <= 0 {
		return drawing{}, ErrEmpty
	}
	if b.Dx() > MaxPixels/b.Dy() {
		return drawing{}, message.Errorf("the picture has %dx%d pixels, more than %d; make it smaller", b.Dx(), b.Dy(), MaxPixels)
	}
	s := luminance(p)
	if sheet := s.sheet(p); sheet != nil {
		if d, err := sheet.drawing(line); err == nil {
			return d, nil
		}
	}
	return s.drawing(line)
}

// drawing finds the ink of one source.
func (s *source) drawing(line bool) (drawing, error) {
	s.flatten(line)
	shade, floor := s.contrast()
	area := s.bounds()
	if area == image.Rect(0, 0, Side, Side) {
		img := s.reduce(area, 1, shade).Image
		if inked := img.inkedBox(); !inked.Empty() && img.normal(inked) {
			return drawing{Image: img}, nil
		}
	}
	for i, v := range shade {
		if v < floor { // the unevenness of paper
			shade[i] = 0
		}
	}
	for {
		factor := reduction(area)
		d := s.reduce(area, factor, shade)
		d.removeStray(area == s.bounds())
		inked := d.inkedBox()
		if inked.Empty() {
			return drawing{}, ErrEmpty
		}
		closer := image.Rectangle{inked.Min.Mul(factor).Add(area.Min), inked.Max.Mul(factor).Add(area.Min)}.Intersect(area)
		if reduction(closer) == factor {
			return d, nil
		}
		// Small on a large sheet: look again, at the ink alone.
		area = closer
	}
}

// reduction is the whole number by which an area is reduced: as far as its longer side keeps
// enough pixels that a reduced edge makes no difference in 28x28.
func reduction(area image.Rectangle) int {
	const enough = 1024
	return max(1, max(area.Dx(), area.Dy())/enough)
}

// drawing is the ink of a picture, maybe reduced.
type drawing struct {
	Image
	// solid tells of each pixel whether it is inked for the most part or, of one that stands
	// for several, whether one of these is: so hairlines stay whole.
	solid []bool
}

// reduce gives the ink of an area, by the shade of each level of grey: a pixel is the mean
// of factor x factor of the source's, where what lies beyond the area is paper.
func (s *source) reduce(area image.Rectangle, factor int, shade shades) drawing {
	width, height := (area.Dx()+factor-1)/factor, (area.Dy()+factor-1)/factor
	d := drawing{Image{Width: width, Height: height, Pix: make([]float32, width*height)}, make([]bool, width*height)}
	levels := make([]uint16, s.width)
	share := 1 / float32(factor*factor)
	for y := range area.Dy() {
		s.row(area.Min.Y+y, levels)
		pix := d.Pix[y/factor*width:][:width]
		solid := d.solid[y/factor*width:][:width]
		left := levels[area.Min.X:area.Max.X]
		for x := range pix {
			n := min(factor, len(left))
			var sum, most float32
			for _, l := range left[:n] {
				v := shade[l]
				sum += v
				if v > most {
					most = v
				}
			}
			left = left[n:]
			solid[x] = solid[x] || most >= 0.5
			if factor == 1 {
				pix[x] = sum
			} else {
				pix[x] = min(pix[x]+sum*share, 1)
			}
		}
	}
	return d
}
