package draw

import (
	"bytes"
	"errors"
	"image/color"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

// scan is a picture that ink is read from, and what of it.
type scan struct {
	name     string // for people
	open     func() (io.ReadSeekCloser, error)
	quarters int // by which it is turned clockwise
	part     dataset.Part
}

// scanOf is what the ink on a paper was read from; nil where it was drawn.
func scanOf(p *widget.Pad) *scan {
	s, _ := p.History.Source.(*scan)
	return s
}

func (s scan) picture() (*dataset.Picture, error) {
	f, err := s.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, err := dataset.OpenPicture(f)
	for range s.quarters {
		if err == nil {
			p = p.Turned()
		}
	}
	return p, err
}

func (s scan) ink(line bool) (ink.Ink, error) {
	if s.quarters == 0 && s.part == dataset.Whole {
		f, err := s.open()
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return samples.ReadPicture(f, line)
	}
	p, err := s.picture()
	if err != nil {
		return nil, err
	}
	return samples.TracePart(p, s.part, line)
}

// read puts the lines of a picture onto the paper, where they are answered and can be corrected like a drawing.
func (d *Page) read(s scan) {
	d.win.OpenPage(0)
	paper, line := d.paper(), d.inLine
	d.crop.reading.Do(func() func() {
		k, err := s.ink(line)
		return func() {
			if err != nil {
				d.scanFailed(s, err)
				return
			}
			d.crop.close()
			d.line.chosen = nil
			paper.SetRead(k, &s)
			if s.part == dataset.Whole {
				d.win.Toast.Say(language.Tr("To read a part of the picture only, crop it: {{.Key}}.", map[string]any{"Key": d.win.Command("crop").Hint()}))
			}
		}
	})
}

func (d *Page) scanFailed(s scan, err error) {
	d.win.ShowText(language.Tr("Picture"), s.name+": "+language.Said(err))
}

// ReadPicture reads the picture in a file.
func (d *Page) ReadPicture(path string) {
	d.read(scan{name: filepath.Base(path), part: dataset.Whole, open: func() (io.ReadSeekCloser, error) { return os.Open(path) }})
}

// paste reads the picture whose path or URL is on the clipboard, or else the picture that is there itself.
func (d *Page) paste() {
	text := d.win.App.Clipboard()
	if d.win.ForEntry(&fyne.ShortcutPaste{Clipboard: text}) || d.win.Win.Canvas().Overlays().Top() != nil {
		return
	}
	if path := pictureNamed(text.Content()); path != "" {
		d.ReadPicture(path)
		return
	}
	page.Away(d.win, d.copied, func(file []byte, err error) {
		switch {
		case err != nil:
			d.win.ShowFailure(language.Tr("Paste a Picture"), err)
		case file == nil:
			d.win.Toast.Say(language.Tr("Copy a picture, its file or its path; there is none on the clipboard."))
		default:
			d.read(scan{name: language.Tr("Clipboard"), part: dataset.Whole, open: func() (io.ReadSeekCloser, error) {
				return struct {
					io.ReadSeeker
					io.Closer
				}{bytes.NewReader(file), io.NopCloser(nil)}, nil
			}})
		}
	})
}

// pictureNamed is the path of the first picture that a line of the text names, if one does.
func pictureNamed(text string) string {
	for line := range strings.Lines(text) {
		path := strings.Trim(line, "\"' \t\r\n")
		if u, err := url.Parse(path); err == nil && u.Scheme == "file" {
			path = u.Path
			if drive := strings.TrimPrefix(path, "/"); filepath.VolumeName(drive) != "" {
				path = drive
			}
		}
		if filepath.IsAbs(path) && dataset.NamesPicture(path) {
			return path
		}
	}
	return ""
}

// turn turns what is on the paper by a quarter, clockwise: a picture may have been taken from the side.
func (d *Page) turn() {
	paper := d.paper()
	var turned ink.Ink
	for _, s := range paper.Drawing() {
		s = slices.Clone(s)
		for i, q := range s {
			s[i].X, s[i].Y = -q.Y, q.X
		}
		turned = append(turned, s)
	}
	if d.win.Win.Canvas().Overlays().Top() != nil || d.win.Front != 0 || len(turned) == 0 {
		return
	}
	d.crop.close()
	if from := scanOf(paper); from != nil {
		s := *from
		s.quarters, s.part = (s.quarters+1)%4, s.part.Turned()
		paper.SetRead(turned, &s)
		return
	}
	paper.SetInk(turned)
}

// startCrop shows the picture that is on the paper, so that a part of it can be chosen.
func (d *Page) startCrop() {
	d.win.OpenPage(0)
	from := scanOf(d.paper())
	if d.win.Win.Canvas().Overlays().Top() != nil {
		return
	}
	if from == nil {
		d.win.Toast.Say(language.Tr("Read or paste a picture first; then a part of it can be chosen."))
		return
	}
	page.Away(d.win, from.picture, func(p *dataset.Picture, err error) {
		switch {
		case err != nil:
			d.scanFailed(*from, err)
		case scanOf(d.paper()) == from:
			d.win.Toast.Close()
			d.crop.begin(*from, p)
		}
	})
}

// cropView shows the picture that is on the paper; of it a part is chosen by dragging or by keys, which paper and answer follow.
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
		a := widget.Area{Pos: fyne.NewPos(margin, margin), Size: size.SubtractWidthHeight(2*margin, 2*margin)}
		buttons := a.Bottom(widget.ToolHeight, 8)
		buttons.Left(widget.Floor((buttons.Size.Width-margin)/2), margin).Put(c.whole)
		buttons.Put(c.done)
		a.Bottom(c.words.Height(a.Size.Width), 8).Put(c.words)
		c.putPicture(a)
	}}, append(objs, c.frame, c.words, c.whole, c.done)...))
	c.Hide()
	return c
}

func (c *cropView) putPicture(room widget.Area) {
	if c.picture == nil {
		return
	}
	b := c.shown.Image.Bounds()
	scale := min(room.Size.Width/float32(b.Dx()), room.Size.Height/float32(b.Dy()))
	w, h := scale*float32(b.Dx()), scale*float32(b.Dy())
	c.at = widget.Area{Pos: room.Pos.AddXY((room.Size.Width-w)/2, (room.Size.Height-h)/2), Size: fyne.NewSize(w, h)}
	c.at.Put(c.shown)
	p, part := c.scan.part, c.at
	part.Top(h*float32(p.Top), 0).Put(c.veils[0])
	part.Bottom(h*float32(1-p.Bottom), 0).Put(c.veils[1])
	part.Left(w*float32(p.Left), 0).Put(c.veils[2])
	part.Right(w*float32(1-p.Right), 0).Put(c.veils[3])
	part.Put(c.frame)
}

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
