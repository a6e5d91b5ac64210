package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"inkshade/glcompute"
	"inkshade/recognizer/bench"
)

func TestWriteFileReplacesWholeOrNotAtAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.onnx")
	put := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	if err := writeFile(path, put("first")); err != nil {
		t.Fatal(err)
	}
	failure := errors.New("the pen broke")
	err := writeFile(path, func(w io.Writer) error { io.WriteString(w, "hal"); return failure })
	if !errors.Is(err, failure) {
		t.Errorf("writeFile gives %v, want %v", err, failure)
	}
	if got, _ := os.ReadFile(path); string(got) != "first" {
		t.Errorf("after a failure the file holds %q, want the old content", got)
	}
	if err := writeFile(path, put("second")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); string(got) != "second" {
		t.Errorf("the file holds %q", got)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v (%v), want the file alone", entries, err)
	}
}

func TestCheckWritable(t *testing.T) {
	folder := t.TempDir()
	if err := checkWritable(filepath.Join(folder, "new.onnx")); err != nil {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 0 {
		t.Errorf("the check left %v", entries)
	}
	for path, want := range map[string]string{
		folder: "folder",
		filepath.Join(folder, "missing", "new.onnx"): "choose a folder",
	} {
		if err := checkWritable(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", path, err, want)
		}
	}
}

// A model does not take the place of the samples or the layers that it is made of, whatever they are called there.
func TestWhatACommandReadsIsNotWrittenOver(t *testing.T) {
	data, layers := file(t, "ink.jsonl", inkLines(24, 5, "0", "1", "7")), file(t, "layers.txt", "dense 4 relu\n")
	again := filepath.Join(filepath.Dir(data), "again.jsonl")
	if err := os.Symlink(data, again); err != nil {
		again = data
	}
	before, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"train", "--data", data, "--epochs", "1", "--out", data},
		{"train", "--data", again, "--epochs", "1", "--out", data},
		{"train", "--data", file(t, "other.jsonl", string(before)), "--test", data, "--epochs", "1", "--out", again},
		{"train", "--data", data, "--network", layers, "--epochs", "1", "--out", layers},
		{"calibrate", "--model", smallModel(t), "--data", data, "--hold-out", "0.3", "--out", data},
		{"calibrate", "--model", smallModel(t), "--data", file(t, "other.jsonl", string(before)), "--calibration", data, "--out", data},
	} {
		got := command(t, append(args, "--device", "cpu")...)
		got.wantStatus(t, statusFailed)
		if !strings.Contains(got.stderr, "is read by the same command") {
			t.Errorf("%q: %s", args, got.stderr)
		}
	}
	if after, err := os.ReadFile(data); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the samples are no longer what they were, error %v", err)
	}
}

func TestCommandLineQuotes(t *testing.T) {
	got := commandLine([]string{"inkshade", "train", "--data", "my ink.jsonl", "it's", "plain-1.x/y", ""})
	want := `inkshade train --data 'my ink.jsonl' 'it'\''s' plain-1.x/y ''`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// full is a device without room, like /dev/full.
type full struct{}

func (full) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: errors.New("no space left on device")}
}

// TestOutputThatCannotBeWrittenFails wants status 1 of every kind of output.
func TestOutputThatCannotBeWrittenFails(t *testing.T) {
	t.Setenv("INKSHADE_CACHE", t.TempDir()) // without a cache there are no choices to write
	model, data, out := smallModel(t), file(t, "ink.jsonl", inkLines(10, 3, "1", "7")), filepath.Join(t.TempDir(), "m.onnx")
	for _, args := range [][]string{
		{"--help"},
		{"--version"},
		{"completion", "bash"},
		{"devices"},
		{"devices", "--json"},
		{"devices", "--choices"},
		{"recognize", "--device", "cpu", "--model", model, data},
		{"eval", "--device", "cpu", "--model", model, data},
		{"eval", "--device", "cpu", "--json", "--model", model, data},
		quick(out, "--data", data),
	} {
		var stderr bytes.Buffer
		status := run(t.Context(), Window{}, args, full{}, &stderr)
		if got := stderr.String(); status != statusFailed || got != "inkshade: cannot write the output: no space left on device\n" {
			t.Errorf("inkshade %s: exit status %d, want 1; stderr %q", strings.Join(args, " "), status, got)
		}
	}
	readModel(t, out) // trained all the same
}

