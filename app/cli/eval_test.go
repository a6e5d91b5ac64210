package cli

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/train"
)

func evaluate(t *testing.T, args ...string) evalReport {
	t.Helper()
	got := command(t, append([]string{"eval", "--json", "--device", "cpu", "--model", smallModel(t)}, args...)...)
	got.wantStatus(t, statusOK)
	var r evalReport
	decode(t, got.stdout, &r)
	return r
}

func TestEvalCountsErrors(t *testing.T) {
	// Every zero is labelled 7: the model is wrong exactly there.
	wrong := strings.ReplaceAll(inkLines(5, 2, "0"), `"label":"0"`, `"label":"7"`)
	r := evaluate(t, file(t, "ink.jsonl", inkLines(15, 3, "1")+wrong))
	if r.Samples != 20 || r.Errors != 5 || r.ErrorPercent != 25 || r.Top3ErrorPercent != 0 || r.Top5ErrorPercent != 0 {
		t.Errorf("got %+v, want 5 errors in 20 samples and none among three answers", r)
	}
	if len(r.Confusions) != 1 || r.Confusions[0] != (train.Confusion{Want: "7", Got: "0", Count: 5}) {
		t.Errorf("confusions %v, want 7 taken for 0 five times", r.Confusions)
	}
	if r.Device != "cpu" || r.DeviceName == "" || r.SamplesPerSecond <= 0 || r.SkippedUnknownLabel != 0 {
		t.Errorf("got %+v", r)
	}
}

// Answers that look alike are no errors when they are folded; the plain error stays beside it.
func TestEvalFolds(t *testing.T) {
	wrong := strings.ReplaceAll(inkLines(5, 2, "0"), `"label":"0"`, `"label":"7"`)
	data := file(t, "ink.jsonl", inkLines(15, 3, "1")+wrong)
	if r := evaluate(t, data); r.FoldedErrors != nil || r.FoldedErrorPercent != nil {
		t.Errorf("without --fold: %+v", r)
	}
	if r := evaluate(t, "--fold", data); r.Errors != 5 || *r.FoldedErrors != 5 || *r.FoldedErrorPercent != 25 {
		t.Errorf("7 taken for 0: %+v, want 5 errors plain and folded", r)
	}
	got := command(t, "eval", "--device", "cpu", "--model", smallModel(t), "--fold", data)
	if !strings.Contains(got.stdout, "\nfolded         25.00 %   (5)\n") {
		t.Errorf("for people:\n%s", got.stdout)
	}
}

func TestEvalHasTheKeysThatScriptsRead(t *testing.T) {
	data := file(t, "ink.jsonl", inkLines(2, 3, "1"))
	got := command(t, "eval", "--json", "--device", "cpu", "--model", smallModel(t), data)
	got.wantStatus(t, statusOK)
	var keys map[string]any
	if err := json.Unmarshal([]byte(got.stdout), &keys); err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{
		"samples", "errors", "error_percent", "top3_error_percent", "top5_error_percent",
		"confusions", "device", "samples_per_second", "skipped_unknown_label",
	} {
		if keys[k] == nil {
			t.Errorf("the JSON has no %q:\n%s", k, got.stdout)
		}
	}
}

// The error among ten answers is told of models with more than ten classes.
func TestEvalTellsTheErrorAmongTen(t *testing.T) {
	if r := evaluate(t, file(t, "ink.jsonl", inkLines(2, 3, "1"))); r.Top10ErrorPercent != nil {
		t.Errorf("of three classes: %v", *r.Top10ErrorPercent)
	}
	data := file(t, "digits.jsonl", inkLines(6, 3, "1"))
	got := command(t, "eval", "--json", "--device", "cpu", "--model", "characters", data)
	got.wantStatus(t, statusOK)
	var r evalReport
	decode(t, got.stdout, &r)
	if r.Top10ErrorPercent == nil || *r.Top10ErrorPercent > r.Top5ErrorPercent {
		t.Errorf("of 94 classes: %+v", r)
	}
	got = command(t, "eval", "--device", "cpu", "--model", "characters", data)
	if !strings.Contains(got.stdout, "\ntop-10 error ") {
		t.Errorf("for people:\n%s", got.stdout)
	}
}

func TestEvalCountsUnknownLabelsApart(t *testing.T) {
	strange := strings.ReplaceAll(inkLines(3, 2, "0"), `"label":"0"`, `"label":"Q"`)
	r := evaluate(t, file(t, "ink.jsonl", inkLines(4, 3, "1")), file(t, "q.jsonl", strange))
	if r.Samples != 4 || r.Errors != 0 || r.SkippedUnknownLabel != 3 || len(r.UnknownLabels) != 1 || r.UnknownLabels[0] != "Q" {
		t.Errorf("got %+v, want 4 samples and 3 skipped for their label Q", r)
	}
	got := command(t, "eval", "--device", "cpu", "--model", smallModel(t), file(t, "q.jsonl", strange))
	got.wantStatus(t, statusFailed)
	if !strings.Contains(got.stderr, "none of 3 samples") || !strings.Contains(got.stderr, "Q") {
		t.Errorf("with unknown labels alone: %q", got.stderr)
	}
}

