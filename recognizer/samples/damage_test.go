package samples

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fill makes a store of count samples and two models, and returns the samples.
func fillStore(t *testing.T, dir string, count int) []Sample {
	t.Helper()
	s := must(Open(dir))(t)
	defer s.Close()
	var all []Sample
	for n := range count {
		all = append(all, sampleOf(fmt.Sprint(n%10), n))
	}
	must(addAll(s, all))(t)
	first := must(s.AddModel(Model{Base: "digits-mlp", Name: "first", ONNX: bytes.Repeat([]byte("one"), 3000)}, true))(t).ID
	must(s.AddModel(Model{Base: "digits-mlp", Name: "second", Parent: first, ONNX: bytes.Repeat([]byte("two"), 3000)}, true))(t)
	return must(s.List(Filter{}))(t)
}

func TestDamagedDatabaseIsMovedAside(t *testing.T) {
	const count = 400
	garbage := func(b []byte, from, n int) []byte {
		rand.New(rand.NewSource(1)).Read(b[from : from+n])
		return b
	}
	for name, c := range map[string]struct {
		spoil func([]byte) []byte
		least int // samples that must survive
	}{
		"garbage header":         {func(b []byte) []byte { return garbage(b, 0, 100) }, count},
		"garbage first page":     {func(b []byte) []byte { return garbage(b, 100, 3000) }, count},
		"garbage in the middle":  {func(b []byte) []byte { return garbage(b, len(b)/2, 8192) }, count - 30},
		"zeros in the middle":    {func(b []byte) []byte { clear(b[len(b)/2 : len(b)/2+8192]); return b }, count - 30},
		"one byte of one stroke": {nil, count - 1},
		"cut to a half":          {func(b []byte) []byte { return b[:len(b)/2/4096*4096] }, count / 4},
		"cut inside a page":      {func(b []byte) []byte { return b[:len(b)-1000] }, count - 10},
		"cut to one page":        {func(b []byte) []byte { return b[:4096] }, 0},
		"cut to 50 bytes":        {func(b []byte) []byte { return b[:50] }, 0},
		"another kind of file":   {func([]byte) []byte { return []byte(strings.Repeat("<html>not a database</html>\n", 100)) }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			all := fillStore(t, dir, count)
			path := filepath.Join(dir, databaseName)
			b := must(os.ReadFile(path))(t)
			if c.spoil != nil {
				b = c.spoil(b)
			} else {
				strokes := must(encodeStrokes(all[200].Ink))(t)
				at := bytes.Index(b, strokes[:40])
				b[at+30] ^= 4
			}
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			s := openIn(t, dir, standard())
			r := s.Recovered()
			if filepath.Dir(r.Path) != dir || r.Problem == "" || !strings.Contains(r.String(), r.Path) {
				t.Fatalf("recovered %+v", r)
			}
			if moved := must(os.ReadFile(r.Path))(t); !bytes.Equal(moved, b) {
				t.Error("the damaged file was changed")
			}
			left := must(s.List(Filter{}))(t)
			if len(left) != r.Samples || len(left) < c.least || len(must(s.Models(""))(t)) != r.Models {
				t.Errorf("%d samples are there; %+v, at least %d expected", len(left), r, c.least)
			}
			for _, v := range left {
				equal(t, "a sample that was kept", v, all[v.ID-1])
			}
			if name == "one byte of one stroke" {
				m, trained, err := s.ActiveModel("digits-mlp")
				if m.Name != "second" || !trained || err != nil || r.Models != 2 {
					t.Errorf("active model %q, %v, %v", m.Name, trained, err)
				}
			}
			must(s.Add(sampleOf("x", 1)))(t)
			wholeIntegrity(t, s)
			s.Close()
			if s = openIn(t, dir, standard()); s.Recovered().Path != "" || must(s.count(Filter{}))(t) != len(left)+1 {
				t.Error("the second start does not find the fresh database sound")
			}
			if folders, _ := filepath.Glob(filepath.Join(dir, salvagePrefix+"*")); len(folders) > 0 {
				t.Errorf("%v left behind", folders)
			}
		})
	}
}

