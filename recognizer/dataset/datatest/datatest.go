// Package datatest lets tests that need the data sets skip where there are none, and
// counts these skips.
package datatest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"inkshade/recognizer/dataset"
)

// SkipLog is the variable that names the file to which Require adds a line for each test
// it skips, so that a run of the tests can say at its end what it did not test.
const SkipLog = "INKSHADE_SKIP_LOG"

// Require returns the path of a file or folder of the data sets, such as "mnist" or
// "unipen/digits.jsonl.gz". Without data sets the test is skipped and counted; with data
// sets that lack the file it fails.
func Require(t testing.TB, name ...string) string {
	t.Helper()
	dir := dataset.Dir()
	if dir == "" {
		record(t)
		t.Skip("SKIPPED, counted: needs the data sets; name their folder in INKSHADE_DATA")
	}
	path := filepath.Join(append([]string{dir}, name...)...)
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("the data sets in %s are incomplete: %v", dir, err)
	}
	return path
}

func record(t testing.TB) {
	path := os.Getenv(SkipLog)
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatalf("%s: %v", SkipLog, err)
	}
	defer f.Close()
	fmt.Fprintln(f, t.Name())
}
