package ui

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// pictureOfOne is a PNG file of one dark stroke.
func pictureOfOne(t *testing.T) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 120, 120))
	for y := range 120 {
		for x := range 120 {
			img.SetGray(x, y, color.Gray{255})
			if x > 55 && x < 65 && y > 15 && y < 105 {
				img.SetGray(x, y, color.Gray{10})
			}
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestADroppedPictureComesOntoThePaper(t *testing.T) {
	s := withBook(t, &fakeEngine{}, t.TempDir())
	s.openPage(1)
	path := filepath.Join(t.TempDir(), "one.PNG")
	if err := os.WriteFile(path, pictureOfOne(t), 0o600); err != nil {
		t.Fatal(err)
	}
	drop := func(path string) { s.take([]string{path}) }
	drop(path)
	s.answered("1") // of as many strokes
	if s.front != 0 {
		t.Errorf("page %d is in front", s.front)
	}
	s.types('7')
	s.says("Saved as 7")
	s.draw.pad.undo()
	s.draw.pad.undo()
	if n := len(s.draw.pad.drawing()); n != 0 {
		t.Errorf("%d strokes are left after Undo", n)
	}

	if err := os.WriteFile(path, []byte("no picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	drop(path)
	s.until("the reason", func() bool { return s.win.Canvas().Overlays().Top() != nil })
	s.modal.Hide()
}

func TestFilesGivenAtTheStartAreTaken(t *testing.T) {
	s := withBook(t, &fakeEngine{}, t.TempDir(), func(o *Options) { o.Files = []string{"../../assets/digits.jsonl"} })
	s.button("I did")
	s.until("the samples of the file", func() bool { return len(s.stored()) == 10 })
}
