package dataset

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"inkshade/recognizer/ink"
)

// NonCharacter must draw the same by the same chance, leave the characters as they are, and hardly
// ever draw nothing.
func TestNonCharacter(t *testing.T) {
	characters := func() []ink.Ink {
		return []ink.Ink{
			{{{X: 100, Y: 20}, {X: 110, Y: 40}, {X: 120, Y: 20}}},
			{{{X: 0, Y: 0}, {X: 0, Y: 9}}, {{X: -4, Y: 9}, {X: 4, Y: 9}}},
			{{{X: 5, Y: 5}}}, // a dot
		}
	}
	for name, given := range map[string][]ink.Ink{"of characters": characters(), "of nothing": nil} {
		draw := func(seed uint64) ink.Ink { return NonCharacter(given, rand.New(rand.NewPCG(seed, 1))) }
		empty, repeated := 0, 0
		var before ink.Ink
		for seed := range uint64(500) {
			k := draw(seed)
			if !reflect.DeepEqual(k, draw(seed)) {
				t.Fatalf("%s: seed %d draws two things", name, seed)
			}
			if _, err := ink.Rasterize(k); err != nil {
				empty++
			}
			if reflect.DeepEqual(k, before) {
				repeated++
			}
			before = k
		}
		if empty > 25 || repeated > 25 {
			t.Errorf("%s: of 500 are %d empty and %d what the one before was", name, empty, repeated)
		}
		if given != nil && !reflect.DeepEqual(given, characters()) {
			t.Errorf("%s: the characters have changed", name)
		}
	}
}
