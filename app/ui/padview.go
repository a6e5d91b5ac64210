package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// guideShare is the guide box's side as a share of the pad's shorter side, and
// cornerShare the length of its corner marks as a share of the box.
const (
	guideShare  = 0.72
	cornerShare = 0.09
	paperRadius = 14
)

// padView is what the pad shows around the ink.
type padView struct {
	paper     *fill
	corners   [8]*fill // two arms for each corner of the guide box
	lines     [3]*fill // of ruled paper; of any other the last two, where they are wanted
	mark, cut *fill    // on ruled paper: behind the chosen character, and where ink is being cut
	hint, tip *label   // what the empty paper says, and what stands under a drawing
	more      *label
}

func newPadView() padView {
	v := padView{
		paper: newFill(colorPaper, paperRadius).edged(colorBorder, 1),
		hint:  newLabel(tr("Draw a digit here"), 18, colorMuted).aligned(fyne.TextAlignCenter),
		more:  newLabel(tr("Hold Space to draw without a button"), 12, colorMuted).aligned(fyne.TextAlignCenter),
		tip:   newLabel("", 12, colorMuted).aligned(fyne.TextAlignCenter),
	}
	for i := range v.corners {
		v.corners[i] = newFill(colorGuide, 0)
	}
	v.lines = [3]*fill{newFill(colorBorder, 0), newFill(colorBorder, 0), newFill(colorGuide, 0)}
	v.mark, v.cut = newFill(theme.ColorNameSelection, 8), newFill(theme.ColorNamePrimary, 0)
	return v
}

func (p *pad) layOut() *fyne.Container {
	v := &p.view
	objs := []fyne.CanvasObject{v.paper, v.lines[0], v.lines[1], v.lines[2]}
	p.rule()
	if p.ruled {
		objs = append(objs, v.mark, v.cut)
		v.mark.Hide()
		v.cut.Hide()
		v.tip.aligned(fyne.TextAlignLeading)
	} else {
		for _, c := range v.corners {
			objs = append(objs, c)
		}
	}
	return container.New(arranged{atLeast(260, 260), func(size fyne.Size) {
		v.paper.Resize(size)
		p.raster.Resize(size)
		for i, y := range ruling {
			place(v.lines[i], 1, floor(size.Height/2+float32(y*p.unit())), size.Width-2, []float32{1, 1, 2}[i])
		}
		side := floor(min(size.Width, size.Height) * guideShare)
		arm := floor(side * cornerShare)
		left, top := floor((size.Width-side)/2), floor((size.Height-side)/2)
		const thick = 2
		for i := range 4 {
			right, bottom := float32(i%2), float32(i/2)
			place(v.corners[2*i], left+right*(side-arm), top+bottom*(side-thick), arm, thick)
			place(v.corners[2*i+1], left+right*(side-thick), top+bottom*(side-arm), thick, arm)
		}
		half := floor(size.Height / 2)
		if p.ruled { // on the baseline
			half += floor(float32(ruling[2] * p.unit()))
		}
		place(v.hint, 0, half-v.hint.lineHeight(), size.Width, v.hint.lineHeight())
		place(v.more, 0, half+4, size.Width, v.more.lineHeight())
		place(v.tip, 12, size.Height-v.tip.lineHeight()-10, size.Width-24, v.tip.lineHeight())
	}}, append(objs, v.hint, v.more, v.tip, p.raster)...)
}

// rule shows the lines to write on.
func (p *pad) rule() {
	for i, l := range p.view.lines {
		l.Hidden = !p.ruled && !(p.lined && i > 0)
	}
}

// Refresh implements fyne.Widget.
func (p *pad) Refresh() {
	p.rule()
	v := &p.view
	v.paper.edged(colorBorder, 1)
	if p.live != nil {
		v.paper.edged(colorAccentSoft, 1)
	}
	v.hint.Hidden = len(p.history.now) > 0 || p.live != nil
	v.more.Hidden = v.hint.Hidden
	v.tip.Hidden = p.done || len(p.history.now) == 0
	p.composed.Refresh()
}
