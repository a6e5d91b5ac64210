package personal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"inkshade/recognizer/nn/nntest"

	"github.com/google/go-cmp/cmp"

	"inkshade/recognizer"
	"inkshade/recognizer/dataset/datatest"
	"inkshade/recognizer/embedding"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

// sure is an answer of a network that has no doubt.
func sure(t *testing.T, label string, k ink.Ink) recognizer.Answer {
	t.Helper()
	image, err := ink.Rasterize(k)
	if err != nil {
		t.Fatal(err)
	}
	a := recognizer.Answer{Image: image, Candidates: []recognizer.Candidate{{Label: label, Probability: 1}}}
	for _, l := range known {
		if l != label {
			a.Candidates = append(a.Candidates, recognizer.Candidate{Label: l})
		}
	}
	return a
}

// adjusted is the answer to one drawing.
func adjusted(m *Memory, a recognizer.Answer, k ink.Ink, allowed func(string) bool) recognizer.Answer {
	return m.Adjust([]recognizer.Answer{a}, []ink.Ink{k}, allowed)[0]
}

func add(t testing.TB, m *Memory, samples ...Sample) {
	t.Helper()
	if err := m.Add(t.Context(), samples...); err != nil {
		t.Fatal(err)
	}
}

// One correction must overrule the surest network, for the same drawing and for one like it.
func TestOneCorrection(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	drawing := datatest.Draw("strange L", rng)
	m := NewMemory()
	add(t, m, Sample{ID: 7, Label: "L", Ink: drawing})
	for i := range 10 {
		a := sure(t, "V", drawing)
		before := slices.Clone(a.Candidates)
		got := adjusted(m, a, drawing, nil)
		if got.Candidates[0].Label != "L" {
			t.Errorf("drawing %d: %v", i, got.Candidates)
		}
		if !slices.Equal(a.Candidates, before) {
			t.Fatal("the network's answer was changed in place")
		}
		sum := 0.0
		for _, c := range got.Candidates {
			sum += c.Probability
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("probabilities add up to %g", sum)
		}
		for s := range drawing {
			for p := range drawing[s] {
				drawing[s][p].X += rng.NormFloat64() * 0.2
			}
		}
	}
}

// An answer that the person confirmed is as sure as it was.
func TestAConfirmedAnswerStaysSure(t *testing.T) {
	drawing := datatest.Draw("strange L", rand.New(rand.NewPCG(1, 1)))
	m := NewMemory()
	add(t, m, Sample{ID: 7, Label: "V", Ink: drawing})
	a := sure(t, "V", drawing)
	a.Candidates[0].Probability, a.Candidates[1].Probability = 0.995, 0.005
	got, sum := adjusted(m, a, drawing, nil).Candidates, 0.0
	for _, c := range got {
		sum += c.Probability
	}
	if got[0].Label != "V" || got[0].Probability < 0.995 || math.Abs(sum-1) > 1e-12 {
		t.Errorf("%v, which add up to %g", got, sum)
	}
}

// A correction must win against drawings just as near that were remembered before it, and
// lose to what is remembered after it and to what is clearly nearer.
func TestLastCorrectionWins(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	drawing := datatest.Draw("O", rng)
	nearby := func() ink.Ink {
		k := make(ink.Ink, len(drawing))
		for s := range k {
			k[s] = slices.Clone(drawing[s])
			for p := range k[s] {
				k[s][p].X += rng.NormFloat64() * 0.3
				k[s][p].Y += rng.NormFloat64() * 0.3
			}
		}
		return k
	}
	first := func(m *Memory, k ink.Ink) string { return adjusted(m, sure(t, "O", k), k, nil).Candidates[0].Label }
	m := NewMemory()
	for i := range 6 {
		add(t, m, Sample{ID: int64(i), Label: "O", Ink: drawing}, Sample{ID: int64(10 + i), Label: "O", Ink: nearby()})
	}
	add(t, m, Sample{ID: 20, Label: "Z", Ink: drawing})
	if got := first(m, drawing); got != "O" {
		t.Errorf("one sample against twelve: %s", got)
	}
	add(t, m, Sample{ID: 20, Label: "Z", Ink: drawing, Correction: true})
	if got := first(m, drawing); got != "Z" {
		t.Errorf("the drawing that was corrected: %s", got)
	}
	for range 20 {
		if got := first(m, nearby()); got != "Z" {
			t.Errorf("like the drawing that was corrected: %s", got)
		}
	}
	narrow := nearby()
	for s := range narrow {
		for p := range narrow[s] {
			narrow[s][p].X *= 0.6
		}
	}
	if got := first(m, narrow); got != "O" {
		t.Errorf("a narrower O of this writer: %s", got)
	}
	add(t, m, Sample{ID: 21, Label: "O", Ink: drawing, Correction: true})
	if got := first(m, drawing); got != "O" {
		t.Errorf("corrected back: %s", got)
	}
	m.Remove(21)
	if got := first(m, drawing); got != "Z" {
		t.Errorf("with the correction back taken away: %s", got)
	}
}

