package dataset

import (
	"bytes"
	"image"
	"image/color"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"math"
	"sync"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"

	"inkshade/glcompute/message"
	"inkshade/recognizer/ink"
)

// Bounds on a picture, in bytes.
const (
	maxPicture = 64 << 20  // of its file
	maxDecoded = 256 << 20 // of its pixels in memory
	large      = 16 << 20  // of pixels from which on one picture is decoded at a time
)

var decodingLarge sync.Mutex

// Picture is a decoded PNG, JPEG, GIF or WebP file. A photograph is turned upright as its Exif data
// say; of an animation it is the first picture.
type Picture struct {
	pixels      image.Image
	orientation int // of the camera, 1 to 8 as in Exif
}

// Part is a rectangle of a picture, in shares of its width and height from the upper left corner.
type Part struct{ Left, Top, Right, Bottom float64 }

// Whole is all of a picture.
var Whole = Part{Right: 1, Bottom: 1}

// Turned is the same part of the picture turned clockwise by a quarter.
func (p Part) Turned() Part { return Part{1 - p.Bottom, p.Left, 1 - p.Top, p.Right} }

// OpenPicture decodes a picture of at most ink.MaxPixels pixels.
func OpenPicture(r io.Reader) (opened *Picture, err error) {
	err = usePicture(r, func(p *Picture) error {
		opened = p
		return nil
	})
	return opened, err
}

// usePicture decodes a picture for as long as use takes; large ones take turns.
func usePicture(r io.Reader, use func(*Picture) error) error {
	file, err := io.ReadAll(io.LimitReader(r, maxPicture+1))
	if err != nil {
		return err
	}
	if len(file) > maxPicture {
		return message.Errorf("the file has more than %d bytes; make the picture smaller", maxPicture)
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return message.Errorf("this is no PNG, JPEG, GIF or WebP picture that can be read (%w)", err)
	}
	if config.Width > 0 && config.Height > ink.MaxPixels/config.Width {
		return message.Errorf("the picture has %dx%d pixels, more than %d; make it smaller", config.Width, config.Height, ink.MaxPixels)
	}
	size := config.Width * config.Height * bytesPerPixel(config.ColorModel)
	if size > maxDecoded {
		return message.Errorf("the picture takes %d MB in memory, more than %d; save it with 8 bits a colour, or make it smaller", size>>20, maxDecoded>>20)
	}
	if size > large {
		decodingLarge.Lock()
		defer decodingLarge.Unlock()
	}
	pixels, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return message.Errorf("the picture is damaged (%w); get it again", err)
	}
	return use(&Picture{pixels, orientation(file)})
}

// bytesPerPixel is what image.Decode takes for a picture of that colour model.
func bytesPerPixel(m color.Model) int {
	switch m {
	case color.RGBA64Model, color.NRGBA64Model, color.NYCbCrAModel: // a WebP's alpha is decoded like a picture
		return 8
	case color.RGBAModel, color.NRGBAModel, color.CMYKModel, color.YCbCrModel:
		return 4
	case color.Gray16Model:
		return 2
	}
	return 1
}

// Turned is the picture turned clockwise by a quarter; it shares the pixels.
func (p *Picture) Turned() *Picture {
	return &Picture{p.pixels, [...]int{1: 6, 2: 7, 3: 8, 4: 5, 5: 2, 6: 3, 7: 4, 8: 1}[p.orientation]}
}

// Ink finds the ink in a part of the picture, at the scale of ink.FromPicture or, for a line of
// characters, of ink.LineFromPicture. ink.ErrEmpty means that nothing is written there.
func (p *Picture) Ink(part Part, line bool) (ink.Image, error) {
	pixels, b := p.pixels, p.pixels.Bounds()
	if part != Whole {
		x0, y0 := seen(p.orientation, part.Left, part.Top, 1, 1)
		x1, y1 := seen(p.orientation, part.Right, part.Bottom, 1, 1)
		at := func(x, y float64) image.Point {
			return b.Min.Add(image.Pt(int(math.Round(x*float64(b.Dx()))), int(math.Round(y*float64(b.Dy())))))
		}
		pixels = pixels.(interface {
			SubImage(image.Rectangle) image.Image
		}).SubImage(image.Rectangle{at(x0, y0), at(x1, y1)}.Canon())
	}
	find := ink.FromPicture
	if line {
		find = ink.LineFromPicture
	}
	img, err := find(pixels)
	if img.Detail != nil {
		img.Detail, _, _ = upright(p.orientation, img.Detail, 1, ink.DetailSide, ink.DetailSide)
	}
	img.Pix, img.Width, img.Height = upright(p.orientation, img.Pix, 1, img.Width, img.Height)
	return img, err
}

// Preview is the picture upright, reduced until neither side is longer than side.
func (p *Picture) Preview(side int) image.Image {
	b := p.pixels.Bounds()
	scale := min(1, float64(side)/float64(max(b.Dx(), b.Dy())))
	small := image.NewRGBA(image.Rect(0, 0, max(1, int(scale*float64(b.Dx()))), max(1, int(scale*float64(b.Dy())))))
	draw.ApproxBiLinear.Scale(small, small.Bounds(), p.pixels, b, draw.Src, nil)
	pix, width, height := upright(p.orientation, small.Pix, 4, small.Rect.Dx(), small.Rect.Dy())
	return &image.RGBA{Pix: pix, Stride: 4 * width, Rect: image.Rect(0, 0, width, height)}
}

// DecodePicture finds the ink in a file of a picture, of a line of characters or of one; see Picture.Ink.
func DecodePicture(r io.Reader, line bool) (img ink.Image, err error) {
	err = usePicture(r, func(p *Picture) error {
		img, err = p.Ink(Whole, line)
		return err
	})
	return img, err
}
