package ui

import (
	"fmt"
	"image"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
)

// Tab goes round every page, and what has the focus looks different.
func TestFocusIsSeenOnEveryControl(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	uitest.Stroke(s.Paper, uitest.Seven...)
	s.answered("1")
	s.types("7")
	s.says("Saved as “7”")
	s.Win.Resize(widget.Smallest) // fewer pixels to compare
	pixels := func() []uint8 { return s.Win.Canvas().Capture().(*image.NRGBA).Pix }
	for i, p := range s.Pages {
		s.OpenPage(i)
		s.Toast.Close()
		if p.Key == "models" {
			s.seen("input") // of the layers
		}
		without := pixels()
		seen := map[fyne.Focusable]bool{}
		for range 60 {
			s.Win.Canvas().FocusNext()
			f := s.Win.Canvas().Focused()
			if f == nil || seen[f] {
				break
			}
			seen[f] = true
			if slices.Equal(pixels(), without) {
				t.Errorf("%s: the focus is not seen on %s", p.Name, nameOf(f))
			}
			if b, ok := f.(*toolkit.Button); ok {
				t.Errorf("%s: Enter does not press %s", p.Name, b.Text)
			}
		}
		t.Logf("%s: %d controls", p.Name, len(seen))
		if len(seen) < 6 {
			t.Errorf("%s: Tab reaches %d controls", p.Name, len(seen))
		}
	}
}

func nameOf(f fyne.Focusable) string {
	if b, ok := f.(*widget.Button); ok {
		return "the button " + b.Name
	}
	return fmt.Sprintf("%T", f)
}
