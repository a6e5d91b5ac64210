//go:build e2e

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// How long a day of TestMemoryOfALongDay is; docs/reliability.md has the command of the long one.
var (
	drawings  = flag.Int("drawings", 60, "drawings after warming up")
	trainings = flag.Int("trainings", 1, "trainings after warming up")
)

// TestMemoryOfALongDay draws and trains in the window and asks that what the program holds stays within 5 % of what
// it held when it had warmed up: memory, the heap of Go, handles, goroutines, the window's textures. What Mesa's
// software renderer holds for the devices is memory of the program. After a short day caches still grow, and memory
// is told only.
func TestMemoryOfALongDay(t *testing.T) {
	t.Setenv("FYNE_CACHE", "2s") // textures of texts are kept for a minute otherwise
	s, inside := showInside(t, "--appearance", "light", "--data-dir", written(t))
	s.nth("samples", 1)
	d := longDay{screen: s, trace: follower{path: s.trace, seen: map[string]int{}}, random: rand.New(rand.NewPCG(1, 2))}
	long := *drawings >= 1000
	if long {
		d.live(1000, 2)
	} else {
		d.live(40, 1)
	}
	before := s.holds(inside)
	t.Logf("warm, after %d drawings and %d trainings: %v", d.drawn, d.trained, before)
	for range *trainings {
		d.live(*drawings / *trainings, 1)
		if long {
			t.Logf("%s, after %d drawings: %v", time.Now().Format(time.TimeOnly), d.drawn, s.holds(inside))
		}
	}
	after := s.holds(inside)
	t.Logf("after %d drawings and %d trainings: %v", d.drawn, d.trained, after)
	for i, what := range heldWords {
		if most := float64(before[i]) * 1.05; float64(after[i]) > most && (long || !strings.HasPrefix(what, "MB")) {
			t.Errorf("%s: %d, and when it was warm %d", what, after[i], before[i])
		}
	}
	s.quit()
}

// longDay is what a person does in the window.
type longDay struct {
	*screen
	trace          follower
	random         *rand.Rand
	drawn, trained int
}

// live draws and clears without a pause, and then trains.
func (d *longDay) live(drawings, trainings int) {
	d.t.Helper()
	for left := drawings; left > 0; left -= 20 {
		var args []string
		move := func() {
			x, y := paper.Min.X+d.random.IntN(paper.Dx()), 130+d.random.IntN(450) // between what is pressed there
			args = append(args, "mousemove", strconv.Itoa(x), strconv.Itoa(y), "sleep", "0.004")
		}
		for range min(left, 20) {
			move()
			args = append(args, "mousedown", "1")
			for range 2 + d.random.IntN(4) {
				move()
			}
			args = append(args, "mouseup", "1", "sleep", "0.01", "key", "Delete")
			d.drawn++
		}
		d.xdotool(args...)
		d.await("pen-up", d.drawn)
	}
	for range trainings {
		d.trained++
		d.xdotool("key", "ctrl+l")
		d.await("trained", d.trained)
		d.xdotool("key", "ctrl+1", "sleep", "1")
	}
}

func (d *longDay) await(event string, count int) {
	d.t.Helper()
	for deadline := time.Now().Add(4 * patience); d.trace.read(d.t)[event] < count; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			d.t.Fatalf("%d x %s, want %d\n%s", d.trace.seen[event], event, count, d.stderr.String())
		}
	}
}

// follower counts the events of a trace that is being written, and reads each line once.
type follower struct {
	path   string
	offset int64
	seen   map[string]int
}

func (f *follower) read(t *testing.T) map[string]int {
	t.Helper()
	file, err := os.Open(f.path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.NewSectionReader(file, f.offset, 1<<40))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var e struct{ Event string }
		if json.Unmarshal(line, &e) != nil {
			break // the rest of it is still to come
		}
		f.seen[e.Event]++
		f.offset += int64(len(line))
	}
	return f.seen
}

// held is what the program holds, in the order of heldWords.
type held [5]int

var heldWords = [5]string{"MB in all", "MB of Go's heap", "handles", "goroutines", "textures"}

func (h held) String() string {
	var words []string
	for i, what := range heldWords {
		words = append(words, fmt.Sprint(h[i], " ", what))
	}
	return strings.Join(words, ", ")
}

// holds waits until caches have expired, lets the window draw a frame, in which Fyne empties them, and asks the
// program and the system.
func (s *screen) holds(inside string) held {
	s.t.Helper()
	time.Sleep(3 * time.Second)
	s.xdotool("mousemove", "60", "757", "sleep", "0.5", "mousemove", "5", "797", "sleep", "0.5")
	path := filepath.Join(inside, memoryFile)
	_ = os.Remove(path)
	if err := s.app.Process.Signal(askMemory); err != nil {
		s.t.Fatal(err)
	}
	var m memory
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		data, err := os.ReadFile(path)
		if err == nil && json.Unmarshal(data, &m) == nil {
			break
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("the program does not tell what it holds: %v\n%s", err, s.stderr.String())
		}
	}
	process := filepath.Join("/proc", strconv.Itoa(s.app.Process.Pid))
	status, err := os.ReadFile(filepath.Join(process, "status"))
	if err != nil {
		s.t.Fatal(err)
	}
	kilobytes := 0
	for line := range strings.Lines(string(status)) {
		_, _ = fmt.Sscanf(line, "VmRSS: %d kB", &kilobytes)
	}
	handles, err := os.ReadDir(filepath.Join(process, "fd"))
	if err != nil {
		s.t.Fatal(err)
	}
	return held{kilobytes >> 10, int(m.Heap >> 20), len(handles), m.Goroutines, m.Textures}
}
