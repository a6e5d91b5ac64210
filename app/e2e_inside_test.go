//go:build e2e

package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"golang.org/x/sys/unix"

	"inkshade/app/cli"
)

// insideFolder names the folder into which the program writes what it alone can see of itself. Where it is
// set, this test binary is the program.
const insideFolder = "INKSHADE_E2E_INSIDE"

// The files of that folder.
const framesFile = "frames.jsonl"

// frame is what passed between two turns of the window's loop, of which each draws at most once: processor time
// of the loop's thread, and time.
type frame struct {
	End       time.Time
	CPU, Wall time.Duration
}

// runInside runs the program and writes its frames; those of less than a millisecond of the processor drew nothing.
func runInside(dir string) (status int) {
	file, err := os.Create(filepath.Join(dir, framesFile))
	if err != nil {
		panic(err)
	}
	defer file.Close()
	to := bufio.NewWriter(file)
	defer to.Flush()
	encoder := json.NewEncoder(to)
	return cli.Execute(cli.Window{Open: func(o cli.WindowOptions) error {
		o.Trace = &starting{Writer: o.Trace, start: func() {
			cpu, end := threadTime(), time.Now()
			fyne.NewAnimation(1000*time.Hour, func(float32) {
				f := frame{time.Now(), threadTime() - cpu, time.Since(end)}
				cpu, end = cpu+f.CPU, f.End
				if f.CPU >= time.Millisecond {
					_ = encoder.Encode(f)
				}
			}).Start()
		}}
		return openWindow(o)
	}})
}

// starting calls start before the first event of a trace is written, which is when there is an app whose loop
// has not begun.
type starting struct {
	io.Writer
	once  sync.Once
	start func()
}

func (s *starting) Write(p []byte) (int, error) {
	s.once.Do(s.start)
	return s.Writer.Write(p)
}

// threadTime is the processor time that the calling thread has used.
func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}

// showInside is show with this test binary as the program, as a person runs it.
func showInside(t *testing.T, args ...string) (s *screen, dir string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	t.Setenv("INKSHADE_BINARY", self)
	return show(t, 1280, 800, []string{insideFolder + "=" + dir, "INKSHADE_DEBUG="}, args...), dir
}

// quit ends the program.
func (s *screen) quit() {
	s.t.Helper()
	s.xdotool("key", "ctrl+q")
	select {
	case err := <-s.exited:
		if err != nil {
			s.t.Fatalf("after Ctrl+Q: %v\n%s", err, s.stderr.String())
		}
	case <-time.After(patience):
		s.t.Fatal("Ctrl+Q did not end the program")
	}
}
