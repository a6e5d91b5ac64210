package ui

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
)

func TestAPictureIsPasted(t *testing.T) {
	for text, want := range map[string]string{
		"/home/a b/one.png":                    "/home/a b/one.png",
		"'/home/one.WebP'\n":                   "/home/one.WebP",
		"copy\nfile:///home/a%20b/one.jpg\r\n": "/home/a b/one.jpg",
		"one.png":                              "",
		"/home/one.txt":                        "",
		"https://example.org/one.png":          "",
		"":                                     "",
	} {
		if got := pictureNamed(text); got != want {
			t.Errorf("%q names %q, want %q", text, got, want)
		}
	}
	var copied []byte
	s := open(t, &fakeEngine{}, func(o *Options) { o.copied = func() ([]byte, error) { return copied, nil } })
	s.openPage(1)
	path := filepath.Join(t.TempDir(), "one.png")
	if err := os.WriteFile(path, pictureOfOne(t), 0o600); err != nil {
		t.Fatal(err)
	}
	s.app.Clipboard().SetContent("file://" + path)
	s.paste()
	s.answered("1")
	s.app.Clipboard().SetContent("no file")
	s.paste()
	s.says("there is none on the clipboard")
	s.draw.pad.clear()
	s.openPage(1)
	copied = pictureOfOne(t)
	s.paste()
	s.answered("1")
	s.crops() // out of what was copied
}

func TestWhatIsOnThePaperIsTurned(t *testing.T) {
	s := open(t, &fakeEngine{})
	s.turn()                                                                               // nothing
	s.draw.pad.setInk(ink.Ink{{{X: 0, Y: 0}, {X: 0, Y: 9}}, {{X: 0, Y: 9}, {X: 4, Y: 9}}}) // an L
	before := slices.Clone(s.draw.pad.drawing())
	s.draw.pad.history.scan = &scan{part: dataset.Part{Left: 0.25, Right: 1, Bottom: 0.5}}
	s.turn()
	// Its foot was at the lower right, and is at the lower left.
	if foot := s.draw.pad.drawing()[1]; foot[0].X >= 0 || foot[1].X != foot[0].X || foot[1].Y <= foot[0].Y {
		t.Errorf("the foot is %v", foot)
	}
	if from := s.draw.pad.history.scan; from == nil || from.quarters != 1 || from.part != (dataset.Part{Left: 0.5, Top: 0.25, Right: 1, Bottom: 1}) {
		t.Errorf("the picture is %+v", from)
	}
	s.undo()
	if diff := cmp.Diff(before, s.draw.pad.drawing()); diff != "" {
		t.Errorf("after undo:\n%s", diff)
	}
}

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

// A picture comes onto the paper that was in front when it was asked for.
func TestAPictureIsReadForItsPaper(t *testing.T) {
	s := open(t, &fakeEngine{})
	path := filepath.Join(t.TempDir(), "one.png")
	if err := os.WriteFile(path, pictureOfOne(t), 0o600); err != nil {
		t.Fatal(err)
	}
	s.readPicture(path)
	s.setLine(true)
	s.until("the picture", func() bool { return s.draw.pad.history.scan != nil })
	if k := s.draw.line.pad.drawing(); len(k) != 0 {
		t.Errorf("on the paper for lines are %d strokes", len(k))
	}
}

func TestADroppedPictureComesOntoThePaper(t *testing.T) {
	e := &fakeEngine{}
	s := withBook(t, e, t.TempDir())
	traced := func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		return e.traced
	}
	s.openPage(1)
	path := filepath.Join(t.TempDir(), "one.PNG")
	if err := os.WriteFile(path, pictureOfOne(t), 0o600); err != nil {
		t.Fatal(err)
	}
	drop := func(path string) { s.take([]string{path}) }
	drop(path)
	s.answered("1") // of as many strokes
	if !traced() {
		t.Error("it is answered as if a pen had drawn it")
	}
	stroke(s.draw.pad, seven...)
	s.until("drawn on", func() bool { return !traced() })
	s.draw.pad.undo()
	s.until("the picture again", traced)
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
	drop(path)
	s.says("Close what is open")
	s.modal.Hide()
}

func TestFilesGivenAtTheStartAreTaken(t *testing.T) {
	s := withBook(t, &fakeEngine{}, t.TempDir(), func(o *Options) { o.Files = []string{"../../assets/digits.jsonl"} })
	s.button("I did")
	s.until("the samples of the file", func() bool { return len(s.stored()) == 10 })
}
