package ink

import "image"

// source is a picture on opaque ground, in levels of grey.
type source struct {
	width, height int
	read          rowReader
	origin        image.Point // of the part of the picture that it is

	// Where the picture is transparent it is filled with the level ground, wholly where the
	// alpha is below least.
	transparent   bool
	ground, least uint16
	grey, alpha   []uint16 // one row of the picture

	light *light // what shadows leave of it; nil where they are not looked for, or there are none
}

func (s *source) bounds() image.Rectangle { return image.Rect(0, 0, s.width, s.height) }

// row writes the levels of a row.
func (s *source) row(y int, dst []uint16) {
	s.opaqueRow(y, dst)
	if s.light != nil {
		s.light.even(y, dst)
	}
}

// opaqueRow writes the levels of a row on opaque ground, as they are in the picture.
func (s *source) opaqueRow(y int, dst []uint16) {
	if !s.transparent && s.width == len(s.grey) {
		s.read(s.origin.Y+y, dst, nil)
		return
	}
	grey, alpha := s.pictureRow(y)
	copy(dst, grey)
	if !s.transparent {
		return
	}
	for x, a := range alpha {
		switch {
		case a < s.least || a == 0:
			dst[x] = s.ground
		case a < levels-1:
			const whole = levels - 1
			a := uint32(a)
			dst[x] = uint16((a*uint32(grey[x]) + (whole-a)*uint32(s.ground) + whole/2) / whole)
		}
	}
}

// pictureRow reads the part of a row, which is good until the next.
func (s *source) pictureRow(y int) (grey, alpha []uint16) {
	s.read(s.origin.Y+y, s.grey, s.alpha)
	return s.grey[s.origin.X:][:s.width], s.alpha[s.origin.X:][:s.width]
}

// cut leaves a part of the source.
func (s *source) cut(part image.Rectangle) {
	s.origin = s.origin.Add(part.Min)
	s.width, s.height = part.Dx(), part.Dy()
}

// luminance is the picture in grey. A transparent background is filled with white when what
// lies on it is dark, with black when it is light; a transparent margin around a sheet of
// paper is cut off, whose corners may be round.
func luminance(p image.Image) *source {
	width, height := p.Bounds().Dx(), p.Bounds().Dy()
	s := &source{width: width, height: height, read: rowsOf(p), grey: make([]uint16, width), alpha: make([]uint16, width)}
	if o, ok := p.(interface{ Opaque() bool }); ok && o.Opaque() {
		return s
	}
	o := s.outline()
	switch {
	case o.opaque == o.visible.Dx()*o.visible.Dy() && o.opaque > 0:
		s.cut(o.visible)
		return s
	case s.sheet(o):
		return s
	}
	s.transparent = true
	if o.light <= o.ink/2 {
		s.ground = levels - 1
	}
	return s
}

// half is the alpha from which on a pixel counts as part of a sheet.
const half = levels / 2

// outline sums up what is transparent in a picture.
type outline struct {
	visible, solid image.Rectangle // boxes around what is not all transparent, and what is half opaque
	opaque, area   int             // pixels that are all opaque, and half
	light, ink     float64         // sums of light and of alpha, both 0 to 1 a pixel
}

func (s *source) outline() (o outline) {
	for y := range s.height {
		grey, alpha := s.pictureRow(y)
		visible := image.Rectangle{image.Pt(s.width, y), image.Pt(0, y+1)} // empty
		solid := visible
		var light, ink uint64
		for x, a := range alpha {
			if a == 0 {
				continue
			}
			ink += uint64(a)
			light += uint64(a) * uint64(grey[x]) / (levels - 1)
			visible.Min.X, visible.Max.X = min(visible.Min.X, x), x+1
			if a >= half {
				solid.Min.X, solid.Max.X = min(solid.Min.X, x), x+1
				o.area++
			}
			if a == levels-1 {
				o.opaque++
			}
		}
		o.visible, o.solid = o.visible.Union(visible), o.solid.Union(solid)
		o.light += float64(light) / (levels - 1)
		o.ink += float64(ink) / (levels - 1)
	}
	return o
}

// sheet finds the paper in a picture whose paper has an outline of its own, with round
// corners for instance: it is cut off around it, and what is transparent within filled with
// the grey of its border. Ink on a transparent ground is none: it fills less than half of its
// box, or has the same grey all over.
func (s *source) sheet(o outline) bool {
	const (
		different = levels / 6 // of ink from its paper
		inked     = 1000       // one in so many pixels, at least
	)
	if o.area == 0 || 2*o.area < o.solid.Dx()*o.solid.Dy() {
		return false
	}
	paper := s.borderGrey()
	unlike := 0
	for y := o.solid.Min.Y; y < o.solid.Max.Y; y++ {
		grey, alpha := s.pictureRow(y)
		for x, a := range alpha {
			if v := int(grey[x]); a >= half && max(v-paper, paper-v) > different {
				unlike++
			}
		}
	}
	if unlike*inked < o.area {
		return false
	}
	s.cut(o.solid)
	// What is less than half opaque is no part of the sheet, but a shadow.
	s.transparent, s.ground, s.least = true, uint16(paper), half
	return true
}

// borderGrey is the median level of the half opaque pixels that border on others, or on the
// edge of the picture.
func (s *source) borderGrey() int {
	border := make(histogram, levels)
	grey := make([]uint16, s.width)
	above, here, below := make([]uint16, s.width), make([]uint16, s.width), make([]uint16, s.width)
	s.read(0, s.grey, below)
	for y := range s.height {
		above, here, below = here, below, above
		copy(grey, s.grey)
		if y+1 < s.height {
			s.read(y+1, s.grey, below)
		} else {
			clear(below)
		}
		for x, a := range here {
			if a >= half && (x == 0 || x == s.width-1 || y == 0 || here[x-1] < half || here[x+1] < half || above[x] < half || below[x] < half) {
				border[grey[x]]++
			}
		}
	}
	return border.quantile(0.5)
}
