package mislabelled

import (
	"context"
	"errors"
	"maps"
	"math"
	"math/rand"
	"testing"

	"inkshade/recognizer/embedding"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

// figure draws one of three easily told shapes with a little noise: a ring, an upright bar, a cross.
func figure(kind string, rng *rand.Rand) ink.Ink {
	line := func(x1, y1, x2, y2 float64) ink.Stroke {
		var s ink.Stroke
		for i := range 20 {
			f := float64(i) / 19
			s = append(s, ink.Point{X: x1 + f*(x2-x1) + rng.NormFloat64(), Y: y1 + f*(y2-y1) + rng.NormFloat64()})
		}
		return s
	}
	switch kind {
	case "ring":
		var s ink.Stroke
		for i := range 40 {
			a := 2 * math.Pi * float64(i) / 39
			s = append(s, ink.Point{X: 50*math.Cos(a) + rng.NormFloat64(), Y: 50*math.Sin(a) + rng.NormFloat64()})
		}
		return ink.Ink{s}
	case "bar":
		return ink.Ink{line(0, 0, 0, 100)}
	}
	return ink.Ink{line(0, 0, 100, 100), line(100, 0, 0, 100)}
}

func figures(count int) []samples.Sample {
	rng := rand.New(rand.NewSource(1))
	var all []samples.Sample
	for range count {
		for label, kind := range []string{"ring", "bar", "cross"} {
			all = append(all, samples.Sample{ID: int64(len(all) + 1), Label: string(rune('a' + label)), Ink: figure(kind, rng)})
		}
	}
	return all
}

// find is Find by where the drawings lie.
func find(ctx context.Context, t testing.TB, all []samples.Sample) ([]Suspicion, error) {
	t.Helper()
	var inks []ink.Ink
	for _, s := range all {
		inks = append(inks, s.Ink)
	}
	points, err := embedding.OfInks(context.Background(), inks)
	if err != nil {
		t.Fatal(err)
	}
	return Find(ctx, all, points)
}

func suspects(t *testing.T, all []samples.Sample) map[int64]string {
	t.Helper()
	found := map[int64]string{}
	suspicions, err := find(context.Background(), t, all)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range suspicions {
		found[v.Sample.ID] = v.Likely
		if len(v.Neighbours) != neighbours || v.Votes < contradicting || v.Votes > neighbours {
			t.Errorf("suspicion %d has %d neighbours and %d votes", v.Sample.ID, len(v.Neighbours), v.Votes)
		}
	}
	return found
}

func wantSuspects(t *testing.T, what string, all []samples.Sample, want map[int64]string) {
	t.Helper()
	if got := suspects(t, all); !maps.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestWrongLabelsAreFlagged(t *testing.T) {
	all := figures(60)
	wantSuspects(t, "right labels", all, map[int64]string{})
	all[0].Label = "b"   // a ring called a bar
	all[4].Label = "c"   // a bar called a cross
	all[8].Label = "typ" // a cross with a label that was never meant
	wantSuspects(t, "three wrong labels", all, map[int64]string{1: "a", 5: "b", 9: "c"})
}

func TestNewSymbolsAndCaseAreNotFlagged(t *testing.T) {
	all := figures(20)
	rng := rand.New(rand.NewSource(2))
	fresh := figure("cross", rng)
	fresh = append(fresh, figure("ring", rng)[0])
	all = append(all, samples.Sample{ID: 1000, Label: "new", Ink: fresh})
	for i := range all {
		if all[i].Label == "a" && i%2 == 0 {
			all[i].Label = "A"
		}
	}
	wantSuspects(t, "suspicions", all, map[int64]string{})
}

func TestSuspiciousEdges(t *testing.T) {
	for n := range 3 {
		wantSuspects(t, "few samples", figures(2)[:n], map[int64]string{})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := find(ctx, t, figures(2)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func BenchmarkFind(b *testing.B) {
	all := figures(1000)
	for b.Loop() {
		if _, err := find(context.Background(), b, all); err != nil {
			b.Fatal(err)
		}
	}
}
