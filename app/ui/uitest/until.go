package uitest

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
)

// Sizes a person may give the window, the smallest first.
var Sizes = []fyne.Size{{Width: 900, Height: 571}, {Width: 900, Height: 600}, {Width: 1000, Height: 700}, {Width: 1280, Height: 800}, {Width: 1920, Height: 1080}, {Width: 900, Height: 1200}}

// Until runs posted functions until ok, and fails when that takes longer than 5 seconds.
func Until(t *testing.T, posted <-chan func(), what string, ok func() bool) {
	t.Helper()
	late := time.After(5 * time.Second)
	for !ok() {
		select {
		case f := <-posted:
			f()
		case <-time.After(2 * time.Millisecond):
		case <-late:
			t.Fatalf("waited in vain for: %s", what)
		}
	}
}
