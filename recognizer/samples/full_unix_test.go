//go:build linux || darwin

package samples

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// limitFileSize makes every write beyond size fail, as a full disk does.
func limitFileSize(size uint64) error {
	signal.Ignore(syscall.SIGXFSZ)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: size, Max: size})
}

// dropRights makes the process an ordinary user where it runs as root, whom permissions do not bind.
func dropRights() error {
	if os.Getuid() != 0 {
		return nil
	}
	return errors.Join(syscall.Setgid(65534), syscall.Setuid(65534))
}

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	before := fillStore(t, dir, 50)
	out := string(must(child(t, "fill up and report", dir).Output())(t))
	var saved int
	if _, err := fmt.Sscan(out, &saved); err != nil || !strings.Contains(out, "full") {
		t.Fatalf("the child says %q", out)
	}
	s := openIn(t, dir, standard())
	if n := must(s.count(Filter{}))(t); n != saved || s.Recovered().Path != "" {
		t.Errorf("%d of %d samples are there; %v", n, saved, s.Recovered())
	}
	equal(t, "the samples before", must(s.List(Filter{Limit: len(before)}))(t), before)
	wholeIntegrity(t, s)
}

func TestOpenOnAFullDisk(t *testing.T) {
	for name, fill := range map[string]func(dir string){"empty folder": func(string) {}, "with samples": func(dir string) { fillStore(t, dir, 50) }} {
		dir := t.TempDir()
		fill(dir)
		before := filesIn(t, dir)[databaseName]
		out := string(must(child(t, "open on a full disk", dir).Output())(t))
		if !strings.Contains(out, "disk") {
			t.Errorf("%s: the child says %q", name, out)
		}
		if before != "" && filesIn(t, dir)[databaseName] != before {
			t.Errorf("%s: the database was changed", name)
		}
		s := openIn(t, dir, standard())
		must(s.Add(sampleOf("1", 1)))(t)
		if s.Recovered().Path != "" {
			t.Errorf("%s: a sound database was moved aside", name)
		}
	}
}

func TestFolderWithoutPermission(t *testing.T) {
	for name, lock := range map[string]func(dir string) error{
		"read-only folder": func(dir string) error { return os.Chmod(dir, 0o555) },
		"no permission":    func(dir string) error { return os.Chmod(dir, 0) },
		"read-only database": func(dir string) error {
			return errors.Join(os.Chmod(dir, 0o777), os.Chmod(filepath.Join(dir, databaseName), 0o444),
				os.Chmod(filepath.Join(dir, inUseName), 0o666), os.Chmod(filepath.Join(dir, openingName), 0o666))
		},
	} {
		dir := t.TempDir()
		before := fillStore(t, dir, 5)
		// The child may be another user, who must be able to reach the folder.
		for up := filepath.Dir(dir); up != os.TempDir() && len(up) > len(os.TempDir()); up = filepath.Dir(up) {
			if err := os.Chmod(up, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := lock(dir); err != nil {
			t.Fatal(err)
		}
		out, err := child(t, "open without permission", dir).Output()
		if err != nil || !strings.Contains(string(out), "permission") || !strings.Contains(string(out), "--data-dir") {
			t.Errorf("%s: %q, %v", name, out, err)
		}
		if err := errors.Join(os.Chmod(dir, 0o700), os.Chmod(filepath.Join(dir, databaseName), 0o600)); err != nil {
			t.Fatal(err)
		}
		equal(t, name, must(openIn(t, dir, standard()).List(Filter{}))(t), before)
	}
}

func TestOnlyTheOwnerReads(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	s := openIn(t, dir, standard())
	must(s.Add(sampleOf("1", 1)))(t)
	for _, name := range []string{"", databaseName, databaseName + "-wal"} {
		if mode := must(os.Stat(filepath.Join(dir, name)))(t).Mode().Perm(); mode&0o077 != 0 {
			t.Errorf("%s has mode %v", filepath.Join(dir, name), mode)
		}
	}
}
