package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"inkshade/glcompute"
)

// keepChoices gives the commands of a test a cache of their own.
func keepChoices(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	t.Setenv("INKSHADE_CACHE", folder)
	return folder
}

// compileProduct brings a product to a device, which measures its variants.
func compileProduct(t *testing.T, kind glcompute.DeviceKind, rows int) {
	t.Helper()
	dev, err := glcompute.Open(kind)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	p := glcompute.NewProgram()
	p.Layer(p.Input(rows, 300), p.Input(300, 200), p.Input(1, 200), glcompute.Tanh)
	run, err := dev.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
}

func TestChoicesOfThisMachine(t *testing.T) {
	folder := keepChoices(t)
	none := command(t, "devices", "--choices")
	none.wantStatus(t, statusOK)
	if strings.Count(none.stdout, "nothing measured yet") != 2 {
		t.Errorf("without any work: %s", none.stdout)
	}
	compileProduct(t, glcompute.Compute, 3)
	got := command(t, "devices", "--choices", "--json")
	got.wantStatus(t, statusOK)
	var reports []choicesReport
	decode(t, got.stdout, &reports)
	if len(reports) != 2 || len(reports[0].Choices) != 0 || len(reports[1].Choices) != 1 {
		t.Fatalf("reports %+v, want one choice on compute", reports)
	}
	c := reports[1].Choices[0]
	if c.Operation != "product" || c.Work != "3x300 · 300x200, tanh" || c.Chosen == 0 || len(c.Variants) < 2 {
		t.Errorf("choice %+v", c)
	}
	// Damage is as if nothing were there.
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("files %v, error %v", files, err)
	}
	for _, f := range files {
		if err := os.WriteFile(f, []byte("damaged"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := command(t, "devices", "--choices"); strings.Count(got.stdout, "nothing measured yet") != 2 {
		t.Errorf("after damage: %s", got.stdout)
	}
}

func TestMeasuringFinishesWhatIsLeft(t *testing.T) {
	keepChoices(t)
	compileProduct(t, glcompute.Fragment, 3)
	got := command(t, "devices", "--measure")
	got.wantStatus(t, statusOK)
	if !strings.Contains(got.stdout, "chosen") || strings.Contains(got.stdout, "not measured yet") {
		t.Errorf("after measuring: %s", got.stdout)
	}
}

// times are those of all variants of each class that a device has measured.
func times(t *testing.T, kind glcompute.DeviceKind) [][]variantReport {
	t.Helper()
	var reports []choicesReport
	decode(t, command(t, "devices", "--choices", "--json").stdout, &reports)
	var all [][]variantReport
	for _, r := range reports {
		for _, c := range r.Choices {
			if r.Kind == kind {
				all = append(all, c.Variants)
			}
		}
	}
	return all
}

// All that is known is measured anew; what an interrupt leaves out keeps its old times.
func TestMeasuringAllAnew(t *testing.T) {
	keepChoices(t)
	// The process remembers what it has chosen: no other test compiles these.
	compileProduct(t, glcompute.Compute, 20)
	compileProduct(t, glcompute.Compute, 40)
	command(t, "devices", "--measure").wantStatus(t, statusOK)
	first := times(t, glcompute.Compute)
	if len(first) != 2 {
		t.Fatalf("classes %+v", first)
	}
	if got := command(t, "devices", "--measure"); got.stderr != "" {
		t.Errorf("with nothing left over: %s", got.stderr)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stdout, stop := &watcher{sign: "never"}, &watcher{sign: "compute: product 40x300", act: cancel}
	if status := run(ctx, Window{}, []string{"devices", "--measure=all"}, stdout, stop); status != statusOK {
		t.Errorf("exit status %d", status)
	}
	for _, want := range []string{"compute: product 20x300", "stopped on request", "old times"} {
		if !strings.Contains(stop.text.String(), want) {
			t.Errorf("%q is not told: %s", want, stop.text.String())
		}
	}
	if !strings.Contains(stdout.text.String(), "chosen") {
		t.Errorf("no choices are listed: %s", stdout.text.String())
	}
	stopped := times(t, glcompute.Compute)
	if cmp.Equal(stopped[0], first[0]) || !cmp.Equal(stopped[1], first[1]) {
		t.Errorf("stopped in the second class:\n%+v\nbefore:\n%+v", stopped, first)
	}
	command(t, "devices", "--measure=all").wantStatus(t, statusOK)
	for i, again := range times(t, glcompute.Compute) {
		if cmp.Equal(again, stopped[i]) {
			t.Errorf("class %d was not measured again: %+v", i, again)
		}
	}
}

func TestMeasuringWhatIsUnknown(t *testing.T) {
	got := command(t, "devices", "--measure=most")
	got.wantStatus(t, statusUsage)
	if !strings.Contains(got.stderr, "choose left or all") {
		t.Error(got.stderr)
	}
}

func TestChoicesWithoutCache(t *testing.T) {
	t.Setenv("INKSHADE_CACHE", "off")
	for _, flag := range []string{"--choices", "--measure", "--measure=all"} {
		got := command(t, "devices", flag)
		got.wantStatus(t, statusFailed)
		if !strings.Contains(got.stderr, "INKSHADE_CACHE") {
			t.Errorf("%s: %s", flag, got.stderr)
		}
	}
}

func TestChoicesForPeople(t *testing.T) {
	var b strings.Builder
	must(t, inWords(&b, []choicesReport{
		{Kind: glcompute.Fragment, Reason: "there is no OpenGL"},
		{Kind: glcompute.Compute, Available: true, Renderer: "A card", Left: 3, Choices: []choiceReport{
			{Operation: "product", Work: "1x2 · 2x3", Chosen: 6, Left: 0, Variants: []variantReport{
				{Number: 6, Name: "blocks", Time: 1500}, {Number: 12, Name: "reduced", Time: 1490}, {Number: 9, Name: "parts", Unusable: "no room"},
			}},
			{Operation: "product", Work: "4x2 · 2x3", Chosen: 2, Left: 1, Variants: []variantReport{
				{Number: 1, Name: "blocks", Time: 1500}, {Number: 2, Name: "reduced", Time: 12.5}, {Number: 3, Name: "parts"},
			}},
			{Operation: "product", Work: "8x2 · 2x3", Chosen: 1, Left: 2, Variants: []variantReport{
				{Number: 1, Name: "blocks"}, {Number: 2, Name: "reduced"},
			}},
		}},
	}, choicesWords))
	want := `fragment  not available: there is no OpenGL
compute   A card
  product 1x2 · 2x3
     6  blocks                         1.50 ms  chosen, no other clearly faster
    12  reduced                        1.49 ms
     9  parts                      cannot be used here: no room
  product 4x2 · 2x3
     1  blocks                         1.50 ms  the rule of thumb
     2  reduced                      0.0125 ms  chosen, the fastest
     3  parts                      not measured yet
  product 8x2 · 2x3
     1  blocks                     not measured yet  chosen by rule of thumb
     2  reduced                    not measured yet
3 variants not measured yet; "inkshade devices --measure" does it.
`
	if b.String() != want {
		t.Errorf("got:\n%swant:\n%s", b.String(), want)
	}
}
