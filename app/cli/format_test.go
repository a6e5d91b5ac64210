package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inkshade/recognizer/ink"
)

// A format of ink files that is registered in one place is read, written, offered and explained everywhere.
func TestARegisteredFormatIsKnownEverywhere(t *testing.T) {
	ink.Register(dots)
	if at := slices.IndexFunc(ink.Formats(), func(f ink.Format) bool { return f.Name == dots.Name }); at < 1 {
		t.Errorf("it is format %d; what is offered first is another", at)
	}
	for _, name := range []string{"import", "export", "recognize", "eval", "train"} {
		want := dots.Name
		if name == "export" {
			want = dots.Endings[0]
		}
		if got := command(t, name, "--help"); !strings.Contains(got.stdout, want) {
			t.Errorf("the help of %s does not name %s", name, want)
		}
	}
	for _, name := range []string{"import", "export"} {
		if got := command(t, "__complete", name, ""); !slices.Contains(got.lines(), "dots") || !slices.Contains(got.lines(), ":8") {
			t.Errorf("%s is completed with %q", name, got.stdout)
		}
	}
	dir, out := t.TempDir(), t.TempDir()
	data := file(t, "ink.dots", "@7 1 2\n@0 30 5\n")
	if got := command(t, "import", "--data-dir", dir, data); got.stdout != data+": 2 added, 0 there already\n" {
		t.Errorf("import says %q %q", got.stdout, got.stderr)
	}
	for _, name := range []string{"all.dots", "all.spots", "all.dots.gz"} {
		path := filepath.Join(out, name)
		command(t, "export", "--data-dir", dir, path).wantStatus(t, statusOK)
		if got := command(t, "import", "--data-dir", dir, path); !strings.Contains(got.stdout, "2 there already") {
			t.Errorf("%s imported again: %q", name, got.stdout)
		}
	}
	if err := os.Remove(filepath.Join(out, "all.spots")); err != nil { // which a folder's reader passes over
		t.Fatal(err)
	}
	if got := command(t, "eval", "--model", smallModel(t), "--device", "cpu", out); !strings.Contains(got.stdout, "samples       4") {
		t.Errorf("eval of the folder: %q %q", got.stdout, got.stderr)
	}
	if got := command(t, "recognize", "--model", smallModel(t), "--device", "cpu", data); len(got.lines()) != 2 {
		t.Errorf("recognize: %q %q", got.stdout, got.stderr)
	}
}

// dots is a format of drawings that are one dot, a line each: @LABEL X Y.
var dots = ink.Format{
	Name: "Dots", Endings: []string{".dots"}, Shared: []string{".spots"}, Prefix: "@",
	Read: func(r io.Reader, f func(ink.Labelled) error) error {
		for lines := bufio.NewScanner(r); lines.Scan(); {
			var s ink.Labelled
			var p ink.Point
			if _, err := fmt.Sscanf(lines.Text(), "@%s %g %g", &s.Label, &p.X, &p.Y); err != nil {
				return err
			}
			s.Ink = ink.Ink{{p}}
			if err := f(s); err != nil {
				return err
			}
		}
		return nil
	},
	Write: func(w io.Writer, all []ink.Labelled) error {
		for _, s := range all {
			if _, err := fmt.Fprintf(w, "@%s %g %g\n", s.Label, s.Ink[0][0].X, s.Ink[0][0].Y); err != nil {
				return err
			}
		}
		return nil
	},
}
