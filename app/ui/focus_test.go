package ui

import (
	"fmt"
	"image"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
)

// Tab goes round every page, and what has the focus looks different.
func TestFocusIsSeenOnEveryControl(t *testing.T) {
	s := withBook(t, &fakeEngine{}, t.TempDir())
	stroke(s.draw.pad, seven...)
	s.answered("1")
	s.types('7')
	s.says("Saved as 7")
	s.win.Resize(smallest) // fewer pixels to compare
	pixels := func() []uint8 { return s.win.Canvas().Capture().(*image.NRGBA).Pix }
	for i, p := range s.pages {
		s.openPage(i)
		s.toast.hide()
		s.until("the layers of the model", func() bool { return p.key != "models" || len(s.models.inside.strip.texts) > 0 })
		without := pixels()
		seen := map[fyne.Focusable]bool{}
		for range 60 {
			s.win.Canvas().FocusNext()
			f := s.win.Canvas().Focused()
			if f == nil || seen[f] {
				break
			}
			seen[f] = true
			if slices.Equal(pixels(), without) {
				t.Errorf("%s: the focus is not seen on %s", p.name, nameOf(f))
			}
		}
		t.Logf("%s: %d controls", p.name, len(seen))
		if len(seen) < 6 {
			t.Errorf("%s: Tab reaches %d controls", p.name, len(seen))
		}
	}
}

func nameOf(f fyne.Focusable) string {
	if b, ok := f.(*button); ok {
		return "the button " + b.name
	}
	return fmt.Sprintf("%T", f)
}
