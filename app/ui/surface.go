package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// composed is the base of widgets that are made of others.
type composed struct {
	widget.BaseWidget
	content *fyne.Container
}

func (c *composed) compose(self fyne.Widget, content *fyne.Container) {
	c.content = content
	c.ExtendBaseWidget(self)
}

// CreateRenderer implements fyne.Widget.
func (c *composed) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(c.content) }

// keyed is the base of widgets that take the keys.
type keyed struct {
	composed
	focused bool
	turned  func()                  // the focus has come or gone, or the pointer
	keys    map[fyne.KeyName]func() // what keys do; others go to the window
}

var _ fyne.Focusable = (*keyed)(nil)

func (k *keyed) FocusGained()     { k.focused = true; k.turned() }
func (k *keyed) FocusLost()       { k.focused = false; k.turned() }
func (k *keyed) TypedRune(r rune) { passRune(k.content, r) }

// TypedKey implements fyne.Focusable.
func (k *keyed) TypedKey(e *fyne.KeyEvent) {
	if do := k.keys[e.Name]; do != nil {
		do()
	} else {
		passKey(k.content, e)
	}
}

// pressable is the base of widgets that are pressed, by the pointer or a key.
type pressable struct {
	keyed
	hovered, pressed bool
	usable           func() bool // pressing has an effect
	press            func()
}

var (
	_ fyne.Tappable      = (*pressable)(nil)
	_ desktop.Hoverable  = (*pressable)(nil)
	_ desktop.Mouseable  = (*pressable)(nil)
	_ desktop.Cursorable = (*pressable)(nil)
)

func (p *pressable) Tapped(*fyne.PointEvent) {
	if p.usable() {
		p.press()
	}
}

