package draw

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

	"inkshade/app/state/device"
	"inkshade/app/ui/uitest"
	"inkshade/recognizer"
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
	s := open(t, &uitest.Engine{})
	s.draw.copied = func() ([]byte, error) { return copied, nil }
	s.OpenPage(1)
	path := filepath.Join(t.TempDir(), "one.png")
	if err := os.WriteFile(path, pictureOfOne(t), 0o600); err != nil {
		t.Fatal(err)
	}
	s.App.Clipboard().SetContent("file://" + path)
	s.draw.paste()
	s.answered("1")
	s.App.Clipboard().SetContent("no file")
	s.draw.paste()
	s.Says("there is none on the clipboard")
	s.draw.pad.Clear()
	s.OpenPage(1)
	copied = pictureOfOne(t)
	s.draw.paste()
	s.answered("1")
	s.crops() // out of what was copied
}

func TestWhatIsOnThePaperIsTurned(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.draw.turn()                                                                          // nothing
	s.draw.pad.SetInk(ink.Ink{{{X: 0, Y: 0}, {X: 0, Y: 9}}, {{X: 0, Y: 9}, {X: 4, Y: 9}}}) // an L
	before := slices.Clone(s.draw.pad.Drawing())
	s.draw.pad.History.Source = &scan{part: dataset.Part{Left: 0.25, Right: 1, Bottom: 0.5}}
	s.draw.turn()
	// Its foot was at the lower right, and is at the lower left.
	if foot := s.draw.pad.Drawing()[1]; foot[0].X >= 0 || foot[1].X != foot[0].X || foot[1].Y <= foot[0].Y {
		t.Errorf("the foot is %v", foot)
	}
	if from := scanOf(s.draw.pad); from == nil || from.quarters != 1 || from.part != (dataset.Part{Left: 0.5, Top: 0.25, Right: 1, Bottom: 1}) {
		t.Errorf("the picture is %+v", from)
	}
	s.Undo()
	if diff := cmp.Diff(before, s.draw.pad.Drawing()); diff != "" {
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
	s := open(t, &uitest.Engine{})
	path := filepath.Join(t.TempDir(), "one.png")
	if err := os.WriteFile(path, pictureOfOne(t), 0o600); err != nil {
		t.Fatal(err)
	}
	s.draw.ReadPicture(path)
	s.draw.setLine(true)
	s.Until("the picture", func() bool { return s.draw.pad.History.Source != nil })
	if k := s.draw.line.pad.Drawing(); len(k) != 0 {
		t.Errorf("on the paper for lines are %d strokes", len(k))
	}
}

// tracedEngine keeps whether what it was asked for last was traced in a picture.
type tracedEngine struct {
	uitest.Engine
	traced bool
}

func (e *tracedEngine) Recognize(k ink.Ink, traced bool) (recognizer.Answer, device.Side, error) {
	e.Mu.Lock()
	e.traced = traced
	e.Mu.Unlock()
	return e.Engine.Recognize(k, traced)
}

func TestAPictureComesOntoThePaper(t *testing.T) {
	e := &tracedEngine{}
	s := withBook(t, e, t.TempDir())
	traced := func() bool {
		e.Mu.Lock()
		defer e.Mu.Unlock()
		return e.traced
	}
	s.OpenPage(1)
	path := filepath.Join(t.TempDir(), "one.PNG")
	if err := os.WriteFile(path, pictureOfOne(t), 0o600); err != nil {
		t.Fatal(err)
	}
	s.draw.ReadPicture(path)
	s.answered("1") // of as many strokes
	if !traced() {
		t.Error("it is answered as if a pen had drawn it")
	}
	uitest.Stroke(s.draw.pad, uitest.Seven...)
	s.Until("drawn on", func() bool { return !traced() })
	s.draw.pad.Undo()
	s.Until("the picture again", traced)
	if s.Front != 0 {
		t.Errorf("page %d is in front", s.Front)
	}
	s.types('7')
	s.Says("Saved as “7”")
	s.draw.pad.Undo()
	s.draw.pad.Undo()
	if n := len(s.draw.pad.Drawing()); n != 0 {
		t.Errorf("%d strokes are left after Undo", n)
	}

	if err := os.WriteFile(path, []byte("no picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.draw.ReadPicture(path)
	s.Until("the reason", func() bool { return s.Win.Canvas().Overlays().Top() != nil })
}
