package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// thinBar shows a share of a whole.
type thinBar struct {
	widget.BaseWidget
	share         float64
	track, filled *canvas.Rectangle
}

func newThinBar() *thinBar {
	b := &thinBar{track: canvas.NewRectangle(themed(colorTrack)), filled: canvas.NewRectangle(themed(theme.ColorNamePrimary))}
	b.track.CornerRadius, b.filled.CornerRadius = 4, 4
	b.ExtendBaseWidget(b)
	return b
}

func (b *thinBar) set(share float64) {
	b.share = share
	b.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (b *thinBar) CreateRenderer() fyne.WidgetRenderer { return &thinBarRenderer{b} }

type thinBarRenderer struct{ bar *thinBar }

func (r *thinBarRenderer) MinSize() fyne.Size { return fyne.NewSize(80, 8) }

func (r *thinBarRenderer) Layout(size fyne.Size) {
	r.bar.track.Resize(size)
	width := floor(size.Width * float32(r.bar.share))
	r.bar.filled.Hidden = width < 8
	r.bar.filled.Resize(fyne.NewSize(width, size.Height))
}

func (r *thinBarRenderer) Refresh() {
	r.bar.track.FillColor, r.bar.filled.FillColor = themed(colorTrack), themed(theme.ColorNamePrimary)
	r.Layout(r.bar.Size())
	r.bar.track.Refresh()
	r.bar.filled.Refresh()
}

func (r *thinBarRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.bar.track, r.bar.filled}
}
func (r *thinBarRenderer) Destroy() {}
