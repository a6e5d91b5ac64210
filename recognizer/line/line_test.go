package line

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"inkshade/recognizer/ink"
)

// fake answers by a hash of the shape's outline, whatever its place and size, so that any segmentation may win.
func fake(_ context.Context, shapes []Shape) ([]Answer, error) {
	labels := []string{"o", "1", "H", "x", "-"}
	out := make([]Answer, len(shapes))
	for i, s := range shapes {
		x0, y0, x1, y1, _ := s.Ink.Bounds()
		seed := uint64(math.Round(100*(x1-x0)/(x1-x0+y1-y0+1e-9))) + uint64(1000*len(s.Ink))
		rng := rand.New(rand.NewPCG(seed, 7))
		sum := 0.0
		for _, l := range labels {
			p := rng.ExpFloat64()
			out[i].Candidates = append(out[i].Candidates, Candidate{l, p})
			sum += p
		}
		for j := range out[i].Candidates {
			out[i].Candidates[j].Probability /= sum
		}
		slices.SortFunc(out[i].Candidates, func(a, b Candidate) int {
			if a.Probability > b.Probability {
				return -1
			}
			return 1
		})
	}
	return out, nil
}

// scribble is a line of so many strokes by chance.
func scribble(seed uint64, strokes int) ink.Ink {
	rng := rand.New(rand.NewPCG(seed, 1))
	var k ink.Ink
	for i := range strokes {
		x, y := 6*float64(i), 8*rng.Float64()
		var s ink.Stroke
		for range 5 {
			s = append(s, ink.Point{X: x + 8*rng.Float64(), Y: y + 14*rng.Float64()})
		}
		k = append(k, s)
	}
	return k
}

// The search finds what trying all paths finds.
func TestSearchAgainstBruteForce(t *testing.T) {
	for _, language := range Languages {
		for seed := range uint64(20) {
			rows := cutInk(scribble(seed, 3), nil)
			for i := range rows {
				rows[i].group()
			}
			if _, err := answer(t.Context(), [][]row{rows}, nil, fake); err != nil {
				t.Fatal(err)
			}
			for i := range rows {
				r, m := &rows[i], language.model()
				got := r.search(shipped, m)
				best := math.Inf(-1)
				r.everyPath(0, nil, func(last *step, score float64) {
					best = max(best, score+shipped.terms[english]*last.end())
				}, m)
				if len(got) == 0 || math.Abs(got[0].score-best) > 1e-9 {
					t.Fatalf("%s, seed %d, %d pieces: the search's best path %v, the best of all %v", language, seed, len(r.pieces), got, best)
				}
			}
		}
	}
}

func (r *row) everyPath(from int, before *step, found func(*step, float64), m *model) {
	if from == len(r.pieces) {
		found(before, before.score)
		return
	}
	for i := range r.groups {
		g := &r.groups[i]
		if g.first != from {
			continue
		}
		for c := range g.choices {
			s := r.step(g, c, before)
			t := r.stepTerms(s, shipped, m)
			t.add(&g.terms)
			s.score = t.dot(&shipped.terms)
			if before != nil {
				s.score += before.score
			}
			s.word = m.add(s.inWord(), s.text())
			r.everyPath(g.end, s, found, m)
		}
	}
}

func TestPlaceAndSizeChangeNothing(t *testing.T) {
	for seed := range uint64(10) {
		k := scribble(seed, 6)
		want, err := Read(t.Context(), k, Options{}, fake)
		if err != nil {
			t.Fatal(err)
		}
		var moved ink.Ink
		for _, s := range k {
			s = slices.Clone(s)
			for i := range s {
				s[i].X, s[i].Y = 4*s[i].X-1024, 4*s[i].Y+512
			}
			moved = append(moved, s)
		}
		got, err := Read(t.Context(), moved, Options{}, fake)
		if err != nil {
			t.Fatal(err)
		}
		if got.Text != want.Text || math.Abs(got.Confidence-want.Confidence) > 1e-6 {
			t.Errorf("seed %d: %q %v, moved and scaled %q %v", seed, want.Text, want.Confidence, got.Text, got.Confidence)
		}
	}
}

func TestRowsAndSpaces(t *testing.T) {
	bar := func(x, y float64) ink.Stroke { return ink.Stroke{{X: x, Y: y}, {X: x + 1, Y: y + 10}} }
	one := func(_ context.Context, shapes []Shape) ([]Answer, error) {
		out := make([]Answer, len(shapes))
		for i, s := range shapes {
			p := 0.99
			if len(s.Ink) > 1 {
				p = 0.01
			}
			out[i].Candidates = []Candidate{{"1", p}}
			out[i].Unknown = len(s.Ink) > 1
		}
		return out, nil
	}
	k := ink.Ink{bar(5, 40), bar(0, 0), bar(40, 0), bar(5, 0), {{X: 9, Y: 50}}}
	got, err := Read(t.Context(), k, Options{}, one)
	if err != nil {
		t.Fatal(err)
	}
	if got.Text != "11 1\n11" {
		t.Errorf("read %q, want two lines with a space in the first", got.Text)
	}
	last := got.Characters[len(got.Characters)-1]
	if !slices.Equal(last.Parts, []Part{{4, 0, 0}}) || last.Line != 1 {
		t.Errorf("the dot of the second line is %+v", last)
	}
}