// Labels and names of files reach no terminal as they are: an escape sequence could rewrite what was said, a line end
// forge a line.
func TestNothingThatATerminalObeysIsWritten(t *testing.T) {
	const evil = "evil\nforged\x1b[2J\u009b31m\u202e"
	label, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, evil+".jsonl")
	content := `{"label":"7","strokes":[[[0,0],[60,0],[20,100]]]}` + "\n" + `{"label":` + string(label) + `,"strokes":[[[1,2],[3,4]]]}` + "\n"
	broken := filepath.Join(dir, evil+".broken")
	missing := filepath.Join(dir, evil+".missing")
	for name, text := range map[string]string{path: content, broken: content + "{\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			if runtime.GOOS == "linux" {
				t.Fatal(err)
			}
			t.Skip(err) // some systems allow no such name
		}
	}
	data := t.TempDir()
	for _, args := range [][]string{
		{"recognize", path},
		{"recognize", "--json", path},
		{"recognize", broken},
		{"recognize", missing},
		{"eval", path},
		{"eval", broken},
		{"eval", missing},
		{"eval", "--model", broken, path},
		{"eval", "--model", missing, path},
		{"import", "--data-dir", data, path, broken, missing},
		{"export", "--data-dir", data, filepath.Join(dir, evil+".inkml")},
		{"export", "--data-dir", data, filepath.Join(dir, "none", evil+".inkml")},
		{"train", "--data", missing, "--out", filepath.Join(dir, "m.onnx")},
		{"train", "--data", path, "--out", filepath.Join(dir, "none", evil)},
		{evil},
	} {
		got := command(t, args...)
		all := got.stdout + got.stderr
		if strings.ContainsAny(all, "\x1b\u009b\u202e") || strings.Contains("\n"+all, "\nforged") {
			t.Errorf("inkshade %q writes %q", args, all)
		}
	}
}

func TestAFullDiskIsNoMissingFolder(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: ".m.onnx-123", Err: syscall.ENOSPC}
	for _, err := range []error{explainWriting("m.onnx", full), remedied(fmt.Errorf("cannot export to m.onnx: %w", full.Err))} {
		if !strings.Contains(err.Error(), "m.onnx: no space left on device; free some space") || strings.Contains(err.Error(), "-123") || strings.Contains(err.Error(), "choose a folder") {
			t.Error(err)
		}
	}
}

func TestReportsFitATerminal(t *testing.T) {
	report := &bench.Report{Complete: true, Devices: []bench.Device{{Name: "fragment", Info: glcompute.Info{
		Kind: glcompute.Fragment, Name: "llvmpipe (LLVM 15.0.6, 256 bits)", Version: "4.5 (Core Profile) Mesa 22.3.6", Software: true,
	}}}}
	for _, name := range []string{"cpu", "fragment", "compute", bench.UnpackedName, bench.UnpackedTexturesName} {
		report.Readings = append(report.Readings, bench.Reading{
			Experiment: bench.Recognition, Size: 4096, Device: name, GFLOPS: 9999.9,
			Spread: bench.Spread{Median: 7600 * time.Nanosecond, Repeats: 9, Disturbed: true},
		})
	}
	cmd := &cobra.Command{}
	var b bytes.Buffer
	cmd.SetOut(&b)
	must(t, show(cmd, report, benchWords))
	for _, want := range []string{
		"fragment  llvmpipe (LLVM 15.0.6, 256 bits) (software renderer: the processor\n          draws), 4.5 (Core",
		" fragment-unpacked\n    4096 0.0076 ms 9999.9* ",
		"\ndrawings unpacked-textures\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	for line := range strings.SplitSeq(b.String()+command(t, "models").stdout, "\n") {
		if utf8.RuneCountInString(line) > terminal {
			t.Errorf("%d letters: %s", utf8.RuneCountInString(line), line)
		}
	}
	if long := strings.Repeat("x", 90) + " y"; fold(long) != strings.Repeat("x", 90)+"\ny" {
		t.Errorf("a long word becomes %q", fold(long))
	}
}
