package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTrainTakesTheWaysOfTheFirstSource(t *testing.T) {
	data := file(t, "ink.jsonl", inkLines(10, 1, "0", "1"))
	for _, flags := range [][]string{
		{"--output", "tanh", "--two-floats"},
		{"--output", "sigmoid", "--hard-samples", "2", "--schedule", "loss"},
		{"--distort-on", "device", "--batch", "1"},
		{"--optimizer", "adam"},
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
		"--output": "softmax, tanh or sigmoid", "--schedule": "cosine or loss", "--distort-on": "cpu or device",
		"--optimizer": "sgd or adam",
	} {
		got := command(t, quick(filepath.Join(t.TempDir(), "m.onnx"), "--data", data, flag, "other")...)
		got.wantStatus(t, statusUsage)
		if !strings.Contains(got.stderr, want) {
			t.Errorf("%s other: %q does not name %q", flag, got.stderr, want)
		}
	}
}

// The rate follows the optimizer unless it is given, and Adam refuses what it has not.
func TestTrainWithAdam(t *testing.T) {
	data := file(t, "ink.jsonl", inkLines(10, 1, "0", "1"))
	network := func(flags ...string) []float32 {
		out := filepath.Join(t.TempDir(), "m.onnx")
		command(t, quick(out, append(flags, "--data", data)...)...).wantStatus(t, statusOK)
		m := readModel(t, out)
		if m.Metadata["training_optimizer"] != "adam" {
			t.Errorf("the metadata names the optimizer %q", m.Metadata["training_optimizer"])
		}
		return m.Network.Layers[0].Values[0]
	}
	usual := network("--optimizer", "adam")
	if !slices.Equal(usual, network("--optimizer", "adam", "--rate", "0.001")) || slices.Equal(usual, network("--optimizer", "adam", "--rate", "0.01")) {
		t.Error("the rate of adam is not 0.001 unless it is given")
	}
	got := command(t, quick(filepath.Join(t.TempDir(), "m.onnx"), "--data", data, "--optimizer", "adam", "--two-floats")...)
	got.wantStatus(t, statusUsage)
}
