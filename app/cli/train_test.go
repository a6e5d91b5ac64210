package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"inkshade/glcompute"
	"inkshade/models"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/prototype"
	"inkshade/recognizer/train"
)

// readModel reads what a training wrote.
func readModel(t *testing.T, path string) *nn.Model {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := onnx.Read(t.Context(), bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// quick trains for a moment; more flags may follow.
func quick(out string, more ...string) []string {
	return append([]string{
		"train", "--hidden", "8,6", "--epochs", "2", "--batch", "16", "--device", "cpu", "--out", out,
	}, more...)
}

func TestTrainWritesTheModelWithItsProvenance(t *testing.T) {
	first, second := file(t, "first.jsonl", inkLines(10, 1, "0", "1")), file(t, "second.jsonl", inkLines(8, 2, "7"))
	test, more := file(t, "test.jsonl", inkLines(3, 5, "0", "1", "7")), file(t, "more.jsonl", inkLines(1, 6, "7"))
	out := filepath.Join(t.TempDir(), "shapes.onnx")
	got := command(t, quick(out, "--data", first, second, "--seed", "5", "--distort", "none", "--test", test, more)...)
	got.wantStatus(t, statusOK)
	m := readModel(t, out)
	if sizes := m.Network.Sizes(); len(sizes) != 4 || sizes[1] != 8 || sizes[2] != 6 || sizes[3] != 3 {
		t.Errorf("the network is %v, want hidden layers of 8 and 6 units and 3 classes", sizes)
	}
	for key, want := range map[string]string{
		"name":                   `^shapes$`,
		"command":                `^inkshade `,
		"date":                   `^\d{4}-\d\d-\d\d$`,
		"version":                `^0\.`,
		"data":                   `first.jsonl: 20, .*second.jsonl: 8$`,
		"training_seed":          `^5$`,
		"training_device":        `^cpu$`,
		"distortion":             `^none$`,
		"held_out_error_percent": `^\d`,
		"test_data":              `^test.jsonl, more.jsonl$`,
		"test_samples":           `^10$`,
		"test_error_percent":     `^\d`,
	} {
		if !regexp.MustCompile(want).MatchString(m.Metadata[key]) {
			t.Errorf("the metadata's %s is %q, want %s", key, m.Metadata[key], want)
		}
	}
	for _, want := range []string{"28 samples", "epoch 1 of 2: loss ", "epoch 2 of 2: ", "kept for testing: ", "test: ", "3 classes"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("the output lacks %q:\n%s", want, got.stdout)
		}
	}
	if strings.ContainsAny(got.stdout+got.stderr, "\r\x1b") {
		t.Errorf("signs for a terminal where there is none: %q", got.stdout+got.stderr)
	}
}

func TestTrainAgainGivesTheSameModel(t *testing.T) {
	data := file(t, "ink.jsonl", inkLines(10, 1, "0", "1"))
	var models []*nn.Model
	for range 2 {
		out := filepath.Join(t.TempDir(), "m.onnx")
		command(t, quick(out, "--data", data)...).wantStatus(t, statusOK)
		models = append(models, readModel(t, out))
	}
	for i, l := range models[0].Network.Layers {
		for k, w := range l.Values[0] {
			if w != models[1].Network.Layers[i].Values[0][k] {
				t.Fatalf("weight %d of layer %d is %g and then %g", k, i, w, models[1].Network.Layers[i].Values[0][k])
			}
		}
	}
}

// An embedding is what comes before the classes.
func TestTrainAnEmbedding(t *testing.T) {
	out := filepath.Join(t.TempDir(), "m.onnx")
	layers := file(t, "layers.txt", "dense 8 relu\ndense 5\nbatch-normalisation\n")
	args := []string{
		"train", "--network", layers, "--epochs", "2", "--batch", "16", "--device", "cpu", "--out", out,
		"--data", file(t, "ink.jsonl", inkLines(10, 1, "0", "1")), "--embedding", "--notice", "by all of us",
	}
	command(t, args...).wantStatus(t, statusOK)
	if m := readModel(t, out); len(m.Labels) != 5 || m.Network.Classes() != 5 || m.Metadata["notice"] != "by all of us" {
		t.Errorf("%d labels for %d values, notice %q", len(m.Labels), m.Network.Classes(), m.Metadata["notice"])
	}
	for _, network := range [][]string{nil, {"--network", "lenet"}, {"--network", "words"}} {
		got := command(t, slices.Concat(args[:1], args[3:], network)...)
		if got.wantStatus(t, statusUsage); !strings.Contains(got.stderr, "--embedding") || strings.Contains(got.stdout, "epoch") {
			t.Errorf("with %q: %q, %q", network, got.stdout, got.stderr)
		}
	}
	for _, model := range []string{out, file(t, "shipped.onnx", string(models.Embedding()))} {
		for _, args := range [][]string{{"recognize", "--model", model, out}, {"models", "import", "--data-dir", t.TempDir(), model}} {
			got := command(t, args...)
			if got.wantStatus(t, statusFailed); !strings.Contains(got.stderr, "gives values for comparing drawings, not labels") {
				t.Errorf("inkshade %s says %q", strings.Join(args, " "), got.stderr)
			}
		}
	}
}

func TestTrainKeepsTheBestStateWhenStopped(t *testing.T) {
	data := file(t, "ink.jsonl", inkLines(40, 1, "0", "1", "7"))
	out := filepath.Join(t.TempDir(), "m.onnx")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stopAfter := &watcher{sign: "epoch    2 of", act: cancel}
	status := run(ctx, Window{}, []string{
		"train", "--data", data, "--hidden", "8", "--epochs", "9999", "--device", "cpu", "--out", out,
	}, stopAfter, stopAfter)
	if status != statusOK {
		t.Fatalf("exit status %d:\n%s", status, stopAfter.text.String())
	}
	if text := stopAfter.text.String(); !strings.Contains(text, "Stopped on request") || strings.Contains(text, "epoch 9999") {
		t.Errorf("the output does not tell of the stop:\n%s", text)
	}
	if m := readModel(t, out); m.Metadata["training_ending"] != "cancelled" {
		t.Errorf("the metadata says %q of the ending", m.Metadata["training_ending"])
	}
}

// A stop must not wait for the calibration, and what it leaves out can be made up for with
// the command that is told.
func TestStopLeavesTheCalibrationOut(t *testing.T) {
	data, test := file(t, "ink.jsonl", inkLines(40, 1, "0", "1", "7")), file(t, "test.jsonl", inkLines(2, 2, "0", "1"))
	for _, sign := range []string{"epoch    2 of", "Calibrating"} {
		out := filepath.Join(t.TempDir(), "a model.onnx")
		args := append(quick(out), "--data", data, "--classes", "0,1,7", "--test", test)
		if sign != "Calibrating" {
			args = append(args, "--epochs", "9999")
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		stopAfter := &watcher{sign: sign, act: cancel}
		status := run(ctx, Window{}, args, stopAfter, stopAfter)
		text := stopAfter.text.String()
		if m := readModel(t, out); status != statusOK || m.Metadata["calibration"] != "" || strings.Contains(text, "temperature") {
			t.Errorf("stopped at %q: status %d, calibration %q:\n%s", sign, status, m.Metadata["calibration"], text)
		}
		if measured := strings.Contains(text, "test:"); measured == strings.Contains(text, "inkshade eval --model") {
			t.Errorf("stopped at %q, measured %t:\n%s", sign, measured, text)
		}
		_, told, _ := strings.Cut(text, "To do it: inkshade calibrate ")
		told, _, _ = strings.Cut(told, "\n")
		again := []string{"calibrate"}
		for _, word := range strings.Fields(strings.ReplaceAll(told, "'"+out+"'", "OUT")) {
			again = append(again, strings.ReplaceAll(word, "OUT", out))
		}
		command(t, again...).wantStatus(t, statusOK)
		if m := readModel(t, out); m.Metadata["calibration"] == "" {
			t.Errorf("%q calibrates nothing", again)
		}
	}
}

// watcher collects output and acts when a sign passes by.
type watcher struct {
	text bytes.Buffer
	sign string
	act  func()
}

func (w *watcher) Write(p []byte) (int, error) {
	w.text.Write(p)
	if strings.Contains(w.text.String(), w.sign) {
		w.act()
	}
	return len(p), nil
}

// lost is a device that went away.
type lost struct{ glcompute.Device }

var errGone = errors.New("the device went away")

func (lost) Compile(*glcompute.Program) (glcompute.Run, error) { return nil, errGone }

// What was trained is kept where the device is lost, and where the folder is.
func TestTrainedModelIsKept(t *testing.T) {
	samples, _, err := dataset.Read(t.Context(), file(t, "ink.jsonl", inkLines(4, 1, "0", "1", "7")))
	if err == nil {
		err = dataset.Draw(t.Context(), samples)
	}
	if err != nil {
		t.Fatal(err)
	}
	dev := lost{glcompute.OpenOrCPU(glcompute.CPU)}
	defer dev.Close()
	cmd := newTrain()
	var said bytes.Buffer
	cmd.SetOut(&said)
	cmd.SetContext(t.Context())
	f := trainFlags{config: train.Default(), data: []string{"ink.jsonl"}, test: []string{"test.jsonl"}, out: filepath.Join(t.TempDir(), "m.onnx")}
	result := &train.Result{Model: readModel(t, smallModel(t)), Ending: train.Failed, Trained: samples, HeldOut: samples}
	if err := f.finish(cmd, dev, result, errGone, samples, samples); !errors.Is(err, errGone) {
		t.Errorf("error %v", err)
	}
	readModel(t, f.out)
	for _, want := range []string{"Not calibrated, because of the failure", "Not measured on the samples of --test, because of the failure"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("%q is missing in\n%s", want, said.String())
		}
	}
	f.out = filepath.Join(t.TempDir(), "gone", "m.onnx")
	err = f.finish(cmd, dev, result, nil, samples, nil)
	_, other, told := strings.Cut(fmt.Sprint(err), "; the model is in ")
	if !told || !strings.Contains(err.Error(), "choose a folder that exists") {
		t.Fatalf("error %v", err)
	}
	defer os.Remove(other)
	readModel(t, other)
}

func TestTrainStoppedAtOnceWritesNothing(t *testing.T) {
	data := file(t, "ink.jsonl", inkLines(10, 1, "0", "1"))
	out := filepath.Join(t.TempDir(), "m.onnx")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := commandIn(t, ctx, Window{}, quick(out, "--data", data)...)
	got.wantStatus(t, statusFailed)
	if _, err := os.Stat(out); err == nil || !strings.Contains(got.stderr, "stopped on request") {
		t.Errorf("stat gives %v, stderr %q", err, got.stderr)
	}
}

func TestTrainFailsBeforeTheWork(t *testing.T) {
	data := file(t, "ink.jsonl", inkLines(10, 1, "0", "1"))
	folder := t.TempDir()
	out := filepath.Join(folder, "m.onnx")
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"missing folder":  {quick(filepath.Join(folder, "none", "m.onnx"), "--data", data), "choose a folder"},
		"missing data":    {quick(out, "--data", folder+"/none.jsonl"), "none.jsonl"},
		"empty selection": {quick(out, "--data", data, "--classes", "Q"), "none of 20 samples"},
		"one class":       {quick(out, "--data", data, "--classes", "1"), "at least two"},
		"no label":        {quick(out, "--data", data, file(t, "b.jsonl", inkLine(""))), "b.jsonl has no label; give it one"},
	} {
		got := command(t, c.args...)
		got.wantStatus(t, statusFailed)
		if !strings.Contains(got.stderr, c.want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: stderr %q, want one line with %q", name, got.stderr, c.want)
		}
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 0 {
		t.Errorf("failed trainings left %v", entries)
	}
}

func TestTrainGoesOnFromAModel(t *testing.T) {
	out := filepath.Join(t.TempDir(), "more.onnx")
	got := command(t, "train", "--start", smallModel(t), "--anchor", "--data", file(t, "x.jsonl",
		strings.ReplaceAll(inkLines(20, 4, "1", "7"), `"label":"7"`, `"label":"new"`)),
		"--epochs", "1", "--device", "cpu", "--out", out)
	got.wantStatus(t, statusOK)
	if m := readModel(t, out); m.Class("new") != 3 || m.Class("0") < 0 || m.Network.Sizes()[1] != 16 {
		t.Errorf("labels %v, sizes %v; want the three old classes, a new one, and 16 hidden units", m.Labels, m.Network.Sizes())
	}
}

func TestSettingsThatContradict(t *testing.T) {
	for line, want := range map[string]string{
		"--data x --out y --start m --hidden 8":                   "--hidden",
		"--data x --out y --network lenet --hidden 8":             "leave --hidden",
		"--data x --out y --network lenett":                       "use one of directions, lenet, residual, strokes-wide, strokes, words, or a file",
		"--data x --out y --network lenet --features gradient512": "does not fit an image of 1 x 1",
		"--data x --out y --network strokes":                      "choose other features, or change its input lines",
		"--data x --out y --kind glvq --start m --frozen 1":       "leave --hidden",
		"--data x --out y --anchor":                               "--start",
		"--data x --out y --distort much":                         "none, default, strong",
		"--data x --out y --activation step":                      "choose relu, tanh or sigmoid",
		"--data x --out y --classes ,":                            "empty label",
		"--data x --out y --rate -1":                              "rate of -1 is not possible",
		"--data x --out y --epochs 0":                             "0 epochs",
		"--data x --out y --kind glvq --prototypes 0":             "0 prototypes are not possible",
		"--data x --out y --start digits-mlp --frozen 9":          "use 0 to 2 of the 3",
		"--data x --out y --start digits-cnn --distort-on device": "distort on the processor",
	} {
		got := command(t, append([]string{"train"}, strings.Fields(line)...)...)
		got.wantStatus(t, statusUsage)
		if !strings.Contains(got.stderr, want) {
			t.Errorf("%s: stderr %q, want %q", line, got.stderr, want)
		}
	}
}

func TestProgressLinesWeighTheLoss(t *testing.T) {
	var b strings.Builder
	p := newProgress(&b, &b)
	for _, e := range []struct {
		step int
		loss float64
		done bool
	}{{30, 1, false}, {40, 5, true}, {70, 0.5, false}, {80, 0.5, true}} {
		event := trainEvent(e.step, e.loss)
		event.EpochDone = e.done
		event.Epoch = 1 + (e.step-1)/40
		p.event(event)
	}
	p.clear()
	want := "epoch 1 of 2: loss 2.0000, 50.00 % wrong in training (4s, 4s left)\n" +
		"epoch 2 of 2: loss 0.5000, 50.00 % wrong in training (8s, 0s left)\n"
	if b.String() != want {
		t.Errorf("got:\n%swant:\n%s", b.String(), want)
	}
}

func TestProgressWritesALineNowAndThenInLongEpochs(t *testing.T) {
	var b strings.Builder
	p := newProgress(&b, &b)
	for step := 1; step <= 30; step++ {
		e := trainEvent(step, 1)
		e.Elapsed = time.Duration(step) * time.Second
		p.event(e)
	}
	if n := strings.Count(b.String(), "\n"); n != 3 || !strings.Contains(b.String(), "step 10 of 80") {
		t.Errorf("30 seconds give %d lines:\n%s", n, b.String())
	}
}

// trainEvent is an event of a training of 80 steps, ten a second, always half right.
func trainEvent(step int, loss float64) train.Event {
	return train.Event{
		Epoch: 1, Epochs: 2, Step: step, Steps: 80, Loss: loss, Accuracy: 0.5,
		Elapsed: time.Duration(step) * 100 * time.Millisecond, Remaining: time.Duration(80-step) * 100 * time.Millisecond,
	}
}

func TestWithoutHeldOutSamplesNothingIsCalibrated(t *testing.T) {
	data := file(t, "ink.jsonl", strings.ReplaceAll(inkLines(10, 1, "0", "1"), `"writer":"w`, `"writer":"","no":"`))
	out := filepath.Join(t.TempDir(), "m.onnx")
	got := command(t, quick(out, "--data", data, "--hold-out", "0.01")...)
	got.wantStatus(t, statusOK)
	if !strings.Contains(got.stdout, "Not calibrated, because nothing is kept for testing") {
		t.Errorf("the output does not tell that nothing is calibrated:\n%s", got.stdout)
	}
	got = command(t, "calibrate", "--model", out, "--data", data, "--hold-out", "0.01", "--out", out+"2")
	got.wantStatus(t, statusFailed)
	if _, err := os.Stat(out + "2"); err == nil || !strings.Contains(got.stderr, "holds out none of 20 samples") {
		t.Errorf("stat gives %v, stderr %q", err, got.stderr)
	}
}

// A training that reads lines takes its own settings, tells of characters, and continues.
func TestTrainLines(t *testing.T) {
	var text strings.Builder
	for i := range 40 {
		label, y := "ab", 20
		if i%2 == 0 {
			label, y = "ba", 5
		}
		fmt.Fprintf(&text, `{"label":%q,"writer":"w%d","strokes":[[[0,0],[5,%d],[10,0],[15,%d],[20,0]],[[25,0],[30,%d],[35,0]]]}`+"\n", label, i%8, y, 25-y, y)
	}
	data := file(t, "lines.jsonl", text.String())
	layers := file(t, "small.txt", "input maps 32x16x10\ninput line 1x8x1\nseen = convolution 32x4 8 stride 1x2 padding 0,1,0,1 relu from maps\n"+
		"mask from seen, line\nclasses-and-blank\n")
	out := filepath.Join(t.TempDir(), "lines.onnx")
	args := []string{"train", "--data", data, "--network", layers, "--epochs", "3", "--hold-out", "0.25", "--device", "cpu", "--out", out}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stopAfter := &watcher{sign: "epoch 1 of", act: cancel}
	if status := run(ctx, Window{}, args, stopAfter, stopAfter); status != statusOK {
		t.Fatalf("exit status %d:\n%s", status, stopAfter.text.String())
	}
	got := command(t, append(args, "--continue")...)
	got.wantStatus(t, statusOK)
	if strings.Contains(got.stdout, "epoch 1 of") || !strings.Contains(got.stdout, "epoch 3 of 3") || !strings.Contains(got.stdout, "of characters (") {
		t.Errorf("continued it says\n%s", got.stdout)
	}
	m := readModel(t, out)
	if m.Preprocessing != nn.LineMaps || len(m.Labels) != 2 || m.Network.Classes() != 3 {
		t.Errorf("the model reads %s of %q", m.Preprocessing, m.Labels)
	}
	if letters, err := prototype.Letters(m); err != nil || letters != nil {
		t.Errorf("without single characters it keeps %v, %v", letters, err)
	}
	characters := file(t, "characters.jsonl", strings.ReplaceAll(text.String(), `"ab"`, `"a"`))
	with := filepath.Join(t.TempDir(), "with.onnx")
	got = command(t, "calibrate", "--model", out, "--data", characters, "--out", with, "--device", "cpu")
	got.wantStatus(t, statusOK)
	if letters, err := prototype.Letters(readModel(t, with)); err != nil || len(letters) == 0 || letters[0].Label != "a" || !strings.Contains(got.stdout, "mean forms") {
		t.Errorf("calibrated it keeps %v, %v, and says\n%s", letters, err, got.stdout)
	}
}
