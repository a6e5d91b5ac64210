//go:build e2e

package main

import (
	"flag"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

var closings = flag.Int("closings", 2, "windows that are closed while the devices work")

// TestClosingWhileDevicesWork resizes and draws while the Latency page works on all devices and, in every second
// window, a training runs beside it, and then closes the window in the midst of that. Two copies of llvmpipe are in
// the process, the window's and the devices'; testdata/fences.c makes each of them slow where it freed fences too
// early, and ends the program when one does.
func TestClosingWhileDevicesWork(t *testing.T) {
	preload := filepath.Join(t.TempDir(), "fences.so")
	if out, err := exec.Command("cc", "-shared", "-fPIC", "-o", preload, "testdata/fences.c", "-ldl", "-lpthread").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := written(t)
	random := rand.New(rand.NewPCG(3, 4))
	number := func(from, to int) string { return strconv.Itoa(from + random.IntN(to-from)) }
	for n := range *closings {
		s := show(t, 1280, 800, []string{"LD_PRELOAD=" + preload}, "--appearance", "light", "--data-dir", dir)
		s.nth("samples", 1)
		s.xdotool("key", "ctrl+5", "sleep", "0.3", "key", "Return", "sleep", "1")
		if n%2 == 1 {
			s.xdotool("key", "ctrl+l")
			s.nth("training", 1)
		}
		for page := range 10 {
			s.xdotool("windowsize", s.window, number(900, 1390), number(600, 890), "key", "ctrl+"+strconv.Itoa(page%5+1),
				"sleep", "0.05", "key", "ctrl+1", "mousemove", number(60, 500), number(150, 450), "mousedown", "1", "mousemove", number(60, 500), number(150, 450),
				"sleep", "0.02", "windowsize", s.window, number(900, 1390), number(600, 890),
				"mousemove", number(60, 500), number(150, 450), "sleep", "0.02", "mouseup", "1", "sleep", "0.05")
		}
		if n%2 == 1 {
			if err := s.app.Process.Signal(unix.SIGTERM); err != nil {
				t.Fatal(err)
			}
		} else {
			s.xdotool("key", "ctrl+q")
		}
		select {
		case err := <-s.exited:
			if err != nil || strings.Contains(s.stderr.String(), "destroyed") {
				t.Fatalf("window %d ended with %v\n%s", n, err, s.stderr.String())
			}
		case <-time.After(patience):
			_ = s.app.Process.Signal(unix.SIGQUIT) // which prints what it is doing
			<-s.exited
			t.Fatalf("window %d did not close\n%s", n, s.stderr.String())
		}
	}
}
