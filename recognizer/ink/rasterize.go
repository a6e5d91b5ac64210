package ink

import (
	"image"
	"image/draw"
	"math"
	"slices"
	"sync"

	"golang.org/x/image/vector"
)

const (
	// Side is the width and height of the picture a model reads, in pixels.
	Side = 28
	// boxSide is what the longer side of the inked box is scaled to.
	boxSide = 20
	// centre is where the centre of mass goes, in pixels from the left and upper edge. The
	// images of MNIST have theirs at 14.5 on average, the middle of pixel 14.
	centre = 14.5
	// penWidth is the width of the pen, in pixels of the 28x28 image. It gives rendered
	// digits the amount of ink that MNIST has for the same label; see TestPenMatchesMNIST.
	penWidth = 2.45
	// dotWidth is the diameter of a drawing that is a single point, which has no size of
	// its own to scale: about twice the pen, not the whole box.
	dotWidth = 5.0

	// oversampling is how many samples a pixel has along each axis.
	oversampling = 4
	fineSide     = boxSide * oversampling
)

// Image is a picture of ink: row-major, Pix[y*Width+x], from 0, paper, to 1, ink.
type Image struct {
	Width, Height int
	Pix           []float32
	// Detail is what the picture was normalised from where that is finer, nil elsewhere:
	// DetailSide*DetailSide pixels placed as DetailInto says, 0 paper to 255 ink.
	Detail []uint8
}

// Rasterize draws the ink as MNIST's images are made: the longer side of what is inked,
// the pen's width included, fits 20 pixels, aspect kept, and the centre of mass lies in
// the middle of pixel (14, 14) of 28x28 (LeCun et al., "Gradient-based learning applied to
// document recognition", 1998). Position and scale are exact to a fraction of a pixel, so
// the same drawing anywhere and in any size gives the same image, to two grey levels of 255.
//
// Points that are not finite are left out; ErrEmpty says that nothing remained.
func Rasterize(k Ink) (Image, error) {
	img := Image{Width: Side, Height: Side, Pix: make([]float32, Side*Side)}
	if err := RasterizeInto(img.Pix, k); err != nil {
		return Image{}, err
	}
	return img, nil
}

// RasterizeInto is Rasterize into the Side*Side pixels of dst; it allocates nothing that it does not use again.
func RasterizeInto(dst []float32, k Ink) error {
	_ = dst[Side*Side-1]
	f, ok := fitInk(k, fineSide, penWidth*oversampling, dotWidth*oversampling)
	if !ok {
		return ErrEmpty
	}
	b := brushes.Get().(*brush)
	b.draw(dst, k, f)
	brushes.Put(b)
	return nil
}

func (b *brush) draw(dst []float32, k Ink, f fit) {
	width, height := f.inked()
	// What lies beyond the ink is neither drawn nor resampled.
	columns, rows := min(fineSide, int(width)+2), min(fineSide, int(height)+2)
	fine := b.fine[:columns*rows]
	b.render(fine, columns, rows, k, f)
	place(dst, fine, columns, box{0, 0, width, height}, 1.0/oversampling, &b.placing)
}

// Paint draws the ink with a round pen so many pixels wide; the longer side of what is inked has side pixels. ErrEmpty says that
// there is no finite point.
func Paint(k Ink, side, pen float64) (Image, error) {
	f, ok := fitInk(k, side, pen, pen)
	if !ok {
		return Image{}, ErrEmpty
	}
	width, height := f.inked()
	img := Image{Width: int(math.Ceil(width)), Height: int(math.Ceil(height))}
	img.Pix = make([]float32, img.Width*img.Height)
	new(brush).render(img.Pix, img.Width, img.Height, k, f)
	return img, nil
}

// render draws the strokes onto width*height pixels.
func (b *brush) render(dst []float32, width, height int, k Ink, f fit) {
	b.raster.Reset(width, height)
	for _, s := range k {
		b.stroke(s, f)
	}
	b.raster.DrawOp = draw.Src // the mask replaces what the last drawing left
	b.covered = slices.Grow(b.covered[:0], width*height)[:width*height]
	b.mask = image.Alpha{Pix: b.covered, Stride: width, Rect: image.Rect(0, 0, width, height)}
	b.raster.Draw(&b.mask, b.mask.Rect, image.Opaque, image.Point{})
	for i, v := range b.mask.Pix {
		dst[i] = float32(v) / 255
	}
}

// brush is the scratch of one drawing.
type brush struct {
	raster  vector.Rasterizer
	mask    image.Alpha
	covered []uint8
	fine    [fineSide * fineSide]float32
	path    []vec
	placing placing
}

var brushes = sync.Pool{New: func() any { return new(brush) }}

// fit maps coordinates of the ink to samples of a grid.
type fit struct {
	midX, midY   float64 // middle of the bounding box, halved
	scale        float64 // samples per unit, doubled
	halfW, halfH float64 // half the mapped box, without the pen
	radius       float64 // of the pen
	left, top    float64 // paper before the inked box
}

// fitInk chooses the scale by which what is inked has a longer side of size samples, with a pen so
// wide, or a dot if the ink is a single point. All is computed with halved coordinates, which keeps the
// difference of the two largest numbers finite.
func fitInk(k Ink, size, pen, dot float64) (fit, bool) {
	minX, minY, maxX, maxY, ok := k.Bounds()
	if !ok {
		return fit{}, false
	}
	f := fit{midX: minX/4 + maxX/4, midY: minY/4 + maxY/4, radius: pen / 2}
	halfW, halfH := maxX/4-minX/4, maxY/4-minY/4
	longer := max(halfW, halfH)
	// Below this share of the coordinates, the longer side is their rounding.
	const rounding = 1e-13
	if longer <= rounding*max(math.Abs(f.midX), math.Abs(f.midY)) || longer < math.SmallestNonzeroFloat64*1e20 {
		f.radius = dot / 2
		return f, true
	}
	f.scale = (size - pen) / 2 / longer
	f.halfW, f.halfH = halfW*f.scale, halfH*f.scale
	return f, true
}

func (f fit) inked() (width, height float64) {
	return 2 * (f.halfW + f.radius), 2 * (f.halfH + f.radius)
}

func (f fit) apply(p Point) vec {
	return vec{
		x: (p.X/2-f.midX)*f.scale + f.halfW + f.radius + f.left,
		y: (p.Y/2-f.midY)*f.scale + f.halfH + f.radius + f.top,
	}
}

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
