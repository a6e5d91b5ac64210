package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// Within are the objects that one is made of, where that is known.
func Within(o fyne.CanvasObject) []fyne.CanvasObject {
	switch o := o.(type) {
	case *fyne.Container:
		return o.Objects
	case *container.Scroll:
		return []fyne.CanvasObject{o.Content}
	case *container.ThemeOverride:
		return []fyne.CanvasObject{o.Content}
	case *widget.PopUp: // of a dialog
		return []fyne.CanvasObject{o.Content}
	case *widget.Form:
		return Map(o.Items, func(i *widget.FormItem) fyne.CanvasObject { return i.Widget })
	case interface{ Inside() *fyne.Container }:
		return []fyne.CanvasObject{o.Inside()}
	}
	return nil
}

// Reveal scrolls whatever an object lies in until it is seen.
func Reveal(o fyne.CanvasObject) {
	c := fyne.CurrentApp().Driver().CanvasForObject(o)
	if c == nil {
		return
	}
	if top := c.Overlays().Top(); top != nil {
		reveal(top, o)
	} else {
		reveal(c.Content(), o)
	}
}

// reveal does so within one object, and tells whether the other is in it.
func reveal(in, o fyne.CanvasObject) bool {
	if in == o {
		return true
	}
	for _, child := range Within(in) {
		if child.Visible() && reveal(child, o) {
			if s, ok := in.(*container.Scroll); ok {
				RevealIn(s, AreaOf(o))
			}
			return true
		}
	}
	return false
}

// RevealIn scrolls to a part of what is scrolled, as little as it can; what fills the room already stays, for it would move under a pointer.
func RevealIn(s *container.Scroll, part Area) {
	const around = 8 // the ring of the focus, and a little more
	at, content := part.Pos.Subtract(AreaOf(s).Pos), s.Content.Size()
	offset := func(now, from, length, room, all float32) float32 {
		from, to := from-around, from+length+around
		switch {
		case from < 0 && to > room:
			return now
		case from < 0 || to-from > room:
			now += from
		case to > room:
			now += to - room
		}
		return max(min(now, all-room), 0)
	}
	s.ScrollToOffset(fyne.NewPos(offset(s.Offset.X, at.X, part.Size.Width, s.Size().Width, content.Width),
		offset(s.Offset.Y, at.Y, part.Size.Height, s.Size().Height, content.Height)))
}
