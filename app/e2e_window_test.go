//go:build e2e

package main

import (
	"cmp"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"inkshade/app/state/device"
	"inkshade/app/ui/page"
	"inkshade/recognizer/ink"
)

// Places in the window of 1280 x 800: the paper, the square that is drawn into, and the
// answer.
var (
	paper       = image.Rect(40, 100, 790, 700)
	answerGlyph = image.Rect(840, 90, 960, 270)
)

const left, top, side = 255.0, 235.0, 320.0

// rounds is how often a measuring test repeats what it does.
func rounds() int {
	if r, err := strconv.Atoi(os.Getenv("INKSHADE_E2E_ROUNDS")); err == nil {
		return r
	}
	return 1
}

// TestDigitsDrawnWithThePointer draws every sample digit, reads the answer that was
// painted, and measures pen-up to answer. INKSHADE_E2E_ROUNDS repeats it.
func TestDigitsDrawnWithThePointer(t *testing.T) {
	s := show(t, 1280, 800, nil, "--appearance", "light")
	first := s.event("first frame", func(e page.Event) bool { return e.Event == "first-frame" })
	t.Logf("start to first frame: %.0f ms", first.Time-float64(s.started.UnixMicro())/1000)
	ready := s.event("ready", func(e page.Event) bool { return e.Event == "ready" })
	t.Logf("start to all devices ready: %.0f ms; %s answers %s", ready.Time-float64(s.started.UnixMicro())/1000, ready.Device, ready.Reason)
	if ready.Device != cmp.Or(os.Getenv("INKSHADE_E2E_ANSWERS"), string(device.GPU)) {
		t.Errorf("the %s answers: %s", ready.Device, ready.Reason)
	}

	var fromEvent, fromPointer []float64
	drawn, right, lifts := 0, 0, 0
	for range rounds() {
		for _, sample := range samples(t) {
			released := s.draw(sample.Ink, left, top, side)
			lifts += len(sample.Ink)
			up, answer := s.answered(lifts)
			fromEvent = append(fromEvent, answer.Time-up.Time)
			fromPointer = append(fromPointer, answer.Time-float64(released.UnixMicro())/1000)
			drawn++
			if answer.Label == sample.Label {
				right++
			} else {
				t.Logf("a %s was read as %s", sample.Label, answer.Label)
			}
			if drawn == 4 { // the sample of a three
				img := s.settled("draw")
				if n := count(img, answerGlyph, accent); n < 500 {
					t.Errorf("the answer's place on the screen has %d pixels of its colour", n)
				}
				if n := count(img, paper, dark); n < 3000 {
					t.Errorf("the paper has %d pixels of ink", n)
				}
			}
			s.xdotool("key", "Escape")
		}
	}
	t.Log(summarise("pen-up event to answer painted", fromEvent))
	t.Log(summarise("button released (before xdotool starts) to answer painted", fromPointer))
	if drawn-right > drawn/10 {
		t.Errorf("%d of %d drawings answered right", right, drawn)
	}
}

// TestKeysForReal presses the real keys and looks at the paper.
func TestKeysForReal(t *testing.T) {
	s := show(t, 1280, 800, nil, "--appearance", "light")
	k := samples(t)[7].Ink
	inked := func(what string, want bool) {
		t.Helper()
		deadline := time.Now().Add(patience)
		for {
			n := count(s.picture("keys"), paper, dark)
			if (n > 2000) == want {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("after %s the paper has %d pixels of ink", what, n)
			}
		}
	}
	s.draw(k, left, top, side)
	s.answered(len(k))
	inked("drawing", true)
	for range len(k) {
		s.xdotool("key", "ctrl+z")
	}
	inked("Ctrl+Z", false)
	for range len(k) {
		s.xdotool("key", "ctrl+shift+z")
	}
	inked("Ctrl+Shift+Z", true)
	s.xdotool("key", "Delete")
	inked("Delete", false)
	s.xdotool("key", "ctrl+z")
	inked("Ctrl+Z after Delete", true)
	for range len(k) + 1 {
		s.xdotool("key", "ctrl+z")
	}
	s.xdotool("mousemove", "300", "300", "keydown", "space", "mousemove", "380", "300", "sleep", "0.1",
		"mousemove", "460", "320", "sleep", "0.1", "mousemove", "420", "560", "sleep", "0.1", "keyup", "space")
	inked("a stroke with Space held", true)
	s.quit()
}

// TestGoesOnWithoutShaders gives the program an OpenGL and an OpenGL ES that are too old for shaders of its
// own, though good enough for the window.
func TestGoesOnWithoutShaders(t *testing.T) {
	s := show(t, 900, 600, []string{"MESA_GL_VERSION_OVERRIDE=2.1", "MESA_GLSL_VERSION_OVERRIDE=120", "MESA_GLES_VERSION_OVERRIDE=2.0"}, "--appearance", "dark")
	ready := s.event("ready", func(e page.Event) bool { return e.Event == "ready" })
	if ready.Device != string(device.CPU) || ready.Reason == "" {
		t.Errorf("ready: %+v", ready)
	}
	k := samples(t)[3]
	s.draw(k.Ink, 140, 210, 200)
	if _, answer := s.answered(len(k.Ink)); answer.Label != k.Label {
		t.Errorf("a %s was read as %s", k.Label, answer.Label)
	}
	s.settled("fallback")
}

