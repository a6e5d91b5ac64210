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
	key    int64 // names the drawing, so that the same one is not stamped again
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
func (v *inkView) show(k ink.Ink, key int64) {
	if v.key == key && (k == nil) == (v.ink == nil) {
		return
	}
	v.ink, v.key = k, key
	v.raster.Refresh()
}

// inkMargin is the room around a drawing, and inkPen the pen's radius, as shares of the side.
const (
	inkMargin = 0.14
	inkPen    = 0.022
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
	for _, s := range fitted(v.ink, side*(1-2*inkMargin)) {
		p := newPen(v.sheet, max(side*inkPen, 0.9))
		for _, q := range s {
			p.add(vec{q.X + w/2, q.Y + h/2})
		}
	}
}

// opaque is a colour of the theme as pixels have it.
func opaque(name fyne.ThemeColorName) color.NRGBA {
	return color.NRGBAModel.Convert(themed(name)).(color.NRGBA)
}
