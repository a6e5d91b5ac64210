package cli

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"inkshade/recognizer/ink"
)

func TestRecognizeAnswersPicturesOfEveryFormat(t *testing.T) {
	model := smallModel(t)
	zero, one, seven := picture(t, "zero.png", "0"), picture(t, "one.jpg", "1"), picture(t, "seven.gif", "7")
	webp, err := base64.StdEncoding.DecodeString("UklGRk4AAABXRUJQVlA4TEEAAAAvG8AGAA8w//M///MfeGAU23aTOLgSIiXSIiGyWCKDLew6l14cRPQ/VH6EnhxaPO3Q/jZjvqX1JsZbudVidWtEBQA=")
	if err != nil {
		t.Fatal(err)
	}
	small := file(t, "seven.webp", string(webp))
	got := command(t, "recognize", "--model", model, "--device", "cpu", zero, one, seven, small)
	got.wantStatus(t, statusOK)
	line := regexp.MustCompile(`^(\S+) +(\S) +(\d+\.\d) % +(\S) +\d+\.\d % +(\S) +\d+\.\d %$`)
	want := []string{zero + " 0", one + " 1", seven + " 7", small + " 7"}
	for i, l := range got.lines() {
		m := line.FindStringSubmatch(l)
		if m == nil || m[1]+" "+m[2] != want[i] {
			t.Errorf("line %d is %q; want file, answer, probability and two more candidates of %q", i+1, l, want[i])
		}
	}
	if len(got.lines()) != len(want) || got.stderr != "" {
		t.Errorf("got %d lines and the errors %q", len(got.lines()), got.stderr)
	}
}

func TestRecognizeAnswersEachSampleOfAnInkFile(t *testing.T) {
	data := file(t, "ink.jsonl", inkLines(2, 9, "7", "0"))
	got := command(t, "recognize", "--model", smallModel(t), "--device", "cpu", "--json", "--top", "2", data)
	got.wantStatus(t, statusOK)
	if len(got.lines()) != 4 {
		t.Fatalf("got %d lines, want 4:\n%s", len(got.lines()), got.stdout)
	}
	for i, l := range got.lines() {
		var r recognitionReport
		decode(t, l, &r)
		want := []string{"7", "0"}[i%2]
		if r.File != data || r.Sample != i+1 || r.Label != want || r.Answer != want || r.Device != "cpu" {
			t.Errorf("sample %d: %+v, want the answer %s", i+1, r, want)
		}
		if len(r.Candidates) != 2 || r.Candidates[0].Label != r.Answer || r.Candidates[0].Probability != r.Probability {
			t.Errorf("sample %d: candidates %v, want two, the answer first", i+1, r.Candidates)
		}
	}
}

func TestRecognizeKeepsTheOrderOfPicturesAndInk(t *testing.T) {
	first, second, third := file(t, "first.jsonl", inkLines(1, 9, "7", "1")), picture(t, "second.png", "0"), file(t, "third.jsonl", inkLines(1, 9, "7"))
	got := command(t, "recognize", "--model", smallModel(t), "--device", "cpu", first, second, third)
	got.wantStatus(t, statusOK)
	want := []string{first + "#1 7", first + "#2 1", second + " 0", third + "#1 7"}
	for i, l := range got.lines() {
		if words := strings.Fields(l); i >= len(want) || words[0]+" "+words[1] != want[i] {
			t.Errorf("line %d is %q; want those of %q", i+1, l, want)
		}
	}
}

func TestRecognizeGoesOnAfterBadFiles(t *testing.T) {
	good := picture(t, "seven.png", "7")
	bad := map[string]string{
		file(t, "empty.png", ""):                                   "empty",
		file(t, "half.png", "\x89PNG\r\n\x1a\nnothing more"):       "no PNG, JPEG, GIF or WebP",
		file(t, "letter.txt", "Dear all,"):                         "neither a picture nor ink",
		file(t, "broken.jsonl", `{"label":"1","strokes":[[[0,0],`): "line 1",
		file(t, "broken.gz", "\x1f\x8bnot gzip"):                   "gzip",
		file(t, "blank.jsonl", `{"label":"1","strokes":[]}`+"\n"):  "no ink",
		t.TempDir():               "folder",
		t.TempDir() + "/none.png": "no such file",
	}
	args := []string{"recognize", "--model", smallModel(t), "--device", "cpu"}
	for f := range bad {
		args = append(args, f)
	}
	got := command(t, append(args, good)...)
	got.wantStatus(t, statusFailed)
	if len(got.lines()) != 1 || !regexp.MustCompile(`^`+regexp.QuoteMeta(good)+` +7 `).MatchString(got.stdout) {
		t.Errorf("the good file is answered by %q", got.stdout)
	}
	for f, want := range bad {
		told := ""
		for _, l := range strings.Split(got.stderr, "\n") {
			if strings.Contains(l, f) {
				told += l
			}
		}
		if !strings.HasPrefix(told, "inkshade: ") || !strings.Contains(told, want) {
			t.Errorf("%s: told %q, want one line with %q", f, told, want)
		}
	}
	if n := strings.Count(got.stderr, "\n"); n != len(bad) {
		t.Errorf("%d lines of errors for %d bad files:\n%s", n, len(bad), got.stderr)
	}
}

