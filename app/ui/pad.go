package ui

import (
	"image"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"

	"inkshade/glcompute/clock"
	"inkshade/recognizer/ink"
)

// page units: the shorter side of the pad is this long, its centre is the origin, y grows
// downward. Ink in page units stays where it is when the window is resized.
const pageSide = 1000.0

// penRadius in page units is what the person sees, finePen on ruled paper; preprocessing has a pen of its own.
const (
	penRadius = 14.0
	finePen   = 8.0
)

// inkChange is what the pad tells about a drawing.
type inkChange struct {
	Ink     ink.Ink // finished strokes and the one being drawn; not to be changed
	PenDown bool
	Lifted  bool // the pen has just been lifted
}

// pad is the paper: a persistent image in device pixels, stamped where the pen goes.
type pad struct {
	composed
	// OnInk is called after every change of the drawing, OnHistory after those that
	// change what undo and redo can do.
	OnInk     func(inkChange)
	OnHistory func()

	history history
	live    ink.Stroke // nil while the pen is up
	byKey   bool       // the stroke is drawn with a held key, not a button
	started time.Time  // of the drawing's first point
	done    bool       // the drawing is saved; the next stroke begins another
	hover   fyne.Position
	over    bool
	// A secondary button released during a drag ends the drag in Fyne, but not the stroke.
	keepDrag bool

	ruled    bool    // wide paper with lines to write on, whose left edge is the origin
	lined    bool    // other paper shows the height of small letters and the baseline
	scroll   float64 // how far ruled paper is moved to the left
	OnScroll func()

	view   padView
	sheet  *sheet
	pen    *pen
	width  float64 // of the pen, times the usual
	stale  bool    // the sheet must be stamped anew
	raster *canvas.Raster
	inked  *container.Clip // what is seen of it
}

var (
	_ fyne.Widget        = (*pad)(nil)
	_ desktop.Mouseable  = (*pad)(nil)
	_ desktop.Hoverable  = (*pad)(nil)
	_ desktop.Cursorable = (*pad)(nil)
	_ fyne.Draggable     = (*pad)(nil)
)

func newPad() *pad { return newPaper(false) }

func newPaper(ruled bool) *pad {
	p := &pad{stale: true, width: 1, ruled: ruled, view: newPadView()}
	p.raster = canvas.NewRaster(p.paint)
	p.raster.ScaleMode = canvas.ImageScaleFastest
	p.inked = container.NewClip(container.NewWithoutLayout(p.raster))
	p.compose(p, p.layOut())
	return p
}

func (p *pad) Cursor() desktop.Cursor { return desktop.CrosshairCursor }

// MouseDown begins a stroke where the pointer was last seen; a click without motion is a dot.
// Of a window that has just got the focus Fyne tells where the pointer is by now, not where
// the button went down, which is somewhere else by the time a busy machine gets to it.
func (p *pad) MouseDown(e *desktop.MouseEvent) {
	if e.Button != desktop.MouseButtonPrimary {
		return
	}
	p.keepDrag = false
	at := e.Position
	if p.over {
		at = p.hover
	}
	p.begin(at, false)
}

// MouseUp ends a stroke. It does not come when the button is released elsewhere.
func (p *pad) MouseUp(e *desktop.MouseEvent) {
	if e.Button != desktop.MouseButtonPrimary {
		p.keepDrag = p.live != nil
		return
	}
	p.end()
}

// Dragged goes on with a stroke once the pointer has moved by more than Fyne's threshold.
func (p *pad) Dragged(e *fyne.DragEvent) {
	p.hover = e.Position
	p.extend(e.Position)
}

// DragEnd ends a stroke, wherever the pointer is.
func (p *pad) DragEnd() {
	if p.keepDrag {
		p.keepDrag = false
		return
	}
	p.end()
}

func (p *pad) MouseIn(e *desktop.MouseEvent) { p.over, p.hover = true, e.Position }

// MouseMoved brings the first points of a stroke, before Fyne calls it a drag, and all
// points of a stroke drawn with a held key.
func (p *pad) MouseMoved(e *desktop.MouseEvent) {
	p.over, p.hover = true, e.Position
	p.extend(e.Position)
}

// MouseOut ends a stroke drawn with a held key.
func (p *pad) MouseOut() {
	p.over = false
	if p.byKey {
		p.end()
	}
}

// keyPen starts or ends drawing without a button, where the pointer is.
func (p *pad) keyPen(down bool) {
	switch {
	case down && p.over && p.live == nil:
		p.begin(p.hover, true)
	case !down && p.byKey:
		p.end()
	}
}

func (p *pad) begin(at fyne.Position, byKey bool) {
	p.end()
	if p.done {
		p.history.clear()
		p.done, p.stale = false, true
	}
	if len(p.history.now) == 0 {
		p.started = time.Time{}
	}
	p.byKey = byKey
	p.live = ink.Stroke{p.point(at)}
	p.stamp()
	p.changed(false)
	p.Refresh()
}

func (p *pad) extend(at fyne.Position) {
	if p.live == nil {
		return
	}
	next := p.point(at)
	if last := p.live[len(p.live)-1]; last.X == next.X && last.Y == next.Y {
		return
	}
	p.live = append(p.live, next)
	p.stamp()
	p.changed(false)
}

func (p *pad) end() {
	if p.live == nil {
		return
	}
	p.history.add(p.live)
	p.live, p.pen, p.byKey = nil, nil, false
	p.changed(true)
	run(p.OnHistory)
	p.Refresh()
}

