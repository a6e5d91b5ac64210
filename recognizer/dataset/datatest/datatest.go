// Package datatest lets tests that need the data sets skip where there are none, and
// counts these skips.
package datatest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// SkipLog is the variable that names the file to which Require adds a line for each test
// it skips, so that a run of the tests can say at its end what it did not test.
const SkipLog = "INKSHADE_SKIP_LOG"

// Require returns the path of a file or folder of the data sets, such as "mnist" or
// "unipen/digits.jsonl.gz". Without data sets the test is skipped and counted; with data
// sets that lack the file it fails.
func Require(t testing.TB, name ...string) string {
	t.Helper()
	dir := dir()
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

// dir is the folder of the data sets: $INKSHADE_DATA if that is set, else shared/data beside the
// working directory or above it; "" when there is none.
func dir() string {
	if dir, ok := os.LookupEnv("INKSHADE_DATA"); ok {
		return dir
	}
	dir, err := os.Getwd()
	for below := ""; err == nil && dir != below; dir, below = filepath.Dir(dir), dir {
		data := filepath.Join(dir, "shared", "data")
		if info, err := os.Stat(data); err == nil && info.IsDir() {
			return data
		}
	}
	return ""
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
