//go:build e2e

package main

import (
	"image"
	"strconv"
	"strings"
	"testing"

	"inkshade/app/ui/page"
	"inkshade/recognizer/ink"
)

// linePlaces are what is pressed on the wide paper in a window of a size: where the ink goes and how large it is, the
// strip under it, the best candidate and the entry.
type linePlaces struct {
	left, top, side  float64
	strip            int
	candidate, entry image.Point
}

// linesAt are the places by the width of the window.
var linesAt = map[int]linePlaces{
	1280: {60, 168, 130, 445, image.Pt(620, 590), image.Pt(1170, 519)},
	900:  {40, 135, 90, 313, image.Pt(430, 428), image.Pt(830, 372)},
}

// number writes 2, 0, a mark that is no digit, and 6, and gives what was read and how often the pen was lifted.
func (s *screen) number(p linePlaces) (text string, lifts int) {
	s.t.Helper()
	inks := map[string]ink.Ink{"?": mark()}
	for _, sample := range samples(s.t) {
		inks[sample.Label] = sample.Ink
	}
	for i, what := range strings.Split("20?6", "") {
		s.draw(inks[what], p.left+float64(i)*p.side*1.15, p.top, p.side)
		lifts += len(inks[what])
	}
	_, answer := s.answered(lifts)
	return answer.Label, lifts
}

func (s *screen) click(at image.Point) {
	s.xdotool("mousemove", strconv.Itoa(at.X), strconv.Itoa(at.Y), "sleep", "0.1", "click", "1", "sleep", "0.1")
}

// TestLineForReal writes a number of four digits, corrects a wrong one by clicks, and copies the text.
func TestLineForReal(t *testing.T) {
	for _, l := range looks() {
		t.Run("corrected-"+l.String(), func(t *testing.T) {
			p := linesAt[l.size.X]
			s := show(t, l.size.X, l.size.Y, nil, "--appearance", l.appearance, "--model", "digits-mlp")
			s.nth("samples", 1)
			s.xdotool("key", "ctrl+t", "sleep", "0.5")
			text, _ := s.number(p)
			if len([]rune(text)) != 4 || text[:2] != "20" || text[3:] != "6" {
				t.Fatalf("20?6 was read as %q", text)
			}
			s.settled("written-" + l.String()) // the strip is where it stays
			s.click(image.Pt(int(p.left+2.8*p.side), p.strip))
			s.settled("chosen-" + l.String())
			s.click(p.candidate)
			saved := s.nth("saved", 1)
			want := "20" + saved.Label + "6"
			s.event("the corrected line "+want, func(e page.Event) bool { return e.Event == "answer" && e.Label == want })
			s.xdotool("mousemove", "5", strconv.Itoa(l.size.Y-3))
			s.settled("corrected-" + l.String())
			// What was copied can be pasted, here as a label.
			s.xdotool("key", "ctrl+c", "sleep", "0.2")
			s.click(p.entry)
			s.xdotool("key", "ctrl+v", "sleep", "0.2", "key", "Return")
			if e := s.nth("saved", 2); e.Label != want {
				t.Errorf("copied %q, the line is %q", e.Label, want)
			}
		})
	}
}
