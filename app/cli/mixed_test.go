package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"inkshade/glcompute"
	"inkshade/recognizer/nn"
)

func TestTrainShares(t *testing.T) {
	data := file(t, "ink.jsonl", inkLines(10, 1, "0", "1"))
	train := func(name string, flags ...string) (outcome, *nn.Model) {
		out := filepath.Join(t.TempDir(), name)
		got := command(t, quick(out, append(flags, "--data", data)...)...)
		got.wantStatus(t, statusOK)
		return got, readModel(t, out)
	}
	got, shared := train("shared.onnx", "--device", "mixed", "--split", "0.5")
	for _, want := range []string{
		"20 samples on the mixed device: ", "mixed: CPU 50 %, ", " shaders 50 %, as was asked for", "trained on the mixed device: ", "; a shared step took ",
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("the output lacks %q:\n%s", want, got.stdout)
		}
	}
	if m := shared.Metadata; m["training_device"] != "mixed" || !strings.HasPrefix(m["training_split"], "cpu 50 %, ") {
		t.Errorf("the metadata says %q, %q", m["training_device"], m["training_split"])
	}
	_, again := train("shared.onnx", "--device", "mixed", "--split", "0.5")
	for i, w := range shared.Network.Layers[0].Values[0] {
		if w != again.Network.Layers[0].Values[0][i] {
			t.Fatalf("weight %d is %g and then %g", i, w, again.Network.Layers[0].Values[0][i])
		}
	}
	got, _ = train("few.onnx", "--device", "mixed", "--epochs", "1")
	if !strings.Contains(got.stdout, " so far, too little done to know whether sharing is faster\n") {
		t.Errorf("the output does not say that nothing is decided:\n%s", got.stdout)
	}
	got, measured := train("measured.onnx", "--device", "mixed", "--epochs", "10")
	if used, not := strings.Contains(got.stdout, "\nmixed: "), strings.Contains(got.stdout, "alone is faster, mixed not used ("); used == not {
		t.Errorf("the output does not say who was faster:\n%s", got.stdout)
	} else if d := measured.Metadata["training_device"]; (d == "mixed") != used {
		t.Errorf("the metadata says %q:\n%s", d, got.stdout)
	}
}

func TestEvalShares(t *testing.T) {
	data := file(t, "ink.jsonl", inkLines(600, 3, "1"))
	r := evaluate(t, data, "--device", "mixed", "--split", "0.25")
	if r.Device != glcompute.Mixed || r.Errors != 0 || r.Samples != 600 || r.Mixed == nil {
		t.Fatalf("got %+v", r)
	}
	if m := r.Mixed; !m.Used || len(m.Devices) != 2 || m.Devices[0].Device != "cpu" || m.Devices[0].Share != 0.25 || m.TogetherMS != 0 {
		t.Errorf("got %+v", *m)
	}
	r = evaluate(t, data, "--device", "mixed")
	if m := r.Mixed; m == nil || m.MeasuredMS <= 0 || m.Devices[0].AloneMS <= 0 || m.Used != (r.Device == glcompute.Mixed) || m.Words == "" {
		t.Errorf("got %+v, %+v", r, r.Mixed)
	}
	if r = evaluate(t, file(t, "few.jsonl", inkLines(4, 3, "1")), "--device", "mixed"); r.Device != "cpu" || r.Mixed.Used {
		t.Errorf("few samples: %+v, %+v", r, r.Mixed)
	}
	got := command(t, "eval", "--device", "mixed", "--split", "0.25", "--model", smallModel(t), data)
	got.wantStatus(t, statusOK)
	if !strings.Contains(got.stdout, "mixed         CPU 25 %, ") {
		t.Errorf("the output does not tell of the shares:\n%s", got.stdout)
	}
}

func TestRecognizeShares(t *testing.T) {
	many, one := file(t, "many.jsonl", inkLines(600, 9, "7")), picture(t, "one.png", "0")
	got := command(t, "recognize", "--model", smallModel(t), "--json", "--device", "mixed", "--split", "0.5", many, one)
	got.wantStatus(t, statusOK)
	for i, l := range got.lines() {
		var r recognitionReport
		decode(t, l, &r)
		answer := "7"
		if i == 600 {
			answer = "0"
		}
		if r.Answer != answer || r.Device != glcompute.Mixed {
			t.Fatalf("line %d: %+v, want %s of both devices", i+1, r, answer)
		}
	}
	var alone recognitionReport
	decode(t, command(t, "recognize", "--model", smallModel(t), "--json", "--device", "mixed", "--split", "0.5", one).lines()[0], &alone)
	if alone.Answer != "0" || alone.Device != "cpu" {
		t.Errorf("a single picture is not worth sharing: %+v", alone)
	}
	if !strings.HasPrefix(got.stderr, "inkshade: mixed: CPU 50 %, ") || len(got.lines()) != 601 {
		t.Errorf("%d lines, standard error %q", len(got.lines()), got.stderr)
	}
}

func TestSplitNeedsMixed(t *testing.T) {
	data := file(t, "ink.jsonl", inkLines(2, 3, "1"))
	for want, args := range map[string][]string{
		"--split goes with --device mixed, not cpu": {"eval", "--device", "cpu", "--split", "0.5", data},
		"--split is 1, but must be above 0":         {"recognize", "--device", "mixed", "--split", "1", data},
		"--split is -1, but must be above 0":        {"train", "--device", "mixed", "--split", "-1", "--data", data, "--out", "m.onnx"},
		"choose auto, cpu, fragment or compute.":    {"calibrate", "--device", "mixed", data},
		"auto, cpu, fragment, compute or mixed":     {"eval", "--device", "both", data},
	} {
		got := command(t, args...)
		got.wantStatus(t, statusUsage)
		if !strings.Contains(got.stderr, want) {
			t.Errorf("%v: %q lacks %q", args, got.stderr, want)
		}
	}
}
