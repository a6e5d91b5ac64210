package ui

import (
	"errors"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

// cropView shows the picture that is on the paper, and lets a part of it be chosen by dragging or by keys; what
// is on the paper, and with it the answer, follows.
type cropView struct {
	composed
	win     *Window
	scan    scan
	picture *dataset.Picture // while it is shown
	taken   bool             // what is on the paper is the newest part, and not what was there at first
	from    [2]float64       // where a drag began
	reading latest

	shown       *canvas.Image
	veils       [4]*canvas.Rectangle // over what is left out
	frame       *fill
	words       *label
	whole, done *button
	at          area // of the picture
}

var (
	_ fyne.Draggable     = (*cropView)(nil)
	_ fyne.Focusable     = (*cropView)(nil)
	_ desktop.Mouseable  = (*cropView)(nil)
	_ desktop.Cursorable = (*cropView)(nil)
)

func newCropView(w *Window) *cropView {
	c := &cropView{
		win: w, reading: latest{win: w},
		shown: &canvas.Image{FillMode: canvas.ImageFillStretch}, frame: newFill("", 0),
		words: newLabel("", 12, colorMuted).wrapped(3),
		whole: newToolButton(theme.ViewFullScreenIcon(), tr("Whole picture"), keyName("Del"), nil),
		done:  newToolButton(theme.ConfirmIcon(), tr("Done"), keyName("Enter"), nil),
	}
	c.whole.onTap = func() { c.take(dataset.Whole) }
	c.done.onTap = c.finish
	ground := newGround(colorPaper)
	objs := []fyne.CanvasObject{ground, c.shown}
	for i := range c.veils {
		c.veils[i] = canvas.NewRectangle(color.NRGBA{A: 0x90})
		objs = append(objs, c.veils[i])
	}
	const margin = 12
	c.compose(c, container.New(arranged{atLeast(260, 260), func(size fyne.Size) {
		ground.Resize(size)
		buttons := size.Height - margin - toolHeight
		half := floor((size.Width - 3*margin) / 2)
		place(c.whole, margin, buttons, half, toolHeight)
		place(c.done, 2*margin+half, buttons, half, toolHeight)
		words := c.words.height(size.Width - 2*margin)
		place(c.words, margin, buttons-words-8, size.Width-2*margin, words)
		c.putPicture(area{fyne.NewPos(margin, margin), fyne.NewSize(size.Width-2*margin, buttons-words-16-margin)})
	}}, append(objs, c.frame, c.words, c.whole, c.done)...))
	c.Hide()
	return c
}

// putPicture places the picture in the middle of its room, and the part that is chosen on it.
func (c *cropView) putPicture(room area) {
	if c.picture == nil {
		return
	}
	b := c.shown.Image.Bounds()
	scale := min(room.size.Width/float32(b.Dx()), room.size.Height/float32(b.Dy()))
	w, h := scale*float32(b.Dx()), scale*float32(b.Dy())
	x, y := room.pos.X+(room.size.Width-w)/2, room.pos.Y+(room.size.Height-h)/2
	c.at = area{fyne.NewPos(x, y), fyne.NewSize(w, h)}
	place(c.shown, x, y, w, h)
	p := c.scan.part
	left, top := w*float32(p.Left), h*float32(p.Top)
	width, height := w*float32(p.Right)-left, h*float32(p.Bottom)-top
	place(c.frame, x+left, y+top, width, height)
	place(c.veils[0], x, y, w, top)
	place(c.veils[1], x, y+top+height, w, h-top-height)
	place(c.veils[2], x, y+top, left, height)
	place(c.veils[3], x+left+width, y+top, w-left-width, height)
}

// begin shows a picture and the part of it that is on the paper.
func (c *cropView) begin(s scan, p *dataset.Picture) {
	const side = 1200
	c.scan, c.picture, c.taken = s, p, false
	c.shown.Image = p.Preview(side)
	c.explain()
	c.Show()
	c.win.win.Canvas().Focus(c)
}

func (c *cropView) explain() {
	c.words.set(tr("Drag over what is to be read. The arrow keys size the part from its lower right, with Shift they move it."))
	c.Refresh()
}

// finish goes back to the paper; a part that is still being read comes onto it.
func (c *cropView) finish() {
	c.Hide()
	c.win.win.Canvas().Unfocus()
	c.release()
}

// release lets go of a picture that is not needed any more.
func (c *cropView) release() {
	if !c.Visible() && !c.reading.busy {
		c.picture, c.shown.Image = nil, nil
	}
}

// close leaves the paper as it is.
func (c *cropView) close() {
	if c.Visible() {
		c.finish()
	}
	c.picture = nil
}

// take reads a part of the picture onto the paper, in place of the part that was read before.
func (c *cropView) take(part dataset.Part) {
	c.scan.part = part
	c.explain()
	s, p, paper, line := c.scan, c.picture, c.win.draw.paper(), c.win.draw.inLine
	c.reading.do(func() func() {
		k, err := samples.TracePart(p, part, line)
		return func() {
			defer c.release()
			switch {
			case c.picture != p: // the paper was changed meanwhile
			case errors.Is(err, ink.ErrEmpty):
				c.words.set(tr("Nothing is written in this part of the picture."))
				c.Refresh()
			case err != nil:
				c.win.scanFailed(s, err)
			default:
				if c.taken {
					paper.history.undo()
				}
				c.taken = true
				paper.setScan(k, s)
				c.explain()
			}
		}
	})
}

// share is where on the picture a place is.
func (c *cropView) share(at fyne.Position) [2]float64 {
	of := func(x, from, length float32) float64 { return min(max(float64((x-from)/length), 0), 1) }
	return [2]float64{of(at.X, c.at.pos.X, c.at.size.Width), of(at.Y, c.at.pos.Y, c.at.size.Height)}
}

// leastPart is the least side of a part, as a share of the picture's.
const leastPart = 0.02

// Dragged implements fyne.Draggable: from where the button went down to here.
func (c *cropView) Dragged(e *fyne.DragEvent) {
	a, b := c.from, c.share(e.Position)
	p := dataset.Part{Left: min(a[0], b[0]), Top: min(a[1], b[1]), Right: max(a[0], b[0]), Bottom: max(a[1], b[1])}
	if p.Right-p.Left >= leastPart && p.Bottom-p.Top >= leastPart {
		c.take(p)
	}
}

func (c *cropView) MouseDown(e *desktop.MouseEvent) { c.from = c.share(e.Position) }
func (c *cropView) MouseUp(*desktop.MouseEvent)     {}
func (c *cropView) DragEnd()                        {}
func (c *cropView) Cursor() desktop.Cursor          { return desktop.CrosshairCursor }
func (c *cropView) FocusGained()                    { c.frame.edged(theme.ColorNamePrimary, 3) }
func (c *cropView) FocusLost()                      { c.frame.edged(theme.ColorNamePrimary, 1) }
func (c *cropView) TypedRune(r rune)                { passRune(c, r) }
func (c *cropView) TypedKey(e *fyne.KeyEvent)       { c.key(e.Name) }

// key sizes or moves the part, takes the whole picture, or ends.
func (c *cropView) key(k fyne.KeyName) {
	const step = 0.02
	by, arrow := map[fyne.KeyName][2]float64{
		fyne.KeyLeft: {-step, 0}, fyne.KeyRight: {step, 0}, fyne.KeyUp: {0, -step}, fyne.KeyDown: {0, step},
	}[k]
	switch p := c.scan.part; {
	case k == fyne.KeyDelete || k == fyne.KeyBackspace:
		c.take(dataset.Whole)
	case k == fyne.KeyEscape || k == fyne.KeyReturn || k == fyne.KeyEnter:
		c.finish()
	case !arrow:
	case shiftHeld():
		x, y := min(max(by[0], -p.Left), 1-p.Right), min(max(by[1], -p.Top), 1-p.Bottom)
		c.take(dataset.Part{Left: p.Left + x, Top: p.Top + y, Right: p.Right + x, Bottom: p.Bottom + y})
	default:
		p.Right = min(max(p.Right+by[0], p.Left+leastPart), 1)
		p.Bottom = min(max(p.Bottom+by[1], p.Top+leastPart), 1)
		c.take(p)
	}
}
