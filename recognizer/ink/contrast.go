package ink

import (
	"image"
	"image/color"
)

// shades are the ink of each level of grey, 0 paper to 1 full ink.
type shades []float32

// contrast finds the ink of each level of grey that there is, relative to the paper, and
// tells below which value the paper's own unevenness lies. In a picture of paper alone all
// is 0.
func (s *source) contrast() (shade shades, floor float32) {
	h, edge := s.histogram()
	shade = make(shades, levels)
	threshold := h.otsu()
	dark, light := h[:threshold], h[threshold:]
	// Ink is taken at the level that strokes reach in their middle, beyond their soft edges.
	paper, full, uneven := dark.quantile(0.5), light.quantile(0.9)+threshold, dark.quantile(0.9)
	if h.lightPaper(edge, threshold) {
		paper, full, uneven = light.quantile(0.5)+threshold, dark.quantile(0.1), light.quantile(0.1)+threshold
	}
	const faintest = levels / 12
	span := paper - full
	if len(dark) == 0 || len(light) == 0 || max(span, -span) < faintest {
		return shade, 0
	}
	// Pure white or black paper with ink near the other end is taken as it is.
	if paper == levels-1 && full < levels/4 {
		full = 0
	}
	if paper == 0 && full > levels*3/4 {
		full = levels - 1
	}
	for i, n := range h {
		if n > 0 { // in float64, so that a picture and its negative give the same
			shade[i] = float32(min(max(float64(paper-i)/float64(paper-full), 0), 1))
		}
	}
	return shade, min(max(2*float32(paper-uneven)/float32(paper-full), 0.1), 0.4)
}

// lightPaper decides by the pixels on the edge of the picture and all of its pixels. More than six tenths of
// these decide alone: a page lies on a dark table, or a drawing has a frame.
func (h histogram) lightPaper(edge []uint16, threshold int) bool {
	var edgeLight, light, all float64
	for _, l := range edge {
		if int(l) >= threshold {
			edgeLight++
		}
	}
	for l, n := range h {
		if l >= threshold {
			light += float64(n)
		}
		all += float64(n)
	}
	return edgeLight/float64(len(edge))+5*light/all > 3
}

// histogram counts the pixels of each level of grey.
type histogram []int

// histogram counts all pixels, and gives the levels of those on the edge.
func (s *source) histogram() (h histogram, edge []uint16) {
	h = make(histogram, levels)
	row := make([]uint16, s.width)
	for y := range s.height {
		s.row(y, row)
		for _, l := range row {
			h[l]++
		}
		if y == 0 || y == s.height-1 {
			edge = append(edge, row...)
		} else if edge = append(edge, row[0]); s.width > 1 {
			edge = append(edge, row[s.width-1])
		}
	}
	return h, edge
}

// otsu is the level from which on pixels are light, chosen to part them best in two
// (Otsu, "A threshold selection method from gray-level histograms", 1979); in the middle
// of a stretch of levels that part them equally.
func (h histogram) otsu() int {
	var n, total float64
	for i, c := range h {
		n += float64(c)
		total += float64(c) * float64(i)
	}
	var below, belowSum, best float64
	first, last := 0, 0
	for i, c := range h {
		below += float64(c)
		belowSum += float64(c) * float64(i)
		if below == 0 || below == n {
			continue
		}
		d := belowSum/below - (total-belowSum)/(n-below)
		if between := below * (n - below) * d * d; between > best {
			best, first, last = between, i, i
		} else if c == 0 && last == i-1 {
			last = i
		}
	}
	return (first+last)/2 + 1
}

// quantile is the level below which a share q of the pixels lies.
func (h histogram) quantile(q float64) int {
	n := 0
	for _, c := range h {
		n += c
	}
	rank := int(q * float64(n-1))
	for i, c := range h {
		if rank -= c; rank < 0 {
			return i
		}
	}
	return 0
}

// levels is how many levels of grey there are, 0 black to levels-1 white; as an alpha, 0
// transparent to levels-1 opaque.
const levels = 1 << 16

// rowReader reads a row of a picture, counted from 0 at its upper edge: the level of grey of
// each pixel, and how opaque it is. alpha is nil where the picture is opaque, as all grey ones and photographs are.
type rowReader func(y int, grey, alpha []uint16)

// rowsOf reads scans, photographs and pictures that may be transparent fast, and all others.
func rowsOf(p image.Image) rowReader {
	switch p := p.(type) {
	case *image.Gray:
		return greyRows(p)
	case *image.NRGBA:
		return straightRows(p)
	case *image.YCbCr:
		return photographRows(p)
	}
	return anyRows(p)
}

func greyRows(p *image.Gray) rowReader {
	return func(y int, grey, _ []uint16) {
		for x, v := range p.Pix[p.PixOffset(p.Rect.Min.X, p.Rect.Min.Y+y):][:len(grey)] {
			grey[x] = widen(v)
		}
	}
}

// photographRows reads what JPEG files hold.
func photographRows(p *image.YCbCr) rowReader {
	return func(y int, grey, _ []uint16) {
		y += p.Rect.Min.Y
		row := p.Y[p.YOffset(p.Rect.Min.X, y):]
		for x := range grey {
			at := p.COffset(p.Rect.Min.X+x, y)
			r, g, b, _ := color.YCbCr{Y: row[x], Cb: p.Cb[at], Cr: p.Cr[at]}.RGBA()
			grey[x] = luma(r, g, b)
		}
	}
}

func straightRows(p *image.NRGBA) rowReader {
	return func(y int, grey, alpha []uint16) {
		row := p.Pix[p.PixOffset(p.Rect.Min.X, p.Rect.Min.Y+y):]
		for x := range grey {
			c := row[4*x:][:4]
			grey[x] = luma8(c[0], c[1], c[2])
		}
		for x := range alpha {
			alpha[x] = widen(row[4*x+3])
		}
	}
}

func anyRows(p image.Image) rowReader {
	b, at := p.Bounds(), pixelsOf(p)
	return func(y int, grey, alpha []uint16) {
		for x := range grey {
			v, a := straight(at(b.Min.X+x, b.Min.Y+y))
			grey[x] = v
			if alpha != nil {
				alpha[x] = a
			}
		}
	}
}

// pixelsOf reads single pixels.
func pixelsOf(p image.Image) func(x, y int) color.RGBA64 {
	if p, ok := p.(image.RGBA64Image); ok {
		return p.RGBA64At
	}
	return func(x, y int) color.RGBA64 { return color.RGBA64Model.Convert(p.At(x, y)).(color.RGBA64) }
}

// straight undoes that a colour is multiplied by its alpha.
func straight(c color.RGBA64) (grey, alpha uint16) {
	switch r, g, b, a := uint32(c.R), uint32(c.G), uint32(c.B), uint32(c.A); a {
	case 0:
		return 0, 0
	case levels - 1:
		return luma(r, g, b), c.A
	default:
		return luma(r*(levels-1)/a, g*(levels-1)/a, b*(levels-1)/a), c.A
	}
}

// luma is that of Rec. 601, in whole 65535ths: a grey pixel keeps exactly its value.
func luma(r, g, b uint32) uint16 {
	return uint16((19595*r + 38470*g + 7471*b) >> 16)
}

// luma8 is luma of 8 bits each.
func luma8(r, g, b uint8) uint16 {
	return uint16(257 * (19595*uint32(r) + 38470*uint32(g) + 7471*uint32(b)) >> 16)
}

// widen makes 16 bits of 8.
func widen(v uint8) uint16 { return uint16(v) * 257 }