// What is like nothing remembered must be answered as without memory.
func TestFarDrawingsAreLeftAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	m := NewMemory()
	add(t, m, Sample{ID: 1, Label: "★", Ink: datatest.Draw("★", rng)})
	k := datatest.Draw("L", rng)
	a := sure(t, "L", k)
	a.Unknown = true
	if got := adjusted(m, a, k, nil); !cmp.Equal(got, a) {
		t.Errorf("got unknown %t, %v", got.Unknown, got.Candidates)
	}
}

// Thousands of classes of which nothing is remembered do not make a new one unlikely that is.
func TestNewAmongThousands(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	m := NewMemory()
	for id := range int64(5) {
		add(t, m, Sample{ID: id + 1, Label: "new", Ink: datatest.Draw("strange L", rng)})
	}
	drawing := datatest.Draw("strange L", rng)
	a := sure(t, "V", drawing)
	for i := range 3700 {
		a.Candidates = append(a.Candidates, recognizer.Candidate{Label: fmt.Sprint("class ", i)})
	}
	got := adjusted(m, a, drawing, nil).Candidates
	if got[0].Label != "new" || got[0].Probability < 0.3 || len(got) != len(a.Candidates)+1 {
		t.Errorf("of %d candidates the first are %v", len(got), got[:3])
	}
	// Those for which nothing speaks stay in the network's order.
	if n := len(got) - 1; got[n-1].Label != "class 3698" || got[n].Label != "class 3699" {
		t.Errorf("the last candidates are %v", got[n-1:])
	}
}