// A line without tall letters is one of its own, wherever it stands.
func TestRowsOfUnlikeHeight(t *testing.T) {
	stroke := func(x, y, height float64) piece {
		return piece{box: Box{MinX: x, MaxX: x + 4, MinY: y, MaxY: y + height}}
	}
	tall := func(y float64) []piece { return []piece{stroke(0, y, 20), stroke(8, y+10, 10), stroke(16, y, 20)} }
	low := func(y float64) []piece { return []piece{stroke(0, y, 10), stroke(8, y, 10)} }
	for name, c := range map[string]struct {
		strokes []piece
		want    int
	}{
		"below":               {slices.Concat(tall(0), low(28)), 2},
		"above":               {slices.Concat(low(0), tall(18)), 2},
		"a quotation mark":    {append(low(0), stroke(20, -8, 5)), 1},
		"a letter that hangs": {append(low(0), stroke(20, 4, 16)), 1},
	} {
		if got := len(intoRows(c.strokes)); got != c.want {
			t.Errorf("%s: %d lines, want %d", name, got, c.want)
		}
	}
}

func TestCacheAsksOnlyWhatChanged(t *testing.T) {
	cache, k := NewCache(), scribble(3, 6)
	for i, want := range []func(*Result) bool{
		func(r *Result) bool { return r.Asked == r.Hypotheses },
		func(r *Result) bool { return r.Asked == 0 },
		func(r *Result) bool { return 0 < r.Asked && r.Asked <= mostPieces*mostPieces },
	} {
		if i == 2 {
			k = append(k, ink.Stroke{{X: 60, Y: 0}, {X: 62, Y: 14}})
		}
		got, err := Read(t.Context(), k, Options{Cache: cache}, fake)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := Read(t.Context(), k, Options{}, fake)
		if err != nil {
			t.Fatal(err)
		}
		if !want(got) || got.Text != plain.Text {
			t.Errorf("reading %d asked %d of %d and read %q, without a cache %q", i, got.Asked, got.Hypotheses, got.Text, plain.Text)
		}
	}
}

func TestNothingToRead(t *testing.T) {
	if _, err := Read(t.Context(), ink.Ink{{}}, Options{}, fake); !errors.Is(err, ink.ErrEmpty) {
		t.Errorf("no point: %v", err)
	}
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if _, err := Read(ctx, scribble(1, 3), Options{}, fake); !errors.Is(err, cause) {
		t.Errorf("cancelled: %v", err)
	}
}

// Ink of no size, or hardly finite, is read or refused.
func TestOddInk(t *testing.T) {
	for i, k := range []ink.Ink{
		{{{X: 1, Y: 1}}},
		{{{X: 1, Y: 1}, {X: 1, Y: 1}}, {{X: 1, Y: 1}}},
		{{{X: 0, Y: 0}, {X: 9, Y: 0}}, {{X: 20, Y: 0}, {X: 29, Y: 0}}},
		{{{X: 0, Y: 0}, {X: 0, Y: 9}}, {{X: 0, Y: 20}, {X: 0, Y: 29}}},
		{{{X: 1e306, Y: 0}, {X: 2e306, Y: 1e300}}, {{X: -1e306, Y: 3e305}}},
		{{{X: 1e-300, Y: 0}, {X: 2e-300, Y: 1e-300}, {X: 3e-300, Y: 0}}},
		{{{X: math.NaN(), Y: 0}, {X: 1, Y: 2}}, {{X: math.Inf(1), Y: 3}}},
	} {
		got, err := Read(t.Context(), k, Options{Language: English}, fake)
		if err != nil || got.Text == "" || math.IsNaN(got.Confidence) {
			t.Errorf("ink %d: %+v, error %v", i, got, err)
		}
	}
	if got, err := Read(t.Context(), ink.Ink{{{X: -1.5e308}, {X: 1.5e308}}}, Options{}, fake); err == nil {
		t.Errorf("ink of infinite width is read as %q", got.Text)
	}
	letters := func(_ context.Context, shapes []Shape) ([]Answer, error) {
		out := make([]Answer, len(shapes))
		for i := range out {
			out[i].Candidates = []Candidate{{"a", 1}}
		}
		return out, nil
	}
	if got, err := Read(t.Context(), scribble(1, 3), Options{Language: Digits}, letters); err == nil {
		t.Errorf("a model without digits reads %q as digits", got.Text)
	}
}

func TestEnglishKnowsWords(t *testing.T) {
	m := English.model()
	spell := func(word string) float64 {
		sum, written := 0.0, (*ending)(nil)
		for _, c := range word {
			sum += m.likely(written, string(c))
			written = m.add(written, string(c))
		}
		return sum + written.end()
	}
	for _, pair := range [][2]string{{"house", "hovse"}, {"Letter", "Leller"}, {"nan", "nqn"}} {
		if good, bad := spell(pair[0]), spell(pair[1]); math.IsNaN(good) || good < bad+1 {
			t.Errorf("%v: %.2f and %.2f", pair, good, bad)
		}
	}
}

// distance is the edit distance.
func distance[T comparable](want, got []T) int {
	sum := 0
	for _, d := range Differences(want, got) {
		sum += d.Errors()
	}
	return sum
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"", "ab", 2}, {"kitten", "sitting", 3}, {"汉字", "汉子", 1}, {"mob", "rnob", 2}} {
		if got := distance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("%s: %d, want %d", fmt.Sprint(c.a, " ", c.b), got, c.want)
		}
	}
}

// What the search leaves out it must not hold: a page of it took more than a gigabyte.
func TestTheSearchHoldsNothingThatItLeftOut(t *testing.T) {
	steps := make([]*step, 100*beam)
	for i := range steps {
		steps[i] = &step{group: &group{}, score: float64(i)}
	}
	if kept := prune(steps); len(kept) != beam || cap(kept) > 2*beam {
		t.Errorf("%d of %d steps are kept, and %d held", len(kept), len(steps), cap(kept))
	}
}
