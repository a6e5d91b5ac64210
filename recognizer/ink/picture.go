package ink

import (
	"fmt"
	"image"
	"image/color"
)

// MaxPixels bounds the pictures that are read: a photograph of 64 megapixels.
const MaxPixels = 64 << 20

// FromPicture finds the ink in a picture, at the picture's scale: dark on light or light on
// dark, as the edge of the picture and the majority of its pixels tell, with or without
// transparency. Paper becomes 0 and full ink 1; what differs from paper by less than the
// noise, and specks, are removed; hairlines are thickened. Normalize does the rest.
//
// A clean 28x28 picture that meets MNIST's protocol keeps its values to the last bit.
// ErrEmpty means a blank picture; one of more than MaxPixels pixels is an error.
func FromPicture(p image.Image) (Image, error) {
	b := p.Bounds()
	if b.Dx() <= 0 || b.Dy() <= 0 {
		return Image{}, ErrEmpty
	}
	if b.Dx() > MaxPixels/b.Dy() {
		return Image{}, fmt.Errorf("the picture has %dx%d pixels, more than %d; make it smaller", b.Dx(), b.Dy(), MaxPixels)
	}
	img := luminance(p)
	floor := img.contrast()
	if x0, y0, x1, y1, ok := img.inkedBox(); ok && img.normal(x0, y0, x1, y1) {
		return img, nil
	}
	img.denoise(floor)
	if _, _, _, _, ok := img.inkedBox(); !ok {
		return Image{}, ErrEmpty
	}
	return img.thicken(), nil
}

// luminance is the picture in grey, 0 black to 1 white. A transparent background is
// filled with white when what lies on it is dark, with black when it is light; a
// transparent margin around a sheet of paper is cut off, whose corners may be round.
func luminance(p image.Image) Image {
	b := p.Bounds()
	img := Image{Width: b.Dx(), Height: b.Dy(), Pix: make([]float32, b.Dx()*b.Dy())}
	if g, ok := p.(*image.Gray); ok {
		for y := range img.Height {
			for x, v := range g.Pix[g.PixOffset(b.Min.X, b.Min.Y+y):][:img.Width] {
				img.Pix[y*img.Width+x] = float32(v) / 255
			}
		}
		return img
	}
	alpha := make([]float32, len(img.Pix))
	var light, opaque float64
	for i := range img.Pix {
		c := color.NRGBA64Model.Convert(p.At(b.Min.X+i%img.Width, b.Min.Y+i/img.Width)).(color.NRGBA64)
		// Rec. 601, in whole 65535ths: a grey pixel keeps exactly its value.
		y := (19595*uint64(c.R) + 38470*uint64(c.G) + 7471*uint64(c.B)) >> 16
		img.Pix[i], alpha[i] = grey(y), grey(uint64(c.A))
		light += float64(img.Pix[i] * alpha[i])
		opaque += float64(alpha[i])
	}
	if opaque == float64(len(alpha)) {
		return img
	}
	if cut, ok := opaquePart(img, alpha); ok {
		return cut
	}
	if cut, ok := sheet(img, alpha); ok {
		return cut
	}
	var background float32
	if light <= opaque/2 {
		background = 1
	}
	for i, a := range alpha {
		img.Pix[i] = a*img.Pix[i] + (1-a)*background
	}
	return img
}

// grey scales 16 bits to 0..1 so that 8 bits widened to 16 come out as v/255.
func grey(v uint64) float32 {
	if v%257 == 0 {
		return float32(v/257) / 255
	}
	return float32(v) / 65535
}

// opaquePart is the picture without its margin, when all of what lies within is opaque.
func opaquePart(img Image, alpha []float32) (Image, bool) {
	mask := Image{Width: img.Width, Height: img.Height, Pix: alpha}
	x0, y0, x1, y1, ok := mask.inkedBox()
	if !ok {
		return Image{}, false
	}
	cut := Image{Width: x1 - x0, Height: y1 - y0}
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			if alpha[y*img.Width+x] < 1 {
				return Image{}, false
			}
		}
		cut.Pix = append(cut.Pix, img.Pix[y*img.Width+x0:y*img.Width+x1]...)
	}
	return cut, true
}
