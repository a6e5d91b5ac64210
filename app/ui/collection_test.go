package ui

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inkshade/app/state"
	"inkshade/app/state/device"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/pagetest"
	"inkshade/app/ui/settings"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/samples"
)

// inCollections opens a window on a data folder, and its Samples page when the samples are there.
func inCollections(t *testing.T, dir string, a fyne.App) *testStage {
	t.Helper()
	f, err := state.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if a == nil {
		a = test.NewTempApp(t)
	}
	c, err := page.OpenCollection(a, f, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("LANG", "en_GB.UTF-8")
	s := &testStage{t: t, queue: make(chan func(), 1024)}
	s.Window = New(a, Options{Engine: &uitest.Engine{}, Appearance: widget.Light, Collection: c, Usual: "digits-mlp", post: func(f func()) { s.queue <- f }})
	t.Cleanup(s.close)
	s.Win.Canvas().Capture()
	s.until("samples", func() bool { return s.Book != nil && s.Status.Settled() && len(s.collections) > 0 })
	s.OpenPage(1)
	return s
}

// submit fills in the form that is open, whose entry has the focus, and gives it.
func (s *testStage) submit(text string) {
	s.t.Helper()
	s.until("the question", func() bool { _, ok := s.Win.Canvas().Focused().(*widget.Entry); return ok })
	entry := s.Win.Canvas().Focused().(*widget.Entry)
	entry.SetText(text)
	entry.OnSubmitted(text)
}

// button taps the button of that text in the dialog that is open.
func (s *testStage) button(text string) {
	s.t.Helper()
	var found fyne.Tappable
	s.until("the button "+text, func() bool { found = pagetest.Button(s.Win, text); return found != nil })
	test.Tap(found)
}

func (s *testStage) inForce(name string, n int) {
	s.t.Helper()
	s.until(name+" to be open", func() bool { return s.Book != nil && s.Collection.Name == name && slices.Contains(s.collections, name) })
	if s.Win.Title() != "Inkshade – "+collectionName(name) {
		s.t.Errorf("the window says %q", s.Win.Title())
	}
	if all := len(s.stored()); all != n || s.Book.Memory.Len() != n {
		s.t.Errorf("%d samples, %d are remembered; want %d", all, s.Book.Memory.Len(), n)
	}
	if e := s.opts.Engine.(*uitest.Engine); e != nil {
		memory := s.Book.Memory
		s.until("its memory to answer", func() bool { e.Mu.Lock(); defer e.Mu.Unlock(); return e.Memory == memory })
	}
}

// A collection that the command line makes is in the menu when the person comes back to the window.
func TestACollectionMadeElsewhereIsThere(t *testing.T) {
	dir := t.TempDir()
	s := inCollections(t, dir, nil)
	f, err := state.OpenFolder(dir)
	if err == nil {
		err = f.Make("runes")
	}
	if err != nil {
		t.Fatal(err)
	}
	s.App.Lifecycle().(interface{ OnEnteredForeground() func() }).OnEnteredForeground()()
	s.until("the new collection", func() bool { return slices.Contains(s.collections, "runes") })
	if items := s.collectionItems(); !slices.ContainsFunc(items, func(i *fyne.MenuItem) bool { return i.Label == "runes" }) {
		t.Error("the menu does not have it")
	}
}

// What another process adds to the open collection is there when the person comes back to the window, and answers.
func TestSamplesAddedElsewhereAreThere(t *testing.T) {
	dir := pagetest.Filled(t, map[string]int{"1": 2})
	s := inCollections(t, dir, nil)
	all := func(count string) {
		s.labelled(count+" of all", func(l *widget.Label) bool { return l.Text == count })
	}
	all("2")
	back := s.App.Lifecycle().(interface{ OnEnteredForeground() func() }).OnEnteredForeground()
	memory := s.Book.Memory
	pagetest.Drawn(t, dir, 3)
	back()
	s.until("them to be remembered", func() bool { return memory.Len() == 5 })
	all("5")
}

// What another window has trained answers when the person comes back to this one, and what the command line has imported can be chosen.
func TestModelsOfElsewhereAreThere(t *testing.T) {
	dir := t.TempDir()
	s := inCollections(t, dir, nil)
	back := s.App.Lifecycle().(interface{ OnEnteredForeground() func() }).OnEnteredForeground()
	elsewhere, err := samples.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer elsewhere.Close()
	trained := func(base string, m *nn.Model) {
		t.Helper()
		var file bytes.Buffer
		if err := onnx.Write(&file, m); err != nil {
			t.Fatal(err)
		}
		if _, err := elsewhere.AddModel(samples.Model{Base: base, ONNX: file.Bytes()}, true); err != nil {
			t.Fatal(err)
		}
	}
	answers := func(label string) {
		t.Helper()
		s.until("the model that knows "+label, func() bool { return slices.Contains(s.Status.Labels, label) })
	}
	trained("digits-mlp", pagetest.SmallModel("x"))
	back()
	answers("x")
	trained("digits-mlp", pagetest.SmallModel("y"))
	back()
	answers("y")
	e := s.opts.Engine.(*uitest.Engine)
	trained(models.Words, pagetest.SmallModel("w"))
	if err := s.Collection.Store.AddModel("mine", pagetest.SmallModel("7")).Do(); err != nil {
		t.Fatal(err)
	}
	back()
	s.until("what reads words", func() bool { e.Mu.Lock(); defer e.Mu.Unlock(); return e.Words != nil })
	s.until("the model to choose from", func() bool { return len(s.Collection.Models) == len(models.Names())+1 })
}

// The header has a button for the panel, with its name where there is room for it.
func TestThePanelHasAButton(t *testing.T) {
	opened := 0
	s := open(t, &uitest.Engine{}, func(o *Options) {
		o.Panel = func(string, widget.Appearance, device.Choice) error { opened++; return nil }
	})
	for i, size := range []fyne.Size{fyne.NewSize(1280, 800), widget.Smallest} {
		s.Win.Resize(size)
		b := shownOf(s.header, func(b *widget.Button) bool { return b.Name == s.Command("panel").Name })[0]
		if test.Tap(b); opened != i+1 {
			t.Errorf("%v: it opened %d times", size, opened)
		}
		area, tab, who := widget.AreaOf(b), widget.AreaOf(s.header.tabs[4]), widget.AreaOf(s.header.who)
		if named := b.Words.Size().Width > 0; named != (i == 0) || who.Pos.X < tab.Pos.X+tab.Size.Width || area.Pos.X < who.Pos.X+who.Size.Width || area.Pos.X+area.Size.Width > size.Width {
			t.Errorf("%v: the button has %v, beside %v", size, area, who)
		}
	}
}

// Where the samples cannot be opened the panel cannot either, which is told.
func TestThePanelWithoutSamplesIsTold(t *testing.T) {
	s := open(t, &uitest.Engine{}, func(o *Options) {
		o.Collection.Open = func() (*state.Collection, error) { return nil, errors.New("there is no such folder") }
		o.Panel = func(string, widget.Appearance, device.Choice) error { t.Error("it is started"); return nil }
	})
	s.until("the problem", func() bool { return s.Problem != nil })
	test.Tap(shownOf(s.header, func(b *widget.Button) bool { return b.Name == "Write Anywhere" })[0])
	if got := s.Toast.Words.Text; !strings.Contains(got, "here is no such folder") {
		t.Errorf("the window says %q", got)
	}
}

// The panel has the collection, the look and the device that were chosen while the window was open.
func TestThePanelOpensWithWhatWasChosen(t *testing.T) {
	s := inCollections(t, t.TempDir(), nil)
	var got []string
	s.opts.Panel = func(collection string, look widget.Appearance, by device.Choice) error {
		got = []string{collection, string(look), string(by)}
		return nil
	}
	s.item("New Collection…")
	s.submit("runes")
	s.inForce("runes", 0)
	s.setAppearance(widget.Dark)
	settings.ChooseDevice(s.Frame, device.ChooseCPU)
	s.until("the processor", func() bool { return s.Status.Choice == device.ChooseCPU })
	i := slices.IndexFunc(s.Commands, func(c *page.Command) bool { return c.ID == "panel" })
	s.Commands[i].Do()
	if want := []string{"runes", "dark", "cpu"}; !slices.Equal(got, want) {
		t.Errorf("the panel has %v", got)
	}
}

func TestCollectionsAreMadeSwitchedRenamedAndRemoved(t *testing.T) {
	dir := pagetest.Filled(t, map[string]int{"1": 2, "2": 1})
	s := inCollections(t, dir, nil)
	s.inForce(state.First, 3)
	for _, grey := range []string{"Rename…", "Remove…"} {
		if i := slices.IndexFunc(s.collectionItems(), func(m *fyne.MenuItem) bool { return m.Label == grey }); !s.collectionItems()[i].Disabled || s.collectionItems()[i].Action != nil {
			t.Errorf("%s is offered for the first collection", grey)
		}
	}
	s.item("Digits Only")
	s.Perform(page.Action{Text: "1 deleted.", Command: s.Book.Delete(s.stored()[0].ID)})
	s.says("1 deleted")

	s.item("New Collection…")
	s.submit("runes")
	s.inForce("runes", 0)
	s.says("runes is open")
	if s.Collection.Chosen[page.ClassesChoice] != "" || len(s.State.Past()) > 0 {
		t.Errorf("of the one before are left the classes %s and %d changes", s.Collection.Chosen[page.ClassesChoice], len(s.State.Past()))
	}
	s.OpenPage(0)
	s.one()
	s.types("fehu")
	s.says("Saved as “fehu”")
	s.Remember(page.OwnChoice, "fehu 1")
	s.item("Own Set…")
	s.submit("fehu 1")
	s.item(language.ModelName("characters-mlp"))
	s.until("the other model", func() bool { return s.Status.Model == "characters-mlp" })

	s.OpenPage(1)
	s.item("My handwriting")
	s.inForce(state.First, 2)
	s.until("its model and classes", func() bool {
		return s.Status.Model == "digits-mlp" && s.Collection.Chosen[page.ClassesChoice] == "digits"
	})
	s.Undo()
	s.says("nothing to undo")
	if got := s.App.Preferences().String(page.ClassesChoice); got != "" {
		t.Errorf("the preferences say %q beside the collection", got)
	}

	// The next start opens what was open last, with its own symbols and model.
	s.item("runes")
	s.inForce("runes", 1)
	s.close()
	s = inCollections(t, dir, s.App)
	s.inForce("runes", 1)
	s.until("its classes", func() bool {
		e := s.opts.Engine.(*uitest.Engine)
		e.Mu.Lock()
		defer e.Mu.Unlock()
		return e.Allowed != nil && e.Allowed("fehu")
	})
	if s.Collection.Chosen[page.ClassesChoice] != "own" || s.Collection.Model("") != "characters-mlp" {
		t.Errorf("chosen are %s and %q", s.Collection.Chosen[page.ClassesChoice], s.Collection.Model(""))
	}

	s.item("Rename…")
	s.until("the question", func() bool { return s.Modal != nil && s.Win.Canvas().Overlays().Top() != nil })
	for _, o := range test.LaidOutObjects(s.Win.Canvas().Overlays().Top()) {
		if l, ok := o.(*widget.Label); ok && l.Text != "" {
			t.Errorf("before anything is typed it says %q", l.Text)
		}
	}
	s.Modal.Hide()
	s.Perform(page.Action{Text: "Called fehu.", Command: s.Book.Relabel(map[int64]string{s.stored()[0].ID: "fehu"})})
	s.says("Called fehu")
	s.item("Rename…")
	s.until("the question with what is lost", func() bool {
		top := s.Win.Canvas().Overlays().Top()
		return top != nil && len(shownOf(top, func(l *widget.Label) bool { return l.Text != "" })) > 0
	})
	s.submit("Futhark")
	s.inForce("Futhark", 1)
	if slices.Contains(s.collections, "runes") {
		t.Errorf("there are %q", s.collections)
	}
	s.item("Remove…")
	s.button("Keep it")
	s.item("Remove…")
	s.button("Remove")
	s.says("Futhark removed")
	s.inForce(state.First, 2)
	if left, _ := filepath.Glob(filepath.Join(dir, "collections", "*")); len(left) > 0 {
		t.Errorf("left over: %q", left)
	}
}

// A collection that another window has open is not renamed, and what was done in it can still be undone.
func TestARefusedRenameLeavesTheHistory(t *testing.T) {
	dir := t.TempDir()
	s := inCollections(t, dir, nil)
	s.item("New Collection…")
	s.submit("runes")
	s.inForce("runes", 0)
	s.Perform(page.Action{Text: "1 saved.", Command: s.Book.Keep(&samples.Sample{Label: "f", Ink: ink.Ink{{{X: 1}, {X: 90, Y: 90}}}})})
	s.says("1 saved")
	elsewhere, err := samples.Open(filepath.Join(dir, "collections", "runes"))
	if err != nil {
		t.Fatal(err)
	}
	s.item("Rename…")
	s.submit("Futhark")
	s.says("close it first")
	s.inForce("runes", 1)
	s.Undo()
	s.says("Undone")
	s.inForce("runes", 0)
	if err := elsewhere.Close(); err != nil {
		t.Fatal(err)
	}
	s.item("Rename…")
	s.submit("Futhark")
	s.inForce("Futhark", 0)
}

// What is drawn gets the name of who writes, by whose drawings it is answered; empty is the person, as it always was.
func TestWhoWrites(t *testing.T) {
	dir := pagetest.Filled(t, map[string]int{"1": 2})
	s := inCollections(t, dir, nil)
	s.inForce(state.First, 2)
	draw := func(label string) {
		s.Perform(page.Action{Text: label + " saved.", Command: s.Book.Keep(&samples.Sample{Label: label, Ink: ink.Ink{{{X: 1}, {X: 90, Y: 90}}}})})
		s.says(label + " saved")
	}
	write := func(name string, remembered int) {
		t.Helper()
		s.item("Who Writes…")
		s.submit(name)
		s.until("the drawings of "+name, func() bool { return s.Book.Memory.Len() == remembered })
	}
	write(" Anna ", 0)
	draw("a")
	if s.Book.Memory.Len() != 1 || s.Win.Title() != "Inkshade – "+collectionName(state.First)+" – Anna" {
		t.Errorf("%d are remembered, the window says %q", s.Book.Memory.Len(), s.Win.Title())
	}
	write("Bo", 0)
	draw("b")
	write("", 2)
	draw("c")
	s.close()
	s = inCollections(t, dir, s.App)
	s.until("the person's drawings", func() bool { return s.Book.Memory.Len() == 3 })
	write("Anna", 1)
	s.close()
	s = inCollections(t, dir, s.App)
	s.until("Anna's drawing", func() bool { return s.Book.Memory.Len() == 1 })
	for i, want := range []string{"", "", "Anna", "Bo", ""} {
		if got := s.stored()[i].Writer; got != want {
			t.Errorf("sample %d is by %q, want %q", i, got, want)
		}
	}
}

func TestNamesOfCollectionsAreChecked(t *testing.T) {
	s := inCollections(t, t.TempDir(), nil)
	s.item("New Collection…")
	s.until("the question", func() bool { _, ok := s.Win.Canvas().Focused().(*widget.Entry); return ok })
	entry := s.Win.Canvas().Focused().(*widget.Entry)
	told := map[string]bool{}
	for _, text := range []string{"", " a/b", "my handwriting", "con"} {
		err, want := entry.Validator(text), s.Collection.Folder.Check(strings.TrimSpace(text))
		if err == nil || want == nil || err.Error() != want.Error() || told[err.Error()] {
			t.Fatalf("%q: %v, want %v", text, err, want)
		}
		told[err.Error()] = true
	}
	before := s.Win.Canvas().Overlays().Top().MinSize()
	entry.SetText(strings.Repeat("long ", 40) + "a/b")
	if now := s.Win.Canvas().Overlays().Top().MinSize(); now != before {
		t.Errorf("what is said of a name makes a dialog of %v one of %v", before, now)
	}
	why := language.Sentence(language.Said(entry.Validator(entry.Text)))
	if len(shownOf(s.Win.Canvas().Overlays().Top(), func(l *widget.Label) bool { return l.Text == why })) == 0 {
		t.Error("nothing is said of a bad name")
	}
	entry.OnSubmitted(entry.Text)
	s.until("nothing", func() bool { return true })
	if s.Collection.Name != state.First {
		t.Errorf("open is %s", s.Collection.Name)
	}
}

// What runs is asked about before another collection is opened.
func TestSwitchingWaitsForWhatRuns(t *testing.T) {
	s := inCollections(t, t.TempDir(), nil)
	var waiting func()
	idle := s.WhenIdle
	s.WhenIdle = func(do func()) { waiting = do }
	s.item("New Collection…")
	s.submit("runes")
	if waiting == nil || s.Collection.Name != state.First {
		t.Errorf("nothing waits, and open is %s", s.Collection.Name)
	}
	s.WhenIdle = idle
	waiting()
	s.inForce("runes", 0)
	s.Jobs++
	s.item("My handwriting")
	s.says("wait for its end")
	s.Jobs--
	s.item("My handwriting")
	s.inForce(state.First, 0)
}

// A collection that cannot be opened leaves the one before open.
func TestACollectionThatIsGone(t *testing.T) {
	dir := pagetest.Filled(t, map[string]int{"1": 1})
	s := inCollections(t, dir, nil)
	s.shows(1)
	s.item("New Collection…")
	s.submit("runes")
	s.inForce("runes", 0)
	s.item("My handwriting")
	s.inForce(state.First, 1)
	if err := os.RemoveAll(filepath.Join(dir, "collections", "runes")); err != nil {
		t.Fatal(err)
	}
	s.item("runes")
	s.says("no collection called runes")
	s.inForce(state.First, 1)
}

// One that was renamed is not made anew under its old name where the new one cannot be opened.
func TestARenamedCollectionThatCannotBeOpened(t *testing.T) {
	dir := pagetest.Filled(t, map[string]int{"1": 1})
	s := inCollections(t, dir, nil)
	s.item("New Collection…")
	s.submit("runes")
	s.inForce("runes", 0)
	folder := s.Collection.Folder
	s.moveTo("Futhark", "", func() error {
		database := filepath.Join(dir, "collections", "Futhark", "samples.db")
		return errors.Join(folder.Rename("runes", "Futhark"), os.Remove(database), os.Mkdir(database, 0o700))
	})
	s.inForce(state.First, 1)
	if _, err := os.Stat(filepath.Join(dir, "collections", "runes")); err == nil {
		t.Error("there is an empty collection under the old name")
	}
}

func TestACollectionTravelsInOneFile(t *testing.T) {
	s := inCollections(t, pagetest.Filled(t, map[string]int{"a": 3, "b": 2}), nil)
	s.inForce(state.First, 5)
	path := filepath.Join(t.TempDir(), "mine.inkshade")
	s.exportCollection(path)
	s.says("5 drawings, 0 models.")
	s.take([]string{path}) // as if it had been dropped
	s.button("I did")
	s.says(state.First + " 2: 5 drawings, 0 models.")
	s.inForce(state.First+" 2", 5)

	s.importCollection(path)
	s.button("Others did")
	s.says("3: 5 drawings")
	s.shows(5)
	s.until("the names", func() bool { return len(s.collections) == 3 })
	if n := s.Book.Memory.Len(); n != 0 {
		t.Errorf("%d samples of others are taken for the person's", n)
	}
	if err := os.WriteFile(path, []byte("nothing of the kind"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.importCollection(path)
	s.button("Close") // of the reason, and nobody is asked whose it is
	if s.Collection.Name != state.First+" 3" || len(s.collections) != 3 {
		t.Errorf("open is %s of %q", s.Collection.Name, s.collections)
	}
}

// The models of the window are the shipped ones and those that were imported.
func TestImportedModelsCanBeChosen(t *testing.T) {
	dir := t.TempDir()
	l, err := state.OpenModels(dir)
	if err != nil {
		t.Fatal(err)
	}
	m := &nn.Model{Network: nn.NewNetwork([]int{784, 2}, "relu", 1), Labels: []string{"a", "b"}, Preprocessing: nn.MNIST28}
	if err := l.AddModel("mine", m).Do(); err != nil {
		t.Fatal(err)
	}
	s := inCollections(t, dir, nil)
	paths := s.Collection.Models[len(models.Names()):]
	if len(paths) != 1 {
		t.Fatalf("there are %q", paths)
	}
	if again, err := recognizer.LoadModel(paths[0]); err != nil || again.Labels[1] != "b" {
		t.Errorf("%+v, error %v", again, err)
	}
	s.AnswerBy(paths[0])
	if got := s.Collection.Chosen[page.ModelChoice]; got != "mine" || s.Collection.Model("") != paths[0] {
		t.Errorf("chosen is %q, which is %s", got, s.Collection.Model(""))
	}
}

// Where the data folder cannot be one, a sentence says so.
func TestADataFolderThatIsNoneIsTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, &uitest.Engine{}, func(o *Options) {
		o.Open = func() (*state.Collection, error) { return state.Open(file) }
	})
	_, why := state.Open(file)
	s.until("the notice", func() bool { return s.Notice.Visible() })
	if got := s.Notice.Words.Text; why == nil || !strings.Contains(got, language.Said(why)) {
		t.Errorf("it says %q", got)
	}
}

// A model that is dropped onto any page is opened on its own.
func TestADroppedModelIsOpened(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.take([]string{pagetest.ModelFile(t, "mine.onnx", "")})
	if s.InFront().Key != "models" || s.Win.Canvas().Overlays().Top() == nil {
		t.Errorf("%s is in front", s.InFront().Key)
	}
}

// A file of samples that is dropped onto any page is imported where it is seen.
func TestADroppedFileOfSamplesIsImported(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	file := filepath.Join(t.TempDir(), "q.jsonl")
	if err := os.WriteFile(file, []byte(`{"label":"q","strokes":[[[0,0],[5,9]]]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s.take([]string{file})
	s.button("I did")
	s.until("it is stored", func() bool { return len(s.stored()) == 1 })
	if s.InFront().Key != "samples" {
		t.Errorf("%s is in front", s.InFront().Key)
	}
}
