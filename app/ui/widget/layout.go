package widget

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

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

func seen(objs []fyne.CanvasObject) []fyne.CanvasObject {
	return slices.DeleteFunc(slices.Clone(objs), func(o fyne.CanvasObject) bool { return !o.Visible() })
}

// Beside puts objects beside each other at full height, each as wide as it must be; those that ask for no width share what is left.
func Beside(gap float32, objs ...fyne.CanvasObject) *fyne.Container {
	return container.New(sequence{gap: gap}, objs...)
}

// Evenly puts objects beside each other at full height and the same width.
func Evenly(gap float32, objs ...fyne.CanvasObject) *fyne.Container {
	return container.New(sequence{gap: gap, even: true}, objs...)
}

// Under puts objects under each other at full width, each as high as it must be at that; those that ask for no height share what is left.
func Under(gap float32, objs ...fyne.CanvasObject) *fyne.Container {
	return container.New(sequence{gap: gap, down: true}, objs...)
}

// Space changes the gap of what Beside or Under made.
func Space(c *fyne.Container, gap float32) {
	s := c.Layout.(sequence)
	s.gap = gap
	c.Layout = s
}

type sequence struct {
	gap        float32
	down, even bool
}

// length is what an object needs along the line, in a column of that width.
func (s sequence) length(o fyne.CanvasObject, width float32) float32 {
	if s.even {
		return 0
	}
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
	switch {
	case s.down:
		return fyne.NewSize(least.Width, s.whole(objs, now))
	case s.even:
		return fyne.NewSize(s.whole(objs, 0)+least.Width*float32(len(seen(objs))), least.Height)
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
	shares := func(o fyne.CanvasObject) bool { return s.even || of(o.MinSize()) == 0 }
	for _, o := range objs {
		if shares(o) {
			sharing++
		}
	}
	for _, o := range objs {
		length := s.length(o, size.Width)
		if shares(o) {
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