// A killed instance leaves a write-ahead log; damage to the main file must not lose, or be hidden by, what is in it.
func TestDamageBesideAWriteAheadLog(t *testing.T) {
	dir, copied := t.TempDir(), t.TempDir()
	fillStore(t, dir, 200)
	cmd := child(t, "add 50 and wait to be killed", dir)
	out := must(cmd.StdoutPipe())(t)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	must(out.Read(make([]byte, 1)))(t)
	cmd.Process.Kill()
	cmd.Wait()
	for _, suffix := range []string{"", "-wal"} {
		b := must(os.ReadFile(filepath.Join(dir, databaseName+suffix)))(t)
		if suffix == "" {
			rand.New(rand.NewSource(1)).Read(b[len(b)/2 : len(b)/2+8192])
		} else if len(b) == 0 {
			t.Fatal("there is no write-ahead log")
		}
		if err := os.WriteFile(filepath.Join(copied, databaseName+suffix), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := filesIn(t, copied)
	s := openIn(t, copied, standard())
	r := s.Recovered()
	if r.Path == "" || r.Samples < 100+50 {
		t.Errorf("recovered %+v", r)
	}
	if n := must(s.count(Filter{Text: "child"}))(t); n != 50 {
		t.Errorf("%d of the 50 samples in the write-ahead log are there", n)
	}
	for _, suffix := range []string{"", "-wal"} {
		if fmt.Sprintf("%x", must(os.ReadFile(r.Path+suffix))(t)) != before[databaseName+suffix] {
			t.Errorf("the moved file %s is not as it was found", suffix)
		}
	}
}

func init() {
	children["add 50 and wait to be killed"] = func(dir string) error {
		s, err := Open(dir)
		if err != nil {
			return err
		}
		for n := range 50 {
			if _, err := s.Add(Sample{Label: "c", Session: "child", Ink: drawing(n)}); err != nil {
				return err
			}
		}
		fmt.Println("added")
		time.Sleep(time.Minute)
		return nil
	}
}

func TestMovedFilesNeverOverwriteEachOther(t *testing.T) {
	dir := t.TempDir()
	o := standard()
	o.now = func() time.Time { return time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC) }
	seen := map[string]bool{}
	for n := range 3 {
		content := []byte(strings.Repeat(fmt.Sprint("junk", n), 1000))
		if err := os.WriteFile(filepath.Join(dir, databaseName), content, 0o600); err != nil {
			t.Fatal(err)
		}
		s := must(open(dir, o))(t)
		path := s.Recovered().Path
		s.Close()
		if seen[path] || !bytes.Equal(must(os.ReadFile(path))(t), content) || !strings.Contains(path, "2026-01-31") {
			t.Errorf("damaged file %d lies at %q", n, path)
		}
		seen[path] = true
	}
}

func TestDamagedDatabaseInUseIsNotMoved(t *testing.T) {
	dir := t.TempDir()
	fillStore(t, dir, 10)
	other := must(openLock(filepath.Join(dir, inUseName)))(t)
	defer other.release()
	if held, err := other.acquire(false, 0); !held || err != nil {
		t.Fatal(held, err)
	}
	path := filepath.Join(dir, databaseName)
	junk := []byte(strings.Repeat("junk", 1000))
	if err := os.WriteFile(path, junk, 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(dir); !errors.Is(err, ErrInUse) || !errors.Is(err, ErrDamaged) {
		t.Errorf("%v, %v", s, err)
	}
	if !bytes.Equal(must(os.ReadFile(path))(t), junk) {
		t.Error("the file in use was touched")
	}
	other.release()
	if s := openIn(t, dir, standard()); s.Recovered().Path == "" {
		t.Error("not recovered once it was free")
	}
}

func TestInstancesThatStartTogetherRecoverOnce(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, databaseName), []byte(strings.Repeat("junk", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	const instances = 6
	results := make(chan error, instances)
	stores := make(chan *Store, instances)
	for n := range instances {
		go func() {
			s, err := Open(dir)
			if err == nil {
				_, err = s.Add(sampleOf("1", n))
				stores <- s
			}
			results <- err
		}()
	}
	for range instances {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	close(stores)
	recovered := 0
	for s := range stores {
		if s.Recovered().Path != "" {
			recovered++
		}
		if n := must(s.count(Filter{}))(t); n != instances {
			t.Errorf("an instance sees %d samples", n)
		}
		s.Close()
	}
	if moved, _ := filepath.Glob(filepath.Join(dir, "samples-damaged-*.db")); recovered != 1 || len(moved) != 1 {
		t.Errorf("%d instances recovered, %v", recovered, moved)
	}
}

func TestDamageFoundWhileRunning(t *testing.T) {
	s := openTemp(t)
	id := must(s.Add(sampleOf("1", 1)))(t).ID
	must(s.db.Exec("UPDATE samples SET strokes = x'0102030405060708'"))(t)
	if _, err := s.Get(id); !errors.Is(err, ErrDamaged) {
		t.Errorf("Get: %v", err)
	}
	if _, err := s.List(Filter{}); !errors.Is(err, ErrDamaged) {
		t.Errorf("List: %v", err)
	}
}
