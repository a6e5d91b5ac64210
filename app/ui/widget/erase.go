package widget

import (
	"math"
	"slices"

	"fyne.io/fyne/v2"

	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// eraserReach in page units is how far from a stroke the eraser takes it.
const eraserReach = 24.0

// erase takes away the strokes that are touched on the way from where the eraser was to at.
func (p *Pad) erase(at fyne.Position) {
	to, from := p.point(at), p.erased
	if p.erased = to; !p.erasing {
		p.erasing, from = true, to
	}
	steps := math.Ceil(math.Hypot(to.X-from.X, to.Y-from.Y) / eraserReach)
	for n := range int(steps) + 1 {
		share := float64(n) / max(steps, 1)
		q := ink.Point{X: from.X + share*(to.X-from.X), Y: from.Y + share*(to.Y-from.Y)}
		if i := slices.IndexFunc(p.History.Now, func(s ink.Stroke) bool { return touches(s, q) }); i >= 0 {
			p.History.erase(i)
			p.Done = false
			p.Restamp()
			p.changed(false)
			Run(p.OnHistory)
		}
	}
}

// touches tells whether a point is within the eraser's reach of a stroke.
func touches(s ink.Stroke, q ink.Point) bool {
	for i, b := range s {
		a := s[max(i-1, 0)]
		dx, dy := b.X-a.X, b.Y-a.Y
		along := min(max(((q.X-a.X)*dx+(q.Y-a.Y)*dy)/max(dx*dx+dy*dy, 1e-9), 0), 1)
		if math.Hypot(q.X-a.X-along*dx, q.Y-a.Y-along*dy) <= eraserReach {
			return true
		}
	}
	return false
}

// erase takes stroke i away. What was said of characters that it was part of goes with it.
func (h *history) erase(i int) {
	fixed := slices.DeleteFunc(slices.Clone(h.Fixed), func(f line.Fixed) bool {
		return slices.ContainsFunc(f.Parts, func(p line.Part) bool { return p.Stroke == i })
	})
	for n := range fixed {
		fixed[n].Parts = slices.Clone(fixed[n].Parts)
		for m := range fixed[n].Parts {
			if part := &fixed[n].Parts[m]; part.Stroke > i {
				part.Stroke--
			}
		}
	}
	h.push(slices.Delete(slices.Clone(h.Now), i, i+1))
	h.Fixed = fixed
}
