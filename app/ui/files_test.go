package ui

import (
	"os"
	"path/filepath"
	"testing"

	"inkshade/app/ui/uitest"
)

func TestFilesGivenAtTheStartAreTaken(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir(), func(o *Options) { o.Files = []string{"../../assets/digits.jsonl"} })
	s.button("I did")
	s.until("the samples of the file", func() bool { return len(s.stored()) == 10 })
}

func TestFilesAreNotTakenUnderADialog(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.showKeys()
	s.take([]string{"one.png"})
	s.says("Close what is open")
}

// They are no ink, which several files are imported as.
func TestModelsAndCollectionsAreOpenedOneAtATime(t *testing.T) {
	for _, files := range [][]string{{"a.onnx", "b.ONNX"}, {"a.onnx", "b.inkshade"}, {"a.onnx", "b.jsonl"}, {"a.png", "b.JPG"}} {
		s := withBook(t, &uitest.Engine{}, t.TempDir())
		s.take(files)
		s.says("one at a time")
	}
}

func TestADroppedPictureComesOntoThePaper(t *testing.T) {
	s := open(t, &uitest.Engine{})
	s.OpenPage(1)
	path := filepath.Join(t.TempDir(), "one.PNG")
	if err := os.WriteFile(path, []byte("no picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.take([]string{path})
	s.until("the reason", func() bool { return s.Win.Canvas().Overlays().Top() != nil })
	if s.Front != 0 {
		t.Errorf("page %d is in front", s.Front)
	}
}
