package widget

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

// page units: the pad's shorter side is this long, its centre the origin, y grows downward: ink stays where it is in a window of another size.
const pageSide = 1000.0

// penRadius in page units is what the person sees, finePen on ruled paper; preprocessing has a pen of its own.
const (
	penRadius = 14.0
	finePen   = 8.0
)

// PenRests is how long a finished drawing waits for another stroke before it is taken.
const PenRests = 1200 * time.Millisecond

// InkChange is what the pad tells about a drawing.
type InkChange struct {
	Ink     ink.Ink // finished strokes and the one being drawn; not to be changed
	PenDown bool
	Lifted  bool // the pen has just been lifted
}

// Pad is the paper: a persistent image in device pixels, stamped where the pen goes.
type Pad struct {
	Composed
	// OnInk is called after every change of the drawing, OnHistory after those that
	// change what undo and redo can do.
	OnInk     func(InkChange)
	OnHistory func()
	OnWork    func() // the drawing was changed, and not by undo or redo: nothing can be redone any more

	History   history
	Live      ink.Stroke // nil while the pen is up
	byKey     bool       // the stroke is drawn with a held key, not a button
	Tool      Tool
	erasing   bool      // strokes are being taken away
	erased    ink.Point // where the pen was then
	selection selection
	Started   time.Time // of the drawing's first point
	Done      bool      // the drawing is saved; the next stroke begins another
	hover     fyne.Position
	over      bool
	// A secondary button released during a drag ends the drag in Fyne, but not the stroke.
	keepDrag bool

	ruled    bool    // wide paper with lines to write on, whose left edge is the origin
	Lined    bool    // other paper shows the height of small letters and the baseline
	squares  bool    // ruled paper has squares for single characters in place of lines
	Scroll   float64 // how far ruled paper is moved to the left
	OnScroll func()

	View   padView
	sheet  *sheet
	pen    *pen
	Width  float64 // of the pen, times the usual
	stale  bool    // the sheet must be stamped anew
	raster *canvas.Raster
	inked  *container.Clip // what is seen of it
}

var (
	_ fyne.Widget        = (*Pad)(nil)
	_ desktop.Mouseable  = (*Pad)(nil)
	_ desktop.Hoverable  = (*Pad)(nil)
	_ desktop.Cursorable = (*Pad)(nil)
	_ fyne.Draggable     = (*Pad)(nil)
)

func NewPad() *Pad { return NewPaper(false) }

func NewPaper(ruled bool) *Pad {
	p := &Pad{stale: true, Width: 1, ruled: ruled, View: newPadView()}
	p.History.renewed = func() { Run(p.OnWork) }
	p.raster = canvas.NewRaster(p.paint)
	p.raster.ScaleMode = canvas.ImageScaleFastest
	p.inked = container.NewClip(container.NewWithoutLayout(p.raster))
	p.Compose(p, p.layOut())
	return p
}

func (p *Pad) Cursor() desktop.Cursor {
	return map[Tool]desktop.Cursor{Draws: desktop.CrosshairCursor, Erases: desktop.PointerCursor, Selects: desktop.DefaultCursor}[p.Tool]
}

// MouseDown begins a stroke where the pointer was last seen; a click without motion is a dot.
// Of a window that has just got the focus Fyne tells where the pointer is by now, not where
// the button went down, which is somewhere else by the time a busy machine gets to it.
func (p *Pad) MouseDown(e *desktop.MouseEvent) {
	at := e.Position
	if p.over {
		at = p.hover
	}
	switch {
	case p.Live == nil && (p.Tool == Erases || e.Button == desktop.MouseButtonSecondary):
		p.erase(at)
	case p.Live == nil && p.Tool == Selects:
		p.grab(p.point(at))
	case e.Button == desktop.MouseButtonPrimary:
		p.keepDrag = false
		p.begin(at, false)
	}
}

// MouseUp ends a stroke. It does not come when the button is released elsewhere.
func (p *Pad) MouseUp(e *desktop.MouseEvent) {
	p.erasing = false
	if e.Button != desktop.MouseButtonPrimary {
		p.keepDrag = p.Live != nil
		return
	}
	p.End()
}

// Dragged goes on with a stroke once the pointer has moved by more than Fyne's threshold.
func (p *Pad) Dragged(e *fyne.DragEvent) {
	p.hover = e.Position
	p.extend(e.Position)
}

