package widget

import (
	"cmp"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Composed is the base of widgets that are made of others.
type Composed struct {
	widget.BaseWidget
	Content *fyne.Container
}

func (c *Composed) Compose(self fyne.Widget, content *fyne.Container) {
	c.Content = content
	c.ExtendBaseWidget(self)
}

func (c *Composed) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(c.Content) }

// Keyed is the base of widgets that take the keys.
type Keyed struct {
	Composed
	Focused bool
	Turned  func()                  // the focus has come or gone, or the pointer
	Keys    map[fyne.KeyName]func() // what keys do; others go to the window
}

var _ fyne.Focusable = (*Keyed)(nil)

func (k *Keyed) FocusGained()     { k.Focused = true; k.Turned() }
func (k *Keyed) FocusLost()       { k.Focused = false; k.Turned() }
func (k *Keyed) TypedRune(r rune) { PassRune(k.Content, r) }

func (k *Keyed) TypedKey(e *fyne.KeyEvent) {
	if do := k.Keys[e.Name]; do != nil {
		do()
	} else {
		PassKey(k.Content, e)
	}
}

// Pressable is the base of widgets that are pressed, by the pointer or a key.
type Pressable struct {
	Keyed
	Hovered, pressed bool
	Usable           func() bool // pressing has an effect
	Press            func()
}

var (
	_ fyne.Tappable      = (*Pressable)(nil)
	_ desktop.Hoverable  = (*Pressable)(nil)
	_ desktop.Mouseable  = (*Pressable)(nil)
	_ desktop.Cursorable = (*Pressable)(nil)
)

func (p *Pressable) Tapped(*fyne.PointEvent) {
	if p.Usable() {
		p.Press()
	}
}

