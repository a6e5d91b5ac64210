//go:build e2e

// The window for real: the built program under Xvfb, a pointer moved by xdotool, and what
// stands on the screen. `make e2e` runs it.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"inkshade/app/ui/page"
	"inkshade/assets"
	"inkshade/recognizer/ink"
)

// patience is how long the window may take for anything; a loaded machine is slow.
const patience = 30 * time.Second

// screen is the program on the X server of these tests.
type screen struct {
	t       *testing.T
	display string
	trace   string
	window  string
	app     *exec.Cmd
	stderr  bytes.Buffer
	exited  chan error
	started time.Time
}

func program(t *testing.T) string {
	t.Helper()
	path := os.Getenv("INKSHADE_BINARY")
	if path == "" {
		path = filepath.Join("..", "inkshade")
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("the program is not built: %v; run make build first", err)
	}
	return path
}

// show starts the program and waits until the devices are ready.
func show(t *testing.T, width, height int, env []string, args ...string) *screen {
	t.Helper()
	s := &screen{t: t, display: server(t), trace: filepath.Join(t.TempDir(), "trace.jsonl"), exited: make(chan error, 1)}
	s.app = exec.Command(program(t), append([]string{"--trace", s.trace}, args...)...)
	s.app.Env = append(os.Environ(), "DISPLAY="+s.display, "LANG=en_GB.UTF-8", "XDG_CONFIG_HOME="+t.TempDir(), "INKSHADE_DATA_DIR="+t.TempDir(), "INKSHADE_DEBUG=1") // the toolkit checks who touches widgets
	s.app.Env = append(s.app.Env, env...)
	s.app.Stderr = &s.stderr
	s.started = time.Now()
	if err := s.app.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		s.exited <- s.app.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = s.app.Process.Kill()
		<-ended
		if strings.Contains(s.stderr.String(), "Error in Fyne call thread") {
			t.Errorf("a widget was touched from the wrong goroutine:\n%s", s.stderr.String())
		}
	})
	s.event("first frame", func(e page.Event) bool { return e.Event == "first-frame" })
	s.event("devices ready", func(e page.Event) bool { return e.Event == "ready" })
	s.find(width, height)
	s.xdotool("windowmove", s.window, "0", "0", "windowfocus", s.window)
	return s
}

// find looks for the window and asks for a size until it has it: as the window starts it may set its own.
func (s *screen) find(width, height int) {
	s.t.Helper()
	w, h := strconv.Itoa(width), strconv.Itoa(height)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		found, _ := s.command("xdotool", "search", "--onlyvisible", "--name", "^Inkshade").Output() // fails as long as there is none
		if ids := strings.Fields(string(found)); len(ids) > 0 {
			s.window = ids[0]
			s.xdotool("windowsize", s.window, w, h, "sleep", "0.05")
			if strings.Contains(s.xdotool("getwindowgeometry", s.window), w+"x"+h) {
				return
			}
		}
	}
	s.t.Fatalf("no window of %s x %s is seen", w, h)
}

func (s *screen) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), "DISPLAY="+s.display)
	return c
}

func (s *screen) xdotool(args ...string) string {
	s.t.Helper()
	out, err := s.command("xdotool", args...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("xdotool %s: %v\n%s\nthe program said:\n%s", strings.Join(args, " "), err, out, s.stderr.String())
	}
	return string(out)
}

func (s *screen) events() []page.Event {
	data, err := os.ReadFile(s.trace)
	if err != nil {
		return nil
	}
	var all []page.Event
	for line := range bytes.Lines(data) {
		var e page.Event
		if json.Unmarshal(line, &e) == nil {
			all = append(all, e)
		}
	}
	return all
}

// event waits for the first event that ok accepts.
func (s *screen) event(what string, ok func(page.Event) bool) page.Event {
	s.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if i := slices.IndexFunc(s.events(), ok); i >= 0 {
			return s.events()[i]
		}
		select {
		case err := <-s.exited:
			s.t.Fatalf("the program ended while waiting for %s: %v\n%s", what, err, s.stderr.String())
		default:
		}
	}
	s.t.Fatalf("waited in vain for %s; trace: %v\n%s", what, s.events(), s.stderr.String())
	return page.Event{}
}

