package state

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/samples"
)

// together does the same in two windows at once and gives what came of each.
func together(do func(window int) error) [2]error {
	var problems [2]error
	var both sync.WaitGroup
	for i := range problems {
		both.Go(func() { problems[i] = do(i) })
	}
	both.Wait()
	return problems
}

// one tells whether one of two windows succeeded, and the other was told why it did not.
func one(problems [2]error, why string) bool {
	said := errors.Join(problems[0], problems[1])
	return said != nil && (problems[0] == nil) != (problems[1] == nil) && strings.Contains(said.Error(), why)
}

// twoWindows opens one folder twice.
func twoWindows(t *testing.T) [2]*Collection {
	dir := t.TempDir()
	return [2]*Collection{opened(t, dir), opened(t, dir)}
}

// Of two windows that import a model of one name at once one has it, and the other is told.
func TestTwoWindowsImportAModelOfOneName(t *testing.T) {
	windows := twoWindows(t)
	for range 20 {
		problems := together(func(i int) error { return windows[i].AddModel("mine", reading([]string{"a", "b"}[i], "x")).Do() })
		if !one(problems, "called mine already") {
			t.Fatalf("imported: %v", problems)
		}
		kept := "a"
		if problems[0] != nil {
			kept = "b"
		}
		file, err := os.Open(windows[0].imported("mine"))
		if err != nil {
			t.Fatal(err)
		}
		m, err := onnx.Read(t.Context(), file)
		file.Close()
		if err != nil || m.Labels[0] != kept {
			t.Fatalf("the model reads %v, %v; want that of the window that was told it is kept, %s", m, err, kept)
		}
		if err := windows[1].remove("mine").Do(); err != nil {
			t.Fatal(err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(windows[0].dir, "models", "*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// Of two windows that make a collection of one name at once one has it, and the other is told.
func TestTwoWindowsMakeACollectionOfOneName(t *testing.T) {
	for range 20 {
		f := Folder{dir: t.TempDir()}
		if problems := together(func(int) error { return f.Make("runes") }); !one(problems, "called runes already") {
			t.Fatalf("made: %v", problems)
		}
	}
}

// What one window has renamed or removed the other cannot bring back over what is there now.
func TestTwoWindowsRenameAndRemoveModels(t *testing.T) {
	windows := twoWindows(t)
	for _, name := range []string{"a", "b"} {
		if err := windows[0].AddModel(name, reading(name)).Do(); err != nil {
			t.Fatal(err)
		}
	}
	if problems := together(func(i int) error { return windows[i].Rename([]string{"a", "b"}[i], "c").Do() }); !one(problems, "called c already") {
		t.Errorf("two models renamed alike: %v", problems)
	}
	names, err := windows[0].Imported()
	if err != nil || len(names) != 2 || names[1] != "c" {
		t.Fatalf("there are %q, %v", names, err)
	}
	back, err := windows[0].remove("c")()
	if err != nil {
		t.Fatal(err)
	}
	if err := windows[1].remove("c").Do(); err == nil || !strings.Contains(err.Error(), "no model called c was imported") {
		t.Errorf("removed by both: %v", err)
	}
	if err := windows[1].AddModel("c", reading("other")).Do(); err != nil {
		t.Fatal(err)
	}
	if err := back.Do(); err == nil || !strings.Contains(err.Error(), "called c already") {
		t.Errorf("brought back over the model of another window: %v", err)
	}
}

// Two windows that delete the same sample, or take that back, keep their memories in step.
func TestTwoWindowsDeleteASample(t *testing.T) {
	windows := twoWindows(t)
	s := drawing("a", 5)
	if err := windows[0].Keep(&s).Do(); err != nil {
		t.Fatal(err)
	}
	if problems := together(func(i int) error { return windows[i].Delete(s.ID).Do() }); !one(problems, "not in the store") {
		t.Errorf("deleted by both: %v", problems)
	}
	windows[0].wants(t, 0)
}

// A folder of models that cannot be read is an error, and no models.
func TestUnreadableModelsAreAnError(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "models"), nil, 0o600); err != nil { // a file in the place of the folder
		t.Fatal(err)
	}
	m, err := OpenModels(dir)
	if err != nil {
		t.Fatal(err)
	}
	if names, err := m.Imported(); err != nil || names != nil {
		t.Errorf("without a folder: %q, %v", names, err)
	}
	if err := os.Remove(filepath.Join(dir, "models")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("models", filepath.Join(dir, "models")); err != nil { // a link to itself, which root cannot read either
		t.Skip(err)
	}
	for what, err := range map[string]error{
		"listed": second(m.Imported()), "found by name": second(m.Resolve("mnist")), "imported": m.AddModel("mine", reading("a")).Do(),
		"all of them": second(m.List()),
	} {
		if err == nil || !strings.Contains(err.Error(), "cannot list the imported models") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if name, err := m.Resolve("digits-mlp"); name != "digits-mlp" || err != nil {
		t.Errorf("a shipped model: %s, %v", name, err)
	}
}

func second[T any](_ T, err error) error { return err }

// What was chosen and cannot be read is told, and kept when something else is chosen.
func TestDamagedChoicesAreToldAndKept(t *testing.T) {
	f := fresh(t)
	path := filepath.Join(f.dir, choicesName)
	const damaged = `{"model":"min`
	if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Choices(First); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("read as %v", err)
	}
	if _, err := f.Export(t.Context(), First, filepath.Join(t.TempDir(), "it.inkshade"), nil); err == nil {
		t.Error("exported without what was chosen")
	}
	if err := f.Choose(First, map[string]string{"model": "mine"}); err != nil {
		t.Fatal(err)
	}
	if got := must(f.Choices(First))(t); got["model"] != "mine" {
		t.Errorf("chosen is %v", got)
	}
	if left := string(must(os.ReadFile(filepath.Join(f.dir, "collection-damaged.json")))(t)); left != damaged {
		t.Errorf("kept is %q", left)
	}
}

// A collection that is being opened is not removed or renamed, and one that is being removed is not opened: what was told to be
// saved stays.
func TestRemovingWaitsForOpening(t *testing.T) {
	f := fresh(t)
	if err := f.Make("runes"); err != nil {
		t.Fatal(err)
	}
	inside, removed := make(chan struct{}), make(chan error, 1)
	err := f.In("runes", func(_, dir string) error {
		go func() {
			close(inside)
			removed <- f.Remove("runes")
		}()
		<-inside
		c, err := Open(dir)
		if err != nil {
			return err
		}
		t.Cleanup(func() { c.Close() })
		s := drawing("a", 5)
		return c.Keep(&s).Do()
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-removed; !errors.Is(err, samples.ErrInUse) {
		t.Errorf("removed with what was saved meanwhile: %v", err)
	}
	if c, err := f.Contents("runes"); err != nil || c.Samples != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}

// Only what was made here is swept.
func TestSweepingLeavesWhatIsNotOurs(t *testing.T) {
	f := fresh(t)
	if err := f.Make("runes"); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * time.Hour)
	folders := []string{f.others(), filepath.Join(f.others(), "runes", "models"), filepath.Join(f.dir, "models")}
	for _, folder := range folders {
		for _, name := range []string{".git-backup", ".import-1", ".import-notes", ".removed-12x", ".import-123", ".removed-9"} {
			dir := filepath.Join(folder, name)
			if err := errors.Join(os.MkdirAll(dir, 0o700), os.Chtimes(dir, old, old)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(filepath.Join(folder, ".import-1"), old, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{First, "runes"} {
		if _, err := f.Contents(name); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range folders {
		var left []string
		for _, e := range must(os.ReadDir(folder))(t) {
			left = append(left, e.Name())
		}
		if left = slices.DeleteFunc(left, func(name string) bool { return name == "runes" }); !slices.Equal(left, []string{".git-backup", ".import-1", ".import-notes", ".removed-12x"}) {
			t.Errorf("left in %s are %q", folder, left)
		}
	}
}

// A training that does not end in time keeps the store open until it does.
func TestClosedUnderALivingTraining(t *testing.T) {
	f := learning(t, 9)
	ctx, cancel := context.WithCancel(t.Context())
	f.fake.during = func(context.Context) error {
		cancel()
		if err := f.Close(); err != nil {
			return err
		}
		_, err := f.store.List(samples.Filter{})
		return err
	}
	if _, err := f.Train(ctx, base, DefaultOptions(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the training ended with %v", err)
	}
	if _, err := f.store.List(samples.Filter{}); err == nil {
		t.Error("the store is open still")
	}
	if _, err := f.Train(t.Context(), base, DefaultOptions(), nil); err == nil || errors.Is(err, ErrBusy) {
		t.Errorf("a training of what is closed: %v", err)
	}
}

// A model that was trained is used as it is: reading it again gives the same.
func TestATrainedModelIsNotReadAgain(t *testing.T) {
	f := learning(t, 9)
	var trained *nn.Model
	f.fake.made = func(m *nn.Model) { trained = m }
	f.train()
	m, id, err := f.ActiveModel(base, nil)
	if err != nil || m != trained {
		t.Fatalf("model %d is another than that which was trained, %v", id, err)
	}
	again := opened(t, f.dir)
	read, _, err := again.ActiveModel(base, nil)
	if err != nil || !sameModel(t, read, trained) {
		t.Errorf("read again it is %+v, %v; want %+v", read, err, trained)
	}
}

func sameModel(t *testing.T, a, b *nn.Model) bool {
	t.Helper()
	var files [2]strings.Builder
	for i, m := range []*nn.Model{a, b} {
		if err := onnx.Write(&files[i], m); err != nil {
			t.Fatal(err)
		}
	}
	return files[0].String() == files[1].String()
}

// An export holds what there was when it began, though samples are deleted and added meanwhile.
func TestAnExportIsASnapshot(t *testing.T) {
	before := partSamples
	partSamples = 2
	defer func() { partSamples = before }()
	f := fresh(t)
	c := opened(t, f.dir)
	var ids []int64
	for i := range 7 {
		s := drawing("a", float64(5+i))
		if err := c.Keep(&s).Do(); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, s.ID)
	}
	path := filepath.Join(t.TempDir(), "it.inkshade")
	done, err := f.Export(t.Context(), First, path, func(done, _ int) {
		if done == 2 {
			late := drawing("b", 1)
			if err := All(c.Delete(ids[:3]...), c.Keep(&late)).Do(); err != nil {
				t.Error(err)
			}
		}
	})
	if err != nil || done.Samples != 7 {
		t.Fatalf("exported %+v, %v", done, err)
	}
	name, read, err := f.Import(t.Context(), path, "", samples.Stated, nil)
	if err != nil || read.Samples != 7 || read.Labels != 1 {
		t.Errorf("%s holds %+v, %v; want what there was when the export began", name, read, err)
	}
}
