package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"inkshade/glcompute"
	"inkshade/recognizer/bench"
)

func TestBenchWritesJSONAndCSV(t *testing.T) {
	path := filepath.Join(t.TempDir(), "readings.csv")
	got := command(t, "bench", "--quick", "--json", "--device", "cpu", "--csv", path)
	got.wantStatus(t, statusOK)
	var report map[string]json.RawMessage
	decode(t, got.stdout, &report)
	for _, key := range []string{"version", "started", "elapsed_s", "quick", "complete", "machine", "devices", "drawings", "readings", "crossovers"} {
		if report[key] == nil {
			t.Errorf("the JSON has no %q", key)
		}
	}
	var drawings []map[string]any
	decode(t, string(report["drawings"]), &drawings)
	if compiling, ok := drawings[0]["compile_us"].(float64); !ok || compiling <= 0 || compiling > drawings[0]["prepare_us"].(float64) {
		t.Errorf("the compiling of a drawing's network is %v: %v", drawings[0]["compile_us"], drawings[0])
	}
	var readings []map[string]any
	decode(t, string(report["readings"]), &readings)
	for _, key := range []string{"experiment", "size", "device", "median_us", "fastest_us", "slowest_us", "deviation_us", "repeats", "disturbed", "prepare_us"} {
		if _, ok := readings[0][key]; !ok {
			t.Errorf("a reading has no %q: %v", key, readings[0])
		}
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) <= len(readings) {
		t.Errorf("the CSV has %d lines for %d readings", len(lines), len(readings))
	}
	if !strings.Contains(got.stderr, "measuring product") {
		t.Errorf("no progress is told: %q", got.stderr)
	}
}

func TestBenchRefuses(t *testing.T) {
	command(t, "bench", "--device", "cpu,abacus").wantStatus(t, statusUsage)
	command(t, "bench", "extra").wantStatus(t, statusUsage)
	got := command(t, "bench", "--device", "cpu", "--csv", filepath.Join(t.TempDir(), "no", "folder.csv"))
	got.wantStatus(t, statusFailed)
}

func TestBenchStopsOnRequest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := commandIn(t, ctx, Window{}, "bench", "--quick", "--device", "cpu")
	got.wantStatus(t, statusFailed)
	if !strings.Contains(got.stderr, "stopped on request") {
		t.Errorf("said %q", got.stderr)
	}
}

func TestBenchForPeople(t *testing.T) {
	reading := func(size int, device string, took time.Duration) bench.Reading {
		return bench.Reading{
			Experiment: bench.Recognition, Size: size, Device: device,
			Spread: bench.Spread{Median: took, Fastest: took, Repeats: 9, Disturbed: size == 4},
		}
	}
	report := &bench.Report{
		Version: "1.2.3", Elapsed: 3 * time.Second, Complete: true,
		Machine: bench.Machine{Processor: "A processor", Cores: 2, System: "linux/amd64", Load: 1.5},
		Devices: []bench.Device{
			{Name: "cpu", Info: glcompute.Info{Kind: glcompute.CPU, Name: "A processor", Version: "gonum"}},
			{Name: "fragment", Info: glcompute.Info{Kind: glcompute.Fragment, Name: "llvmpipe", Version: "3.3", Software: true}},
			{Name: "compute", Missing: "no OpenGL 4.3"},
		},
		Drawings: []bench.Drawing{{
			Device: "fragment", Preprocess: time.Millisecond / 10, Upload: time.Millisecond / 5, Compute: time.Millisecond / 2,
			Readback: time.Millisecond / 10, Total: bench.Spread{Median: time.Millisecond * 9 / 10, Repeats: 9}, Compile: 120 * time.Millisecond,
		}},
		Readings: []bench.Reading{
			reading(1, "cpu", 50*time.Microsecond), reading(1, "fragment", 500*time.Microsecond),
			reading(4, "cpu", 20*time.Millisecond),
			{Experiment: bench.Recognition, Size: 4, Device: "fragment", Missing: "out of memory"},
		},
		Crossovers: []bench.Crossover{{Experiment: bench.Recognition, Device: "fragment", Sizes: []int{1, 4}, Losses: []int{1, 4}}},
	}
	var b bytes.Buffer
	if err := writeBench(&b, report); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	for _, want := range []string{
		"A processor, 2 cores, linux/amd64, Inkshade 1.2.3",
		"fragment llvmpipe (software renderer: the processor draws), 3.3",
		"compute not measured: no OpenGL 4.3",
		"preprocess upload compute readback together compile",
		"fragment 0.1000 ms 0.2000 ms 0.5000 ms 0.1000 ms 0.9000 ms 120 ms",
		"drawings cpu fragment",
		"1 0.0500 ms 0.5000 ms",
		"4 20.0 ms* -",
		"fragment at 4: out of memory",
		"The CPU is faster at every size (than fragment shaders).",
		"Medians; measured in 3s. 1 of 4 readings (*) were disturbed by other work on the machine.",
		"The machine was busy before the start (load 1.5 on 2 cores); all readings may be slow.",
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("no line %q in:\n%s", want, b.String())
		}
	}
}
