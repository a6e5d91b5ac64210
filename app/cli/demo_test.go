package cli

import (
	"regexp"
	"strings"
	"testing"

	"inkshade/recognizer/ink"
)

func TestDemoShowsAnswersTimesAndPicture(t *testing.T) {
	drawnTo := ""
	w := Window{Picture: func(path string, k ink.Ink, o WindowOptions) error {
		if len(k) > 0 && o.Appearance == "dark" {
			drawnTo = path
		}
		return nil
	}}
	got := commandIn(t, t.Context(), w, "demo", "--model", smallModel(t), "--picture", "p.png", "--appearance", "dark")
	got.wantStatus(t, statusOK)
	// One row for each digit, with the answer of a model that knows three shapes.
	rows := regexp.MustCompile(`(?m)^(\d) +([017]) +\d+\.\d %( +\d+\.\d{3} ms)+$`).FindAllString(got.stdout, -1)
	if len(rows) != 10 {
		t.Errorf("%d rows of answers, want 10:\n%s", len(rows), got.stdout)
	}
	for _, want := range []string{"preprocessing", "upload", "compute", "readback", "total", "of 10 right", "p.png"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("the demo does not tell of %q:\n%s", want, got.stdout)
		}
	}
	if drawnTo != "p.png" {
		t.Errorf("the picture went to %q", drawnTo)
	}
}
