package ui

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"inkshade/recognizer/ink"
)

// inkView shows a drawing as it was written, fitted into a square of paper.
type inkView struct {
	composed
	ink    ink.Ink
	key    int64   // names the drawing, so that the same one is not stamped again
	whole  float64 // a drawing so long fills the paper, where it stands beside others; 0 for each by itself
	raster *canvas.Raster
	sheet  *sheet
	drawn  int64
}

func newInkView(side float32) *inkView {
	v := &inkView{}
	v.raster = canvas.NewRaster(v.paint)
	v.raster.ScaleMode = canvas.ImageScaleFastest
	v.raster.SetMinSize(fyne.NewSquareSize(side))
	v.compose(v, container.NewStack(newFill(colorPaper, 8).edged(colorBorder, 1), v.raster))
	return v
}

// show takes a drawing and its name, which is not 0; nil shows blank paper.
func (v *inkView) show(k ink.Ink, key int64) { v.showBeside(k, key, 0) }

// showBeside shows a drawing on the scale on which one so long fills the paper.
func (v *inkView) showBeside(k ink.Ink, key int64, whole float64) {
	if v.key == key && (k == nil) == (v.ink == nil) && v.whole == whole {
		return
	}
	v.ink, v.key, v.whole, v.drawn = k, key, whole, 0
	v.raster.Refresh()
}

// inkMargin is the room around a drawing, and inkPen the pen's radius, as shares of the side. Beside others
// a drawing is shown so many times smaller at most, so that it can be read.
const (
	inkMargin  = 0.14
	inkPen     = 0.022
	inkSmaller = 3
)

func (v *inkView) paint(w, h int) image.Image {
	if fits := v.sheet.fits(w, h, colorInk); !fits || v.drawn != v.key {
		if v.drawn = v.key; !fits {
			v.sheet = newSheet(w, h, opaque(colorInk))
		}
		v.sheet.clear()
		v.stamp(float64(w), float64(h))
	}
	return v.sheet.img
}

func (v *inkView) stamp(w, h float64) {
	side := min(w, h)
	room := side * (1 - 2*inkMargin)
	if l := longerSide(v.ink); l > 0 {
		room *= l / max(l, min(v.whole, inkSmaller*l))
	}
	for _, s := range fitted(v.ink, room) {
		p := newPen(v.sheet, max(side*inkPen, 0.9))
		for _, q := range s {
			p.add(vec{q.X + w/2, q.Y + h/2})
		}
	}
}

func longerSide(k ink.Ink) float64 {
	minX, minY, maxX, maxY, _ := k.Bounds()
	return max(maxX-minX, maxY-minY)
}

// opaque is a colour of the theme as pixels have it.
func opaque(name fyne.ThemeColorName) color.NRGBA {
	return color.NRGBAModel.Convert(themed(name)).(color.NRGBA)
}

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
