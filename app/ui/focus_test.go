package ui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/state/setting"
	"inkshade/app/ui/pagetest"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
)

// Tab goes round every page from the header down, and what has the focus looks different.
func TestFocusIsSeenOnEveryControl(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	uitest.Stroke(s.Paper, uitest.Seven...)
	s.answered("1")
	s.types("7")
	s.says("Saved as “7”")
	s.Win.Resize(widget.Smallest) // fewer pixels to compare
	for i, p := range s.Pages {
		s.OpenPage(i)
		s.Toast.Close()
		if p.Key == "models" {
			s.seen("input") // of the layers
		}
		all := pagetest.TabGoesDown(t, s.Win.Canvas(), p.Name)
		for _, f := range all {
			if b, ok := f.(*toolkit.Button); ok {
				t.Errorf("%s: Enter does not press %s", p.Name, b.Text)
			}
		}
		t.Logf("%s: %d controls", p.Name, len(all))
		if len(all) < 6 {
			t.Errorf("%s: Tab reaches %d controls", p.Name, len(all))
		}
	}
	s.OpenPage(0)
	s.item("Write a Line")
	pagetest.TabGoesDown(t, s.Win.Canvas(), "Line")
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
		pagetest.Tabbed(s.Win.Canvas(), func(f fyne.Focusable) {
			area := widget.AreaOf(f.(fyne.CanvasObject))
			out := func(from, length, begin, room float32) bool {
				return length <= room && (from < begin || from+length > begin+room)
			}
			if len(shownOf(in, func(o fyne.CanvasObject) bool { return o == f.(fyne.CanvasObject) })) > 0 &&
				(out(area.Pos.X, area.Size.Width, room.Pos.X, room.Size.Width) || out(area.Pos.Y, area.Size.Height, room.Pos.Y, room.Size.Height)) {
				t.Errorf("%s: %s at %v is out of sight", where, pagetest.NameOf(f), area)
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
