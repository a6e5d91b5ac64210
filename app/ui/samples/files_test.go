package samples

import (
	"os"
	"path/filepath"
	"testing"

	"inkshade/app/ui/pagetest"
	"inkshade/recognizer/samples"
)

func TestImportAndExportSayWhatCameOfThem(t *testing.T) {
	s := inGallery(t, pagetest.Filled(t, map[string]int{"a": 3, "b": 2}), 5)
	p := s.samples
	dir := t.TempDir()
	for _, name := range []string{"all.jsonl", "all.inkml", "all.unipen", "pictures"} {
		path := filepath.Join(dir, name)
		p.exportPath(path, samples.Filter{Label: "a"})
		s.Says("3 exported to " + path)
		s.Toast.Close()
		p.Take(path)
		s.Button("I did")
		s.Says("3 there already")
		s.Toast.Close()
	}
	file := filepath.Join(dir, "more.jsonl")
	lines := `{"label":"q","strokes":[[[0,0],[5,9]]]}` + "\n" + `{"label":"","strokes":[[[0,0],[5,9]]]}` + "\n"
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Take(file)
	s.Button("I did")
	s.shows(6)
	s.Button("Close") // of what could not be taken
	s.Undo()
	s.Says("Import undone.")
	s.shows(5)
	s.Redo()
	s.shows(6)
	s.Toast.Close()
	if err := os.WriteFile(file, []byte(`{"label":"","strokes":[[[0,0],[5,9]]]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Take(file) // nobody is asked whose it is
	s.Button("Close")
	if s.Toast.Visible() {
		t.Errorf("beside the dialog stands %q", s.Toast.Words.Text)
	}
	if err := os.WriteFile(file, []byte("no ink at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Take(file)
	s.Button("Close")
	if n := len(s.Stored()); n != 6 {
		t.Errorf("%d samples after a file that is none", n)
	}
	p.Take(filepath.Join(dir, "all.jsonl"), file)
	s.Button("I did")
	s.Button("Close")
	p.Take(filepath.Join(dir, "all.jsonl"), filepath.Join(dir, "all.inkml"))
	s.Button("I did")
	s.Says("6 there already")
}

func TestExportIsAskedForFromAnyPage(t *testing.T) {
	s := inGallery(t, pagetest.Filled(t, map[string]int{"a": 3}), 3)
	s.OpenPage(1)
	s.OnSamples(s.samples.Export)()
	s.Until("the question", func() bool { return s.Win.Canvas().Overlays().Top() != nil })
	s.Modal.Hide()
	s.samples.gallery.selectAll()
	s.Clear()
	s.shows(0)
	s.samples.Export()
	s.Says("No samples yet")
}
