package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// guideShare is the guide box's side as a share of the pad's shorter side, and
// cornerShare the length of its corner marks as a share of the box.
const (
	guideShare  = 0.72
	cornerShare = 0.09
)

// padView is what the pad shows around the ink.
type padView struct {
	paper     *ground
	corners   [8]*fill // two arms for each corner of the guide box
	lines     [3]*fill // of ruled paper; of any other the last two, where they are wanted
	mark, cut *fill    // on ruled paper: behind the chosen character, and where ink is being cut
	hint, tip *label   // what the empty paper says, and what stands under a drawing
	more      *label
}

func newPadView() padView {
	v := padView{
		paper: newGround(colorPaper),
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
		p.frame()
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
	}}, append(objs, v.hint, v.more, v.tip, p.inked)...)
}

// frame shows that part of the sheet alone which has ink: OpenGL in software asks every pixel for its share.
func (p *pad) frame() {
	size, left, top, right, bottom := p.Size(), float32(0), float32(0), float32(1), float32(1)
	if minX, minY, maxX, maxY, ok := p.drawing().Bounds(); ok {
		left, top, right, bottom = p.around(line.Box{MinX: minX, MinY: minY, MaxX: maxX, MaxY: maxY}, float32(p.nib()*p.unit()+2), 0)
	}
	place(p.inked, left, top, max(right-left, 1), max(bottom-top, 1))
	place(p.raster, -left, -top, size.Width, size.Height)
}

// around is a box of the page in Fyne units, with so much more on all sides, as far as it lies within the paper but for its edge.
func (p *pad) around(b line.Box, more, edge float32) (left, top, right, bottom float32) {
	u, middle, size := p.unit(), float64(p.Size().Height)/2, p.Size()
	left, right = max(p.at(b.MinX)-more, edge), min(p.at(b.MaxX)+more, size.Width-edge)
	top, bottom = max(float32(b.MinY*u+middle)-more, edge), min(float32(b.MaxY*u+middle)+more, size.Height-edge)
	return left, top, right, bottom
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
	edge := colorBorder
	if p.live != nil {
		edge = colorAccentSoft
	}
	v.paper.edged(edge)
	v.hint.Hidden = len(p.history.now) > 0 || p.live != nil
	v.more.Hidden = v.hint.Hidden
	v.tip.Hidden = p.done || len(p.history.now) == 0
	p.composed.Refresh()
}

// ruling is where lines to write on lie, in page units: the height of capitals, that of small letters, and the
// baseline.
var ruling = [3]float64{-250, -60, 180}

const (
	ruledMargin = 60.0   // left of the first character
	longest     = 2400.0 // ink that comes from elsewhere
)

// onLine scales ink to capitals on the baseline, at the left edge.
func onLine(k ink.Ink) ink.Ink {
	minX, minY, maxX, maxY, ok := k.Bounds()
	if !ok {
		return nil
	}
	tall := ruling[2] - ruling[0]
	scale := min(tall/max(maxY-minY, 1e-9), longest/max(maxX-minX, 1e-9))
	out := make(ink.Ink, len(k))
	for i, s := range k {
		for _, q := range s {
			q.X = ruledMargin + (q.X-minX)*scale
			q.Y = ruling[2] - tall/2 + (q.Y-(minY+maxY)/2)*scale
			out[i] = append(out[i], q)
		}
	}
	return out
}

var _ fyne.Scrollable = (*pad)(nil)

// origin is where page units begin from the left, on paper of a width whose page unit is so long.
func (p *pad) origin(width, unit float64) float64 {
	if p.ruled {
		return -p.scroll * unit
	}
	return width / 2
}

// at is where an x of the page is, in Fyne units from the left edge.
func (p *pad) at(x float64) float32 {
	return float32(x*p.unit() + p.origin(float64(p.Size().Width), p.unit()))
}

// nib is the radius of the pen in page units.
func (p *pad) nib() float64 {
	if p.ruled {
		return finePen * p.width
	}
	return penRadius * p.width
}

// Scrolled implements fyne.Scrollable.
func (p *pad) Scrolled(e *fyne.ScrollEvent) {
	p.scrollTo(p.scroll - float64(e.Scrolled.DX+e.Scrolled.DY)/p.unit())
}

// scrollTo moves ruled paper, no farther than there is room to write on.
func (p *pad) scrollTo(x float64) {
	_, _, right, _, _ := p.history.now.Bounds()
	x = min(max(x, 0), max(right-p.visible()/3, 0))
	if p.ruled && p.live == nil && x != p.scroll {
		p.scroll = x
		p.restamp()
		run(p.OnScroll)
	}
}

// visible is how much of the paper is seen.
func (p *pad) visible() float64 { return float64(p.Size().Width) / p.unit() }

// markBox shows which ink is meant.
func (p *pad) markBox(b line.Box) {
	if left, top, right, bottom := p.around(b, 8, 1); left < right {
		place(p.view.mark, left, top, right-left, bottom-top)
		p.view.mark.Show()
	}
}

// makeRoom scrolls when the paper is filled, so that there is room to write on.
func (p *pad) makeRoom() {
	if _, _, right, _, ok := p.history.now.Bounds(); ok && right > p.scroll+0.8*p.visible() {
		p.scrollTo(right - 0.45*p.visible())
	}
}

// reveal scrolls so that what lies between two places is seen.
func (p *pad) reveal(from, to float64) {
	if from < p.scroll || to > p.scroll+p.visible() {
		p.scrollTo((from+to)/2 - p.visible()/2)
	}
}

// fix says something more of the characters of a line.
func (p *pad) fix(fixed []line.Fixed) {
	p.step(func() bool {
		from := p.history.scan
		p.history.push(p.history.now)
		p.history.fixed, p.history.scan = fixed, from
		return true
	})
}
