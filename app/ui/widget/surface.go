package widget

import (
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

// Inside is what the widget is made of.
func (c *Composed) Inside() *fyne.Container { return c.Content }

func (c *Composed) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(c.Content) }

// Keyed is the base of widgets that take the keys.
type Keyed struct {
	Composed
	Focused bool
	Turned  func()                  // the focus has come or gone, or the pointer
	Keys    map[fyne.KeyName]func() // what keys do; others go to the window
}

var _ fyne.Focusable = (*Keyed)(nil)

func (k *Keyed) FocusGained()     { k.Focused = true; k.Turned(); Reveal(k.Content) }
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

// RingedList is a list with a ring around it while it has the focus. The row that is chosen shows where one is, and the keys choose.
type RingedList struct {
	widget.List
	Ring *Fill
	at   int
}

func NewRingedList(length func() int, row func() fyne.CanvasObject, fill func(int, fyne.CanvasObject), chosen func(int)) *RingedList {
	l := &RingedList{Ring: NewFill("", 8)}
	l.Length, l.CreateItem, l.UpdateItem, l.HideSeparators = length, row, fill, true
	l.OnSelected = func(i int) {
		l.at = i
		chosen(i)
	}
	l.ExtendBaseWidget(l)
	return l
}

func (l *RingedList) TypedRune(r rune) { PassRune(l, r) }

func (l *RingedList) TypedKey(e *fyne.KeyEvent) {
	by, ok := map[fyne.KeyName]int{fyne.KeyUp: -1, fyne.KeyDown: 1, fyne.KeyHome: -l.Length(), fyne.KeyEnd: l.Length()}[e.Name]
	switch {
	case !ok:
		PassKey(l, e)
	case l.Length() > 0:
		l.Select(min(max(l.at+by, 0), l.Length()-1))
	}
}

func (l *RingedList) FocusGained() {
	l.List.FocusGained()
	l.Ring.Edged(theme.ColorNamePrimary, 2)
	Reveal(l.Ring)
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

func Run(f func()) {
	if f != nil {
		f()
	}
}

// Frames is how often something long is followed: each change repaints the window.
const Frames = 100 * time.Millisecond

// ScrollWidth is room for a scroll bar beside what it scrolls.
const ScrollWidth = 10