// A label that no model knows must be a class at once, as far as the classes allow it.
func TestNewClass(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	r, err := recognizer.New(baseModel(t, nn.MNIST28), nntest.CPU(t))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	m := NewMemory()
	r.SetMemory(m)
	if err := r.SetClasses([]string{"★"}); err == nil {
		t.Error("a class was allowed that nobody knows")
	}
	for i := range 3 {
		add(t, m, Sample{ID: int64(i), Label: "★", Ink: datatest.Draw("★", rng)})
	}
	answer := func() recognizer.Answer {
		a, err := r.Recognize(datatest.Draw("★", rng))
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := answer(); a.Candidates[0].Label != "★" || a.Unknown {
		t.Errorf("unknown %t, %v", a.Unknown, a.Candidates)
	}
	for _, classes := range [][]string{{"O", "V"}, {"★"}, {"V", "★"}} {
		if err := r.SetClasses(classes); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range answer().Candidates {
			got = append(got, c.Label)
		}
		slices.Sort(got)
		if !slices.Equal(got, classes) {
			t.Errorf("classes %q: candidates %q", classes, got)
		}
	}
	r.SetMemory(nil)
	if a := answer(); slices.ContainsFunc(a.Candidates, func(c recognizer.Candidate) bool { return c.Label == "★" }) {
		t.Error("a memory that was taken away still answers")
	}
}

// In a line the memory answers what the model has or what no model that ships has; what was taught beside another one only where it was chosen.
func TestLinesLeaveOutOtherModels(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	r, err := recognizer.New(baseModel(t, nn.MNIST28), nntest.CPU(t))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	drawing := datatest.Draw("★", rng)
	for label, inLine := range map[string]bool{"★": true, "O": true, "a": true, "/": true, "早": false, `\alpha`: false} {
		m := NewMemory()
		add(t, m, Sample{ID: 1, Label: label, Ink: drawing, Correction: true})
		r.SetMemory(m)
		read := func() string {
			lines, err := r.ReadLines(t.Context(), []ink.Ink{drawing}, line.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return lines[0].Text
		}
		if got := read(); (got == label) != inLine {
			t.Errorf("taught %s, a line is read as %s", label, got)
		}
		if a, err := r.Recognize(drawing); err != nil || a.Candidates[0].Label != label {
			t.Errorf("taught %s, alone it is %+v, %v", label, a.Candidates, err)
		}
		if err := r.SetClasses([]string{label}); err != nil || read() != label {
			t.Errorf("%s was chosen and is not read: %v", label, err)
		}
		if err := r.SetClasses(nil); err != nil {
			t.Fatal(err)
		}
	}
}

// A symbol of which another hand has drawn one is known, unless the drawing is like what the network knows; and a class that was
// added to the network is as new as before.
func TestOneDrawingTeachesASymbol(t *testing.T) {
	m := NewMemory()
	add(t, m, Sample{ID: 1, Label: "arrow", Ink: ink.Ink{{{X: 0, Y: 50}, {X: 100, Y: 50}}, {{X: 70, Y: 20}, {X: 100, Y: 50}, {X: 70, Y: 80}}}})
	other := ink.Ink{{{X: 62, Y: 31}, {X: 90, Y: 46}, {X: 60, Y: 75}}, {{X: 88, Y: 48}, {X: 50, Y: 44}, {X: 3, Y: 47}}}
	known := datatest.Draw("T", rand.New(rand.NewPCG(2, 2)))
	for _, c := range []struct {
		drawing     ink.Ink
		strangeness float64
		added       []string
		want        string
	}{{other, 1.2, nil, "arrow"}, {known, 0.3, nil, "T"}, {other, 1.2, []string{"V", "arrow"}, "arrow"}, {other, 1.2, []string{"V"}, "T"}} {
		a := sure(t, "T", c.drawing)
		a.Unknown, a.Strangeness, a.Added = true, c.strangeness, c.added
		if c.added != nil {
			a.Candidates = append(a.Candidates, recognizer.Candidate{Label: "arrow"})
		}
		if got := adjusted(m, a, c.drawing, nil); got.Candidates[0].Label != c.want || got.Unknown != (c.want == "T") {
			t.Errorf("strangeness %g, added %q: unknown %t, %v", c.strangeness, c.added, got.Unknown, got.Candidates)
		}
	}
}

// Two symbols that are alike must be met more closely than one that stands apart, and as one or two nothing is changed.
func TestCrowding(t *testing.T) {
	at := func(x ...float32) asSymbol { return asSymbol{at: x} }
	two := crowding(map[string]asSymbol{"a": at(1, 0), "b": at(0, 1)})
	if one := crowding(map[string]asSymbol{"a": at(1, 0)}); one["a"] != 0 || two["a"] != 0 || two["b"] != 0 {
		t.Errorf("one symbol: %v, two: %v", one, two)
	}
	// The mean squared distances are 1.2, 1.2 and 2, their mean 22/15.
	got := crowding(map[string]asSymbol{"a": at(1, 0, 0), "b": at(0.8, 0.6, 0), "far": at(0, 0, 1)})
	for label, want := range map[string]float64{"a": 4. / 15, "b": 4. / 15, "far": -8. / 15} {
		if want *= crowdWeight; math.Abs(got[label]-want) > 1e-6 {
			t.Errorf("%s rises by %g, want %g", label, got[label], want)
		}
	}
}

// A picture has no strokes; the memory must take it all the same.
func TestPictures(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	k := datatest.Draw("strange L", rng)
	m := NewMemory()
	add(t, m, Sample{ID: 1, Label: "L", Ink: k})
	if got := adjusted(m, sure(t, "V", k), nil, nil); got.Candidates[0].Label != "L" {
		t.Errorf("its own picture: %v", got.Candidates)
	}
	a := sure(t, "O", datatest.Draw("O", rng))
	if got := adjusted(m, a, nil, nil); !cmp.Equal(got, a) {
		t.Errorf("another picture: %v", got.Candidates)
	}
}

// Whatever was added and removed before, a memory must be as one made of what is left.
func TestForgettingLeavesNoTrace(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	m := NewMemory()
	left := map[int64]Sample{}
	for range 120 {
		id := int64(rng.IntN(25))
		if rng.IntN(3) == 0 {
			m.Remove(id, -1)
			delete(left, id)
			continue
		}
		label := known[rng.IntN(3)]
		s := Sample{ID: id, Label: label, Ink: datatest.Draw(label, rng), Correction: rng.IntN(2) == 0}
		add(t, m, s)
		left[id] = s
	}
	fresh := NewMemory()
	for _, s := range left {
		add(t, fresh, s)
	}
	if m.Len() != len(left) || !slices.Equal(m.Labels(), fresh.Labels()) {
		t.Fatalf("%d samples of %q, want %d of %q", m.Len(), m.Labels(), len(left), fresh.Labels())
	}
	if m.units != fresh.units || !cmp.Equal(m.widths, fresh.widths) {
		t.Errorf("units %v, widths %v, fresh %v, %v", m.units, m.widths, fresh.units, fresh.widths)
	}
	k := datatest.Draw("T", rng)
	if a, b := adjusted(m, sure(t, "O", k), k, nil), adjusted(fresh, sure(t, "O", k), k, nil); !cmp.Equal(a, b) {
		t.Errorf("%v, fresh %v", a.Candidates, b.Candidates)
	}
}

// A class that the writer always draws alike must be narrower than one that it varies.
func TestWidths(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 1))
	m := NewMemory()
	steady := datatest.Draw("V", rng)
	for i := range 6 {
		wide := datatest.Draw("Z", rng)
		for s := range wide {
			for p := range wide[s] {
				wide[s][p].X += 8 * rng.NormFloat64()
				wide[s][p].Y *= 1 + rng.Float64()
			}
		}
		add(t, m, Sample{ID: int64(i), Label: "V", Ink: steady}, Sample{ID: int64(10 + i), Label: "Z", Ink: wide})
	}
	add(t, m, Sample{ID: 20, Label: "O", Ink: datatest.Draw("O", rng)})
	if want := 10.0 / 16; math.Abs(m.widths["V"]-want) > 1e-9 || m.widths["Z"] <= 1 || m.widths["O"] != 1 {
		t.Errorf("widths %v, want %g for V, more than 1 for Z, 1 for a single O", m.widths, want)
	}
}

