package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// guideShare is the guide box's side as a share of the pad's shorter side, and
// cornerShare the length of its corner marks as a share of the box.
const (
	guideShare  = 0.72
	cornerShare = 0.09
	paperRadius = 14
)

// CreateRenderer implements fyne.Widget.
func (p *pad) CreateRenderer() fyne.WidgetRenderer {
	r := &padRenderer{
		pad:   p,
		paper: canvas.NewRectangle(themed(colorPaper)),
		hint:  newLabel(p.hint, 18, colorMuted).aligned(fyne.TextAlignCenter),
		more:  newLabel(tr("Hold Space to draw without a button"), 12, colorMuted).aligned(fyne.TextAlignCenter),
		tip:   newLabel("", 12, colorMuted).aligned(fyne.TextAlignCenter),
	}
	r.paper.CornerRadius, r.paper.StrokeWidth = paperRadius, 1
	r.objs = []fyne.CanvasObject{r.paper}
	for i := range r.corners {
		r.corners[i] = canvas.NewRectangle(themed(colorGuide))
		r.objs = append(r.objs, r.corners[i])
	}
	r.objs = append(r.objs, r.hint, r.more, r.tip, p.raster)
	r.Refresh()
	return r
}

type padRenderer struct {
	pad        *pad
	paper      *canvas.Rectangle
	corners    [8]*canvas.Rectangle // two arms for each corner of the guide box
	hint, more *label
	tip        *label
	objs       []fyne.CanvasObject
}

var _ fyne.Widget = (*pad)(nil)

func (r *padRenderer) MinSize() fyne.Size { return fyne.NewSquareSize(260) }

func (r *padRenderer) Layout(size fyne.Size) {
	r.paper.Resize(size)
	r.pad.raster.Resize(size)
	side := floor(min(size.Width, size.Height) * guideShare)
	arm := floor(side * cornerShare)
	left, top := floor((size.Width-side)/2), floor((size.Height-side)/2)
	const thick = 2
	for i := range 4 {
		x, y := left, top
		hx, vy := left, top
		if i%2 == 1 {
			x, hx = left+side-thick, left+side-arm
		}
		if i/2 == 1 {
			y, vy = top+side-thick, top+side-arm
		}
		r.corners[2*i].Move(fyne.NewPos(hx, y))
		r.corners[2*i].Resize(fyne.NewSize(arm, thick))
		r.corners[2*i+1].Move(fyne.NewPos(x, vy))
		r.corners[2*i+1].Resize(fyne.NewSize(thick, arm))
	}
	middle := floor(size.Height / 2)
	r.hint.Resize(fyne.NewSize(size.Width, r.hint.MinSize().Height))
	r.hint.Move(fyne.NewPos(0, middle-r.hint.MinSize().Height))
	r.more.Resize(fyne.NewSize(size.Width, r.more.MinSize().Height))
	r.more.Move(fyne.NewPos(0, middle+4))
	th := r.tip.lineHeight()
	place(r.tip, 12, size.Height-th-10, size.Width-24, th)
}

func (r *padRenderer) Refresh() {
	r.paper.FillColor = themed(colorPaper)
	r.paper.StrokeColor = themed(colorBorder)
	if r.pad.live != nil {
		r.paper.StrokeColor = themed(colorAccentSoft)
	}
	r.paper.Refresh()
	for _, c := range r.corners {
		c.FillColor = themed(colorGuide)
		c.Refresh()
	}
	r.hint.set(r.pad.hint)
	r.tip.set("")
	if !r.pad.done && len(r.pad.history.now) > 0 {
		r.tip.set(r.pad.tip)
	}
	if len(r.pad.history.now) == 0 && r.pad.live == nil {
		r.hint.Show()
		r.more.Show()
	} else {
		r.hint.Hide()
		r.more.Hide()
	}
	r.hint.Refresh()
	r.more.Refresh()
	r.tip.Refresh()
	r.pad.raster.Refresh()
}

func (r *padRenderer) Objects() []fyne.CanvasObject { return r.objs }
func (r *padRenderer) Destroy()                     {}

func floor(x float32) float32 { return float32(int(x)) }
