package dataset

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"inkshade/recognizer/ink"
)

// tree is 木 in standard form: across, down with a hook, left falling, right falling.
var tree = ink.Ink{
	{{X: 100, Y: 300}, {X: 900, Y: 300}},
	{{X: 500, Y: 50}, {X: 500, Y: 950}, {X: 430, Y: 880}},
	{{X: 480, Y: 310}, {X: 300, Y: 560}, {X: 100, Y: 750}},
	{{X: 520, Y: 310}, {X: 700, Y: 560}, {X: 900, Y: 750}},
}

func TestVaryStrokes(t *testing.T) {
	if same := varyStrokes(tree, 0, rand.New(rand.NewPCG(1, 1))); !reflect.DeepEqual(same, tree) {
		t.Errorf("at 0 the drawing became %v", same)
	}
	fewer, others := 0, 0
	for seed := range uint64(100) {
		got := varyStrokes(tree, 1, rand.New(rand.NewPCG(seed, 1)))
		if again := varyStrokes(tree, 1, rand.New(rand.NewPCG(seed, 1))); !reflect.DeepEqual(got, again) {
			t.Fatal("the same seed gives another drawing")
		}
		if len(got) < len(tree) {
			fewer++
		}
		for _, s := range got {
			for _, p := range s {
				// In units of the longer side, which the drawing hardly leaves.
				if !(p.X > -0.5 && p.X < 1.5 && p.Y > -0.5 && p.Y < 1.5) {
					t.Fatalf("seed %d: a point lies at %g, %g", seed, p.X, p.Y)
				}
			}
		}
		if math.Abs(got[0][0].X-(100.-100)/900) > 0.01 {
			others++
		}
	}
	if fewer < 5 || fewer > 80 {
		t.Errorf("%d of 100 drawings have joined strokes", fewer)
	}
	if others < 50 {
		t.Errorf("the first stroke begins elsewhere in only %d of 100", others)
	}
	for name, k := range map[string]ink.Ink{
		"nothing": nil, "no point": {{}}, "dot": {{{X: 5, Y: 5}}}, "dots": {{{X: 5, Y: 5}}, {{X: 5, Y: 5}}}, "not finite": {{{X: math.NaN()}, {X: 1, Y: 2}}},
	} {
		for _, s := range varyStrokes(k, 1, rand.New(rand.NewPCG(2, 3))) {
			for _, p := range s {
				if v := p.X + p.Y; v-v != 0 {
					t.Errorf("%s: a point lies at %g, %g", name, p.X, p.Y)
				}
			}
		}
	}
}

func TestPartsOfStrokes(t *testing.T) {
	unit := func(s ink.Stroke) (out ink.Stroke) {
		for _, p := range s {
			out = append(out, ink.Point{X: p.X / 1000, Y: p.Y / 1000})
		}
		return out
	}
	if got := withoutHook(unit(tree[1])); len(got) != 2 {
		t.Errorf("the hook is still there: %v", got)
	}
	if got := withoutHook(unit(tree[2])); len(got) != 3 {
		t.Errorf("an end that is no hook is gone: %v", got)
	}
	even := evenly(unit(tree[0]))
	if n := len(even); n < 13 || even[0] != unit(tree[0])[0] || even[n-1] != unit(tree[0])[1] {
		t.Errorf("points on a line: %v", even)
	}
	round := smoothed(unit(tree[1]), 0.03)
	for _, p := range round {
		if p.Y > 0.94 {
			t.Errorf("a corner is still at %g, %g", p.X, p.Y)
		}
	}
	if first, last := round[0], round[len(round)-1]; first != unit(tree[1])[0] || last != unit(tree[1])[2] {
		t.Errorf("cutting corners moved an end: %v", round)
	}
	near := ink.Ink{{{X: 0, Y: 0}, {X: 0.3, Y: 0}}, {{X: 0.3, Y: 0}, {X: 0.3, Y: 0.4}}, {{X: 0.9, Y: 0.9}, {X: 1, Y: 1}}}
	if got := joined(near, 1, rand.New(rand.NewPCG(1, 2))); len(got) != 2 {
		t.Errorf("strokes that touch are joined, others are not: %v", got)
	}
	begun := 0 // ways between the two that begin before the second
	for seed := range uint64(100) {
		far := ink.Ink{{{X: 0, Y: 0}, {X: 0.1, Y: 0}}, {{X: 0.9, Y: 1}, {X: 1, Y: 1}}}
		k := joined(far, 1, rand.New(rand.NewPCG(1, seed)))
		begun += len(k[1]) - 2
		if p := k[1][0]; p.X < 0.9-0.4*0.8 || p.X > 0.9 || k[1][len(k[1])-1] != (ink.Point{X: 1, Y: 1}) {
			t.Errorf("the second stroke is %v", k[1])
		}
	}
	if begun < 30 || begun > 70 {
		t.Errorf("the pen is down early for %d of 100 strokes, want about half", begun)
	}
}
