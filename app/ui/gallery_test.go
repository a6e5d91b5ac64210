package ui

import (
	"slices"
	"testing"

	"inkshade/recognizer/samples"
)

func TestGalleryShowsWhatIsAskedFor(t *testing.T) {
	all := []samples.Sample{
		{ID: 5, Label: "b", Session: "monday", HoldOut: true},
		{ID: 4, Label: "b", Answered: samples.Answer{Label: "6"}, Correction: true},
		{ID: 3, Label: "a", Writer: "Ada"},
		{ID: 2, Label: "A"},
		{ID: 1, Label: "a"},
	}
	g := newGallery()
	g.set(all, []samples.Class{{Label: "A", Samples: 1}, {Label: "a", Samples: 7}, {Label: "b", Samples: 2}})
	g.doubt([]samples.Suspicion{{Sample: all[4], Likely: "b"}, {Sample: samples.Sample{ID: 3, Label: "before"}}})
	for _, c := range []struct {
		q    query
		want []int64
	}{
		{query{}, []int64{5, 4, 3, 2, 1}},
		{query{label: "a"}, []int64{3, 1}},
		{query{text: "ADA"}, []int64{3}},
		{query{text: "mon"}, []int64{5}},
		{query{text: "6"}, []int64{4}},
		{query{kind: corrected}, []int64{4}},
		{query{kind: heldOut}, []int64{5}},
		{query{kind: suspicious}, []int64{1}}, // the doubt about 3 was about another label
		{query{label: "b", text: "zzz"}, nil},
	} {
		g.ask(c.q)
		if !slices.Equal(g.order, c.want) {
			t.Errorf("%+v shows %v, want %v", c.q, g.order, c.want)
		}
	}
	if got := g.thinClasses(); !slices.Equal(got, []string{"A", "b"}) {
		t.Errorf("thin: %v", got)
	}
	g.ask(query{label: "b", kind: heldOut, text: "x"})
	if f, whole := g.filter(); !whole || f.Label != "b" || f.Part != samples.HeldOut || f.Text != "x" {
		t.Errorf("filter %+v", f)
	}
	g.ask(query{kind: suspicious})
	if _, whole := g.filter(); whole {
		t.Error("the store was said to know suspicions")
	}
	// A class that is gone is not asked for any more, a sample that is gone not selected.
	g.ask(query{label: "A"})
	g.selected.all(g.order)
	g.set(all[:2], []samples.Class{{Label: "b", Samples: 2}})
	if g.query.label != "" || len(g.shown) != 2 || len(g.chosen()) != 0 {
		t.Errorf("after the class is gone: %+v shows %v", g.query, g.order)
	}
}
