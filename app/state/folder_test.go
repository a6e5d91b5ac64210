package state

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"inkshade/models"
	"inkshade/recognizer/budget/budgettest"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/samples"
)

func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func fresh(t *testing.T) Folder {
	t.Helper()
	return must(OpenFolder(t.TempDir()))(t)
}

func reading(labels ...string) *nn.Model {
	return &nn.Model{
		Network: nn.NewNetwork([]int{784, len(labels)}, "relu", 1), Labels: labels, Preprocessing: nn.MNIST28,
		Metadata: map[string]string{"author": "me"},
	}
}

// runes makes a collection of that name with everything that one can have.
func runes(t *testing.T, f Folder, name string) (dir string) {
	t.Helper()
	if err := f.Make(name); err != nil {
		t.Fatal(err)
	}
	_, dir, err := f.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	lib := must(OpenModels(dir))(t)
	if err := lib.AddModel("futhark", reading("ᚠ", "ᚢ")).Do(); err != nil {
		t.Fatal(err)
	}
	store := must(samples.Open(dir))(t)
	defer store.Close()
	var ids []int64
	for i := range 7 {
		x := float64(i)
		s := samples.Sample{
			Label: []string{"ᚠ", "ᚢ"}[i%2], Ink: ink.Ink{{{X: x, Y: 0, T: 1}, {X: 30, Y: 50 + x/3, T: 7, Pressure: 0.5}}, {{X: 1, Y: 2}}},
			DeviceScale: 1.5, Time: time.Unix(int64(1e9+i), 7).UTC(), Session: "monday",
			Answered: samples.Answer{Label: "F", Probability: 0.3}, HoldOut: i == 2, Correction: i == 3, Context: i == 4,
		}
		if i == 5 {
			s.Writer = "anna"
		}
		ids = append(ids, must(store.Add(s))(t).ID)
	}
	must(store.Delete(ids[0]))(t)
	var file bytes.Buffer
	if err := onnx.Write(&file, reading("ᚠ", "ᚢ", "ᚦ")); err != nil {
		t.Fatal(err)
	}
	m := samples.Model{Base: must(lib.Resolve("futhark"))(t), Settings: []byte(`{"Steps":9}`), Figures: []byte(`{"Learned":6,"Last":7}`), ONNX: file.Bytes(), Time: time.Unix(2e9, 0).UTC()}
	m.Parent = must(store.AddModel(m, false))(t).ID
	must(store.AddModel(m, true))(t)
	m.Parent, m.Base, m.Name = 0, "digits-mlp", "with sevens"
	must(store.AddModel(m, true))(t)
	m.Base, m.Name = filepath.Join(t.TempDir(), "elsewhere.onnx"), ""
	must(store.AddModel(m, true))(t)
	if err := f.Choose(name, map[string]string{"classes.own": "ᚠ ᚢ", "model": "futhark"}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// kept is everything that a folder holds; what was trained from a file outside of it stays out.
func kept(t *testing.T, dir string) (drawn []samples.Sample, trained []samples.Model, imported map[string][]byte) {
	t.Helper()
	store := must(samples.Open(dir))(t)
	defer store.Close()
	drawn = must(store.List(samples.Filter{}))(t)
	lib := must(OpenModels(dir))(t)
	for _, m := range must(store.Models(""))(t) {
		if m = must(store.Model(m.ID))(t); !strings.Contains(m.Base, "elsewhere") {
			m.Base = lib.NameOf(m.Base)
			trained = append(trained, m)
		}
	}
	imported = map[string][]byte{}
	for _, name := range must(lib.Imported())(t) {
		imported[name] = must(os.ReadFile(lib.imported(name)))(t)
	}
	return drawn, trained, imported
}

func TestAFileBringsTheSameSamplesAndModels(t *testing.T) {
	from, to := fresh(t), fresh(t)
	path := filepath.Join(t.TempDir(), "runes.inkshade")
	dir := runes(t, from, "runes")
	told := 0
	want := Contents{Samples: 6, Labels: 2, Trained: 3, Imported: 1}
	if c, err := from.Export(t.Context(), "Runes", path, func(done, all int) { told = all - done }); err != nil || c != want || told != 1 {
		t.Fatalf("exported %+v, %d untold: %v", c, told, err)
	}
	// Ids, which the reports of trainings name, stay as they are.
	name, c, err := to.Import(t.Context(), path, "", samples.Stated, func(done, all int) { told = all - done })
	if err != nil || name != "runes" || c != want || told != 0 {
		t.Fatalf("imported %s with %+v, %d untold: %v", name, c, told, err)
	}
	_, there, err := to.Find("runes")
	if err != nil {
		t.Fatal(err)
	}
	drawn, trained, imported := kept(t, dir)
	drawn2, trained2, imported2 := kept(t, there)
	if len(drawn) != 6 || !reflect.DeepEqual(drawn, drawn2) {
		t.Errorf("samples %+v, want %+v", drawn2, drawn)
	}
	if len(trained) != 3 || !reflect.DeepEqual(trained, trained2) {
		t.Errorf("models %+v, want %+v", trained2, trained)
	}
	if !reflect.DeepEqual(imported, imported2) {
		t.Error("the imported models differ")
	}
	if got := must(to.Choices("runes"))(t); !reflect.DeepEqual(got, must(from.Choices("runes"))(t)) || got["classes.own"] != "ᚠ ᚢ" {
		t.Errorf("chosen is %v", got)
	}

	// Several at once, each under a name of its own.
	others, names := fresh(t), make([]string, 3)
	var all sync.WaitGroup
	for i := range names {
		all.Go(func() {
			var err error
			if names[i], _, err = others.Import(t.Context(), path, "", samples.Stated, nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	slices.Sort(names)
	if want := []string{"runes", "runes 2", "runes 3"}; !slices.Equal(names, want) {
		t.Errorf("imported at once: %q, want %q", names, want)
	}
	for _, name := range names {
		_, there, err := others.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, trained, _ := kept(t, there); !reflect.DeepEqual(trained, trained2) {
			t.Errorf("%s: models %+v", name, trained)
		}
	}

	// Again, under the next name, as what somebody else wrote.
	if name, _, err = to.Import(t.Context(), path, "", samples.Others, nil); err != nil || name != "runes 2" {
		t.Fatalf("again: %s, %v", name, err)
	}
	_, there, _ = to.Find(name)
	drawn, _, _ = kept(t, there)
	for _, s := range drawn {
		if want := map[bool]string{true: "anna", false: "runes 2"}[s.ID == 6]; s.Writer != want {
			t.Errorf("sample %d is by %q, want %q", s.ID, s.Writer, want)
		}
	}
	book := must(Open(there))(t)
	defer book.Close()
	if n := book.Memory.Len(); n != 0 {
		t.Errorf("%d samples of others are taken for the person's style", n)
	}
	if names := must(to.Names())(t); !slices.Equal(names, []string{First, "runes", "runes 2"}) {
		t.Errorf("there are %q", names)
	}
}

func TestTheDataFolderIsTheFirstCollection(t *testing.T) {
	f := fresh(t)
	if c, err := f.Contents(First); err != nil || c != (Contents{}) {
		t.Errorf("of nothing %+v, %v", c, err)
	}
	if left := must(os.ReadDir(f.dir))(t); len(left) > 0 {
		t.Errorf("looking made %v", left)
	}
	book := must(Open(f.dir))(t)
	must(book.Keep(&samples.Sample{Label: "7", Ink: ink.Ink{{{X: 1}, {Y: 5}}}})())(t)
	defer book.Close()
	path := filepath.Join(t.TempDir(), "all.inkshade")
	if c, err := f.Export(t.Context(), "", path, nil); err != nil || c.Samples != 1 { // while it is open
		t.Fatalf("%+v, %v", c, err)
	}
	if name, c, err := f.Import(t.Context(), path, "", samples.Mine, nil); err != nil || name != First+" 2" || c.Samples != 1 {
		t.Errorf("%s, %+v, %v", name, c, err)
	}
	if _, err := f.Export(t.Context(), "", filepath.Join(t.TempDir(), "all.zip"), nil); err == nil {
		t.Error("exported to a file of another kind")
	}
	for name, err := range map[string]error{"removed": f.Remove(First), "renamed": f.Rename("", "other")} {
		if err == nil || !strings.Contains(err.Error(), "stays as it is") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNames(t *testing.T) {
	f := fresh(t)
	for _, name := range []string{"class 7b", "Zoe\u0308"} {
		if err := f.Make(name); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"": "needs a name", "Class 7B": "called class 7b already", "Zoë": "already", "my HANDWRITING": "already", "meine handschrift": "already", "a/b": "cannot be the name", "..": "cannot be",
		".x": "cannot be", "NUL.txt": "Windows keeps", "x ": "cannot be", "a\nb": `"a\nb" cannot be`, strings.Repeat("x", 200): "cannot be",
	} {
		if err := f.Make(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, _, err := f.Find("none"); err == nil || !strings.Contains(err.Error(), First+", Zoe\u0308, class 7b") {
		t.Errorf("one that is not there: %v", err)
	}
	for _, want := range []string{First, "Mi letra"} { // which earlier versions have let be made
		if found, _, err := f.Find("mi letra"); found != want {
			t.Errorf("found %q, %v, want %q", found, err, want)
		}
		if err := os.MkdirAll(filepath.Join(f.others(), "Mi letra"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRenamedAndRemoved(t *testing.T) {
	f := fresh(t)
	dir := runes(t, f, "runes")
	before, trained, _ := kept(t, dir)
	store := must(samples.Open(dir))(t)
	for name, err := range map[string]error{"renamed": f.Rename("runes", "futhark"), "removed": f.Remove("runes")} {
		if !errors.Is(err, samples.ErrInUse) {
			t.Errorf("%s while it was open: %v", name, err)
		}
	}
	store.Close()
	for _, to := range []string{"RUNES", "runes", "Old Norse"} { // the first two are one name
		if err := f.Rename("Runes", to); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Rename("old norse", "Old Norse"); err == nil || err.Error() != errThere("Old Norse").Error() {
		t.Errorf("renamed to what it is called: %v", err)
	}
	_, dir, err := f.Find("Old Norse")
	if err != nil {
		t.Fatal(err)
	}
	after, trainedAfter, _ := kept(t, dir)
	if !reflect.DeepEqual(before, after) || !reflect.DeepEqual(trained, trainedAfter) {
		t.Errorf("models %+v, want %+v", trainedAfter, trained)
	}
	if err := f.Remove("Old Norse"); err != nil {
		t.Fatal(err)
	}
	if left := must(os.ReadDir(f.others()))(t); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// Where the data folder may not be written, trying again does not help.
func TestCollectionsInAFolderThatMayNotBeWritten(t *testing.T) {
	f := fresh(t)
	if err := errors.Join(f.Make("runes"), os.Chmod(f.dir, 0o500)); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(f.dir, 0o700)
	if os.WriteFile(filepath.Join(f.dir, "new"), nil, 0o600) == nil {
		t.Skip("who runs the tests may write everywhere")
	}
	_, err := f.Store("runes")
	if !errors.Is(err, samples.ErrReadOnly) || errors.Is(err, fs.ErrPermission) {
		t.Errorf("error %v", err)
	}
}

// archive writes a file of a collection with other entries in the place of its own; an empty one leaves it out.
func archive(t *testing.T, whole string, method uint16, change map[string]string) string {
	t.Helper()
	r := must(zip.OpenReader(whole))(t)
	defer r.Close()
	entries := map[string]string{}
	for _, e := range r.File {
		data := must(io.ReadAll(must(e.Open())(t)))(t)
		entries[e.Name] = string(data)
	}
	for name, text := range change {
		entries[name] = text
	}
	path := filepath.Join(t.TempDir(), "changed.inkshade")
	if err := files.WriteWhole(path, func(w io.Writer) error {
		z := zip.NewWriter(w)
		for name, text := range entries {
			if text == "" {
				continue
			}
			e, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
			if err != nil {
				return err
			}
			if _, err := io.WriteString(e, text); err != nil {
				return err
			}
		}
		return z.Close()
	}); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDamagedAndForeignFilesChangeNothing(t *testing.T) {
	f := fresh(t)
	whole := filepath.Join(t.TempDir(), "runes.inkshade")
	runes(t, f, "runes")
	if _, err := f.Export(t.Context(), "runes", whole, nil); err != nil {
		t.Fatal(err)
	}
	data := must(os.ReadFile(whole))(t)
	written := func(data []byte) string {
		path := filepath.Join(t.TempDir(), "it.inkshade")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	changed := func(method uint16, name, text string) string {
		return archive(t, whole, method, map[string]string{name: text})
	}
	flipped := slices.Clone(data)
	flipped[len(data)/2] ^= 1
	shared := bytes.Replace(slices.Clone(data), []byte("PK\x05\x06"), []byte("PK\x05\x07"), 1)
	line := `{"label":"x","strokes":[[[0,0],[5,9]]],"attributes":{"inkshade-id":"%d","inkshade-time":"2026-01-01T00:00:00Z"}}`
	cases := map[string]struct{ path, want string }{
		"empty":              {written(nil), "no collection"},
		"a text":             {written([]byte("no archive at all, but long enough to hold its end")), "no collection"},
		"a folder":           {t.TempDir(), "no collection"},
		"cut short":          {written(data[:len(data)-100]), "no collection"},
		"its beginning gone": {written(data[100:]), "no collection"},
		"one bit":            {written(flipped), "damaged"},
		"no end":             {written(shared), "no collection"},
		"of another program": {changed(zip.Store, choicesName, `{"name":"x"}`), "no collection"},
		"of a newer version": {changed(zip.Store, choicesName, `{"inkshade_collection":2}`), "newer version"},
		"a bad sample":       {changed(zip.Store, "samples/1.jsonl", `{"label":"x","strokes":[]}`), "sample 1"},
		"no sample":          {changed(zip.Store, "samples/1.jsonl", "{"), "line 1"},
		"an id twice":        {changed(zip.Store, "samples/1.jsonl", fmt.Sprintf(line+"\n"+line, 5, 5)), "two have the same id"},
		"an id too large":    {changed(zip.Store, "samples/1.jsonl", fmt.Sprintf(line, int64(1)<<60)), "no id"},
		"a name twice":       {written(bytes.ReplaceAll(must(os.ReadFile(changed(zip.Store, "samples/2.jsonl", "x")))(t), []byte("samples/2"), []byte("samples/1"))), "no collection"},
		"a missing part":     {changed(zip.Store, "samples/3.jsonl", fmt.Sprintf(line, 3)), "damaged"},
		"no model":           {changed(zip.Store, "history/3.onnx", "nonsense"), "history/3.onnx"},
		"a missing model":    {changed(zip.Store, "history/3.onnx", ""), "damaged"},
		"a packed model":     {archive(t, whole, zip.Deflate, nil), "damaged"},
		"a way out":          {changed(zip.Store, "models/../../x.onnx", string(must(models.Open("digits-mlp"))(t))), "cannot be the name"},
		"a history outside":  {changed(zip.Store, "history/3.json", `{"Base":"/etc/x.onnx","Settings":{},"Figures":{}}`), "damaged"},
		"wrong figures":      {changed(zip.Store, "history/3.json", `{"Base":"digits-mlp","Settings":{},"Figures":[]}`), "figures"},
		"an unknown parent":  {changed(zip.Store, "history/3.json", `{"Base":"digits-mlp","Parent":77,"Settings":{},"Figures":{}}`), "not in the store"},
	}
	to := fresh(t)
	if err := to.Make("mine"); err != nil {
		t.Fatal(err)
	}
	for what, c := range cases {
		if _, _, err := to.Import(t.Context(), c.path, "", samples.Stated, nil); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "cannot import") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, _, err := to.Import(t.Context(), whole, "Mine", samples.Stated, nil); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("a name that is taken: %v", err)
	}
	if _, _, err := to.Import(t.Context(), whole+"x", "", samples.Stated, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	for at := range 20 { // whatever it was about to do
		ctx, end := context.WithCancel(t.Context())
		if _, _, err := to.Import(ctx, whole, "", samples.Stated, func(done, all int) {
			if done >= all*at/20 {
				end()
			}
		}); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
		end()
	}
	if left := must(os.ReadDir(to.others()))(t); len(left) != 1 {
		t.Errorf("left over: %v", left)
	}
}

// Entries that share bytes, and a list of entries that is longer than any, are refused before they take room.
func TestABombIsNotUnpacked(t *testing.T) {
	f := fresh(t)
	path := filepath.Join(t.TempDir(), "bomb.inkshade")
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w := must(z.Create(choicesName))(t)
	io.WriteString(w, `{"inkshade_collection":1,"name":"bomb"}`)
	w = must(z.Create("samples/1.jsonl"))(t)
	zeros := make([]byte, 1<<20)
	for range 300 {
		w.Write(zeros)
	}
	z.Close()
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Import(t.Context(), path, "", samples.Stated, nil); err == nil {
		t.Errorf("%d bytes unpacked to 300 MB", b.Len())
	}
	b.Reset()
	z = zip.NewWriter(&b)
	for i := range 30_000 {
		must(z.Create(fmt.Sprintf("%040d", i)))(t)
	}
	z.Close()
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Import(t.Context(), path, "", samples.Stated, nil); !errors.Is(err, errNone) {
		t.Errorf("30,000 entries: %v", err)
	}
}

func TestOthersTrainAndMeasureWithoutBeingTheStyle(t *testing.T) {
	dir := t.TempDir()
	book := must(Open(dir))(t)
	defer book.Close()
	path := filepath.Join(dir, "class 7b.jsonl")
	var lines strings.Builder
	for i := range 12 {
		fmt.Fprintf(&lines, `{"label":"%d","strokes":[[[0,%d],[30,50],[10,%d]]]}`+"\n", i%2, i, 90+i)
	}
	if err := os.WriteFile(path, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	must(book.Import(t.Context(), must(samples.Find(t.Context(), path, nil))(t), samples.Others, nil))(t)
	must(book.Keep(&samples.Sample{Label: "7", Ink: ink.Ink{{{X: 1}, {Y: 5}}}})())(t)
	if n := book.Memory.Len(); n != 1 || !slices.Equal(book.Memory.Labels(), []string{"7"}) {
		t.Errorf("%d are the person's style: %v", n, book.Memory.Labels())
	}
	o := DefaultOptions()
	o.Steps = 2
	e, err := book.Train(t.Context(), "digits-mlp", o, nil)
	if err != nil || e.Report.Learned != 11 || e.Report.HeldOut.Samples != 2 {
		t.Errorf("learned from %d, measured with %d: %v", e.Report.Learned, e.Report.HeldOut.Samples, err)
	}
	if n := book.Memory.Len(); n != 1 {
		t.Errorf("after learning %d are the style", n)
	}
	for _, s := range must(book.store.List(samples.Filter{Label: "0"}))(t) {
		if s.Writer != "class 7b" {
			t.Errorf("by %q", s.Writer)
		}
	}
}

// Whatever the bytes are, an import ends, makes a collection whole or nothing, and leaves nothing beside it.
func FuzzImport(f *testing.F) {
	var b, own bytes.Buffer
	small := &nn.Model{Network: nn.NewNetwork([]int{784, 2}, "relu", 1), Labels: []string{"x", "y"}, Preprocessing: nn.MNIST28}
	if err := onnx.Write(&own, small); err != nil {
		f.Fatal(err)
	}
	z := zip.NewWriter(&b)
	for name, text := range map[string]string{
		choicesName: `{"inkshade_collection":1,"name":"x","chosen":{"model":"y"}}`, "models/own.onnx": own.String(),
		"history/1.json": `{"Base":"own","Settings":{},"Figures":{}}`, "history/1.onnx": own.String(),
		"samples/1.jsonl": `{"label":"x","strokes":[[[0,0],[5,9]]],"attributes":{"inkshade-id":"1","inkshade-time":"2026-01-01T00:00:00Z"}}`,
	} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name})
		if err != nil {
			f.Fatal(err)
		}
		io.WriteString(w, text)
	}
	z.Close()
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:b.Len()/2])
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, data []byte) {
		folder := fresh(t)
		path := filepath.Join(t.TempDir(), "f.inkshade")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		var name string
		var err error
		budgettest.Within(t, func() { name, _, err = folder.Import(t.Context(), path, "", samples.Stated, nil) })
		if err != nil && bytes.Equal(data, b.Bytes()) {
			t.Errorf("the collection that others are made of: %v", err)
		}
		left, _ := os.ReadDir(folder.others())
		if err != nil && len(left) > 0 || err == nil && (len(left) != 1 || left[0].Name() != name) {
			t.Errorf("%v; there are %v", err, left)
		}
	})
}
