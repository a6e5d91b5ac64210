package ink

import (
	"image"
	"image/color"
)

// levels is how many levels of grey there are, 0 black to levels-1 white; as an alpha, 0
// transparent to levels-1 opaque.
const levels = 1 << 16

// rowReader reads a row of a picture, counted from 0 at its upper edge: the level of grey of
// each pixel, and how opaque it is. alpha may be nil where the picture is opaque.
type rowReader func(y int, grey, alpha []uint16)

// rowsOf reads scans and pictures that may be transparent fast, and all others.
func rowsOf(p image.Image) rowReader {
	switch p := p.(type) {
	case *image.Gray:
		return greyRows(p)
	case *image.NRGBA:
		return straightRows(p)
	}
	return anyRows(p)
}

func greyRows(p *image.Gray) rowReader {
	return func(y int, grey, alpha []uint16) {
		for x, v := range p.Pix[p.PixOffset(p.Rect.Min.X, p.Rect.Min.Y+y):][:len(grey)] {
			grey[x] = widen(v)
		}
		for x := range alpha {
			alpha[x] = levels - 1
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
	b := p.Bounds()
	at := func(x, y int) color.RGBA64 { return color.RGBA64Model.Convert(p.At(x, y)).(color.RGBA64) }
	if p, ok := p.(image.RGBA64Image); ok {
		at = p.RGBA64At
	}
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
