package samples

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"inkshade/app/ui/widget"
	"inkshade/glcompute/clock"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/mislabelled"
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
	g.compared([]mislabelled.Suspicion{{Sample: all[4], Likely: "b"}, {Sample: samples.Sample{ID: 3, Label: "before"}}}, map[int64]int{1: 0, 4: 1, 3: 2})
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
		if !slices.Equal(order(g), c.want) {
			t.Errorf("%+v shows %v, want %v", c.q, order(g), c.want)
		}
	}
	g.ask(query{writer: "Ada"})
	if f, _ := g.filter(); !slices.Equal(order(g), []int64{3}) || f.Writer != "Ada" {
		t.Errorf("of a writer: %v, %+v", order(g), f)
	}
	g.alike = true
	for _, c := range []struct {
		q    query
		want []int64
	}{{query{}, []int64{1, 4, 3, 5, 2}}, {query{label: "a"}, []int64{1, 3}}} {
		g.ask(c.q)
		if !slices.Equal(order(g), c.want) || g.shown[0].ID != c.want[0] {
			t.Errorf("%+v shows %v side by side, want %v", c.q, order(g), c.want)
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
	g.selectAll()
	g.set(all[:2], []samples.Class{{Label: "b", Samples: 2}})
	if g.query.label != "" || len(g.shown) != 2 || len(g.chosen()) != 0 {
		t.Errorf("after the class is gone: %+v shows %v", g.query, order(g))
	}
}

// A long text that is pasted into the search finds nothing, at once.
func TestALongTextIsSearchedFor(t *testing.T) {
	g := newGallery()
	g.all = make([]samples.Sample, mostShown)
	begin := clock.Now()
	g.ask(query{text: strings.Repeat("A", 1<<20)})
	if took := clock.Since(begin); len(g.shown) > 0 || took > 2*time.Second {
		t.Errorf("finds %d after %v", len(g.shown), took)
	}
}

// Lines are one class, however many texts they have, and are no characters.
func TestLinesAreOneClass(t *testing.T) {
	all := []samples.Sample{{ID: 4, Label: "hello", Context: true}, {ID: 3, Label: "a b", Context: true}, {ID: 2, Label: "hello"}, {ID: 1, Label: "a", Context: true}}
	g := newGallery()
	g.set(all, []samples.Class{{Label: "a", Samples: 1}, {Label: "a b", Samples: 1}, {Label: "hello", Samples: 2}})
	if want := []samples.Class{{Label: "a", Samples: 1}, {Label: "hello", Samples: 1}, {Label: ofLines, Samples: 2}}; !slices.Equal(g.classes, want) {
		t.Errorf("classes %v", g.classes)
	}
	if thin := g.thinClasses(); slices.Contains(thin, ofLines) {
		t.Errorf("thin: %q", thin)
	}
	for label, want := range map[string][]int64{ofLines: {4, 3}, "hello": {2}, "a": {1}, "": {4, 3, 2, 1}} {
		if g.ask(query{label: label}); !slices.Equal(order(g), want) {
			t.Errorf("%q shows %v", label, order(g))
		}
		if f, whole := g.filter(); label == ofLines && (whole || f.Label != "") {
			t.Errorf("the store is asked for %+v", f)
		}
	}
}

// What was written together is shown on one scale: a small letter is smaller than its capital, and a point still seen.
func TestSizesAreSeenInTheGallery(t *testing.T) {
	bar := func(id int64, session string, length float64) samples.Sample {
		return samples.Sample{ID: id, Session: session, Ink: ink.Ink{{{X: 7, Y: 0}, {X: 7, Y: length}}}}
	}
	all := []samples.Sample{bar(1, "monday", 400), bar(2, "monday", 200), bar(3, "monday", 4), bar(4, "import", 9000), bar(5, "import", 9000)}
	g := newGallery()
	g.set(all, nil)
	open(t) // for its theme
	var heights []int
	for i := range all {
		v := widget.NewInkView(100)
		v.SetBeside(all[i].Ink, all[i].ID, g.wholes[together(&all[i])])
		img, box := v.Paint(100, 100), image.Rectangle{}
		for y := range 100 {
			for x := range 100 {
				if _, _, _, a := img.At(x, y).RGBA(); a > 0x8000 {
					box = box.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		heights = append(heights, box.Dy())
	}
	whole := heights[0]
	if heights[3] != whole || heights[4] != whole || whole < 70 {
		t.Errorf("what fills the paper is %v high", heights)
	}
	if half, least := heights[1], heights[2]; half < whole*2/5 || half > whole*3/5 || least < whole/5 || least > half {
		t.Errorf("of %d, half of it and a hundredth are %d and %d high", whole, half, least)
	}
}

// order are the samples that are shown.
func order(g *gallery) (ids []int64) {
	for _, s := range g.shown {
		ids = append(ids, s.ID)
	}
	return ids
}

func TestSelectionByPointerAndKeys(t *testing.T) {
	s := newGallery()
	for id := int64(10); id < 16; id++ {
		s.all = append(s.all, samples.Sample{ID: id})
	}
	s.apply()
	want := func(what string, ids ...int64) {
		t.Helper()
		var got []int64
		for _, x := range s.chosen() {
			got = append(got, x.ID)
		}
		if !slices.Equal(got, ids) {
			t.Errorf("%s: %v, want %v", what, got, ids)
		}
	}
	s.click(2, false, false)
	want("click", 12)
	s.click(4, false, true)
	want("Shift extends", 12, 13, 14)
	s.click(1, false, true)
	want("Shift extends from the same place", 11, 12)
	s.click(5, true, false)
	want("Ctrl adds", 11, 12, 15)
	s.click(11-10, true, false)
	want("Ctrl takes away", 12, 15)
	s.click(3, true, true)
	want("Ctrl and Shift add a span", 11, 12, 13, 15)
	s.click(9, false, false)
	want("a click beside", 11, 12, 13, 15)
	s.selectAll()
	want("all", order(s)...)
	s.selectNone()
	s.move(1, false)
	want("the first key shows the place", 13)
	s.move(1, false)
	want("a step", 14)
	s.move(9, true)
	want("far, extending", 14, 15)
	s.move(-99, false)
	want("home", 10)
	s.all = s.all[1:3]
	s.apply()
	if len(s.selected) != 0 || s.cursor > 1 {
		t.Errorf("after the sample is gone: %+v", s)
	}
	s.all = nil
	s.apply()
	s.move(1, false)
}

// Of a class of pupils each has results: how many samples, and how many answers were wrong.
func TestResultsByWriter(t *testing.T) {
	answered := samples.Answer{Label: "6"}
	g := newGallery()
	g.set([]samples.Sample{
		{ID: 1, Label: "6", Writer: "Bo", Answered: answered},
		{ID: 2, Label: "b", Writer: "Bo", Answered: answered, Correction: true},
		{ID: 3, Label: "a", Writer: "Ada"},
		{ID: 4, Label: "a", Answered: answered, Correction: true},
		{ID: 5, Label: "ab", Context: true, Writer: "Émile"},
		{ID: 6, Label: "a", Writer: "Zoë"},
		{ID: 7, Label: "a", Writer: "pupil"},
	}, []samples.Class{{Label: "6", Samples: 1}, {Label: "a", Samples: 4}, {Label: "ab", Samples: 1}, {Label: "b", Samples: 1}})
	want := []string{"Ada: 1 sample", "Bo: 2 samples, 1 of 2 answers wrong", "Émile: 1 sample", "pupil: 1 sample", "Zoë: 1 sample"}
	var got []string
	for _, r := range g.writers() {
		got = append(got, r.words())
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	// The classes are counted for a writer who is chosen, where all samples are in memory.
	for writer, want := range map[string]string{"": "6:1 a:4 b:1 \n:1 ", "Bo": "6:1 a:0 b:1 \n:0 ", "Émile": "6:0 a:0 b:0 \n:1 "} {
		g.ask(query{writer: writer})
		counts := ""
		for _, c := range g.counts {
			counts += fmt.Sprintf("%s:%d ", c.Label, c.Samples)
		}
		if counts != want {
			t.Errorf("of %q there are %q, want %q", writer, counts, want)
		}
	}
	g.ask(query{writer: "Bo"})
	g.set(g.all[2:], g.classes)
	if g.query.writer != "" || len(g.shown) != 5 {
		t.Errorf("of a writer who is gone %v is shown", order(g))
	}
}
