package draw

import (
	"errors"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

// cropView shows the picture that is on the paper, and lets a part of it be chosen by dragging or by keys; what
// is on the paper, and with it the answer, follows.
type cropView struct {
	widget.Composed
	page    *Page
	scan    scan
	picture *dataset.Picture // while it is shown
	taken   bool             // what is on the paper is the newest part, and not what was there at first
	from    [2]float64       // where a drag began
	reading page.Latest

	shown       *canvas.Image
	veils       [4]*canvas.Rectangle // over what is left out
	frame       *widget.Fill
	words       *widget.Label
	whole, done *widget.Button
	at          widget.Area // of the picture
}

var (
	_ fyne.Draggable     = (*cropView)(nil)
	_ fyne.Focusable     = (*cropView)(nil)
	_ desktop.Mouseable  = (*cropView)(nil)
	_ desktop.Cursorable = (*cropView)(nil)
)

func newCropView(d *Page) *cropView {
	c := &cropView{
		page: d, reading: page.Latest{On: d.win},
		shown: &canvas.Image{FillMode: canvas.ImageFillStretch}, frame: widget.NewFill("", 0),
		words: widget.NewLabel("", 12, widget.ColorMuted).Wrapped(3),
		whole: widget.NewToolButton(theme.ViewFullScreenIcon(), language.Tr("Whole picture"), page.KeyName("Del"), nil),
		done:  widget.NewToolButton(theme.ConfirmIcon(), language.Tr("Done"), page.KeyName("Enter"), nil),
	}
	c.whole.OnTap = func() { c.take(dataset.Whole) }
	c.done.OnTap = c.finish
	ground := widget.NewGround(widget.ColorPaper)
	objs := []fyne.CanvasObject{ground, c.shown}
	for i := range c.veils {
		c.veils[i] = canvas.NewRectangle(color.NRGBA{A: 0x90})
		objs = append(objs, c.veils[i])
	}
	const margin = 12
	c.Compose(c, container.New(widget.Arranged{Least: widget.AtLeast(260, 260), Put: func(size fyne.Size) {
		ground.Resize(size)
		buttons := size.Height - margin - widget.ToolHeight
		half := widget.Floor((size.Width - 3*margin) / 2)
		widget.Place(c.whole, margin, buttons, half, widget.ToolHeight)
		widget.Place(c.done, 2*margin+half, buttons, half, widget.ToolHeight)
		words := c.words.Height(size.Width - 2*margin)
		widget.Place(c.words, margin, buttons-words-8, size.Width-2*margin, words)
		c.putPicture(widget.Area{Pos: fyne.NewPos(margin, margin), Size: fyne.NewSize(size.Width-2*margin, buttons-words-16-margin)})
	}}, append(objs, c.frame, c.words, c.whole, c.done)...))
	c.Hide()
	return c
}

// putPicture places the picture in the middle of its room, and the part that is chosen on it.
func (c *cropView) putPicture(room widget.Area) {
	if c.picture == nil {
		return
	}
	b := c.shown.Image.Bounds()
	scale := min(room.Size.Width/float32(b.Dx()), room.Size.Height/float32(b.Dy()))
	w, h := scale*float32(b.Dx()), scale*float32(b.Dy())
	x, y := room.Pos.X+(room.Size.Width-w)/2, room.Pos.Y+(room.Size.Height-h)/2
	c.at = widget.Area{Pos: fyne.NewPos(x, y), Size: fyne.NewSize(w, h)}
	widget.Place(c.shown, x, y, w, h)
	p := c.scan.part
	left, top := w*float32(p.Left), h*float32(p.Top)
	width, height := w*float32(p.Right)-left, h*float32(p.Bottom)-top
	widget.Place(c.frame, x+left, y+top, width, height)
	widget.Place(c.veils[0], x, y, w, top)
	widget.Place(c.veils[1], x, y+top+height, w, h-top-height)
	widget.Place(c.veils[2], x, y+top, left, height)
	widget.Place(c.veils[3], x+left+width, y+top, w-left-width, height)
}

// begin shows a picture and the part of it that is on the paper.
func (c *cropView) begin(s scan, p *dataset.Picture) {
	const side = 1200
	c.scan, c.picture, c.taken = s, p, false
	c.shown.Image = p.Preview(side)
	c.explain()
	c.Show()
	c.page.win.Win.Canvas().Focus(c)
}

func (c *cropView) explain() {
	c.words.Set(language.Tr("Drag over what is to be read. The arrow keys size the part from its lower right, with Shift they move it."))
	c.Refresh()
}

// finish goes back to the paper; a part that is still being read comes onto it.
func (c *cropView) finish() {
	c.Hide()
	c.page.win.Win.Canvas().Unfocus()
	c.release()
}

// release lets go of a picture that is not needed any more.
func (c *cropView) release() {
	if !c.Visible() && !c.reading.Busy {
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
	s, p, paper, line := c.scan, c.picture, c.page.paper(), c.page.inLine
	c.reading.Do(func() func() {
		k, err := samples.TracePart(p, part, line)
		return func() {
			defer c.release()
			switch {
			case c.picture != p: // the paper was changed meanwhile
			case errors.Is(err, ink.ErrEmpty):
				c.words.Set(language.Tr("Nothing is written in this part of the picture."))
				c.Refresh()
			case err != nil:
				c.page.scanFailed(s, err)
			default:
				if c.taken {
					paper.History.Undo()
				}
				c.taken = true
				paper.SetRead(k, &s)
				c.explain()
			}
		}
	})
}

// share is where on the picture a place is.
func (c *cropView) share(at fyne.Position) [2]float64 {
	of := func(x, from, length float32) float64 { return min(max(float64((x-from)/length), 0), 1) }
	return [2]float64{of(at.X, c.at.Pos.X, c.at.Size.Width), of(at.Y, c.at.Pos.Y, c.at.Size.Height)}
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
func (c *cropView) FocusGained()                    { c.frame.Edged(theme.ColorNamePrimary, 3) }
func (c *cropView) FocusLost()                      { c.frame.Edged(theme.ColorNamePrimary, 1) }
func (c *cropView) TypedRune(r rune)                { widget.PassRune(c, r) }
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
	case widget.ShiftHeld():
		x, y := min(max(by[0], -p.Left), 1-p.Right), min(max(by[1], -p.Top), 1-p.Bottom)
		c.take(dataset.Part{Left: p.Left + x, Top: p.Top + y, Right: p.Right + x, Bottom: p.Bottom + y})
	default:
		p.Right = min(max(p.Right+by[0], p.Left+leastPart), 1)
		p.Bottom = min(max(p.Bottom+by[1], p.Top+leastPart), 1)
		c.take(p)
	}
}
