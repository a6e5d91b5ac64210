package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

func TestCommandLineQuotes(t *testing.T) {
	got := commandLine([]string{"inkshade", "train", "--data", "my ink.jsonl", "it's", "plain-1.x/y", ""})
	want := `inkshade train --data 'my ink.jsonl' 'it'\''s' plain-1.x/y ''`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
