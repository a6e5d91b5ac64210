package train

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// Arrow keys in a view that became empty do nothing.
func TestKeysInAnEmptyViewDoNothing(t *testing.T) {
	test.NewTempApp(t)
	v := newEvidenceView("back", func() {})
	w := test.NewTempWindow(t, v.content)
	w.Resize(fyne.NewSize(400, 300))
	v.show("title", "", false, make([]evidence, 3))
	w.Canvas().Focus(v.grid)
	v.show("title", "nothing", false, nil)
	for _, k := range []fyne.KeyName{fyne.KeyDown, fyne.KeyUp, fyne.KeyRight, fyne.KeyLeft, fyne.KeySpace} {
		v.grid.TypedKey(&fyne.KeyEvent{Name: k})
	}
	if v.grid.Visible() {
		t.Error("Tab reaches an empty grid")
	}
}
