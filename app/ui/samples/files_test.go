package samples

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"inkshade/app/ui/pagetest"
	"inkshade/app/ui/uitest"
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
	s.On("samples", s.samples.Export)()
	s.Until("the question", func() bool { return s.Win.Canvas().Overlays().Top() != nil })
	s.Modal.Hide()
	s.samples.gallery.selected.all(s.samples.gallery.order)
	s.Clear()
	s.shows(0)
	s.samples.Export()
	s.Says("No samples yet")
}

func TestNothingOfADialogOfFilesStaysEnglish(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	if err := errors.Join(os.Mkdir(filepath.Join(home, "Pictures"), 0o700), os.WriteFile(filepath.Join(home, "x.png"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	uitest.InChinese(t)
	s := inGallery(t, pagetest.Filled(t, map[string]int{"a": 1}), 1)
	s.ChooseTarget("Y", "x.png", func(string) { t.Error("overwritten without an answer") })
	english := func() (all []string) {
		for _, o := range test.LaidOutObjects(s.Win.Canvas().Overlays().Top()) {
			if l, ok := o.(*widget.Label); ok && regexp.MustCompile("[A-Za-z]{2}").MatchString(l.Text) {
				all = append(all, l.Text)
			}
		}
		return all
	}
	if got := english(); !slices.Equal(got, []string{"Pictures", "x.png"}) {
		t.Errorf("the dialog says %q, where the file and the folder have names of their own", got)
	}
	for range 2 { // the dialog stays when the answer is no
		s.Button("保存")
		if got := english(); !slices.Equal(got, []string{"确定要覆盖这个文件吗？\nx.png?"}) {
			t.Errorf("the question says %q", got)
		}
		s.Button("否")
	}
}

// A file that is saved has the ending that was offered, and the toolkit leaves none where nothing is written.
func TestTargetsKeepTheirEnding(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	s := inGallery(t, pagetest.Filled(t, map[string]int{"a": 1}), 1)
	var got []string
	save := func(name string) {
		s.ChooseTarget("Export", "inkshade.jsonl", func(path string) { got = append(got, path) })
		s.Modal.(*dialog.FileDialog).SetFileName(name)
		s.Button("Save")
	}
	save("mine")
	save("mine.jsonl.gz")
	if err := os.WriteFile(filepath.Join(home, "taken.jsonl"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	save("taken")
	if s.Win.Canvas().Overlays().Top() == nil {
		t.Error("a file that is there is overwritten without a question")
	}
	s.Modal.Hide()
	want := []string{filepath.Join(home, "mine.jsonl"), filepath.Join(home, "mine.jsonl.gz")}
	if left, _ := filepath.Glob(filepath.Join(home, "*.jsonl*")); !slices.Equal(got, want) || len(left) != 1 {
		t.Errorf("%q are written, %q are there", got, left)
	}
}
