package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inkshade/models"
	"inkshade/recognizer/samples"
)

// A model from elsewhere is imported with how it is fed, used by its name, exported and removed.
func TestModels(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	t.Setenv(samples.DirVariable, dir)
	shipped := len(models.Names()) + 1 // that of lines
	list := func() []modelReport {
		t.Helper()
		got := command(t, "models", "list", "--json")
		got.wantStatus(t, statusOK)
		var all []modelReport
		decode(t, got.stdout, &all)
		return all
	}
	if all := list(); len(all) != shipped || all[0].Kind != "shipped" || all[0].Parameters == 0 || all[0].ErrorPercent == nil {
		t.Errorf("at first there are %+v", all)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("listing made the folder of the samples")
	}

	model, seven := foreignModel(t), picture(t, "seven.png", "7")
	got := command(t, "models", "import", "--name", "abc", "--scale", "0..1", "--labels", "a,b,c,d,e,f,g,h,i,j", model)
	if got.wantStatus(t, statusOK); got.stdout != "abc: 10 classes, sees mnist28\n" || got.stderr != "" {
		t.Errorf("importing says %q and %q", got.stdout, got.stderr)
	}
	got = command(t, "models", "import", model)
	if got.wantStatus(t, statusOK); got.stdout != "foreign: 10 classes, sees mnist28\n" || !strings.Contains(got.stderr, "sample characters right") {
		t.Errorf("importing says %q and %q", got.stdout, got.stderr)
	}
	got = command(t, "models", "import", model)
	if got.wantStatus(t, statusFailed); !strings.Contains(got.stderr, "called foreign already") {
		t.Errorf("importing twice says %q", got.stderr)
	}
	if all := list(); len(all) != shipped+2 || all[shipped].Name != "abc" || all[shipped].Kind != "imported" || all[shipped].Classes[7] != "h" {
		t.Errorf("then there are %+v", all)
	}
	got = command(t, "recognize", "--model", "abc", "--device", "cpu", seven)
	if got.wantStatus(t, statusOK); !strings.Contains(got.stdout, " h ") || got.stderr != "" {
		t.Errorf("it answers %q and says %q", got.stdout, got.stderr)
	}

	out := filepath.Join(t.TempDir(), "out.onnx")
	got = command(t, "models", "export", "foreign", out)
	if got.wantStatus(t, statusOK); !strings.HasPrefix(got.stdout, out+": ") {
		t.Errorf("exporting says %q", got.stdout)
	}
	got = command(t, "models", "show", out)
	if got.wantStatus(t, statusOK); !strings.Contains(got.stdout, "sees     mnist28\nclasses  10: 0 1 2") ||
		!strings.Contains(got.stdout, "feeding: it expects pixels from 0 (paper) to 1 (ink)") || got.stderr != "" {
		t.Errorf("exported is %q, %q", got.stdout, got.stderr)
	}
	got = command(t, "models", "export", "foreign", out)
	if got.wantStatus(t, statusFailed); !strings.Contains(got.stderr, "is there already") {
		t.Errorf("exporting twice says %q", got.stderr)
	}
	var shown shownModel
	decode(t, command(t, "models", "show", "--json", "abc").stdout, &shown)
	if len(shown.Layers) == 0 || shown.Layers[len(shown.Layers)-1].Shape != "10" {
		t.Errorf("its layers are %+v", shown.Layers)
	}
	if got := command(t, "models", "show", "digits-mlp"); !strings.Contains(got.stdout, "## How it was made") {
		t.Errorf("a shipped model is shown as %q", got.stdout)
	}

	command(t, "models", "import", "--name", "evil", "--scale", "0..1", "--labels", "a,b,c,d,e,f,g,h,i,j\u202ek", model).wantStatus(t, statusOK)
	if got := command(t, "models", "show", "evil"); !strings.Contains(got.stdout, `i "j\u202ek"`) {
		t.Errorf("labels that turn letters around are shown as %q", got.stdout)
	}

	there := len(list())
	if got := command(t, "models", "remove", "abc", "nine"); got.status != statusFailed || len(list()) != there {
		t.Errorf("with a wrong name %d models are left of %d, status %d", len(list()), there, got.status)
	}
	command(t, "models", "remove", "abc", "foreign", "evil").wantStatus(t, statusOK)
	if all := list(); len(all) != shipped {
		t.Errorf("at last there are %+v", all)
	}
	for want, args := range map[string][]string{
		"stays":                         {"remove", "digits-mlp"},
		"there is no model called nine": {"show", "nine"},
		`there is no command "lost"`:    {"lost"},
	} {
		got := command(t, append([]string{"models"}, args...)...)
		if got.status == statusOK || !strings.Contains(got.stderr, want) {
			t.Errorf("models %s: status %d, %q", args, got.status, got.stderr)
		}
	}
}

// Models of the history have names of their own; the one in force stays.
func TestTrainedModels(t *testing.T) {
	dir := t.TempDir()
	store, err := samples.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	data, err := models.Open("digits-mlp")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := store.AddModel(samples.Model{Base: "digits-mlp", Name: "mine", ONNX: data}, true); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	got := command(t, "models", "--data-dir", dir)
	got.wantStatus(t, statusOK)
	for _, want := range []string{"digits-mlp@2    in use  ", "digits-mlp@1    trained  "} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("%q does not hold %q", got.stdout, want)
		}
	}
	out := filepath.Join(t.TempDir(), "out.onnx")
	command(t, "models", "--data-dir", dir, "export", "digits-mlp@1", out).wantStatus(t, statusOK)
	if written, err := os.ReadFile(out); err != nil || string(written) != string(data) {
		t.Errorf("exported are %d bytes, error %v", len(written), err)
	}
	command(t, "models", "--data-dir", dir, "remove", "digits-mlp@1").wantStatus(t, statusOK)
	if got := command(t, "models", "--data-dir", dir, "remove", "digits-mlp@2"); got.status != statusFailed || !strings.Contains(got.stderr, "in use") {
		t.Errorf("the model in use: %q", got.stderr)
	}
}