func TestAddRefusesBlankInk(t *testing.T) {
	m := NewMemory()
	good := Sample{ID: 1, Label: "O", Ink: datatest.Draw("O", rand.New(rand.NewPCG(6, 1)))}
	if err := m.Add(t.Context(), good, Sample{ID: 9, Label: "x"}); err == nil || !strings.Contains(err.Error(), "sample 9 (x)") || m.Len() != 0 {
		t.Errorf("error %v, %d samples", err, m.Len())
	}
}

func TestMemoryByManyGoroutines(t *testing.T) {
	m := NewMemory()
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 2))
			for i := range 20 {
				k := datatest.Draw(known[i%len(known)], rng)
				if err := m.Add(t.Context(), Sample{ID: int64(rng.IntN(10)), Label: known[i%len(known)], Ink: k}); err != nil {
					t.Error(err)
				}
				image, _ := ink.Rasterize(k)
				adjusted(m, recognizer.Answer{Image: image}, k, nil)
				m.Remove(int64(rng.IntN(10)))
			}
		})
	}
	wg.Wait()
}

// full is a memory of 2,000 drawings.
func full() *Memory {
	rng := rand.New(rand.NewPCG(7, 1))
	m := NewMemory()
	for i := range 2000 {
		p := point{features: make([]float32, feature.GradientSize+feature.PenSize), embedding: make([]float32, embedding.Size)}
		for j := range p.features {
			p.features[j] = rng.Float32() / 4
		}
		label := string(rune('A' + i%50))
		t := &trace{id: int64(i), label: label, at: p}
		m.byID[t.id], m.traces[label] = t, append(m.traces[label], t)
	}
	m.adapt()
	return m
}

func BenchmarkAdjust2000(b *testing.B) {
	m := full()
	k := datatest.Draw("Z", rand.New(rand.NewPCG(8, 1)))
	image, err := ink.Rasterize(k)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		adjusted(m, recognizer.Answer{Image: image}, k, nil)
	}
}