func (p *Pressable) Cursor() desktop.Cursor {
	if p.Usable() {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// PressedBy says which keys press it.
func (p *Pressable) PressedBy(keys ...fyne.KeyName) {
	p.Keys = map[fyne.KeyName]func(){}
	for _, k := range keys {
		p.Keys[k] = func() { p.Tapped(nil) }
	}
}

func (p *Pressable) MouseIn(*desktop.MouseEvent)    { p.Hovered = true; p.Turned() }
func (p *Pressable) MouseMoved(*desktop.MouseEvent) {}
func (p *Pressable) MouseOut()                      { p.Hovered, p.pressed = false, false; p.Turned() }
func (p *Pressable) MouseDown(*desktop.MouseEvent)  { p.pressed = true; p.Turned() }
func (p *Pressable) MouseUp(*desktop.MouseEvent)    { p.pressed = false; p.Turned() }

// Arranged is a layout of two functions: the least size, and what puts everything in its place.
type Arranged struct {
	Least func() fyne.Size
	Put   func(fyne.Size)
}

func (a Arranged) MinSize([]fyne.CanvasObject) fyne.Size        { return a.Least() }
func (a Arranged) Layout(_ []fyne.CanvasObject, size fyne.Size) { a.Put(size) }

// AtLeast is a least size that never changes.
func AtLeast(width, height float32) func() fyne.Size {
	return func() fyne.Size { return fyne.NewSize(width, height) }
}

// Smallest is the least useful size of what is under the menu bar, which makes a window of 900 x 600 of it.
var Smallest = fyne.NewSize(900, 571)

// HeaderHeight is the height of the header over content of the given height in all.
func HeaderHeight(all float32) float32 {
	if all < 700 {
		return 46
	}
	return 56
}

// PageSize is the least size of a page.
func PageSize() fyne.Size { return Smallest.SubtractWidthHeight(0, HeaderHeight(Smallest.Height)) }

// Rearrange puts the objects of a container in their places for what they show now.
func Rearrange(c *fyne.Container) { c.Layout.Layout(c.Objects, c.Size()) }

// Place puts an object where it is not yet: to move a container paints the window anew, wherever it was.
func Place(o fyne.CanvasObject, x, y, w, h float32) {
	if at := fyne.NewPos(x, y); o.Position() != at {
		o.Move(at)
	}
	o.Resize(fyne.NewSize(w, h))
}

// Middle puts an object of height h into the middle of a row.
func Middle(o fyne.CanvasObject, x, y, w, row, h float32) { Place(o, x, y+Floor((row-h)/2), w, h) }

func Show(o fyne.CanvasObject, visible bool) {
	if visible {
		o.Show()
	} else {
		o.Hide()
	}
}

func Enable(o fyne.Disableable, on bool) {
	switch {
	case on && o.Disabled():
		o.Enable()
	case !on && !o.Disabled():
		o.Disable()
	}
}

func Floor(x float32) float32 { return float32(int(x)) }

// Fill is a rectangle in colours of the theme.
type Fill struct {
	widget.BaseWidget
	Color, Edge fyne.ThemeColorName // empty for none
	Rect        *canvas.Rectangle
}

func NewFill(c fyne.ThemeColorName, radius float32) *Fill {
	f := &Fill{Color: c, Rect: canvas.NewRectangle(Themed(c))}
	f.Rect.CornerRadius = radius
	f.ExtendBaseWidget(f)
	return f
}

func (f *Fill) Edged(c fyne.ThemeColorName, width float32) *Fill {
	if f.Edge != c || f.Rect.StrokeWidth != width {
		f.Edge, f.Rect.StrokeWidth = c, width
		f.Refresh()
	}
	return f
}

func (f *Fill) Recolor(c fyne.ThemeColorName) {
	if f.Color != c {
		f.Color = c
		f.Refresh()
	}
}

func (f *Fill) Refresh() {
	f.Rect.FillColor, f.Rect.StrokeColor = Themed(f.Color), Themed(f.Edge)
	f.Rect.Refresh()
}

func (f *Fill) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(f.Rect) }

// ground is the surface of a card or of paper, with round corners. OpenGL in software takes twice as long for a
// pixel of a rectangle with round corners as for one of a rectangle without, so the first is shown at the rim alone.
type ground struct {
	Composed
	rim  [4]*Fill // above, below, left, right; of each the outer edge is seen, and so much more that no scale leaves a gap
	core *Fill
}

const paperRadius = 14

func NewGround(c fyne.ThemeColorName) *ground {
	g := &ground{core: NewFill(c, 0)}
	objs := []fyne.CanvasObject{g.core}
	for i := range g.rim {
		g.rim[i] = NewFill(c, paperRadius)
		objs = append(objs, container.NewClip(container.NewWithoutLayout(g.rim[i])))
	}
	g.edged(ColorBorder)
	g.Compose(g, container.New(Arranged{AtLeast(0, 0), func(size fyne.Size) {
		const rim, soft = paperRadius + 2, 1 // it fades outside of the surface
		w, h := size.Width, size.Height
		Place(g.core, paperRadius, paperRadius, w-2*paperRadius, h-2*paperRadius)
		side := func(i int, width, height, left, top, right, bottom float32) {
			Place(objs[1+i], left, top, right-left, bottom-top)
			Place(g.rim[i], -left, -top, width, height)
		}
		const corners = 4 * paperRadius // as much as keeps the near corners as they are
		side(0, w, min(h, corners), -soft, -soft, w+soft, rim-soft)
		side(1, w, h, -soft, h+soft-rim, w+soft, h+soft)
		side(2, min(w, corners), h, -soft, paperRadius, rim-soft, h-paperRadius)
		side(3, w, h, w+soft-rim, paperRadius, w+soft, h-paperRadius)
	}}, objs...))
	return g
}

func (g *ground) edged(c fyne.ThemeColorName) {
	for _, f := range g.rim {
		f.Edged(c, 1)
	}
}

// RingedList is a list with a ring around it while it has the focus.
type RingedList struct {
	widget.List
	Ring *Fill
}

func (l *RingedList) FocusGained() {
	l.List.FocusGained()
	l.Ring.Edged(theme.ColorNamePrimary, 2)
}

func (l *RingedList) FocusLost() {
	l.List.FocusLost()
	l.Ring.Edged("", 0)
}

// NewCard is a quiet surface with round corners that its content fills but for a margin, which the page changes.
func NewCard(content fyne.CanvasObject, margin *float32) *fyne.Container {
	ground := NewGround(ColorCard)
	return container.New(Arranged{
		func() fyne.Size { return content.MinSize().AddWidthHeight(2**margin, 2**margin) },
		func(size fyne.Size) {
			ground.Resize(size)
			Place(content, *margin, *margin, size.Width-2**margin, size.Height-2**margin)
		},
	}, ground, content)
}

// EvenColumns gives every visible object the full height and the same share of the width.
type EvenColumns struct{ Gap float32 }

func (c EvenColumns) MinSize(objs []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for _, o := range seen(objs) {
		size = size.Max(o.MinSize())
	}
	n := float32(len(seen(objs)))
	return fyne.NewSize(size.Width*n+c.Gap*(n-1), size.Height)
}

func (c EvenColumns) Layout(objs []fyne.CanvasObject, size fyne.Size) {
	objs = seen(objs)
	n := float32(len(objs))
	w := Floor((size.Width - c.Gap*(n-1)) / n)
	for i, o := range objs {
		Place(o, float32(i)*(w+c.Gap), 0, w, size.Height)
	}
}

func seen(objs []fyne.CanvasObject) []fyne.CanvasObject {
	return slices.DeleteFunc(slices.Clone(objs), func(o fyne.CanvasObject) bool { return !o.Visible() })
}

// Beside puts objects beside each other at full height, each as wide as it must be; those that ask for no width share what is left.
func Beside(gap float32, objs ...fyne.CanvasObject) *fyne.Container {
	return container.New(sequence{gap: gap}, objs...)
}

// Under puts objects under each other at full width, each as high as it must be at that; those that ask for no height share what is left.
func Under(gap float32, objs ...fyne.CanvasObject) *fyne.Container {
	return container.New(sequence{gap, true}, objs...)
}

// Space changes the gap of what Beside or Under made.
func Space(c *fyne.Container, gap float32) {
	s := c.Layout.(sequence)
	c.Layout = sequence{gap, s.down}
}

type sequence struct {
	gap  float32
	down bool
}

// length is what an object needs along the line, in a column of that width.
func (s sequence) length(o fyne.CanvasObject, width float32) float32 {
	if !s.down {
		return o.MinSize().Width
	}
	switch o := o.(type) {
	case interface{ Height(float32) float32 }:
		return o.Height(width)
	case *fyne.Container:
		if under, ok := o.Layout.(sequence); ok && under.down {
			return under.whole(o.Objects, width)
		}
	}
	return o.MinSize().Height
}

func (s sequence) whole(objs []fyne.CanvasObject, width float32) (all float32) {
	for i, o := range seen(objs) {
		all += s.length(o, width) + s.gap*min(float32(i), 1)
	}
	return all
}

func (s sequence) MinSize(objs []fyne.CanvasObject) fyne.Size {
	var least fyne.Size
	now := float32(0)
	for _, o := range seen(objs) {
		least, now = least.Max(o.MinSize()), max(now, o.Size().Width)
	}
	if s.down {
		return fyne.NewSize(least.Width, s.whole(objs, now))
	}
	return fyne.NewSize(s.whole(objs, 0), least.Height)
}

func (s sequence) Layout(objs []fyne.CanvasObject, size fyne.Size) {
	objs = seen(objs)
	of := func(size fyne.Size) float32 {
		if s.down {
			return size.Height
		}
		return size.Width
	}
	free, sharing, at := max(of(size)-s.whole(objs, size.Width), 0), float32(0), float32(0)
	for _, o := range objs {
		if of(o.MinSize()) == 0 {
			sharing++
		}
	}
	for _, o := range objs {
		length := s.length(o, size.Width)
		if of(o.MinSize()) == 0 {
			length = free / sharing
			if sharing > 1 {
				length = Floor(length)
			}
		}
		if s.down {
			Place(o, 0, at, size.Width, length)
		} else {
			Place(o, at, 0, length, size.Height)
		}
		at += length + s.gap
	}
}

// Sized has an object ask for another width and height, where they are not 0; it gets all the room there is.
func Sized(width, height float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(Arranged{func() fyne.Size {
		size := o.MinSize()
		return fyne.NewSize(cmp.Or(width, size.Width), cmp.Or(height, size.Height))
	}, func(size fyne.Size) { Place(o, 0, 0, size.Width, size.Height) }}, o)
}

// Rest has objects ask for no room, so that they get what others leave.
func Rest(objs ...fyne.CanvasObject) *fyne.Container {
	return container.New(Arranged{AtLeast(0, 0), func(size fyne.Size) { Whole(size).Put(objs...) }}, objs...)
}

// density is how much air a page has: roomy, or compact for windows down to 900 x 600.
type density struct {
	Compact bool
	Margin  float32 // around the page
	Gap     float32 // between cards
	Inner   float32 // within a card
}

// DensityOf is the density of a page of the given size, and what is within its margins: it has none above.
func DensityOf(page fyne.Size) (density, Area) {
	d := density{Margin: 20, Gap: 16, Inner: 18}
	if page.Width < 1100 || page.Height < 660 {
		d = density{Compact: true, Margin: 12, Gap: 8, Inner: 11}
	}
	return d, Area{fyne.NewPos(d.Margin, 0), page.SubtractWidthHeight(2*d.Margin, d.Margin)}
}

// Of gives the value for this density.
func (d density) Of(roomy, compact float32) float32 {
	if d.Compact {
		return compact
	}
	return roomy
}

// Area is a part of the window.
type Area struct {
	Pos  fyne.Position
	Size fyne.Size
}

// Whole is all of what has a size.
func Whole(size fyne.Size) Area { return Area{Size: size} }

// Put gives objects all of an area.
func (a Area) Put(objs ...fyne.CanvasObject) {
	for _, o := range objs {
		Place(o, a.Pos.X, a.Pos.Y, a.Size.Width, a.Size.Height)
	}
}

// Above is an area without so much at its lower edge, where something stays to be read.
func (a Area) Above(height float32) Area {
	a.Bottom(height, 0)
	return a
}

// Left, Right, Top and Bottom cut so much off an area, and a gap, and give what was cut off.
func (a *Area) Left(width, gap float32) Area {
	cut := Area{a.Pos, fyne.NewSize(width, a.Size.Height)}
	a.Pos.X += width + gap
	a.Size.Width -= width + gap
	return cut
}

func (a *Area) Right(width, gap float32) Area {
	a.Size.Width -= width + gap
	return Area{a.Pos.AddXY(a.Size.Width+gap, 0), fyne.NewSize(width, a.Size.Height)}
}

func (a *Area) Top(height, gap float32) Area {
	cut := Area{a.Pos, fyne.NewSize(a.Size.Width, height)}
	a.Pos.Y += height + gap
	a.Size.Height -= height + gap
	return cut
}

func (a *Area) Bottom(height, gap float32) Area {
	a.Size.Height -= height + gap
	return Area{a.Pos.AddXY(0, a.Size.Height+gap), fyne.NewSize(a.Size.Width, height)}
}

// AreaOf is where an object lies in the window.
func AreaOf(o fyne.CanvasObject) Area {
	return Area{fyne.CurrentApp().Driver().AbsolutePositionForObject(o), o.Size()}
}

func Run(f func()) {
	if f != nil {
		f()
	}
}

// Frames is how often something long is followed: each change repaints the window.
const Frames = 100 * time.Millisecond

// ScrollWidth is room for a scroll bar beside what it scrolls.
const ScrollWidth = 10
