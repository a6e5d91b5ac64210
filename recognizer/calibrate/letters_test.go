package calibrate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn/nntest"
)

// People write 1 as a line down, some of them with a foot as a second stroke, and one in twenty backwards, in any size:
// the forms are the first two, in the size of one character, the more frequent first.
func TestLettersAreMeans(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var samples []dataset.Sample
	for i := range 200 {
		size, writer := float64(10+i%7*30), fmt.Sprint("w", i%7)
		at := func(x, y float64) ink.Point {
			return ink.Point{X: 1000 + size*(x+0.05*rng.NormFloat64()), Y: 500 + size*(y+0.05*rng.NormFloat64())}
		}
		k := ink.Ink{{at(0.5, 0), at(0.5, 0.2), at(0.5, 1)}}
		switch {
		case i%20 == 0:
			k = ink.Ink{{at(0.5, 1), at(0.5, 0)}, {at(0, 1), at(1, 1)}, {at(0, 1), at(1, 1)}}
		case i%3 == 0:
			k = append(k, ink.Stroke{at(0, 1), at(1, 1)})
		}
		samples = append(samples, dataset.Sample{Label: "1", Writer: writer, Ink: k})
	}
	samples = append(samples, dataset.Sample{Label: "word", Writer: "w1", Ink: samples[0].Ink}, dataset.Sample{Label: "2", Ink: samples[0].Ink})
	letters, err := Letters(t.Context(), nntest.CPU(t), samples, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(letters) != mostForms {
		t.Fatalf("%d forms, want %d", len(letters), mostForms)
	}
	strokes := map[int]int{}
	for i, l := range letters {
		strokes[len(l.Ink)]++
		first := l.Ink[0]
		if l.Label != "1" || len(first) != strokePoints {
			t.Errorf("form %d: %q of %d points", i, l.Label, len(first))
		}
		if rise := (first[len(first)-1].Y - first[0].Y) / letterUnits; math.Abs(rise-1) > 0.15 {
			t.Errorf("form %d goes %.2f of a character's height down", i, rise)
		}
		if gap := first[5].Y - first[4].Y; math.Abs(gap-letterUnits/float64(strokePoints-1)) > 2 {
			t.Errorf("form %d: points %.1f apart", i, gap)
		}
	}
	if strokes[1] == 0 || strokes[2] == 0 || len(strokes) != 2 || len(letters[0].Ink) != 1 {
		t.Errorf("forms by strokes %v, the first of %d", strokes, len(letters[0].Ink))
	}
}
