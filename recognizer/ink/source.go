package ink

import "image"

// source is a picture on opaque ground, in levels of grey.
type source struct {
	width, height int
	read          rowReader

	// Where the picture is transparent it is filled with the level ground, wholly where the
	// alpha is below least.
	transparent   bool
	ground, least uint16
	alpha         []uint16 // one row

	light *light // what shadows leave of it; nil where they are not looked for, or there are none
}

func (s *source) bounds() image.Rectangle { return image.Rect(0, 0, s.width, s.height) }

func (s *source) row(y int, dst []uint16) {
	if s.transparent {
		s.read(y, dst, s.alpha)
		const whole = levels - 1
		for x, a := range s.alpha {
			if a < s.least || a == 0 {
				dst[x] = s.ground
			} else if a < whole {
				dst[x] = uint16((uint32(a)*uint32(dst[x]) + uint32(whole-a)*uint32(s.ground) + whole/2) / whole)
			}
		}
	} else {
		s.read(y, dst, nil)
	}
	if s.light != nil {
		s.light.even(y, dst)
	}
}

// luminance is the picture in grey. A transparent background is filled with white when what
// lies on it is dark, with black when it is light. A sheet of paper, whose corners may be round, fills more than half of its
// box, and ink is on it or, as large as a sheet is, it has no gap: what is transparent around or in it is filled with its grey.
func luminance(p image.Image) *source {
	const (
		half      = levels / 2 // alpha of what is no part of a sheet, but a shadow, is below
		different = levels / 6 // of ink from its paper
		inked     = 1000       // one pixel of a sheet in so many, at least
		stroke    = 4          // so many times in the picture: what is smaller, and all alike, is a straight stroke
	)
	size := p.Bounds().Size()
	s := &source{width: size.X, height: size.Y, read: rowsOf(p), alpha: make([]uint16, size.X)}
	if o, ok := p.(interface{ Opaque() bool }); ok && o.Opaque() {
		return s
	}
	s.transparent = true
	grey, seen := make([]uint16, size.X), make(histogram, levels)   // of what is not all transparent
	unlike, area, box := 0, 0, image.Rectangle{size, image.Point{}} // of what is at least half opaque
	for y := range s.height {
		s.read(y, grey, s.alpha)
		for x, a := range s.alpha {
			if a == 0 {
				continue
			}
			unlike++
			if seen[grey[x]]++; a >= half {
				area++
				box.Min.X, box.Max.X = min(box.Min.X, x), max(box.Max.X, x+1)
				box.Min.Y, box.Max.Y = min(box.Min.Y, y), y+1
			}
		}
	}
	paper := seen.quantile(0.5)
	for _, n := range seen[max(0, paper-different):min(levels, paper+different+1)] {
		unlike -= n
	}
	filled := box.Dx() * box.Dy()
	switch {
	case area > 0 && 2*area >= filled && (area == filled && (unlike > 0 || stroke*area > size.X*size.Y) || unlike*inked >= area):
		s.ground, s.least = uint16(paper), half
	case paper < half:
		s.ground = levels - 1
	}
	return s
}