func TestEvalLeavesOutContextOnlyWhenAsked(t *testing.T) {
	cut := strings.ReplaceAll(inkLines(3, 2, "0"), `"label":"0"`, `"label":"0","context":true`)
	data := file(t, "ink.jsonl", inkLines(4, 3, "1")+cut)
	if r := evaluate(t, data); r.Samples != 7 || r.SkippedContext != 0 {
		t.Errorf("got %+v, want all 7 samples", r)
	}
	if r := evaluate(t, "--no-context", data); r.Samples != 4 || r.SkippedContext != 3 {
		t.Errorf("with --no-context: %+v, want 4 samples and 3 left out", r)
	}
}

// TestBlankSamplesAreLeftOut wants a blank one among many to end neither eval nor train.
func TestBlankSamplesAreLeftOut(t *testing.T) {
	blank := `{"label":"1","strokes":[]}` + "\n"
	data, empty := file(t, "ink.jsonl", blank+inkLines(20, 3, "0", "1")), file(t, "empty.jsonl", blank)
	got := command(t, "eval", "--json", "--device", "cpu", "--model", smallModel(t), data, empty)
	got.wantStatus(t, statusOK)
	var r evalReport
	decode(t, got.stdout, &r)
	if r.Samples != 40 || r.Skipped != 2 || !strings.Contains(got.stderr, "2 samples of 42 are left out because they hold no ink; the first: "+data+": sample 1") {
		t.Errorf("got %+v and %q, want 2 of 42 left out", r, got.stderr)
	}
	got = command(t, "eval", "--device", "cpu", "--model", smallModel(t), data)
	if !strings.Contains(got.stdout, "left out      1 without ink\n") {
		t.Errorf("for people:\n%s", got.stdout)
	}
	out := filepath.Join(t.TempDir(), "m.onnx")
	got = command(t, quick(out, "--data", data, "--test", data)...)
	got.wantStatus(t, statusOK)
	if strings.Count(got.stderr, "one sample of 41 is left out: "+data) != 2 || !strings.Contains(got.stdout, "40 samples") {
		t.Errorf("train says %q, %q", got.stderr, got.stdout)
	}
	for _, args := range [][]string{quick(out, "--data", empty), {"eval", "--device", "cpu", "--model", smallModel(t), empty}} {
		got := command(t, args...)
		got.wantStatus(t, statusFailed)
		if !strings.Contains(got.stderr, "no ink") {
			t.Errorf("of nothing but a blank sample: %q", got.stderr)
		}
	}
}

func TestEvalOfClasses(t *testing.T) {
	data := file(t, "ink.jsonl", inkLines(4, 3, "1", "7", "0"))
	if r := evaluate(t, "--classes", "1,7", data); r.Samples != 8 || r.SkippedClasses != 4 || r.Errors != 0 {
		t.Errorf("got %+v, want the 8 samples of 1 and 7", r)
	}
}

func TestEvalReadsFoldersOfPictures(t *testing.T) {
	folder := t.TempDir()
	for _, label := range []string{"0", "7"} {
		content, err := os.ReadFile(picture(t, "shape.png", label))
		if err == nil {
			err = os.Mkdir(filepath.Join(folder, label), 0o700)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, label, "a.png"), content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if r := evaluate(t, folder); r.Samples != 2 || r.Errors != 0 {
		t.Errorf("got %+v, want 2 samples without an error", r)
	}
}

// Of many pictures a few have their images at a time; those kept for testing are chosen among all.
func TestEvalLooksAtSomePicturesAtATime(t *testing.T) {
	const count = 2*samplesAtOnce + 500
	images, labels := []byte{0, 0, 8, 3}, []byte{0, 0, 8, 1}
	for _, n := range []uint32{count, 2, 2} {
		images = binary.BigEndian.AppendUint32(images, n)
	}
	labels = binary.BigEndian.AppendUint32(labels, count)
	for i := range count {
		images, labels = append(images, 255, 0, 0, byte(i)), append(labels, byte(i%2))
	}
	found, err := dataset.Find(t.Context(), file(t, "images.idx", string(images)), file(t, "labels.idx", string(labels)))
	if err != nil {
		t.Fatal(err)
	}
	cmd := &cobra.Command{}
	cmd.SetContext(t.Context())
	for share, want := range map[float64][]int{0: {samplesAtOnce / 2, samplesAtOnce / 2, 250}, 0.5: {count / 4}} {
		var parts []int
		report := evalReport{}
		f := evalFlags{heldOut: share, seed: 1}
		err := f.eachPart(cmd, found, &nn.Model{Labels: []string{"1"}}, &report, func(part []dataset.Sample) error {
			parts = append(parts, len(part))
			return nil
		})
		if err != nil || !slices.Equal(parts, want) || share == 0 && report.SkippedUnknownLabel != count/2 {
			t.Errorf("of a share of %g the parts have %v samples, want %v; %d have another label; error %v", share, parts, want, report.SkippedUnknownLabel, err)
		}
	}
}

func TestEvalForPeople(t *testing.T) {
	wrong := strings.ReplaceAll(inkLines(1, 2, "0"), `"label":"0"`, `"label":"7"`)
	data := file(t, "ink.jsonl", inkLines(3, 3, "1")+wrong)
	got := command(t, "eval", "--device", "cpu", "--model", smallModel(t), data)
	got.wantStatus(t, statusOK)
	for _, want := range []string{
		"samples       4\n", "error          25.00 %   (1)\n", "top-3 error     0.00 %\n",
		"confusions    7 taken for 0: 1\n", "samples per second",
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("the report lacks %q:\n%s", want, got.stdout)
		}
	}
}