// TestRecognizeReadsStandardInput pipes a picture and ink in, neither of which can be
// read twice.
func TestRecognizeReadsStandardInput(t *testing.T) {
	seven, err := os.ReadFile(picture(t, "seven.png", "7"))
	if err != nil {
		t.Fatal(err)
	}
	terminal := os.Stdin
	t.Cleanup(func() { os.Stdin = terminal })
	for want, content := range map[string]string{"-   7": string(seven), "-#1   1": inkLines(1, 4, "1"), "": ""} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		os.Stdin = r
		go func() {
			io.WriteString(w, content)
			w.Close()
		}()
		got := command(t, "recognize", "--model", smallModel(t), "--device", "cpu", "-")
		r.Close()
		if !strings.HasPrefix(got.stdout, want) || (content == "") != strings.Contains(got.stderr, "standard input: the file is empty") {
			t.Errorf("stdout %q, stderr %q; want %q", got.stdout, got.stderr, want)
		}
	}
}

func TestRecognizeTellsOfEachBadSample(t *testing.T) {
	data := file(t, "ink.jsonl", `{"strokes":[]}`+"\n"+inkLines(1, 4, "1"))
	got := command(t, "recognize", "--model", smallModel(t), "--device", "cpu", data)
	got.wantStatus(t, statusFailed)
	if !strings.Contains(got.stderr, data+"#1: ") || !strings.HasPrefix(got.stdout, data+"#2   1") {
		t.Errorf("stdout %q, stderr %q", got.stdout, got.stderr)
	}
}

func TestRecognizeOfAnUnknownModelSaysWhatToDo(t *testing.T) {
	for _, model := range []string{"no-such-model", file(t, "text.onnx", "this is no model")} {
		got := command(t, "recognize", "--model", model, "--device", "cpu", picture(t, "one.png", "1"))
		got.wantStatus(t, statusFailed)
		if strings.Count(got.stderr, "\n") != 1 || !strings.HasPrefix(got.stderr, "inkshade: ") {
			t.Errorf("model %s: stderr %q, want one line", model, got.stderr)
		}
	}
}

func TestHugePicturesAreRefused(t *testing.T) {
	// The header of a GIF of 65535 x 65535 pixels without any.
	got := command(t, "recognize", "--model", smallModel(t), "--device", "cpu",
		file(t, "huge.gif", "GIF89a\xff\xff\xff\xff\x00\x00\x00;"))
	got.wantStatus(t, statusFailed)
	if !strings.Contains(got.stderr, fmt.Sprint(65535)) || !strings.Contains(got.stderr, "smaller") {
		t.Errorf("stderr %q", got.stderr)
	}
}

// An interrupt must end a command that waits for a pipe through which nothing comes.
func TestRecognizeStopsWhileItWaits(t *testing.T) {
	pipe, writer := io.Pipe()
	defer writer.Close()
	ctx, cancel := context.WithCancel(t.Context())
	root := newRoot(Window{})
	root.SetArgs([]string{"recognize", "--device", "cpu", "--model", smallModel(t), "-"})
	root.SetIn(readerThat{pipe, cancel})
	root.SetErr(io.Discard)
	if err := root.ExecuteContext(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

// readerThat does something before it is read from.
type readerThat struct {
	io.Reader
	before func()
}

func (r readerThat) Read(p []byte) (int, error) {
	r.before()
	return r.Reader.Read(p)
}

func TestStandardInputHasAName(t *testing.T) {
	none := func(drawing, error) error { return nil }
	if err := readDrawings("-", strings.NewReader(""), false, none); err == nil || !strings.HasPrefix(err.Error(), "standard input: the file is empty") {
		t.Errorf("error %v", err)
	}
}

// A small file of more drawings than a file may hold is refused before the first answer, not after minutes of them.
func TestTooManyDrawingsAreRefusedAtOnce(t *testing.T) {
	data := file(t, "many.jsonl", strings.Repeat(`{"strokes":[[[0,0]]]}`+"\n", ink.MaxMemory/ink.SampleMemory+1))
	got := command(t, "recognize", "--model", smallModel(t), "--device", "cpu", data)
	if got.wantStatus(t, statusFailed); got.stdout != "" || !strings.Contains(got.stderr, "passes what a file of this size may hold") {
		t.Errorf("%d bytes of answers, stderr %q", len(got.stdout), got.stderr)
	}
}

// What was answered before an interrupt is a result.
func TestRecognizeStopsOnRequest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	data := file(t, "ink.jsonl", inkLines(atOnce, 1, "1", "7"))
	var stderr bytes.Buffer
	status := run(ctx, Window{}, []string{"recognize", "--device", "cpu", "--model", smallModel(t), data}, &watcher{sign: "#1", act: cancel}, &stderr)
	if got := stderr.String(); status != statusFailed || got != "inkshade: stopped on request\n" {
		t.Errorf("exit status %d, said %q", status, got)
	}
}