// DragEnd ends a stroke, wherever the pointer is.
func (p *Pad) DragEnd() {
	if p.keepDrag {
		p.keepDrag = false
		return
	}
	p.End()
}

func (p *Pad) MouseIn(e *desktop.MouseEvent) { p.over, p.hover = true, e.Position }

// MouseMoved brings the first points of a stroke, before Fyne calls it a drag, and all of one drawn with a held key.
func (p *Pad) MouseMoved(e *desktop.MouseEvent) {
	p.over, p.hover = true, e.Position
	p.extend(e.Position)
}

// MouseOut ends a stroke drawn with a held key.
func (p *Pad) MouseOut() {
	p.over, p.erasing = false, false
	if p.byKey {
		p.End()
	}
}

// KeyPen starts or ends drawing without a button, where the pointer is.
func (p *Pad) KeyPen(down bool) {
	switch {
	case down && p.over && p.Live == nil:
		p.begin(p.hover, true)
	case !down && p.byKey:
		p.End()
	}
}

func (p *Pad) begin(at fyne.Position, byKey bool) {
	p.End()
	if p.Done {
		p.History.clear()
		p.Done, p.stale = false, true
	}
	if len(p.History.Now) == 0 {
		p.Started = time.Time{}
	}
	p.byKey = byKey
	p.Live = ink.Stroke{p.point(at)}
	p.stamp()
	p.changed(false)
	p.Refresh()
}

func (p *Pad) extend(at fyne.Position) {
	if p.erasing {
		p.erase(at)
		return
	}
	if p.selection.pressed {
		p.pull(p.point(at))
	}
	if p.Live == nil {
		return
	}
	next := p.point(at)
	if last := p.Live[len(p.Live)-1]; last.X == next.X && last.Y == next.Y {
		return
	}
	p.Live = append(p.Live, next)
	p.stamp()
	p.changed(false)
}

func (p *Pad) End() {
	p.let()
	if p.Live == nil {
		return
	}
	p.History.add(p.Live)
	p.Live, p.pen, p.byKey = nil, nil, false
	p.changed(true)
	Run(p.OnHistory)
	p.Refresh()
}

// Undo takes the last change back; a stroke being drawn is finished first.
func (p *Pad) Undo()  { p.step(p.History.Undo) }
func (p *Pad) Redo()  { p.step(p.History.redo) }
func (p *Pad) Clear() { p.step(p.History.clear) }

func (p *Pad) step(change func() bool) {
	p.End()
	if !change() {
		return
	}
	p.Deselect() // strokes that may be gone
	p.Restamp()
	if _, _, right, _, _ := p.History.Now.Bounds(); right < p.Scroll {
		p.toEnd()
	}
	p.changed(false)
	Run(p.OnHistory)
}

// Forget empties the paper for another drawing, with nothing to undo.
func (p *Pad) Forget() {
	p.End()
	p.History = history{renewed: p.History.renewed}
	p.Done, p.Scroll = false, 0
	p.Deselect()
	p.Restamp()
	p.changed(false)
	Run(p.OnHistory)
}

// SetInk shows a drawing that did not come from the pointer, scaled to the guides.
func (p *Pad) SetInk(k ink.Ink) { p.SetRead(k, nil) }

// SetRead shows ink that was read from a picture.
func (p *Pad) SetRead(k ink.Ink, from any) {
	if p.ruled {
		p.Take(onLine(k), from)
	} else {
		p.Take(fitted(k, pageSide*0.56), from)
	}
}

// Continue goes on with the drawing of another paper, in its place and with what can be undone there.
func (p *Pad) Continue(from *Pad) {
	from.End()
	from.History.renewed = p.History.renewed
	p.History, p.Started = from.History, from.Started
	p.scrollTo(from.Scroll)
	p.Restamp()
	p.changed(false)
	p.SetDone(from.Done)
	Run(p.OnHistory)
}

// Traced tells whether the drawing was read from a picture, and nothing added.
func (p *Pad) Traced() bool { return p.History.Source != nil && p.Live == nil }

// Take shows a drawing in page units that came from elsewhere, from a picture where there is one.
func (p *Pad) Take(k ink.Ink, from any) {
	p.End()
	p.Started, p.Scroll = clock.Now(), 0
	p.History.push(k)
	p.History.Fixed, p.History.Source = nil, from
	p.Deselect()
	p.Restamp()
	p.changed(true)
	Run(p.OnHistory)
}

