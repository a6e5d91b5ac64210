package ui

import (
	"fmt"
	"image"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/state/setting"
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
		seen := s.tabbed(func(f fyne.Focusable) {
			if slices.Equal(pixels(), without) {
				t.Errorf("%s: the focus is not seen on %s", p.Name, nameOf(f))
			}
			if b, ok := f.(*toolkit.Button); ok {
				t.Errorf("%s: Enter does not press %s", p.Name, b.Text)
			}
		})
		t.Logf("%s: %d controls", p.Name, len(seen))
		if len(seen) < 6 {
			t.Errorf("%s: Tab reaches %d controls", p.Name, len(seen))
		}
	}
}

// tabbed goes once round what Tab reaches.
func (s *testStage) tabbed(at func(fyne.Focusable)) (all []fyne.Focusable) {
	for {
		s.Win.Canvas().FocusNext()
		f := s.Win.Canvas().Focused()
		if f == nil || slices.Contains(all, f) {
			return all
		}
		all = append(all, f)
		at(f)
	}
}

// From the header down, what Tab reaches later lies lower, or right of what came before.
func TestTabGoesDownThePage(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	uitest.Stroke(s.Paper, uitest.Seven...)
	s.answered("1")
	s.types("7")
	s.says("Saved as “7”")
	for i, p := range s.Pages {
		s.OpenPage(i)
		s.Toast.Close()
		if p.Key == "models" {
			s.seen("input") // of the layers
		}
		all := s.tabbed(func(fyne.Focusable) {})
		for j, f := range all {
			for _, before := range all[:j] {
				a, b := widget.AreaOf(before.(fyne.CanvasObject)), widget.AreaOf(f.(fyne.CanvasObject))
				beside := a.Pos.Y < b.Pos.Y+b.Size.Height && b.Pos.Y < a.Pos.Y+a.Size.Height
				over := a.Pos.X < b.Pos.X+b.Size.Width && b.Pos.X < a.Pos.X+a.Size.Width
				if over && b.Pos.Y+b.Size.Height <= a.Pos.Y || beside && b.Pos.X+b.Size.Width <= a.Pos.X {
					t.Errorf("%s: %s at %v comes after %s at %v", p.Name, nameOf(f), b.Pos, nameOf(before), a.Pos)
				}
			}
		}
	}
}

// Where larger texts make the window scroll, in it or in a dialog, what has the focus is seen whole, or fills the room.
func TestTheFocusIsScrolledTo(t *testing.T) {
	a := test.NewTempApp(t)
	setting.TextSize.Set(a.Preferences(), 1.5)
	t.Setenv("FYNE_SCALE", "1.5")
	s := openOn(t, a, &uitest.Engine{})
	s.Win.Resize(fyne.NewSize(600, 400))
	check := func(in *container.Scroll, where string) {
		t.Helper()
		room := widget.AreaOf(in)
		s.tabbed(func(f fyne.Focusable) {
			area := widget.AreaOf(f.(fyne.CanvasObject))
			out := func(from, length, begin, room float32) bool {
				return length <= room && (from < begin || from+length > begin+room)
			}
			if len(shownOf(in, func(o fyne.CanvasObject) bool { return o == f.(fyne.CanvasObject) })) > 0 &&
				(out(area.Pos.X, area.Size.Width, room.Pos.X, room.Size.Width) || out(area.Pos.Y, area.Size.Height, room.Pos.Y, room.Size.Height)) {
				t.Errorf("%s: %s at %v is out of sight", where, nameOf(f), area)
			}
		})
	}
	for i, p := range s.Pages {
		s.OpenPage(i)
		check(s.Win.Content().(*container.Scroll), p.Name)
	}
	s.Command("settings").Do()
	check(shownOf(s.Win.Canvas().Overlays().Top(), func(*container.Scroll) bool { return true })[0], "settings")
}

func nameOf(f fyne.Focusable) string {
	if b, ok := f.(*widget.Button); ok {
		return "the button " + b.Name
	}
	return fmt.Sprintf("%T", f)
}
