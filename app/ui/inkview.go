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
