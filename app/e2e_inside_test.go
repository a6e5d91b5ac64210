//go:build e2e

package main

import (
	"encoding/json"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/ebitengine/purego"
	"github.com/go-gl/gl/v2.1/gl"
	"golang.org/x/sys/unix"

	"inkshade/app/cli"
)

// insideFolder names the folder into which the program writes what it alone can see of itself. Where it is
// set, this test binary is the program.
const insideFolder = "INKSHADE_E2E_INSIDE"

// The files of that folder.
const (
	framesFile = "frames.jsonl"
	memoryFile = "memory.json"
)

// askMemory makes the program write the second.
const askMemory = unix.SIGUSR1

// frame is what passed between two turns of the window's loop, of which each draws at most once: processor time
// of the loop's thread, and time.
type frame struct {
	End       time.Time
	CPU, Wall time.Duration
}

// memory is what the program holds after its garbage was collected.
type memory struct {
	Heap       uint64 // bytes
	Goroutines int
	Textures   int // of the window
}

// isTexture is of Fyne's OpenGL.
var isTexture = sync.OnceValue(func() (is func(name uint32) bool) {
	lib, err := purego.Dlopen("libGL.so.1", purego.RTLD_NOW)
	if err != nil {
		panic(err)
	}
	purego.RegisterLibFunc(&is, lib, "glIsTexture")
	return is
})

// holds counts, on the window's goroutine. Names of textures go up.
func holds(w fyne.Window) (m memory) {
	w.(interface{ RunWithContext(func()) }).RunWithContext(func() {
		var next uint32
		gl.GenTextures(1, &next)
		gl.DeleteTextures(1, &next)
		for name := range next {
			if isTexture()(name) {
				m.Textures++
			}
		}
	})
	for range 2 { // the second finds what finalizers let go
		debug.FreeOSMemory()
	}
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	m.Heap, m.Goroutines = s.HeapAlloc, runtime.NumGoroutine()
	return m
}

// tellMemory writes what the program holds whenever a signal asks for it.
func tellMemory(path string) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, askMemory)
	for range asked {
		fyne.Do(func() {
			data, err := json.Marshal(holds(fyne.CurrentApp().Driver().AllWindows()[0]))
			if err == nil {
				err = os.WriteFile(path+".new", data, 0o600)
			}
			if err == nil {
				err = os.Rename(path+".new", path)
			}
			if err != nil {
				panic(err)
			}
		})
	}
}

// runInside runs the program and writes its frames; those of less than a millisecond of the processor drew nothing.
func runInside(dir string) (status int) {
	file, err := os.Create(filepath.Join(dir, framesFile))
	if err != nil {
		panic(err)
	}
	defer file.Close()
	encoder := json.NewEncoder(file)
	go tellMemory(filepath.Join(dir, memoryFile))
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
