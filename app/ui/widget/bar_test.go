package widget

import (
	"testing"

	"fyne.io/fyne/v2/test"

	"inkshade/recognizer/personal"
)

// A bar is as long as the share that stands beside it.
func TestBarsOfAComparisonShowTheShare(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(Light))
	c := NewComparison("wrong", 0)
	c.Set(personal.Comparison{Samples: 200, Before: 31, After: 8})
	for i, want := range []float64{0.155, 0.04} {
		if got := c.rows[i].Bar.Spans[0].To; got != want {
			t.Errorf("a bar of %v, want %v", got, want)
		}
	}
}
