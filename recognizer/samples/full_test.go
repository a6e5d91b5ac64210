package samples

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// fillUp adds samples until it fails, and returns how many were reported saved and the error.
func fillUp(s *Store) (int, error) {
	for n := 0; n < 10000; n++ {
		if _, err := s.Add(sampleOf("1", n)); err != nil {
			return n, err
		}
	}
	return 10000, nil
}

func TestFullDatabase(t *testing.T) {
	dir := t.TempDir()
	o := standard()
	o.pragmas = []string{"max_page_count(60)"}
	s := openIn(t, dir, o)
	model := must(s.AddModel(Model{Base: "b", ONNX: []byte("kept")}, true))(t).ID
	saved, err := fillUp(s)
	if !errors.Is(err, ErrDiskFull) || saved == 0 {
		t.Fatalf("%d samples, then %v", saved, err)
	}
	if _, err := s.AddModel(Model{Base: "b", ONNX: make([]byte, 1<<20)}, true); !errors.Is(err, ErrDiskFull) {
		t.Errorf("a model: %v", err)
	}
	check := func() {
		t.Helper()
		if n := must(s.count(Filter{}))(t); n != saved {
			t.Errorf("%d of %d samples are there", n, saved)
		}
		if m, _, err := s.ActiveModel("b"); m.ID != model || err != nil {
			t.Errorf("active model %d, %v", m.ID, err)
		}
		wholeIntegrity(t, s)
	}
	check()
	s.Close()
	s = openIn(t, dir, standard())
	check()
	must(s.Add(sampleOf("1", 1)))(t)
}

// The folder's place is taken by a file, or is below one: the message names it, and the file stays.
func TestFolderThatIsAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{path, filepath.Join(path, "below")} {
		if s, err := Open(dir); err == nil {
			s.Close()
			t.Errorf("%s was opened", dir)
		}
	}
	if got := string(must(os.ReadFile(path))(t)); got != "mine" {
		t.Errorf("the file holds %q", got)
	}
}

func init() {
	children["fill up and report"] = func(dir string) error {
		if err := limitFileSize(256 << 10); err != nil {
			return err
		}
		s, err := Open(dir)
		if err != nil {
			return err
		}
		before, err := s.count(Filter{})
		if err != nil {
			return err
		}
		saved, full := fillUp(s)
		saved += before
		fmt.Println(saved)
		if full == nil {
			return errors.New("a disk of 256 KiB was never full")
		}
		if n, err := s.count(Filter{}); n != saved || err != nil {
			return fmt.Errorf("%d of %d samples are there, %v", n, saved, err)
		}
		fmt.Println(full)
		return nil
	}
	children["open on a full disk"] = func(dir string) error {
		if err := limitFileSize(1000); err != nil {
			return err
		}
		s, err := Open(dir)
		if err == nil {
			s.Close()
			return errors.New("opened without space")
		}
		fmt.Println(err)
		return nil
	}
	children["open without permission"] = func(dir string) error {
		if err := dropRights(); err != nil {
			return err
		}
		s, err := Open(dir)
		if err == nil {
			s.Close()
			return errors.New("opened without permission")
		}
		if !errors.Is(err, ErrReadOnly) {
			return err
		}
		fmt.Println(err)
		return nil
	}
}