// fitted scales and centres k so that its longer side is side page units.
func fitted(k ink.Ink, side float64) ink.Ink {
	scale := 1.0
	if longer := LongerSide(k); longer > 0 {
		scale = side / longer
	}
	minX, minY, maxX, maxY, _ := k.Bounds()
	return scaled(k, scale, (minX+maxX)/2, (minY+maxY)/2, 0, 0)
}

// scaled scales k, and moves what was at one place to another.
func scaled(k ink.Ink, scale, fromX, fromY, toX, toY float64) ink.Ink {
	out := make(ink.Ink, len(k))
	for i, s := range k {
		for _, q := range s {
			q.X, q.Y = toX+(q.X-fromX)*scale, toY+(q.Y-fromY)*scale
			out[i] = append(out[i], q)
		}
	}
	return out
}

func (p *Pad) Restamp() {
	p.stale = true
	p.Refresh()
}

// Drawing is all strokes with the one being drawn. It shares their points.
func (p *Pad) Drawing() ink.Ink {
	k := p.History.Now[:len(p.History.Now):len(p.History.Now)]
	if p.Live != nil {
		k = append(k, p.Live[:len(p.Live):len(p.Live)])
	}
	return k
}

func (p *Pad) changed(lifted bool) {
	p.Deselect()
	if p.OnInk != nil {
		p.OnInk(InkChange{Ink: p.Drawing(), PenDown: p.Live != nil, Lifted: lifted})
	}
}

// SetDone says that the drawing is finished: it fades, and the next stroke begins another.
func (p *Pad) SetDone(done bool) {
	if p.Done != done {
		p.Done = done
		p.Refresh()
	}
}

func (p *Pad) inkColor() fyne.ThemeColorName {
	if p.Done {
		return ColorFaint
	}
	return ColorInk
}

// Scale is the length of a page unit in pixels of the screen; 1 before the first frame.
func (p *Pad) Scale() float64 {
	if p.sheet == nil {
		return 1
	}
	return p.Pixels()
}

// Unit is the length of a page unit in Fyne units.
func (p *Pad) Unit() float64 {
	s := p.Size()
	return max(float64(min(s.Width, s.Height)), 1) / pageSide
}

func (p *Pad) point(at fyne.Position) ink.Point {
	s, u, now := p.Size(), p.Unit(), clock.Now()
	if p.Started.IsZero() {
		p.Started = now
	}
	return ink.Point{
		X: (float64(at.X) - p.origin(float64(s.Width), u)) / u,
		Y: float64(at.Y-s.Height/2) / u,
		T: float64(now.Sub(p.Started).Microseconds()) / 1000,
	}
}

// stamp draws the newest point of the live stroke, unless all is to be drawn anew anyway.
func (p *Pad) stamp() {
	if !p.stale && p.sheet != nil {
		if p.pen == nil {
			p.pen = newPen(p.sheet, p.Nib()*p.Pixels())
		}
		p.pen.add(p.pixel(p.Live[len(p.Live)-1]))
	}
	p.frame()
	p.raster.Refresh()
}

// Pixels is the length of a page unit in pixels of the sheet.
func (p *Pad) Pixels() float64 {
	b := p.sheet.img.Rect
	return float64(min(b.Dx(), b.Dy())) / pageSide
}

func (p *Pad) pixel(q ink.Point) vec {
	b, u := p.sheet.img.Rect, p.Pixels()
	return vec{q.X*u + p.origin(float64(b.Dx()), u), q.Y*u + float64(b.Dy())/2}
}

// paint gives the pixels for a pad of w x h device pixels.
func (p *Pad) paint(w, h int) image.Image {
	if !p.sheet.fits(w, h, p.inkColor()) {
		p.sheet, p.stale = newSheet(w, h, Opaque(p.inkColor())), true
	}
	if p.stale {
		p.stale, p.pen = false, nil
		p.sheet.clear()
		for _, s := range p.Drawing() {
			p.pen = newPen(p.sheet, p.Nib()*p.Pixels())
			for _, q := range s {
				p.pen.add(p.pixel(q))
			}
		}
		if p.Live == nil {
			p.pen = nil
		}
	}
	return p.sheet.img
}
