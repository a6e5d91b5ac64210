package dataset

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"inkshade/recognizer/ink"
)

func crossInk() ink.Ink {
	return ink.Ink{
		{{X: 100, Y: 100, T: 0}, {X: 200, Y: 300, T: 10}, {X: 300, Y: 500, T: 20}},
		{{X: 300, Y: 100, T: 30}, {X: 100, Y: 500, T: 40}},
	}
}

func TestApplyInkWithoutChangeFitsTheBox(t *testing.T) {
	got := Distortion{}.ApplyInk(nil, crossInk(), rand.New(rand.NewPCG(1, 1)))
	for i, s := range crossInk() {
		for j, p := range s {
			x, y := middle+(p.X-200)*inkBox/400, middle+(p.Y-300)*inkBox/400
			if q := got[i][j]; math.Abs(q.X-x) > 1e-4 || math.Abs(q.Y-y) > 1e-4 || q.T != p.T {
				t.Errorf("stroke %d, point %d: %v, want %g, %g", i, j, q, x, y)
			}
		}
	}
}

func TestApplyInkChangesALittleAndRepeats(t *testing.T) {
	d := DefaultDistortion()
	still := Distortion{}.ApplyInk(nil, crossInk(), rand.New(rand.NewPCG(1, 1)))
	one := d.ApplyInk(nil, crossInk(), rand.New(rand.NewPCG(5, 6)))
	reused := d.ApplyInk(ink.Ink{make(ink.Stroke, 9), nil, nil}, crossInk(), rand.New(rand.NewPCG(5, 6)))
	moved := 0.0
	for i := range still {
		if len(one[i]) != len(still[i]) || len(reused[i]) != len(still[i]) {
			t.Fatalf("stroke %d has %d and %d points, want %d", i, len(one[i]), len(reused[i]), len(still[i]))
		}
		for j, p := range still[i] {
			if one[i][j] != reused[i][j] {
				t.Errorf("the same seed gave %v and %v", one[i][j], reused[i][j])
			}
			moved = max(moved, math.Hypot(one[i][j].X-p.X, one[i][j].Y-p.Y))
		}
	}
	if moved < 0.2 || moved > 9 {
		t.Errorf("the point that moved most moved %g pixels", moved)
	}
}

func TestApplyInkSurvivesAnything(t *testing.T) {
	nan := math.NaN()
	for _, k := range []ink.Ink{nil, {{}}, {{{X: 1, Y: 1}}}, {{{X: nan, Y: 1}, {X: 2, Y: 2}}}, {{{X: -1e308}, {X: 1e308}}}} {
		for _, s := range DefaultDistortion().ApplyInk(nil, k, rand.New(rand.NewPCG(1, 2))) {
			for _, p := range s {
				if p.X-p.X != 0 || p.Y-p.Y != 0 {
					t.Errorf("%v became %v", k, p)
				}
			}
		}
	}
}

// Strokes are reversed about as often as is asked for, and nothing else changes with them.
func TestApplyInkReverses(t *testing.T) {
	stroke := ink.Stroke{{X: 0, Y: 0}, {X: 10, Y: 5}, {X: 20, Y: 30}}
	reversed := 0
	for seed := range uint64(1000) {
		got := Distortion{Reverse: 0.1}.ApplyInk(nil, ink.Ink{stroke}, rand.New(rand.NewPCG(seed, 1)))[0]
		plain := Distortion{}.ApplyInk(nil, ink.Ink{stroke}, rand.New(rand.NewPCG(seed, 1)))[0]
		if slices.Equal(got, plain) {
			continue
		}
		reversed++
		if slices.Reverse(got); !slices.Equal(got, plain) {
			t.Fatalf("seed %d: %v reversed, %v plain", seed, got, plain)
		}
	}
	if reversed < 70 || reversed > 130 {
		t.Errorf("%d of 1000 strokes are reversed, want about 100", reversed)
	}
}