func TestEvalOfNothing(t *testing.T) {
	got := command(t, "eval", "--device", "cpu", "--model", smallModel(t), t.TempDir()+"/none.jsonl")
	got.wantStatus(t, statusFailed)
	if !strings.Contains(got.stderr, "none.jsonl") {
		t.Errorf("stderr %q", got.stderr)
	}
}

// TestEvalWithNothingToMeasure wants a sentence that says why, and no list without end.
func TestEvalWithNothingToMeasure(t *testing.T) {
	var many []string
	for i := range 30 {
		many = append(many, inkLine(fmt.Sprintf("label%02d", i)))
	}
	empty := "\x00\x00\x08\x03\x00\x00\x00\x00\x00\x00\x00\x1c\x00\x00\x00\x1c"
	for want, data := range map[string][]string{
		"the data hold no samples; name others":                {file(t, "i.idx", empty), file(t, "l.idx", "\x00\x00\x08\x01\x00\x00\x00\x00")},
		"none of 1 sample takes part: 1 with no label, or one": {file(t, "unlabelled.jsonl", inkLine(""))},
		"label09 and 20 more)":                                 {file(t, "many.jsonl", strings.Join(many, ""))},
		"its labels, none.gz: no such file":                    {file(t, "i.idx", empty), "none.gz"},
	} {
		got := command(t, append([]string{"eval", "--model", smallModel(t), "--device", "cpu"}, data...)...)
		got.wantStatus(t, statusFailed)
		if !strings.Contains(got.stderr, want) || strings.Contains(got.stderr, "label10") {
			t.Errorf("stderr %q, want %q in it", got.stderr, want)
		}
	}
}

// inkLine is a drawing with any label.
func inkLine(label string) string {
	return strings.Replace(inkLines(1, 4, "7"), `"label":"7"`, fmt.Sprintf(`"label":%q`, label), 1)
}

func TestEvalTakesDataAsTrainDoes(t *testing.T) {
	a, b := file(t, "a.jsonl", inkLines(2, 1, "0")), file(t, "b.jsonl", inkLines(3, 2, "1"))
	var report evalReport
	got := command(t, "eval", "--model", smallModel(t), "--device", "cpu", "--json", "--data", a, b)
	got.wantStatus(t, statusOK)
	decode(t, got.stdout, &report)
	if report.Samples != 5 {
		t.Errorf("%d samples, want 5", report.Samples)
	}
}

// Who is held out is as in the training, which with --classes knew nothing of those who wrote only other labels.
func TestHeldOutIsWhatTrainingHeldOut(t *testing.T) {
	folder := t.TempDir()
	write := func(name, lines string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	learned := inkLines(64, 21, "0", "1", "7")
	others := strings.ReplaceAll(inkLines(8, 22, "0"), `"writer":"w`, `"writer":"x`)
	want := evaluate(t, "--held-out", "0.5", write("learned.jsonl", learned))
	beside := write("beside.jsonl", strings.ReplaceAll(others, `"label":"0"`, `"label":"Z"`)+learned)
	if got := evaluate(t, "--held-out", "0.5", beside); want.Samples != 4*3*8 || got.Samples != want.Samples || got.Loss != want.Loss {
		t.Errorf("beside classes that were not learned: %d samples, loss %g; want %d, %g", got.Samples, got.Loss, want.Samples, want.Loss)
	}
	alone := command(t, "eval", "--held-out", "0.1", "--model", smallModel(t), write("alone.jsonl", `{"label":"7","writer":"w","strokes":[[[0,0],[9,9]]]}`))
	alone.wantStatus(t, statusFailed)
	if !strings.Contains(alone.stderr, "--held-out 0.1 holds out none of 1 sample that") {
		t.Errorf("of one writer: %s", alone.stderr)
	}
}
