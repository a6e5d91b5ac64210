package ui

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"inkshade/recognizer/ink"
)

// inkView shows a drawing as it was written, fitted into a square of paper.
type inkView struct {
	widget.BaseWidget
	ink    ink.Ink
	key    int64 // names the drawing, so that the same one is not stamped again
	side   float32
	paper  *canvas.Rectangle
	raster *canvas.Raster
	sheet  *sheet
	drawn  int64
}

func newInkView(side float32) *inkView {
	v := &inkView{side: side, paper: canvas.NewRectangle(color.Transparent)}
	v.raster = canvas.NewRaster(v.paint)
	v.raster.ScaleMode = canvas.ImageScaleFastest
	v.ExtendBaseWidget(v)
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
	c := color.NRGBAModel.Convert(themed(colorInk)).(color.NRGBA)
	if v.sheet == nil || v.sheet.img.Rect.Dx() != w || v.sheet.img.Rect.Dy() != h || v.sheet.color != c {
		v.sheet, v.drawn = newSheet(w, h, c), -1
	}
	if v.drawn != v.key {
		v.drawn = v.key
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

// CreateRenderer implements fyne.Widget.
func (v *inkView) CreateRenderer() fyne.WidgetRenderer {
	r := &inkViewRenderer{v}
	r.Refresh()
	return r
}

type inkViewRenderer struct{ view *inkView }

func (r *inkViewRenderer) MinSize() fyne.Size { return fyne.NewSquareSize(r.view.side) }

func (r *inkViewRenderer) Layout(size fyne.Size) {
	r.view.paper.Resize(size)
	r.view.raster.Resize(size)
}

func (r *inkViewRenderer) Refresh() {
	p := r.view.paper
	p.FillColor, p.StrokeColor, p.StrokeWidth, p.CornerRadius = themed(colorPaper), themed(colorBorder), 1, 8
	p.Refresh()
	r.view.raster.Refresh()
}

func (r *inkViewRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.view.paper, r.view.raster}
}
func (r *inkViewRenderer) Destroy() {}
