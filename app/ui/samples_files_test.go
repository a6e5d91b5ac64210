package ui

import (
	"bytes"
	"log"
	"os"
	"path/filepath"
	"testing"

	"inkshade/recognizer/samples"
)

func TestImportAndExportSayWhatCameOfThem(t *testing.T) {
	s := inGallery(t, filled(t, map[string]int{"a": 3, "b": 2}), 5)
	p := s.samples
	dir := t.TempDir()
	for _, name := range []string{"all.jsonl", "all.inkml", "all.unipen", "pictures"} {
		path := filepath.Join(dir, name)
		p.exportPath(path, samples.Filter{Label: "a"})
		s.says("3 exported to " + path)
		s.toast.hide()
		p.importPath(path, samples.Mine)
		s.says("3 there already")
		s.toast.hide()
	}
	file := filepath.Join(dir, "more.jsonl")
	lines := `{"label":"q","strokes":[[[0,0],[5,9]]]}` + "\n" + `{"label":"","strokes":[[[0,0],[5,9]]]}` + "\n"
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	p.importPath(file, samples.Mine)
	s.shows(6)
	// A dialog of the progress may stand there before it.
	told := func() bool { return s.modal != nil && s.win.Canvas().Overlays().Top() != nil }
	s.until("what could not be taken", told)
	s.modal.Hide()
	s.undo()
	s.says("Import undone.")
	s.shows(5)
	s.redo()
	s.shows(6)
	s.toast.hide()
	if err := os.WriteFile(file, []byte(`{"label":"","strokes":[[[0,0],[5,9]]]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s.modal = nil
	p.importPath(file, samples.Mine)
	s.until("that nothing could be taken", told)
	if s.toast.Visible() {
		t.Errorf("beside the dialog stands %q", s.toast.words.text)
	}
	s.modal.Hide()
	if err := os.WriteFile(file, []byte("no ink at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.modal = nil
	p.importPath(file, samples.Mine)
	s.until("the reason", told)
	s.modal.Hide()
	if n := len(s.stored()); n != 6 {
		t.Errorf("%d samples after a file that is none", n)
	}
	s.openPage(0)
	s.take([]string{filepath.Join(dir, "all.jsonl")})
	s.button("I did")
	s.says("3 there already")
	if !p.content.Visible() {
		t.Error("a dropped file is imported behind the scenes")
	}
}

func TestExportIsAskedForFromAnyPage(t *testing.T) {
	s := withBook(t, &fakeEngine{}, filled(t, map[string]int{"a": 3}))
	s.onSamples(s.samples.chooseExport)()
	s.until("the question", func() bool { return s.win.Canvas().Overlays().Top() != nil })
	s.modal.Hide()
	s.samples.gallery.selected.all(s.samples.gallery.order)
	s.clear()
	s.shows(0)
	s.samples.chooseExport()
	s.says("No samples yet")
}

func TestNoFolderForVideosIsNothingToComplainOf(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	var complaints bytes.Buffer
	defer log.SetOutput(log.Writer())
	log.SetOutput(&complaints)
	s := inGallery(t, filled(t, map[string]int{"a": 1}), 1)
	s.chooseFolder("Export", nil)
	s.modal.Hide()
	if complaints.Len() > 0 {
		t.Error(complaints.String())
	}
	if log.Writer() != &complaints {
		t.Error("nothing is logged any more")
	}
}
