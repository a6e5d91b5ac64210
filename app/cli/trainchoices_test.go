package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestTrainTakesTheWaysOfTheFirstSource(t *testing.T) {
	data := file(t, "ink.jsonl", inkLines(10, 1, "0", "1"))
	for _, flags := range [][]string{
		{"--output", "tanh", "--two-floats"},
		{"--output", "sigmoid", "--hard-samples", "2", "--schedule", "loss"},
		{"--distort-on", "device", "--batch", "1"},
	} {
		out := filepath.Join(t.TempDir(), "m.onnx")
		command(t, quick(out, append(flags, "--data", data)...)...).wantStatus(t, statusOK)
		if classes := readModel(t, out).Network.Classes(); classes != 2 {
			t.Errorf("%v: %d classes, want 2", flags, classes)
		}
	}
}

func TestTrainRefusesUnknownChoices(t *testing.T) {
	data := file(t, "ink.jsonl", inkLines(4, 1, "0", "1"))
	for flag, want := range map[string]string{
		"--output": "softmax, tanh, sigmoid", "--schedule": "cosine or loss", "--distort-on": "cpu or device",
	} {
		got := command(t, quick(filepath.Join(t.TempDir(), "m.onnx"), "--data", data, flag, "other")...)
		got.wantStatus(t, statusUsage)
		if !strings.Contains(got.stderr, want) {
			t.Errorf("%s other: %q does not name %q", flag, got.stderr, want)
		}
	}
}
