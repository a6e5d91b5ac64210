package samples

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"testing"
	"time"
)

var kills = flag.Int("kills", 200, "processes that TestKilledWhileWriting kills, in four folders")

// modelFile is the content of the model of that number.
func modelFile(n int) []byte { return bytes.Repeat(fmt.Appendf(nil, "model %d ", n), 3000) }

// The child says what it is about to change with a small letter and, once the store has reported it saved, with the
// capital: A id seed (a sample was added), L id label, D id (deleted), M id number (a model was made active). An
// addition is not announced: it has no id yet.
func init() {
	children["write until killed"] = func(dir string) error {
		s, err := Open(dir)
		if err != nil {
			return err
		}
		if path := s.Recovered().Path; path != "" {
			return errors.New("a sound database was moved aside to " + path)
		}
		rng := rand.New(rand.NewSource(int64(os.Getpid())))
		say := func(format string, a ...any) { fmt.Printf(format+"\n", a...) }
		for {
			seed := rng.Intn(1 << 30)
			kept, err := s.Add(sampleOf("new", seed))
			if err != nil {
				return err
			}
			id := kept.ID
			say("A %d %d", id, seed)
			switch rng.Intn(6) {
			case 0:
				label := fmt.Sprint("label", rng.Intn(100))
				say("l %d %s", id, label)
				if _, err := s.Relabel(map[int64]string{id: label}); err != nil {
					return err
				}
				say("L %d %s", id, label)
			case 1:
				say("d %d 0", id)
				if _, err := s.Delete(id); err != nil {
					return err
				}
				say("D %d 0", id)
			case 2:
				n := rng.Intn(1000)
				say("m 0 %d", n)
				m, err := s.AddModel(Model{Base: "b", Name: fmt.Sprint(n), ONNX: modelFile(n)}, true)
				if err != nil {
					return err
				}
				say("M %d %d", m.ID, n)
			}
		}
	}
}

// reported is what the children have said was saved.
type reported struct {
	samples map[int64]reportedSample
	latest  int64 // the newest model made active
	reports int
}

type reportedSample struct {
	seed     int
	label    string
	maybe    string // a label that was on its way when the child was killed
	deleted  bool
	deleting bool
}

// read takes in what a child has said; it had time to be killed in the middle of a line.
func (r *reported) read(out []byte) error {
	for line := range bytes.Lines(out) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		var what, text string
		var id int64
		if _, err := fmt.Sscan(string(line), &what, &id, &text); err != nil {
			return fmt.Errorf("the child says %q: %w", line, err)
		}
		v := r.samples[id]
		switch what {
		case "A":
			fmt.Sscan(text, &v.seed)
			v.label = "new"
		case "l":
			v.maybe = text
		case "L":
			v.label, v.maybe = text, ""
		case "d":
			v.deleting = true
		case "D":
			v.deleted = true
		case "M":
			r.latest = max(r.latest, id)
		}
		if what != "m" && what != "M" {
			r.samples[id] = v
		}
		if what[0] < 'a' {
			r.reports++
		}
	}
	return nil
}

// check compares the store with what was reported saved.
func (r *reported) check(t *testing.T, s *Store, from int64) {
	t.Helper()
	for id, want := range r.samples {
		if id < from {
			continue
		}
		got, err := s.Get(id)
		if err != nil {
			t.Fatalf("sample %d was reported saved: %v", id, err)
		}
		full := sampleOf("new", want.seed)
		if !reflect.DeepEqual(got.Ink, full.Ink) || !got.Time.Equal(full.Time) {
			t.Fatalf("sample %d is not the one that was saved", id)
		}
		if got.Label != want.label && (want.maybe == "" || got.Label != want.maybe) {
			t.Fatalf("sample %d has label %q; reported was %q, on its way %q", id, got.Label, want.label, want.maybe)
		}
		if got.Deleted != want.deleted && !(want.deleting && got.Deleted) {
			t.Fatalf("sample %d: deleted is %v, reported was %v", id, got.Deleted, want.deleted)
		}
	}
	m, trained, err := s.ActiveModel("b")
	if err != nil || m.ID < r.latest || trained && !bytes.Equal(m.ONNX, modelFile(numberOf(m.Name))) {
		t.Fatalf("active model %d %q, %v; reported was %d", m.ID, m.Name, err, r.latest)
	}
}

func numberOf(name string) (n int) {
	fmt.Sscan(name, &n)
	return n
}

// Processes that write are killed at random moments, also while they open or make the database and while another writes:
// everything that was reported saved is there, nothing half is, and the database is sound.
func TestKilledWhileWriting(t *testing.T) {
	folders, kills := 4, *kills/4
	if testing.Short() {
		folders, kills = 2, 10
	}
	start, reports := time.Now(), make([]int, folders)
	t.Run("folders", func(t *testing.T) {
		for n := range folders {
			t.Run(fmt.Sprint(n), func(t *testing.T) {
				t.Parallel() // most of the time the children are waited for
				reports[n] = killInFolder(t, kills, rand.New(rand.NewSource(int64(n))))
			})
		}
	})
	sum, killed := 0, folders*kills
	for _, n := range reports {
		sum += n
	}
	t.Logf("%d kills, %d changes reported saved, %.1f s", killed, sum, time.Since(start).Seconds())
	if sum < killed {
		t.Errorf("only %d changes in %d kills: the children hardly wrote", sum, killed)
	}
}

// killInFolder kills processes that write into one folder, checks it after each, and counts what they reported saved.
func killInFolder(t *testing.T, kills int, rng *rand.Rand) (reports int) {
	dir := t.TempDir()
	r := reported{samples: map[int64]reportedSample{}}
	known := 0 // ids up to here were checked in at least one round, and are again at the end
	for before, done := 0, 0; done < kills; before, known = len(r.samples), before {
		together := 1 + rng.Intn(8)/7
		outs, spoken := make([]chan []byte, together), make([]chan struct{}, together)
		cmds := make([]*exec.Cmd, together)
		for i := range cmds {
			cmds[i] = child(t, "write until killed", dir)
			pipe := must(cmds[i].StdoutPipe())(t)
			if err := cmds[i].Start(); err != nil {
				t.Fatal(err)
			}
			outs[i], spoken[i] = make(chan []byte, 1), make(chan struct{})
			go func() {
				r := bufio.NewReader(pipe)
				r.Peek(1)
				close(spoken[i])
				b, _ := io.ReadAll(r)
				outs[i] <- b
			}()
		}
		for i, cmd := range cmds {
			if rng.Intn(4) > 0 { // else it may be killed while it opens the database
				<-spoken[i]
			}
			time.Sleep(time.Duration(rng.Intn(60_000)) * time.Microsecond)
			cmd.Process.Kill()
			out := <-outs[i]
			cmd.Wait()
			if cmd.ProcessState.Exited() && runtime.GOOS != "windows" { // which does not tell the two apart
				t.Fatalf("the child ended by itself: %v", cmd.ProcessState)
			}
			if err := r.read(out); err != nil {
				t.Fatal(err)
			}
			done++
		}
		s := must(Open(dir))(t)
		if s.Recovered().Path != "" {
			t.Fatalf("after %d kills: %v", done, s.Recovered())
		}
		r.check(t, s, int64(known))
		if done >= kills {
			r.check(t, s, 0)
			wholeIntegrity(t, s)
		}
		s.Close()
	}
	return r.reports
}
