package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is imported must come out again, in every form, and nothing twice.
func TestImportAndExport(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	data := file(t, "ink.jsonl", inkLines(3, 1, "0", "1"))
	got := command(t, "import", "--data-dir", dir, data)
	got.wantStatus(t, statusOK)
	if want := data + ": 6 added, 0 there already\n"; got.stdout != want {
		t.Errorf("stdout %q, want %q", got.stdout, want)
	}
	for _, name := range []string{"all.jsonl.gz", "all.unipen", "all.inkml", "pictures"} {
		path := filepath.Join(out, name)
		got := command(t, "export", "--data-dir", dir, path)
		got.wantStatus(t, statusOK)
		if got.stdout != path+": 6 samples\n" {
			t.Errorf("export to %s says %q", name, got.stdout)
		}
		got = command(t, "import", "--data-dir", dir, path)
		got.wantStatus(t, statusOK)
		if !strings.HasSuffix(got.stdout, ": 0 added, 6 there already\n") {
			t.Errorf("%s imported again: %q", name, got.stdout)
		}
	}
	got = command(t, "export", "--data-dir", dir, "--label", "1", filepath.Join(out, "ones.jsonl"))
	got.wantStatus(t, statusOK)
	ones, err := os.ReadFile(filepath.Join(out, "ones.jsonl"))
	if err != nil || strings.Count(string(ones), "\n") != 3 || strings.Contains(string(ones), `"label":"0"`) {
		t.Errorf("the ones are %s, error %v", ones, err)
	}
}

func TestImportAndExportSayWhatIsWrong(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "all.jsonl")
	good, bad := file(t, "good.jsonl", inkLines(1, 1, "0")), file(t, "bad.jsonl", "{}")
	got := command(t, "export", "--data-dir", dir, out)
	got.wantStatus(t, statusFailed)
	if _, err := os.Stat(out); err == nil || !strings.Contains(got.stderr, "no such samples") {
		t.Errorf("stat gives %v, stderr %q", err, got.stderr)
	}
	got = command(t, "import", "--data-dir", dir, bad, good)
	got.wantStatus(t, statusFailed)
	if !strings.Contains(got.stderr, "bad.jsonl") || got.stdout != good+": 1 added, 0 there already\n" {
		t.Errorf("stdout %q, stderr %q", got.stdout, got.stderr)
	}
	got = command(t, "export", "--data-dir", dir, filepath.Join(filepath.Dir(out), "all.docx"))
	got.wantStatus(t, statusFailed)
	if !strings.Contains(got.stderr, ".jsonl, .inkml, .unipen") {
		t.Errorf("stderr %q", got.stderr)
	}
	got = command(t, "export", "--data-dir", dir, filepath.Join(filepath.Dir(out), "none", "all.jsonl"))
	got.wantStatus(t, statusFailed)
	if !strings.Contains(got.stderr, "choose a folder that exists") || strings.Count(got.stderr, "all.jsonl") != 1 {
		t.Errorf("stderr %q", got.stderr)
	}
	got = command(t, "import", "--data-dir", dir, "none.jsonl")
	got.wantStatus(t, statusFailed)
	if got.stderr != "inkshade: none.jsonl: there is no such file; check the name\n" {
		t.Errorf("stderr %q", got.stderr)
	}
	got = command(t, "import", "--data-dir", dir, file(t, "runes.INKSHADE", "PK\x03\x04"))
	got.wantStatus(t, statusFailed)
	if !strings.Contains(got.stderr, "runes.INKSHADE holds a collection: inkshade collections import makes one of it") {
		t.Errorf("stderr %q", got.stderr)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got = commandIn(t, ctx, Window{}, "import", "--data-dir", dir, file(t, "more.jsonl", inkLines(2, 3, "1")))
	got.wantStatus(t, statusFailed)
	if !strings.Contains(got.stderr, "stopped on request") || got.stdout != "" {
		t.Errorf("cancelled: stdout %q, stderr %q", got.stdout, got.stderr)
	}
	for _, line := range []string{"import", "export", "export a b", "export --data-dir " + dir + " -"} {
		command(t, strings.Fields(line)...).wantStatus(t, statusUsage)
	}
}
