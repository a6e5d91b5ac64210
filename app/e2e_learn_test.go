//go:build e2e

package main

import (
	"strconv"
	"testing"

	"inkshade/app/ui/page"
	"inkshade/recognizer/ink"
	history "inkshade/recognizer/samples"
)

// mark is a drawing that no digit looks like: a house without a door, in one stroke.
func mark() ink.Ink {
	corners := []ink.Point{{X: 20, Y: 100}, {X: 20, Y: 50}, {X: 60, Y: 10}, {X: 100, Y: 50}, {X: 100, Y: 100}, {X: 20, Y: 100}}
	var s ink.Stroke
	for i, to := range corners[1:] {
		from := corners[i]
		for n := range 12 {
			share := float64(n) / 12
			s = append(s, ink.Point{X: from.X + (to.X-from.X)*share, Y: from.Y + (to.Y-from.Y)*share})
		}
	}
	return ink.Ink{append(s, corners[len(corners)-1])}
}

// nth waits until so many events of a kind have come, and gives the last of them.
func (s *screen) nth(kind string, n int) page.Event {
	s.t.Helper()
	seen := 0
	return s.event(strconv.Itoa(n)+" x "+kind, func(e page.Event) bool {
		if e.Event == "start" { // each look at the trace goes through it from its beginning
			seen = 0
		}
		if e.Event == kind {
			seen++
		}
		return e.Event == kind && seen == n
	})
}

// TestLearningForReal draws, corrects, draws again, trains, takes that back and starts
// again; what was learned and what was taken back is still so.
func TestLearningForReal(t *testing.T) {
	dir := t.TempDir()
	s := show(t, 1280, 800, nil, "--appearance", "light", "--data-dir", dir)
	s.nth("samples", 1)
	lifts := 0
	draw := func(k ink.Ink) string {
		s.draw(k, left, top, side)
		lifts += len(k)
		_, answer := s.answered(lifts)
		return answer.Label
	}
	saved := 0
	say := func(label string) {
		t.Helper()
		s.xdotool("type", label)
		if saved == 0 {
			s.settled("learning-2")
		}
		s.xdotool("key", "Return")
		saved++
		if e := s.nth("saved", saved); e.Label != label {
			t.Fatalf("saved as %q, typed %s", e.Label, label)
		}
	}

	const right = "house"
	wrong := draw(mark())
	s.settled("learning-1")
	say(right)
	if got := draw(mark()); got != right {
		t.Fatalf("a house was read as %s, corrected to %s, and is now read as %s", wrong, right, got)
	}
	s.settled("learning-3")
	for _, sample := range samples(t) {
		draw(sample.Ink)
		say(sample.Label)
	}

	s.xdotool("key", "ctrl+l")
	done := s.nth("trained", 1)
	if done.Reason != "" {
		t.Fatalf("training: %s", done.Reason)
	}
	if e := s.nth("in-force", 1); e.Label != done.Label {
		t.Errorf("model %s was trained, model %s is in force", done.Label, e.Label)
	}
	s.settled("learned")
	s.xdotool("key", "ctrl+1")
	if got := draw(mark()); got != right {
		t.Errorf("after training a house is read as %s", got)
	}
	s.xdotool("key", "ctrl+b")
	if e := s.nth("in-force", 2); e.Label != "0" {
		t.Errorf("after taking back model %s is in force, want the shipped one", e.Label)
	}
	s.quit()

	s = show(t, 1280, 800, nil, "--appearance", "light", "--data-dir", dir)
	s.nth("samples", 1)
	lifts = 0
	if got := draw(mark()); got != right {
		t.Errorf("after a restart a house is read as %s", got)
	}
	s.xdotool("key", "ctrl+3")
	s.settled("learned-restarted")
	store, err := history.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if all, err := store.List(history.Filter{}); err != nil || len(all) != saved {
		t.Errorf("%d samples are there (%v), %d were saved", len(all), err, saved)
	}
	models, err := store.Models("")
	if err != nil || len(models) != 1 || models[0].Active {
		t.Errorf("the history holds %+v, %v; want one model that is not in force", models, err)
	}
}