// However samples came and went, the neighbour of each is the nearest other of its label.
func TestNeighboursAreNearest(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	drawing := func() ink.Ink {
		var stroke ink.Stroke
		for i := range 6 {
			stroke = append(stroke, ink.Point{X: 20*float64(i) + 30*rng.Float64(), Y: 100 * rng.Float64()})
		}
		return ink.Ink{stroke}
	}
	m := NewMemory()
	for round := range 30 {
		var fresh []Sample
		for range rng.IntN(2 * atOnce) {
			fresh = append(fresh, Sample{ID: int64(rng.IntN(300)), Label: known[rng.IntN(3)], Ink: drawing()})
		}
		add(t, m, fresh...)
		var ids []int64
		for range rng.IntN(60) {
			ids = append(ids, int64(rng.IntN(300)))
		}
		m.Remove(ids...)
		count := 0
		for label, traces := range m.traces {
			count += len(traces)
			for _, x := range traces {
				if m.byID[x.id] != x || x.label != label {
					t.Fatalf("round %d: sample %d lies wrong", round, x.id)
				}
				nearest := math.Inf(1)
				for _, other := range traces {
					if other != x {
						nearest = min(nearest, compare(x.at, other.at).in(usualUnits))
					}
				}
				if x.near != nearest || (x.neighbour != nil) != (len(traces) > 1) || x.neighbour != nil && m.byID[x.neighbour.id] != x.neighbour {
					t.Fatalf("round %d: sample %d of %d has a neighbour at %g, the nearest is at %g", round, x.id, len(traces), x.near, nearest)
				}
			}
		}
		if count != m.Len() {
			t.Fatalf("round %d: %d samples by label, %d by number", round, count, m.Len())
		}
	}
}

func TestAddingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := NewMemory()
	if err := m.Add(ctx, Sample{ID: 1, Label: "1", Ink: ink.Ink{{{X: 1, Y: 1}, {X: 1, Y: 9}}}}); !errors.Is(err, context.Canceled) || m.Len() != 0 {
		t.Errorf("%v, %d samples", err, m.Len())
	}
}

// The nearest drawing of a label is itself where it is remembered, and further away the more it differs.
func TestNearest(t *testing.T) {
	m := NewMemory()
	slash := func(x float64) ink.Ink { return ink.Ink{{{X: 0, Y: 0}, {X: x, Y: 100}}} }
	add(t, m, Sample{ID: 1, Label: "1", Ink: slash(0)}, Sample{ID: 2, Label: "1", Ink: slash(60)}, Sample{ID: 3, Label: "7", Ink: slash(30)})
	image, err := ink.Rasterize(slash(60))
	if err != nil {
		t.Fatal(err)
	}
	near := m.Nearest(image, slash(60), "1", "7", "9")
	if len(near) != 2 || near["1"].ID != 2 || near["1"].Distance > 1e-3 || near["7"].ID != 3 || near["7"].Distance < 0.1 {
		t.Errorf("near are %+v", near)
	}
}

// After the first drawing of a symbol the next is the surer to be known the less the first is like what is known.
func TestSureness(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	m := NewMemory()
	add(t, m, Sample{ID: 1, Label: "★", Ink: datatest.Draw("★", rng)})
	apart, like := m.Sureness("★", 1.3), m.Sureness("★", 0.2)
	if apart != m.Sureness("★", 1) || apart < 0.85 || apart > 0.95 || like > 0.8 || like < 0.5 {
		t.Errorf("far from what the network knows it is %g, near to it %g", apart, like)
	}
	add(t, m, Sample{ID: 2, Label: "star", Ink: datatest.Draw("★", rng)})
	if got := m.Sureness("★", 1.3); got >= 0.7 {
		t.Errorf("beside one like it, it is %g", got)
	}
	add(t, m, Sample{ID: 3, Label: "★", Ink: datatest.Draw("★", rng)})
	if got := []float64{m.Sureness("★", 1), m.Sureness("L", 1)}; got[0] != 0 || got[1] != 0 {
		t.Errorf("of two drawings and of none: %v", got)
	}
}