func (p *pressable) Cursor() desktop.Cursor {
	if p.usable() {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// pressedBy says which keys press it.
func (p *pressable) pressedBy(keys ...fyne.KeyName) {
	p.keys = map[fyne.KeyName]func(){}
	for _, k := range keys {
		p.keys[k] = func() { p.Tapped(nil) }
	}
}

func (p *pressable) MouseIn(*desktop.MouseEvent)    { p.hovered = true; p.turned() }
func (p *pressable) MouseMoved(*desktop.MouseEvent) {}
func (p *pressable) MouseOut()                      { p.hovered, p.pressed = false, false; p.turned() }
func (p *pressable) MouseDown(*desktop.MouseEvent)  { p.pressed = true; p.turned() }
func (p *pressable) MouseUp(*desktop.MouseEvent)    { p.pressed = false; p.turned() }

// arranged is a layout of two functions: the least size, and what puts everything in its place.
type arranged struct {
	least func() fyne.Size
	put   func(fyne.Size)
}

// These implement fyne.Layout.
func (a arranged) MinSize([]fyne.CanvasObject) fyne.Size        { return a.least() }
func (a arranged) Layout(_ []fyne.CanvasObject, size fyne.Size) { a.put(size) }

// atLeast is a least size that never changes.
func atLeast(width, height float32) func() fyne.Size {
	return func() fyne.Size { return fyne.NewSize(width, height) }
}

// pageSize is the least size of a page.
func pageSize() fyne.Size { return smallest.SubtractWidthHeight(0, headerHeight(smallest.Height)) }

// rearrange puts the objects of a container in their places for what they show now.
func rearrange(c *fyne.Container) { c.Layout.Layout(c.Objects, c.Size()) }

// place puts an object where it is not yet: to move a container paints the window anew, wherever it was.
func place(o fyne.CanvasObject, x, y, w, h float32) {
	if at := fyne.NewPos(x, y); o.Position() != at {
		o.Move(at)
	}
	o.Resize(fyne.NewSize(w, h))
}

// middle puts an object of height h into the middle of a row.
func middle(o fyne.CanvasObject, x, y, w, row, h float32) { place(o, x, y+floor((row-h)/2), w, h) }

func show(o fyne.CanvasObject, visible bool) {
	if visible {
		o.Show()
	} else {
		o.Hide()
	}
}

func enable(o fyne.Disableable, on bool) {
	switch {
	case on && o.Disabled():
		o.Enable()
	case !on && !o.Disabled():
		o.Disable()
	}
}

func floor(x float32) float32 { return float32(int(x)) }

// fill is a rectangle in colours of the theme.
type fill struct {
	widget.BaseWidget
	color, edge fyne.ThemeColorName // empty for none
	rect        *canvas.Rectangle
}

func newFill(c fyne.ThemeColorName, radius float32) *fill {
	f := &fill{color: c, rect: canvas.NewRectangle(themed(c))}
	f.rect.CornerRadius = radius
	f.ExtendBaseWidget(f)
	return f
}

func (f *fill) edged(c fyne.ThemeColorName, width float32) *fill {
	if f.edge != c || f.rect.StrokeWidth != width {
		f.edge, f.rect.StrokeWidth = c, width
		f.Refresh()
	}
	return f
}

func (f *fill) recolor(c fyne.ThemeColorName) {
	if f.color != c {
		f.color = c
		f.Refresh()
	}
}

// Refresh implements fyne.Widget.
func (f *fill) Refresh() {
	f.rect.FillColor, f.rect.StrokeColor = themed(f.color), themed(f.edge)
	f.rect.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (f *fill) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(f.rect) }

// ground is the surface of a card or of paper, with round corners. OpenGL in software takes twice as long for a
// pixel of a rectangle with round corners as for one of a rectangle without, so the first is shown at the rim alone.
type ground struct {
	composed
	rim  [4]*fill // above, below, left, right; of each the outer edge is seen, and so much more that no scale leaves a gap
	core *fill
}

const paperRadius = 14

func newGround(c fyne.ThemeColorName) *ground {
	g := &ground{core: newFill(c, 0)}
	objs := []fyne.CanvasObject{g.core}
	for i := range g.rim {
		g.rim[i] = newFill(c, paperRadius)
		objs = append(objs, container.NewClip(container.NewWithoutLayout(g.rim[i])))
	}
	g.edged(colorBorder)
	g.compose(g, container.New(arranged{atLeast(0, 0), func(size fyne.Size) {
		const rim, soft = paperRadius + 2, 1 // it fades outside of the surface
		w, h := size.Width, size.Height
		place(g.core, paperRadius, paperRadius, w-2*paperRadius, h-2*paperRadius)
		side := func(i int, width, height, left, top, right, bottom float32) {
			place(objs[1+i], left, top, right-left, bottom-top)
			place(g.rim[i], -left, -top, width, height)
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
		f.edged(c, 1)
	}
}

// ringedList is a list with a ring around it while it has the focus.
type ringedList struct {
	widget.List
	ring *fill
}

// FocusGained implements fyne.Focusable.
func (l *ringedList) FocusGained() {
	l.List.FocusGained()
	l.ring.edged(theme.ColorNamePrimary, 2)
}

// FocusLost implements fyne.Focusable.
func (l *ringedList) FocusLost() {
	l.List.FocusLost()
	l.ring.edged("", 0)
}

// newCard is a quiet surface with round corners that its content fills but for a margin, which
// the page changes with its density.
func newCard(content fyne.CanvasObject, margin *float32) *fyne.Container {
	ground := newGround(colorCard)
	return container.New(arranged{
		func() fyne.Size { return content.MinSize().AddWidthHeight(2**margin, 2**margin) },
		func(size fyne.Size) {
			ground.Resize(size)
			place(content, *margin, *margin, size.Width-2**margin, size.Height-2**margin)
		},
	}, ground, content)
}

// evenColumns gives every object the full height and the same share of the width.
type evenColumns struct{ gap float32 }

// MinSize implements fyne.Layout.
func (c evenColumns) MinSize(objs []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for _, o := range objs {
		size = size.Max(o.MinSize())
	}
	n := float32(len(objs))
	return fyne.NewSize(size.Width*n+c.gap*(n-1), size.Height)
}

// Layout implements fyne.Layout.
func (c evenColumns) Layout(objs []fyne.CanvasObject, size fyne.Size) {
	n := float32(len(objs))
	w := floor((size.Width - c.gap*(n-1)) / n)
	for i, o := range objs {
		place(o, float32(i)*(w+c.gap), 0, w, size.Height)
	}
}

// rows puts visible objects of full width under each other, each as high as it needs to be at
// this width.
type rows struct{ gap float32 }

// MinSize implements fyne.Layout.
func (r rows) MinSize(objs []fyne.CanvasObject) fyne.Size {
	var least, now float32
	for _, o := range objs {
		least, now = max(least, o.MinSize().Width), max(now, o.Size().Width)
	}
	return fyne.NewSize(least, r.height(objs, now))
}

func (r rows) height(objs []fyne.CanvasObject, width float32) float32 {
	h := float32(0)
	for _, o := range objs {
		if o.Visible() {
			h += heightAt(o, width) + r.gap
		}
	}
	return max(h-r.gap, 0)
}

// Layout implements fyne.Layout.
func (r rows) Layout(objs []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	for _, o := range objs {
		if o.Visible() {
			place(o, 0, y, size.Width, heightAt(o, size.Width))
			y += o.Size().Height + r.gap
		}
	}
}

// heightAt is what an object needs at a width.
func heightAt(o fyne.CanvasObject, width float32) float32 {
	switch o := o.(type) {
	case interface{ height(float32) float32 }:
		return o.height(width)
	case *fyne.Container:
		if r, ok := o.Layout.(rows); ok {
			return r.height(o.Objects, width)
		}
	}
	return o.MinSize().Height
}

// density is how much air a page has: roomy, or compact for windows down to 900 x 600.
type density struct {
	compact bool
	margin  float32 // around the page
	gap     float32 // between cards
	inner   float32 // within a card
}

// densityOf is the density of a page of the given size.
func densityOf(page fyne.Size) density {
	if page.Width < 1100 || page.Height < 660 {
		return density{compact: true, margin: 12, gap: 8, inner: 11}
	}
	return density{margin: 20, gap: 16, inner: 18}
}

// of gives the value for this density.
func (d density) of(roomy, compact float32) float32 {
	if d.compact {
		return compact
	}
	return roomy
}
