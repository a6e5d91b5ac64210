package widget

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
)

// unpainted is an app in which nothing was painted yet.
type (
	unpainted struct{ fyne.App }
	noCanvas  struct{ fyne.Driver }
)

func (a unpainted) Driver() fyne.Driver                        { return noCanvas{a.App.Driver()} }
func (noCanvas) CanvasForObject(fyne.CanvasObject) fyne.Canvas { return nil }

// A right click opens the menu of an entry.
func TestMenuOfAnEntry(t *testing.T) {
	test.NewTempApp(t)
	e, l := NewEntry(""), NewLabelEntry("", nil, nil)
	w := test.NewTempWindow(t, container.NewVBox(e, l))
	for _, o := range []fyne.SecondaryTappable{e, l} {
		test.TapSecondary(o)
		if w.Canvas().Overlays().Top() == nil {
			t.Errorf("none of %T", o)
		}
		w.Canvas().Overlays().Remove(w.Canvas().Overlays().Top())
	}
}

// What is clicked or typed before the first frame of a dialog has no effect.
func TestControlsBeforeTheFirstFrame(t *testing.T) {
	a := test.NewTempApp(t)
	d, e := NewDropDown([]string{"a", "b"}, 0, nil), NewLabelEntry("", nil, nil)
	fyne.SetCurrentApp(unpainted{a})
	d.Tapped(&fyne.PointEvent{})
	d.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	e.TappedSecondary(&fyne.PointEvent{})
	NewEntry("").TappedSecondary(&fyne.PointEvent{})
	if e.Begin("x"); e.Text != "" {
		t.Errorf("the entry has %q", e.Text)
	}
}
