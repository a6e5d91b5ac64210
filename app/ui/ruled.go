package ui

import (
	"fyne.io/fyne/v2"

	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

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

func (p *pad) penRadius() float64 {
	if p.ruled {
		return finePen * p.width * p.pixels()
	}
	return penRadius * p.width * p.pixels()
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
	const around = 8
	u, middle, size := p.unit(), float64(p.Size().Height)/2, p.Size()
	left, right := max(p.at(b.MinX)-around, 1), min(p.at(b.MaxX)+around, size.Width-1)
	top, bottom := max(float32(b.MinY*u+middle)-around, 1), min(float32(b.MaxY*u+middle)+around, size.Height-1)
	if left < right {
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
