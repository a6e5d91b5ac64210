package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"inkshade/glcompute"
	"inkshade/recognizer"
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
	unknown := command(t, "bench", "--device", "cpu,abacus")
	unknown.wantStatus(t, statusUsage)
	for _, name := range []string{"auto", "cpu", bench.UnpackedName, bench.UnpackedTexturesName} {
		if !strings.Contains(unknown.stderr, name) {
			t.Errorf("%s is not among the devices: %s", name, unknown.stderr)
		}
	}
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

// Each device that is there to be compared can be asked for by its name.
func TestBenchDevicesThatAreCompared(t *testing.T) {
	f := benchFlags{devices: []string{"cpu", bench.UnpackedName, bench.TexturesName, bench.UnpackedTexturesName, bench.TexturesName}}
	all, err := f.contestants()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range all {
		names = append(names, c.Name)
		if (c.Only == nil) != (c.Name == "cpu") {
			t.Errorf("%s takes part in %v", c.Name, c.Only)
		}
	}
	if !slices.Equal(names, f.devices[:4]) {
		t.Errorf("devices %q", names)
	}
	help := newBench().Flag("device").Usage
	for _, name := range names {
		if !strings.Contains(help, name) {
			t.Errorf("the help does not name %s: %q", name, help)
		}
	}
}

// Both figures are said where both were measured.
func TestBenchSaysWhatPackingGains(t *testing.T) {
	took := map[string]time.Duration{"fragment": 10, bench.UnpackedName: 18, bench.TexturesName: 20, bench.UnpackedTexturesName: 66}
	const four = "2-64-1, 1024 samples: four values in a texel"
	for _, c := range []struct {
		software bool
		devices  []string
		want     string
	}{
		{
			true,
			[]string{"fragment", bench.UnpackedName, bench.TexturesName, bench.UnpackedTexturesName},
			four + " are 1.80 times as fast as one; read from textures, as on GPUs, 3.30 times.",
		},
		{false, []string{"fragment", bench.UnpackedName, bench.TexturesName, bench.UnpackedTexturesName}, four + " are 1.80 times as fast as one."},
		{true, []string{bench.TexturesName, bench.UnpackedTexturesName}, four + ", read from textures as on GPUs, are 3.30 times as fast as one."},
		{true, []string{"fragment", bench.TexturesName}, ""},
	} {
		r := &bench.Report{}
		for _, name := range c.devices {
			r.Devices = append(r.Devices, bench.Device{Name: name, Compared: name != "fragment", Info: glcompute.Info{Kind: glcompute.Fragment, Software: c.software}})
			r.Readings = append(r.Readings, bench.Reading{
				Experiment: bench.Packing, Size: bench.FixedSamples, Device: name, Spread: bench.Spread{Median: took[name] * time.Millisecond, Repeats: 5},
			})
		}
		var b bytes.Buffer
		must(t, inWords(&b, r, benchWords))
		var said string
		for _, line := range strings.Split(b.String(), "\n") {
			if strings.HasPrefix(line, four) {
				said += line
			}
		}
		if said != c.want || !strings.Contains(b.String(), "\nTraining step, 2-64-1, four values in a texel and one\n") {
			t.Errorf("software %t, %q: said %q, want %q, in\n%s", c.software, c.devices, said, c.want, b.String())
		}
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
			{Name: "compute", Missing: errors.New("no OpenGL 4.3")},
		},
		Drawings: []bench.Drawing{{
			Device: "fragment", Total: bench.Spread{Median: time.Millisecond * 9 / 10, Repeats: 9},
			Timing: recognizer.Timing{
				Preprocess: time.Millisecond / 10, Upload: time.Millisecond / 5, Compute: time.Millisecond / 2,
				Readback: time.Millisecond / 10, Compile: 120 * time.Millisecond,
			},
		}},
		Readings: []bench.Reading{
			reading(1, "cpu", 50*time.Microsecond), reading(1, "fragment", 500*time.Microsecond),
			reading(4, "cpu", 20*time.Millisecond),
			{Experiment: bench.Recognition, Size: 4, Device: "fragment", Missing: errors.New("out of memory")},
		},
		Crossovers: []bench.Crossover{{Experiment: bench.Recognition, Device: "fragment", Sizes: []int{1, 4}, Losses: []int{1, 4}}},
	}
	var b bytes.Buffer
	must(t, inWords(&b, report, benchWords))
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
		"The CPU is faster at every size measured (than fragment shaders).",
		"Medians; measured in 3s.",
		"1 of 4 readings were disturbed by other work (*).",
		"The machine was busy before the start; all readings may be slow.",
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("no line %q in:\n%s", want, b.String())
		}
	}
}
