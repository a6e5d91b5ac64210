package cli

import (
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inkshade/recognizer"
	"inkshade/recognizer/prototype"
)

// hands are 8 samples of each of three shapes by each of two writers, one of whom calls
// a 7 something that the model has never heard of.
func hands() string {
	lines := inkLines(64, 21, "0", "1", "7")
	var out []string
	for _, l := range strings.Split(lines, "\n") {
		if strings.Contains(l, `"w0"`) || strings.Contains(l, `"w1"`) {
			if strings.Contains(l, `"w1"`) {
				l = strings.Replace(l, `"label":"7"`, `"label":"Z"`, 1)
			}
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n") + "\n"
}

func TestPersonal(t *testing.T) {
	data := file(t, "ink.jsonl", hands())
	guard := file(t, "guard.jsonl", inkLines(9, 22, "0", "1"))
	args := []string{"personal", "--model", smallModel(t), "--ink", data, "--guard", guard, "--per-class", "5", "--device", "cpu"}
	got := command(t, append(args, "--json")...)
	got.wantStatus(t, statusOK)
	var r personalReport
	decode(t, got.stdout, &r)
	// The three Z of the second writer are wrong before.
	if r.Writers != 2 || r.TestSamples != 18 || r.BaseErrorPercent < 100*3.0/18-1e-9 || r.InstantErrorPercent > 6 || r.TrainedErrorPercent > 6 {
		t.Errorf("got %+v", r)
	}
	if want := 100 * (1 - r.TrainedErrorPercent/r.BaseErrorPercent); r.ErrorReductionPercent < want-1e-9 || r.ErrorReductionPercent > want+1e-9 {
		t.Errorf("reduction %g, want %g", r.ErrorReductionPercent, want)
	}
	if r.GuardErrorBefore == nil || r.GuardErrorAfter == nil || *r.GuardErrorAfter > *r.GuardErrorBefore+10 || r.TrainSecondsMedian <= 0 || r.Device != "cpu" {
		t.Errorf("got %+v", r)
	}
	if !strings.Contains(got.stderr, "1 of 2 writers: w0") {
		t.Errorf("progress: %s", got.stderr)
	}
	var keys map[string]any
	if err := json.Unmarshal([]byte(got.stdout), &keys); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"base_error_percent", "device", "error_reduction_percent", "guard_error_after_percent", "guard_error_before_percent",
		"instant_error_percent", "taught_error_percent", "test_samples", "train_seconds_median", "trained_error_percent", "writers",
	}
	if have := slices.Sorted(maps.Keys(keys)); !slices.Equal(have, want) {
		t.Errorf("keys %q, want %q", have, want)
	}
	text := command(t, args...)
	text.wantStatus(t, statusOK)
	for _, part := range []string{"writers        2, 18 test samples", "instant", "taught alone", "trained", "guard", "on the cpu device"} {
		if !strings.Contains(text.stdout, part) {
			t.Errorf("%q is missing in\n%s", part, text.stdout)
		}
	}
}

func TestPersonalRefuses(t *testing.T) {
	data := file(t, "ink.jsonl", hands())
	for _, c := range []struct {
		status int
		want   string
		args   []string
	}{
		{statusUsage, "--ink is missing", nil},
		{statusUsage, "--per-class is 0", []string{"--ink", data, "--per-class", "0"}},
		{statusUsage, "--guard-samples is -1", []string{"--ink", data, "--guard-samples", "-1"}},
		{statusUsage, "--held-out is 2", []string{"--ink", data, "--held-out", "2"}},
		{statusFailed, "more than 9 samples", []string{"--ink", data, "--per-class", "9", "--model", smallModel(t)}},
		{statusFailed, "nothing.jsonl", []string{"--ink", "nothing.jsonl", "--model", smallModel(t)}},
	} {
		got := command(t, append([]string{"personal"}, c.args...)...)
		got.wantStatus(t, c.status)
		if !strings.Contains(got.stderr, c.want) {
			t.Errorf("%q: %s, want %q", c.args, got.stderr, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := commandIn(t, ctx, Window{}, "personal", "--ink", data, "--model", smallModel(t), "--device", "cpu")
	got.wantStatus(t, statusFailed)
	if !strings.Contains(got.stderr, "stopped on request") {
		t.Errorf("cancelled: %s", got.stderr)
	}
}

func TestCalibrate(t *testing.T) {
	out := filepath.Join(t.TempDir(), "calibrated.onnx")
	got := command(t, "calibrate", "--model", smallModel(t), "--data", file(t, "ink.jsonl", inkLines(24, 5, "0", "1", "7")), "--hold-out", "0.3", "--device", "cpu", "--out", out)
	got.wantStatus(t, statusOK)
	m, err := recognizer.LoadModel(out)
	if err != nil {
		t.Fatal(err)
	}
	set, err := prototype.Of(m)
	if err != nil || set == nil || len(set.Inputs) != len(m.Labels) || !strings.Contains(got.stdout, "temperature") {
		t.Errorf("set %v, error %v, said %s", set, err, got.stdout)
	}
	others := file(t, "others.jsonl", inkLines(4, 5, "0", "1", "7"))
	got = command(t, "calibrate", "--model", smallModel(t), "--data", others, "--calibration", others, others, "--device", "cpu", "--out", out)
	got.wantStatus(t, statusOK)
	if !strings.Contains(got.stdout, "calibrated on 24 samples") || !strings.Contains(got.stdout, ".onnx: 3 classes, ") {
		t.Errorf("on samples of others: said %s", got.stdout)
	}
	for want, args := range map[string][]string{
		"--data is missing":   {"--out", out},
		"--out is missing":    {"--data", out},
		"calibrates nothing":  {"--data", out, "--out", out, "--hold-out", "0"},
		"a detector's weight": {"--data", out, "--out", out, "--detector-weight", "-1"},
		"takes the place of":  {"--data", out, "--out", out, "--calibration", out, "--hold-out", "0.1"},
	} {
		bad := command(t, append([]string{"calibrate"}, args...)...)
		bad.wantStatus(t, statusUsage)
		if !strings.Contains(bad.stderr, want) {
			t.Errorf("%s, want %q", bad.stderr, want)
		}
	}
}

// Samples of labels that the model does not know say nothing of its probabilities.
func TestCalibrateLeavesOutUnknownLabels(t *testing.T) {
	known := inkLines(24, 5, "0", "1", "7")
	others := strings.ReplaceAll(strings.ReplaceAll(inkLines(24, 6, "0"), `"label":"0"`, `"label":"Z"`), `"writer":"w`, `"writer":"x`)
	out, model := filepath.Join(t.TempDir(), "calibrated.onnx"), smallModel(t)
	calibrate := func(lines string) outcome {
		return command(t, "calibrate", "--model", model, "--data", file(t, "ink.jsonl", lines), "--hold-out", "0.3", "--device", "cpu", "--out", out)
	}
	got := calibrate(known + others)
	got.wantStatus(t, statusOK)
	if !strings.Contains(got.stdout, "calibrated on 18 samples") || !strings.Contains(got.stderr, "24 with no label, or one that the model does not know (Z)") {
		t.Errorf("said %s%s", got.stdout, got.stderr)
	}
	got = calibrate(others)
	got.wantStatus(t, statusFailed)
	if !strings.Contains(got.stderr, "none of 24 samples takes part") {
		t.Errorf("of unknown labels alone: %s", got.stderr)
	}
}
