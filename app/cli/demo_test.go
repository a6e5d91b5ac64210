package cli

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"inkshade/recognizer/ink"
)

func TestDemoShowsAnswersTimesAndPicture(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.png")
	got := commandIn(t, t.Context(), darkWindow, "demo", "--model", smallModel(t), "--picture", path, "--appearance", "dark")
	got.wantStatus(t, statusOK)
	// One row for each digit, with the answer of a model that knows three shapes.
	rows := regexp.MustCompile(`(?m)^(\d) +\d+\.\d %( +\d+\.\d{3} ms)+  ([017])$`).FindAllString(got.stdout, -1)
	if len(rows) != 10 {
		t.Errorf("%d rows of answers, want 10:\n%s", len(rows), got.stdout)
	}
	for _, want := range []string{"preprocessing", "upload", "compute", "readback", "total", "of 10 right", "p.png"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("the demo does not tell of %q:\n%s", want, got.stdout)
		}
	}
	picture, err := os.Open(path)
	must(t, err)
	defer picture.Close()
	if img, err := png.Decode(picture); err != nil || img.Bounds().Dx() != 3 {
		t.Errorf("the picture is %v, %v", img, err)
	}
}

// darkWindow is a window whose pictures of drawings on dark paper are 3 wide.
var darkWindow = Window{Picture: func(_ context.Context, k ink.Ink, o WindowOptions) (image.Image, error) {
	if len(k) == 0 || o.Appearance != "dark" {
		return nil, errors.New("nothing dark to be drawn")
	}
	return image.NewGray(image.Rect(0, 0, 3, 3)), nil
}}

func TestDemoMakesNoFolder(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	got := commandIn(t, t.Context(), darkWindow, "demo", "--model", smallModel(t), "--picture", filepath.Join(missing, "p.png"), "--appearance", "dark")
	got.wantStatus(t, statusFailed)
	if _, err := os.Stat(missing); err == nil || !strings.Contains(got.stderr, "choose a folder that exists") || got.stdout != "" {
		t.Errorf("the folder: %v; said %q after %q", err, got.stderr, got.stdout)
	}
}

func TestDemoWritesPNGAlone(t *testing.T) {
	got := command(t, "demo", "--picture", "window.gif")
	if got.wantStatus(t, statusUsage); !strings.Contains(got.stderr, "end its name in .png") {
		t.Errorf("said %q", got.stderr)
	}
}

func TestDemoStopsOnRequest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stdout := &watcher{sign: "probability", act: cancel}
	var stderr bytes.Buffer
	status := run(ctx, darkWindow, []string{"demo", "--model", smallModel(t)}, stdout, &stderr)
	if got := stderr.String(); status != statusFailed || got != "inkshade: stopped on request\n" || strings.Contains(stdout.text.String(), "right") || !strings.HasSuffix(stdout.text.String(), "\n") {
		t.Errorf("exit status %d, said %q after %q", status, got, stdout.text.String())
	}
}