// Lessons of O leave the 0 of the same writer alone until the writer has shown a 0; what is drawn like one of them is known at once.
func TestLessonsLeaveTheirLookAlikeAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	lesson := datatest.Draw("O", rng)
	// drawing is so far from the nearest lesson; two drawings of one writer are 2 apart, mostly.
	drawing := func(m *Memory, least, most float64) ink.Ink {
		t.Helper()
		for range 1000 {
			k := datatest.Draw("O", rng)
			for s, stretch := 0, 0.1+1.5*rng.Float64(); s < len(k); s++ {
				for p := range k[s] {
					k[s][p].X *= stretch
				}
			}
			image, err := ink.Rasterize(k)
			if err != nil {
				t.Fatal(err)
			}
			points, err := pointsOf(t.Context(), []ink.Image{image}, []ink.Ink{k})
			if err != nil {
				t.Fatal(err)
			}
			d, _ := m.nearest(points[0], nil, nil)
			if at := d["O"][0]; at > least && at < most {
				return k
			}
		}
		t.Fatalf("no drawing is %g to %g away", least, most)
		return nil
	}
	// unsure is an answer that has O in the second place.
	unsure := func(network string, k ink.Ink) recognizer.Answer {
		a := sure(t, network, k)
		for i, c := range a.Candidates {
			if c.Label == "O" {
				a.Candidates[i].Probability = 0.3
			}
		}
		a.Candidates[0].Probability = 0.7
		return a
	}
	says := func(m *Memory, k ink.Ink, network, want string) {
		t.Helper()
		if got := adjusted(m, unsure(network, k), k, nil).Candidates[0].Label; got != want {
			t.Errorf("it answers %s, want %s", got, want)
		}
	}
	saysOfMany := func(m *Memory, k ink.Ink, want string) {
		t.Helper()
		a := unsure("V", k)
		for i := range 100 {
			a.Candidates = append(a.Candidates, recognizer.Candidate{Label: fmt.Sprint("x", i)})
		}
		if got := adjusted(m, a, k, nil).Candidates[0].Label; got != want {
			t.Errorf("among a hundred classes it answers %s, want %s", got, want)
		}
	}
	m := NewMemory()
	add(t, m, Sample{ID: 1, Label: "O", Ink: lesson, Correction: true})
	k := drawing(m, 1.5, 2)
	says(m, lesson, "0", "O")
	says(m, k, "0", "0")
	says(m, k, "V", "O") // no look-alike
	saysOfMany(m, k, "V")
	shown := NewMemory()
	add(t, shown, Sample{ID: 1, Label: "O", Ink: lesson})
	says(shown, lesson, "V", "O")
	says(shown, k, "V", "V") // that nobody disputed
	var far ink.Ink
	for id := range int64(2) { // not alone any more
		add(t, m, Sample{ID: 2 + id, Label: "O", Ink: drawing(m, 0, 1.5), Correction: id == 0})
		far = drawing(m, localMore, 3.5)
		says(m, drawing(m, localOne, localMore), "0", "O")
		says(m, far, "0", "0")
		says(m, far, "V", "O")
		saysOfMany(m, far, "O")
	}
	add(t, m, Sample{ID: 8, Label: "0", Ink: datatest.Draw("L", rng)}) // both are known
	says(m, far, "0", "O")
	add(t, m, Sample{ID: 9, Label: "0", Ink: k, Correction: true})
	says(m, lesson, "0", "O")
	says(m, k, "0", "0")
}

// Behind the answer that a lesson gives come the look-alikes that the network knows, and not what else was taught.
func TestLookAlikesComeBeforeWhatElseWasTaught(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	m := NewMemory()
	drawing := datatest.Draw("Z", rng)
	add(t, m, Sample{ID: 1, Label: "2", Ink: drawing, Correction: true})
	for i, label := range []string{"L", "T", "V", "X"} {
		for j := range 3 {
			other := datatest.Draw("Z", rng)
			for s := range other {
				for p := range other[s] {
					other[s][p].X *= 0.3 + 0.1*float64(i)
				}
			}
			add(t, m, Sample{ID: int64(10*i + j + 10), Label: label, Ink: other})
		}
	}
	image, err := ink.Rasterize(drawing)
	if err != nil {
		t.Fatal(err)
	}
	network := recognizer.Answer{Image: image}
	for i, label := range []string{"Z", "2", "z", "7", "?", "1", "s", "V", "T", "X", "L"} {
		network.Candidates = append(network.Candidates, recognizer.Candidate{Label: label, Probability: 0.9 * math.Pow(0.1, float64(i))})
	}
	got := adjusted(m, network, drawing, nil).Candidates
	labels := ""
	for i, c := range got {
		labels += c.Label
		if i > 0 && c.Probability > got[i-1].Probability {
			t.Errorf("%s is likelier than what stands before it", c.Label)
		}
	}
	if labels != "2Zz7?1sVTXL" {
		t.Errorf("the candidates are %s: %v", labels, got)
	}
}
