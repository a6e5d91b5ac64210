package samples

import (
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"inkshade/recognizer/ink"
)

const addedByChild = 60

func init() {
	children["add samples"] = func(dir string) error {
		s, err := Open(dir)
		if err != nil {
			return err
		}
		defer s.Close()
		for n := range addedByChild {
			kept, err := s.Add(Sample{Label: "p", Session: "process", Ink: drawing(n)})
			if err != nil {
				return err
			}
			if n%10 == 0 {
				if _, err := s.Relabel(map[int64]string{kept.ID: "P"}); err != nil {
					return err
				}
				if _, err := s.List(Filter{}); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// Goroutines on two stores and three more processes write, relabel, delete, restore, list and decide the hold-out at
// once, from an empty folder on: every write arrives exactly once.
func TestConcurrentUse(t *testing.T) {
	dir := t.TempDir()
	const processes, stores, goroutines, each = 3, 2, 4, 40
	var cmds []*exec.Cmd
	for range processes {
		cmd := child(t, "add samples", dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds = append(cmds, cmd)
	}
	var wait sync.WaitGroup
	for range stores {
		s := openIn(t, dir, standard())
		for g := range goroutines {
			wait.Go(func() {
				session := fmt.Sprint("goroutine ", g)
				for n := range each {
					kept, err := s.Add(Sample{Label: "a", Session: session, Ink: drawing(n)})
					if err != nil {
						t.Error(err)
						return
					}
					switch n % 8 {
					case 0:
						deletion, err := s.Delete(kept.ID)
						if err != nil {
							t.Error(err)
							return
						}
						if err := s.Restore(deletion); err != nil {
							t.Error(err)
						}
					case 1:
						if _, err := s.List(Filter{Text: session}); err != nil {
							t.Error(err)
						}
					case 2:
						if _, err := s.AddModel(Model{Base: "b", Name: session, ONNX: make([]byte, 20000)}, true); err != nil {
							t.Error(err)
						}
					case 3:
						if _, _, err := s.ActiveModel("b"); err != nil {
							t.Error(err)
						}
					case 4:
						if g == 0 {
							if _, _, err := s.AssignHoldOut(); err != nil {
								t.Error(err)
							}
						}
					}
				}
			})
		}
	}
	wait.Wait()
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Error("process: ", err)
		}
	}
	s := openIn(t, dir, standard())
	for label, want := range map[string]int{"a": stores * goroutines * each, "p": processes * addedByChild * 9 / 10, "P": processes * addedByChild / 10} {
		if n := must(s.count(Filter{Label: label}))(t); n != want {
			t.Errorf("%d samples of %s, want %d", n, label, want)
		}
	}
	if n := len(must(s.Models("b"))(t)); n != stores*goroutines*each/8 {
		t.Errorf("%d models", n)
	}
	wholeIntegrity(t, s)
}

// Two imports of one file at once add it once.
func TestImportsAtOnceAddOnce(t *testing.T) {
	dir := t.TempDir()
	const count = 300
	var file strings.Builder
	for n := range count {
		fmt.Fprintf(&file, `{"label":"%d","strokes":[[[%d,1],[2,3]]]}`+"\n", n%10, n)
	}
	var wait sync.WaitGroup
	results := make([]Imported, 4)
	for i := range results {
		s := openIn(t, dir, standard())
		wait.Go(func() {
			var err error
			if results[i], err = imports(t, s, file.String()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	added, known := 0, 0
	for _, r := range results {
		added, known = added+len(r.IDs), known+r.Known
	}
	if s := openIn(t, dir, standard()); added != count || known != 3*count || must(s.count(Filter{}))(t) != count {
		t.Errorf("%d were added, %d were there", added, known)
	}
}

// BenchmarkImport imports 5,000 samples into a store of 20,000.
func BenchmarkImport(b *testing.B) {
	file := func(from, to int) string {
		var text strings.Builder
		for n := from; n < to; n++ {
			if err := ink.WriteJSONLines(&text, []ink.Labelled{{Label: fmt.Sprint(n % 10), Writer: "w", Ink: drawing(n)}}); err != nil {
				b.Fatal(err)
			}
		}
		return text.String()
	}
	first, second := file(0, 20000), file(20000, 25000)
	for b.Loop() {
		b.StopTimer()
		s, err := Open(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		if _, err := imports(b, s, first); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if _, err := imports(b, s, second); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		s.Close()
		b.StartTimer()
	}
}
