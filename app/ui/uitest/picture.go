package uitest

import (
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

// Pictures is the folder for pictures of the window, if they are wanted: of before and after a change they show what it
// does to what people see.
var Pictures = os.Getenv("INKSHADE_PICTURES")

// Picture writes the window as a PNG file where pictures are wanted.
func Picture(t *testing.T, name string, w fyne.Window) {
	t.Helper()
	if Pictures == "" {
		return
	}
	base := filepath.Join(Pictures, strings.NewReplacer("/", "_", " ", "_").Replace(name))
	path := base + ".png"
	for n := 2; ; n++ {
		if _, err := os.Stat(path); err != nil {
			break
		}
		path = fmt.Sprintf("%s_%d.png", base, n)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(f, w.Canvas().Capture()); err != nil {
		t.Fatal(err)
	}
}