// TestLookingInsideForReal opens the Models page, chooses the third model by a click and draws on its
// small paper: what its layers make of the drawing and which pixels spoke for the answer appear.
func TestLookingInsideForReal(t *testing.T) {
	s := show(t, 1280, 800, nil, "--appearance", "light")
	s.xdotool("key", "ctrl+4", "mousemove", "165", "410", "sleep", "1", "click", "1")
	blank := s.settled("inside-blank")
	s.draw(samples(t)[3].Ink, 375, 345, 125)
	time.Sleep(time.Second)
	drawn := s.settled("inside-drawn")
	for what, r := range map[string]image.Rectangle{
		"the paper": image.Rect(345, 315, 530, 500), "what spoke for the answer": image.Rect(345, 525, 530, 715),
		"the result of the layer": image.Rect(555, 530, 1000, 715), "the candidates": image.Rect(1095, 350, 1250, 750),
	} {
		changed := 0
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				if blank.At(x, y) != drawn.At(x, y) {
					changed++
				}
			}
		}
		if changed < 300 {
			t.Errorf("drawing changed %d pixels of %s", changed, what)
		}
	}
}

// imported fills a folder with drawings.
func imported(t *testing.T, all []ink.Labelled) (dir string) {
	t.Helper()
	dir = t.TempDir()
	file := filepath.Join(t.TempDir(), "mine.jsonl")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := ink.WriteJSONLines(f, all); err != nil {
		t.Fatal(err)
	}
	if _, stderr, status := runProgram(t, nil, "import", "--data-dir", dir, file); status != 0 {
		t.Fatalf("import ended with %d: %s", status, stderr)
	}
	return dir
}

// written fills a folder with drawings: each sample digit several times, upright and slanted, and
// houses, which no model knows.
func written(t *testing.T) (dir string) {
	t.Helper()
	all := append(samples(t), ink.Labelled{Label: "house", Ink: mark()})
	var slanted []ink.Labelled
	for i := range 6 {
		for _, s := range all {
			var k ink.Ink
			for _, stroke := range s.Ink {
				stroke = slices.Clone(stroke)
				for j := range stroke {
					stroke[j].X += float64(i-2) * stroke[j].Y / 12
				}
				k = append(k, stroke)
			}
			slanted = append(slanted, ink.Labelled{Label: s.Label, Ink: k})
		}
	}
	return imported(t, slanted)
}

// look is an appearance and a size of the window.
type look struct {
	appearance string
	size       image.Point
}

func (l look) String() string { return l.appearance + "-" + strconv.Itoa(l.size.X) }

// looks are each appearance and each size once, and all pairs of them where pictures are made to be looked at.
func looks() []look {
	large, small := image.Pt(1280, 800), image.Pt(900, 600)
	some := []look{{"light", large}, {"dark", small}}
	if os.Getenv("INKSHADE_PICTURES") != "" {
		some = append(some, look{"light", small}, look{"dark", large})
	}
	return some
}

// TestPicturesOfEveryLook keeps a screen of each page, after a training.
func TestPicturesOfEveryLook(t *testing.T) {
	three := slices.IndexFunc(samples(t), func(s ink.Labelled) bool { return s.Label == "3" })
	dir := written(t)
	for i, l := range looks() {
		t.Run(l.String(), func(t *testing.T) {
			s := show(t, l.size.X, l.size.Y, nil, "--appearance", l.appearance, "--data-dir", dir)
			s.nth("samples", 1)
			k := samples(t)[three]
			x, y, width := left, top, side
			if l.size.X == 900 {
				x, y, width = 140, 210, 200
			}
			if i == 0 {
				s.xdotool("key", "ctrl+l")
				if done := s.nth("trained", 1); done.Reason != "" {
					t.Fatalf("training: %s", done.Reason)
				}
				s.xdotool("key", "ctrl+1")
			}
			s.draw(k.Ink, x, y, width)
			if _, answer := s.answered(len(k.Ink)); answer.Label != k.Label {
				t.Errorf("a %s was read as %s", k.Label, answer.Label)
			}
			s.xdotool("mousemove", "5", strconv.Itoa(l.size.Y-3))
			for n, page := range []string{"draw", "samples", "train", "models", "latency"} {
				s.xdotool("key", "ctrl+"+strconv.Itoa(n+1))
				if b := s.settled(page + "-" + l.String()).Bounds(); b.Size() != l.size {
					t.Errorf("the picture is %v", b)
				}
			}
		})
	}
}
