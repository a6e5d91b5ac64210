package ui

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"inkshade/recognizer/ink"
)

// thumbnail shows an image of ink with crisp pixels, each one a square of whole device
// pixels.
type thumbnail struct {
	composed
	image   *ink.Image
	drawing uint64
	raster  *canvas.Raster
	packed  *image.RGBA
	// OnPaint is called when the pixels of a drawing go to the screen.
	OnPaint func(drawing uint64)
}

func newThumbnail() *thumbnail {
	t := &thumbnail{}
	t.raster = canvas.NewRaster(t.paint)
	t.raster.ScaleMode = canvas.ImageScalePixels
	t.raster.SetMinSize(fyne.NewSquareSize(56))
	t.compose(t, container.NewStack(t.raster))
	return t
}

func (t *thumbnail) show(img *ink.Image, drawing uint64) {
	t.image, t.drawing = img, drawing
	t.raster.Refresh()
}

// paint fills w x h device pixels: paper to ink by value, background where the picture's
// whole-pixel squares leave a rim.
func (t *thumbnail) paint(w, h int) image.Image {
	if t.packed == nil || t.packed.Rect.Dx() != w || t.packed.Rect.Dy() != h {
		t.packed = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	paper, dark := opaque(colorTrack), opaque(colorInk)
	width, height := ink.Side, ink.Side
	if t.image != nil {
		width, height = t.image.Width, t.image.Height
	}
	cell := max(min(w/width, h/height), 1)
	left, top := (w-cell*width)/2, (h-cell*height)/2
	for y := range h {
		for x := range w {
			value := float32(0)
			if i, j := (x-left)/cell, (y-top)/cell; t.image != nil && x >= left && y >= top && i < width && j < height {
				value = t.image.Pix[j*width+i]
			}
			t.packed.SetRGBA(x, y, mix(paper, dark, value))
		}
	}
	if t.OnPaint != nil && t.image != nil {
		t.OnPaint(t.drawing)
	}
	return t.packed
}

func mix(a, b color.NRGBA, share float32) color.RGBA {
	share = min(max(share, 0), 1)
	one := func(x, y uint8) uint8 { return uint8(float32(x) + (float32(y)-float32(x))*share + 0.5) }
	return color.RGBA{one(a.R, b.R), one(a.G, b.G), one(a.B, b.B), 255}
}
