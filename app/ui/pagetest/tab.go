package pagetest

import (
	"fmt"
	"image"
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"inkshade/app/ui/widget"
)

// Tabbed goes once round what Tab reaches.
func Tabbed(c fyne.Canvas, at func(fyne.Focusable)) (all []fyne.Focusable) {
	for {
		c.FocusNext()
		f := c.Focused()
		if f == nil || slices.Contains(all, f) {
			return all
		}
		all = append(all, f)
		at(f)
	}
}

// NameOf says which control has the focus.
func NameOf(f fyne.Focusable) string {
	switch f := f.(type) {
	case *widget.Button:
		return "the button " + f.Name
	case *widget.Press:
		return "the button " + f.Text
	}
	return fmt.Sprintf("%T", f)
}

// TabGoesDown fails where Tab reaches something that lies above, or left of what came before, or where the focus is not seen.
func TabGoesDown(t *testing.T, c fyne.Canvas, where string) []fyne.Focusable {
	t.Helper()
	pixels := func() []uint8 { return c.Capture().(*image.NRGBA).Pix }
	c.Unfocus()
	without := pixels()
	var areas []widget.Area // where each was then, as the page was scrolled
	all := Tabbed(c, func(f fyne.Focusable) {
		areas = append(areas, widget.AreaOf(f.(fyne.CanvasObject)))
		differ := 0 // by more than a shade
		for i, p := range pixels() {
			if by := int(p) - int(without[i]); by > 30 || by < -30 {
				differ++
			}
		}
		if differ < 100 {
			t.Errorf("%s: the focus is not seen on %s", where, NameOf(f))
		}
	})
	for i, b := range areas {
		for j, a := range areas[:i] {
			beside := a.Pos.Y < b.Pos.Y+b.Size.Height && b.Pos.Y < a.Pos.Y+a.Size.Height
			over := a.Pos.X < b.Pos.X+b.Size.Width && b.Pos.X < a.Pos.X+a.Size.Width
			if over && b.Pos.Y+b.Size.Height <= a.Pos.Y || beside && b.Pos.X+b.Size.Width <= a.Pos.X {
				t.Errorf("%s: %s at %v comes after %s at %v", where, NameOf(all[i]), b.Pos, NameOf(all[j]), a.Pos)
			}
		}
	}
	return all
}
