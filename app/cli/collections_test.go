package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inkshade/app/state"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/samples"
)

// stored lists the samples of a folder.
func stored(t *testing.T, dir string) []samples.Sample {
	t.Helper()
	store, err := samples.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	all, err := store.List(samples.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestCollections(t *testing.T) {
	dir := t.TempDir()
	in := func(args ...string) outcome { return command(t, append(args, "--data-dir", dir)...) }
	done := func(args ...string) outcome {
		t.Helper()
		got := in(args...)
		got.wantStatus(t, statusOK)
		return got
	}
	fails := func(want string, args ...string) {
		t.Helper()
		got := in(args...)
		got.wantStatus(t, statusFailed)
		if !strings.Contains(got.stderr, want) {
			t.Errorf("%v: %s", args, got.stderr)
		}
	}
	if got := done("collections"); got.stdout != state.First+": 0 samples of 0 labels, 0 trained and 0 imported models\n" {
		t.Errorf("of an empty folder %q", got.stdout)
	}
	done("collections", "new", "runes")
	fails("called runes already", "collections", "new", "Runes")
	fails("no collection called none", "import", "--collection", "none", "x.jsonl")
	lines := file(t, "class.jsonl", `{"label":"0","strokes":[[[0,0],[5,9]]]}`+"\n"+`{"label":"1","writer":"w1","strokes":[[[0,0],[5,7]]]}`)
	var tiny bytes.Buffer
	if err := onnx.Write(&tiny, &nn.Model{Network: nn.NewNetwork([]int{784, 2}, "relu", 1), Labels: []string{"a", "b"}, Preprocessing: nn.MNIST28}); err != nil {
		t.Fatal(err)
	}
	model := file(t, "tiny.onnx", tiny.String())
	done("import", "--collection", "runes", "--by", "others", lines)
	done("models", "import", "--collection", "runes", model)

	out := filepath.Join(t.TempDir(), "it.inkshade")
	counts := ": 2 samples of 2 labels, 0 trained and 1 imported model\n"
	if got := done("collections", "export", "runes", out); got.stdout != out+counts {
		t.Errorf("export says %q", got.stdout)
	}
	if got := done("collections", "import", out); got.stdout != "runes 2"+counts {
		t.Errorf("import says %q", got.stdout)
	}
	done("collections", "import", "--name", "7b", out)
	done("collections", "rename", "runes 2", "old")
	done("collections", "remove", "runes")
	fails("it is no collection", "collections", "import", lines)
	fails("there is no such file", "collections", "import", out+"x")

	var reports []collectionReport
	decode(t, done("collections", "--json").stdout, &reports)
	want := state.Contents{Samples: 2, Labels: 2, Imported: 1}
	if len(reports) != 3 || reports[0].Name != state.First || reports[0].Folder != dir || reports[0].Samples != 0 ||
		reports[1].Name != "7b" || reports[1].Contents != want || reports[2].Name != "old" || reports[2].Contents != want {
		t.Fatalf("%+v", reports)
	}
	for _, s := range stored(t, reports[2].Folder) {
		if want := map[string]string{"0": "class", "1": "w1"}[s.Label]; s.Writer != want {
			t.Errorf("%s is by %q, want %q", s.Label, s.Writer, want)
		}
	}
	var models []modelReport
	if err := json.Unmarshal([]byte(done("models", "--json", "--collection", "old").stdout), &models); err != nil || models[len(models)-1].Name != "tiny" {
		t.Errorf("models of a collection: %v, %+v", err, models)
	}
	drawn := filepath.Join(t.TempDir(), "drawn.jsonl")
	done("export", "--collection", "7b", drawn)
	if data, err := os.ReadFile(drawn); err != nil || strings.Count(string(data), "\n") != 2 {
		t.Errorf("exported %q, %v", data, err)
	}
	done("import", "--by", "me", lines)
	for _, s := range stored(t, dir) {
		if s.Writer != "" {
			t.Errorf("mine is by %q", s.Writer)
		}
	}
	for _, line := range []string{"collections new", "collections export a", "collections import", "collections rename a", "import --by nobody x"} {
		command(t, strings.Fields(line)...).wantStatus(t, statusUsage)
	}
}

// Where the data folder cannot be one, the models that ship are there all the same, and what saves says a remedy.
func TestFileInPlaceOfTheDataFolder(t *testing.T) {
	model := smallModel(t)
	dir := file(t, "file", "")
	for _, dir := range []string{dir, filepath.Join(dir, "in")} {
		command(t, "models", "show", "digits-mlp", "--data-dir", dir).wantStatus(t, statusOK)
		for _, line := range []string{"collections new runes", "models import " + model, "import x"} {
			got := command(t, append(strings.Fields(line), "--data-dir", dir)...)
			got.wantStatus(t, statusFailed)
			if !strings.Contains(got.stderr, "no folder can be made there") || !strings.HasSuffix(got.stderr, "choose another with --data-dir\n") {
				t.Errorf("%s: %q", line, got.stderr)
			}
		}
	}
}
