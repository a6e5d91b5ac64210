package page_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/pagetest"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
)

// choosing is a window on a home with these files; a name that ends in a separator is a folder.
func choosing(t *testing.T, names ...string) (*pagetest.Stage, string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range names {
		path := filepath.Join(home, name)
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if os.IsPathSeparator(name[len(name)-1]) {
			err = os.MkdirAll(path, 0o700)
		} else if err == nil {
			err = os.WriteFile(path, []byte("old"), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s := pagetest.Open(t, &uitest.Engine{})
	s.Show(&page.Page{Key: "none", Content: widget.NewLabel("", 12, widget.ColorMuted)})
	return s, home
}

// words are the texts of the dialog that is open.
func words(s *pagetest.Stage) (all []string) {
	if top := s.Win.Canvas().Overlays().Top(); top != nil {
		for _, o := range test.LaidOutObjects(top) {
			if l, ok := o.(*widget.Label); ok && l.Visible() && l.Text != "" {
				all = append(all, l.Text)
			}
		}
	}
	return all
}

func lists(s *pagetest.Stage, name string) {
	s.T.Helper()
	s.Until("the line "+name, func() bool { return slices.Contains(words(s), name) })
}

func complains(s *pagetest.Stage, what string) {
	s.T.Helper()
	s.Until("the complaint "+what, func() bool {
		return slices.ContainsFunc(words(s), regexp.MustCompile(what).MatchString)
	})
}

// A file is found in the list or by typing its path; nothing else is given.
func TestAFileIsChosen(t *testing.T) {
	s, home := choosing(t, "a.jsonl", "notes.txt", ".hidden.jsonl", "Old/b.JSONL")
	var got string
	open := func() *widget.Entry {
		got = ""
		s.ChooseFile("Import", []string{".jsonl"}, func(path string) { got = path })
		s.Submit("~")
		return s.Win.Canvas().Focused().(*widget.Entry)
	}
	enter := func(text string) func(e *widget.Entry) {
		return func(e *widget.Entry) {
			e.SetText(text)
			e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		}
	}
	for want, choose := range map[string]func(e *widget.Entry){
		"a.jsonl":       enter("a.jsonl"),
		"Old/b.JSONL":   enter(filepath.Join(home, "Old", "b.JSONL")),
		"notes.txt":     enter("~/notes.txt"), // what is typed counts, whatever it ends in
		".hidden.jsonl": enter(".hidden.jsonl"),
		"./a.jsonl": func(e *widget.Entry) { // the line that begins so
			e.SetText("A.")
			e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
			s.Button(language.Tr("Open"))
		},
		"Old/../a.jsonl": func(e *widget.Entry) { // the second line, behind the folder
			e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
			e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
			s.Button(language.Tr("Open"))
		},
	} {
		e := open()
		lists(s, "a.jsonl")
		if all := words(s); slices.Contains(all, "notes.txt") || slices.Contains(all, ".hidden.jsonl") {
			t.Errorf("the list is %q", all)
		}
		choose(e)
		if got != filepath.Join(home, want) || s.Win.Canvas().Overlays().Top() != nil {
			t.Errorf("%q was given, want %s", got, want)
		}
	}
	e := open()
	lists(s, "Old")
	enter("Old")(e)
	lists(s, "b.JSONL")
	enter("none.jsonl")(e)
	complains(s, "none.jsonl cannot be opened: no such file")
	enter("")(e)
	complains(s, "Choose a file, or type its path")
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if got != "" || s.Win.Canvas().Overlays().Top() != nil {
		t.Errorf("Escape gave %q, or left the dialog", got)
	}
	s.ChooseTarget("Export", "x.jsonl", nil) // begins where the list was left
	lists(s, "b.JSONL")
}

// A folder is the one that is open, or the one that is typed.
func TestAFolderIsChosen(t *testing.T) {
	s, home := choosing(t, "Inks/", "a.jsonl")
	var got string
	s.ChooseFolder("Import pictures", func(path string) { got = path })
	lists(s, "Inks")
	if slices.Contains(words(s), "a.jsonl") {
		t.Error("files are listed among folders")
	}
	s.Button("Choose this folder")
	if got != home {
		t.Errorf("%q was given", got)
	}
	s.ChooseFolder("Import pictures", func(path string) { got = path })
	s.Submit("a.jsonl")
	complains(s, "a.jsonl is no folder")
	s.Submit("~/Inks")
	if got != filepath.Join(home, "Inks") {
		t.Errorf("%q was given", got)
	}
}

// A file to be written gets its ending. One that is there is touched by nobody, and given only when Replace is pressed.
func TestATargetIsChosen(t *testing.T) {
	s, home := choosing(t, "taken.jsonl")
	var got []string
	open := func() {
		s.ChooseTarget("Export", "inkshade.jsonl", func(path string) { got = append(got, filepath.Base(path)) })
		lists(s, "taken.jsonl")
	}
	for _, name := range []string{"mine", "mine.jsonl.gz", "inkshade.jsonl"} {
		open()
		s.Submit(name)
	}
	open()
	s.Submit("no/such/folder.jsonl")
	complains(s, "There is no folder .*no/such")
	s.Submit("taken")
	s.Submit("taken")
	complains(s, "taken.jsonl is there already")
	if n := len(got); n != 3 {
		t.Errorf("Enter has replaced a file: %q", got)
	}
	s.Button("Replace")
	if want := []string{"mine.jsonl", "mine.jsonl.gz", "inkshade.jsonl", "taken.jsonl"}; !slices.Equal(got, want) {
		t.Errorf("%q were given, want %q", got, want)
	}
	left, err := filepath.Glob(filepath.Join(home, "*.jsonl*"))
	if err != nil || len(left) != 1 {
		t.Errorf("%v are there, %v", left, err)
	}
	if data, err := os.ReadFile(filepath.Join(home, "taken.jsonl")); string(data) != "old" {
		t.Errorf("the file that was there holds %q, %v", data, err)
	}
}