// picture takes the screen and keeps it as a file.
func (s *screen) picture(name string) image.Image {
	s.t.Helper()
	img, path := s.take(name)
	s.t.Logf("screen kept in %s", path)
	return img
}

// settled is picture once the screen has been the same for a moment, or two seconds are over.
func (s *screen) settled(name string) image.Image {
	s.t.Helper()
	img, path := s.take(name)
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
		before := img
		time.Sleep(250 * time.Millisecond)
		if img, _ = s.take(name); reflect.DeepEqual(img, before) {
			break
		}
	}
	s.t.Logf("screen kept in %s", path)
	return img
}

func (s *screen) take(name string) (img image.Image, path string) {
	s.t.Helper()
	dir := os.Getenv("INKSHADE_PICTURES")
	if dir == "" {
		dir = filepath.Join("..", ".build", "e2e")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		s.t.Fatal(err)
	}
	path = filepath.Join(dir, name+".png")
	if out, err := s.command("import", "-window", s.window, "-strip", path).CombinedOutput(); err != nil {
		s.t.Fatalf("import: %v\n%s", err, out)
	}
	f, err := os.Open(path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	if img, err = png.Decode(f); err != nil {
		s.t.Fatal(err)
	}
	return img, path
}

// draw writes k with the pointer into the square at x, y, and gives the time just before
// the button is released for the last time.
func (s *screen) draw(k ink.Ink, x, y, side float64) time.Time {
	s.t.Helper()
	minX, minY, maxX, maxY, _ := k.Bounds()
	scale := side / max(maxX-minX, maxY-minY)
	at := func(p ink.Point) (string, string) {
		px := x + side/2 + (p.X-(minX+maxX)/2)*scale
		py := y + side/2 + (p.Y-(minY+maxY)/2)*scale
		return strconv.Itoa(int(px)), strconv.Itoa(int(py))
	}
	// Windows keeps only the last place of a pointer that moves faster than a program looks.
	pause := os.Getenv("INKSHADE_E2E_PAUSE")
	if pause == "" {
		pause = "0.004"
	}
	var lifted time.Time
	for _, stroke := range k {
		px, py := at(stroke[0])
		args := []string{"mousemove", px, py, "mousedown", "1"}
		for _, p := range stroke[1:] {
			px, py := at(p)
			args = append(args, "mousemove", px, py, "sleep", pause)
		}
		s.xdotool(args...)
		lifted = time.Now()
		s.xdotool("mouseup", "1")
	}
	return lifted
}

// answered waits for the answer to the drawing finished last, after the given number of
// pen lifts, and gives it with its pen-up.
func (s *screen) answered(lifts int) (up, answer page.Event) {
	s.t.Helper()
	seen := 0
	up = s.event("pen-up", func(e page.Event) bool {
		if e.Event == "start" {
			seen = 0
		}
		if e.Event == "pen-up" {
			seen++
		}
		return seen == lifts
	})
	answer = s.event("answer", func(e page.Event) bool { return e.Event == "answer" && e.Drawing >= up.Drawing })
	return up, answer
}

func samples(t *testing.T) []ink.Labelled {
	t.Helper()
	all, err := ink.Read(bytes.NewReader(assets.SampleInk()))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// count counts pixels inside r that ok accepts.
func count(img image.Image, r image.Rectangle, ok func(red, green, blue uint8) bool) int {
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			red, green, blue, _ := img.At(x, y).RGBA()
			if ok(uint8(red>>8), uint8(green>>8), uint8(blue>>8)) {
				n++
			}
		}
	}
	return n
}

func dark(r, g, b uint8) bool   { return r < 60 && g < 60 && b < 80 }
func accent(r, g, b uint8) bool { return r < 100 && g < 120 && b > 170 }

func quantile(sorted []float64, q float64) float64 {
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

func summarise(what string, ms []float64) string {
	slices.Sort(ms)
	return fmt.Sprintf("%s: median %.1f ms, 95th percentile %.1f ms, worst %.1f ms (%d times)",
		what, quantile(ms, 0.5), quantile(ms, 0.95), ms[len(ms)-1], len(ms))
}
