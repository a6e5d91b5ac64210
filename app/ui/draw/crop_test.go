package draw

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"inkshade/app/ui/uitest"
	"inkshade/recognizer/dataset"
)

// threeBars opens a picture of a bar on the left and two on the right, read onto the paper.
func threeBars(t *testing.T, s *testStage) {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 200, 100))
	for y := range 100 {
		for x := range 200 {
			img.SetGray(x, y, color.Gray{255})
			if bar := x % 40; y > 20 && y < 80 && bar > 15 && bar < 22 && (x < 40 || x > 120) {
				img.SetGray(x, y, color.Gray{10})
			}
		}
	}
	var b bytes.Buffer
	path := filepath.Join(t.TempDir(), "bars.png")
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	s.draw.ReadPicture(path)
	s.answered("3")
}

func (s *testStage) crops() {
	s.T.Helper()
	s.draw.startCrop()
	s.Until("the picture", s.draw.crop.Visible)
	s.Win.Canvas().Capture()
}

// dragOver drags from one place of the picture to another, in shares of its sides.
func dragOver(c *cropView, x0, y0, x1, y1 float32) {
	at := func(x, y float32) fyne.Position {
		return c.at.Pos.AddXY(x*c.at.Size.Width, y*c.at.Size.Height)
	}
	c.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at(x0, y0)}, Button: desktop.MouseButtonPrimary})
	for _, p := range []fyne.Position{at((x0+x1)/2, (y0+y1)/2), at(x1, y1)} {
		c.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: p}})
	}
	c.DragEnd()
}

func TestAPartOfAPictureIsReadAndTheAnswerFollows(t *testing.T) {
	s := open(t, &uitest.Engine{})
	threeBars(t, s)
	s.crops()
	c := s.draw.crop
	dragOver(c, 0.5, 0.9, 0, 0.1)
	s.answered("1")
	dragOver(c, 0.6, 0, 1, 1)
	s.answered("2")
	explained := c.words.Text
	dragOver(c, 0.3, 0, 0.5, 1) // paper only
	s.Until("why nothing changes", func() bool { return c.words.Text != explained })
	s.answered("2")
	c.whole.Tapped(nil)
	s.answered("3")
	if c.words.Text != explained {
		t.Error("it still says that nothing is written there")
	}
	dragOver(c, 0, 0, 0.5, 1)
	c.done.Tapped(nil)
	s.Until("the end", func() bool { return !c.Visible() && c.picture == nil })
	s.answered("1")
	s.Undo() // all of it is one change
	s.answered("3")
	s.Redo()
	s.answered("1")
	s.crops()
	if c.scan.part.Right != 0.5 {
		t.Errorf("the part is %v", c.scan.part)
	}
	s.draw.turn()
	s.crops()
	if want := (dataset.Part{Right: 1, Bottom: 0.5}); c.scan.part != want || c.shown.Image.Bounds().Dx() != 100 {
		t.Errorf("turned, the part is %v, want %v, of a picture %v", c.scan.part, want, c.shown.Image.Bounds())
	}
}

func TestAPictureIsCroppedByKeys(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.draw.startCrop()
	s.Says("Read or paste a picture first")
	threeBars(t, s)
	s.crops()
	c := s.draw.crop
	if s.Win.Canvas().Focused() != c {
		t.Fatal("it has not the focus")
	}
	for range 25 {
		c.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	}
	s.answered("1")
	c.key(fyne.KeyDelete)
	s.answered("3")
	s.Win.Canvas().Unfocus()
	s.Key(&fyne.KeyEvent{Name: fyne.KeyEscape}) // the paper is not cleared
	if c.Visible() || len(s.draw.pad.Drawing()) != 3 {
		t.Errorf("after Escape: visible %v, %d strokes", c.Visible(), len(s.draw.pad.Drawing()))
	}
}

// On the wide paper of a small window a picture must still be large enough to drag over.
func TestCropOfALineHasRoom(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.Win.Resize(uitest.Sizes[0])
	threeBars(t, s)
	s.draw.setLine(true)
	s.draw.line.pad.SetRead(s.draw.pad.Drawing(), s.draw.pad.History.Source)
	s.crops()
	if c := s.draw.crop; c.at.Size.Height < 130 || c.Position().Y+c.Size().Height > s.draw.line.card.Position().Y {
		t.Errorf("the picture is %v; what is read stands at %v, under a view that ends at %v", c.at.Size, s.draw.line.card.Position(), c.Position().Y+c.Size().Height)
	}
}

func TestAPartIsReadAsALineWithoutAWordOnCropping(t *testing.T) {
	s := open(t, &uitest.Engine{})
	threeBars(t, s)
	s.crops()
	dragOver(s.draw.crop, 0, 0, 0.5, 1)
	s.answered("1")
	s.draw.readAsLine()
	s.Until("the part", func() bool { return scanOf(s.draw.line.pad) != nil })
	if s.Toast.Visible() {
		t.Errorf("it says %q", s.Toast.Words.Text)
	}
}
