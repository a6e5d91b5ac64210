package samples

import (
	"slices"
	"testing"
)

func TestDictation(t *testing.T) {
	d := newDictation([]string{"a", "b"}, 2)
	at := func(label string, round int) *slot {
		t.Helper()
		s := d.current()
		if s == nil || s.label != label || s.round != round {
			t.Fatalf("asked for %+v, want %s in round %d", s, label, round)
		}
		return s
	}
	at("a", 1)
	if got := d.upcoming(9); !slices.Equal(got, []string{"b", "a", "b"}) {
		t.Errorf("upcoming %v", got)
	}
	if d.back() != nil {
		t.Error("went back before the start")
	}
	first := d.take()
	first.id = 5
	at("b", 1)
	d.skip()
	at("a", 2)
	if d.back() != nil || len(d.written()) != 1 {
		t.Error("a skipped one has a drawing")
	}
	at("b", 1)
	if d.back() != first {
		t.Error("the drawing to be taken back is not the one before")
	}
	at("a", 1)
	for range 4 {
		d.take()
	}
	if n, all := d.at, len(d.slots); n != 4 || all != 4 || d.current() != nil || d.take() != nil {
		t.Errorf("at the end: %d of %d", n, all)
	}
	d.skip()
}