// undo takes the last change back; a stroke being drawn is finished first.
func (p *pad) undo()  { p.step(p.history.undo) }
func (p *pad) redo()  { p.step(p.history.redo) }
func (p *pad) clear() { p.step(p.history.clear) }

func (p *pad) step(change func() bool) {
	p.end()
	if !change() {
		return
	}
	p.restamp()
	p.changed(false)
	run(p.OnHistory)
}

// forget empties the paper for another drawing, with nothing to undo.
func (p *pad) forget() {
	p.end()
	p.history = history{}
	p.done, p.scroll = false, 0
	p.restamp()
	p.changed(false)
	run(p.OnHistory)
}

// setInk shows a drawing that did not come from the pointer, scaled to the guides.
func (p *pad) setInk(k ink.Ink) { p.put(k, nil) }

// setScan shows ink that was read from a picture.
func (p *pad) setScan(k ink.Ink, from scan) { p.put(k, &from) }

func (p *pad) put(k ink.Ink, from *scan) {
	if p.ruled {
		p.take(onLine(k), from)
	} else {
		p.take(fitted(k, pageSide*0.56), from)
	}
}

// traced tells whether the drawing was read from a picture, and nothing added.
func (p *pad) traced() bool { return p.history.scan != nil && p.live == nil }

// take shows a drawing in page units that came from elsewhere, from a picture where there is one.
func (p *pad) take(k ink.Ink, from *scan) {
	p.end()
	p.started = clock.Now()
	p.history.push(k)
	p.history.fixed, p.history.scan = nil, from
	p.restamp()
	p.changed(true)
	run(p.OnHistory)
}

// fitted scales and centres k so that its longer side is side page units.
func fitted(k ink.Ink, side float64) ink.Ink {
	minX, minY, maxX, maxY, ok := k.Bounds()
	if !ok {
		return nil
	}
	scale := 1.0
	if longer := max(maxX-minX, maxY-minY); longer > 0 {
		scale = side / longer
	}
	out := make(ink.Ink, len(k))
	for i, s := range k {
		out[i] = make(ink.Stroke, len(s))
		for j, q := range s {
			q.X = (q.X - (minX+maxX)/2) * scale
			q.Y = (q.Y - (minY+maxY)/2) * scale
			out[i][j] = q
		}
	}
	return out
}

func (p *pad) restamp() {
	p.stale = true
	p.Refresh()
}

// drawing is all strokes with the one being drawn. It shares their points.
func (p *pad) drawing() ink.Ink {
	k := p.history.now[:len(p.history.now):len(p.history.now)]
	if p.live != nil {
		k = append(k, p.live[:len(p.live):len(p.live)])
	}
	return k
}

func (p *pad) changed(lifted bool) {
	if p.OnInk != nil {
		p.OnInk(inkChange{Ink: p.drawing(), PenDown: p.live != nil, Lifted: lifted})
	}
}

// setDone says that the drawing is finished: it fades, and the next stroke begins another.
func (p *pad) setDone(done bool) {
	if p.done != done {
		p.done = done
		p.Refresh()
	}
}

func (p *pad) inkColor() fyne.ThemeColorName {
	if p.done {
		return colorFaint
	}
	return colorInk
}

// scale is the length of a page unit in pixels of the screen; 1 before the first frame.
func (p *pad) scale() float64 {
	if p.sheet == nil {
		return 1
	}
	return p.pixels()
}

// unit is the length of a page unit in Fyne units.
func (p *pad) unit() float64 {
	s := p.Size()
	return max(float64(min(s.Width, s.Height)), 1) / pageSide
}

func (p *pad) point(at fyne.Position) ink.Point {
	s, u, now := p.Size(), p.unit(), clock.Now()
	if p.started.IsZero() {
		p.started = now
	}
	return ink.Point{
		X: (float64(at.X) - p.origin(float64(s.Width), u)) / u,
		Y: float64(at.Y-s.Height/2) / u,
		T: float64(now.Sub(p.started).Microseconds()) / 1000,
	}
}

// stamp draws the newest point of the live stroke, unless all is to be drawn anew anyway.
func (p *pad) stamp() {
	if !p.stale && p.sheet != nil {
		if p.pen == nil {
			p.pen = newPen(p.sheet, p.nib()*p.pixels())
		}
		p.pen.add(p.pixel(p.live[len(p.live)-1]))
	}
	p.frame()
	p.raster.Refresh()
}

// pixels is the length of a page unit in pixels of the sheet.
func (p *pad) pixels() float64 {
	b := p.sheet.img.Rect
	return float64(min(b.Dx(), b.Dy())) / pageSide
}

func (p *pad) pixel(q ink.Point) vec {
	b, u := p.sheet.img.Rect, p.pixels()
	return vec{q.X*u + p.origin(float64(b.Dx()), u), q.Y*u + float64(b.Dy())/2}
}

// paint gives the pixels for a pad of w x h device pixels.
func (p *pad) paint(w, h int) image.Image {
	if !p.sheet.fits(w, h, p.inkColor()) {
		p.sheet, p.stale = newSheet(w, h, opaque(p.inkColor())), true
	}
	if p.stale {
		p.stale, p.pen = false, nil
		p.sheet.clear()
		for _, s := range p.drawing() {
			p.pen = newPen(p.sheet, p.nib()*p.pixels())
			for _, q := range s {
				p.pen.add(p.pixel(q))
			}
		}
		if p.live == nil {
			p.pen = nil
		}
	}
	return p.sheet.img
}
