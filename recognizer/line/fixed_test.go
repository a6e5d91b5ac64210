package line

import (
	"slices"
	"testing"

	"inkshade/recognizer/ink"
)

// bar is an upright stroke.
func bar(x float64) ink.Stroke { return ink.Stroke{{X: x, Y: 0}, {X: x + 1, Y: 5}, {X: x, Y: 10}} }

// What a person said holds, whatever the answers say, and as more is written.
func TestFixed(t *testing.T) {
	k := scribble(5, 6)
	all := func(strokes ...int) (parts []Part) {
		for _, s := range strokes {
			parts = append(parts, Part{s, 0, len(k[s]) - 1})
		}
		return parts
	}
	for name, fixed := range map[string][]Fixed{
		"joined":      {{Parts: all(0, 1, 2, 3, 4, 5)}},
		"parted":      {{Parts: all(0)}, {Parts: all(1)}, {Parts: all(2)}, {Parts: all(3)}, {Parts: all(4)}, {Parts: all(5)}},
		"apart":       {{Parts: all(0, 5)}},
		"in a stroke": {{Parts: []Part{{2, 0, 2}}}, {Parts: []Part{{2, 2, 4}}}},
		"named":       {{Parts: all(2, 3), Label: "Ω"}},
	} {
		for _, more := range []int{0, 1, 3} {
			written := append(slices.Clip(k), scribble(9, 6)[:more]...)
			got, err := Read(t.Context(), written, Options{Fixed: fixed, Language: Digits}, fake)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range fixed {
				i := slices.IndexFunc(got.Characters, func(c Character) bool { return sameParts(c.Parts, f.Parts) })
				if i < 0 {
					t.Errorf("%s, %d more: %v is not among %+v", name, more, f.Parts, got.Characters)
				} else if c := got.Characters[i]; f.Label != "" && (c.Label != f.Label || !c.Fixed || c.Confidence < 0.999) || f.Label == "" && c.Fixed {
					t.Errorf("%s, %d more: %+v", name, more, c)
				}
			}
			points := 0
			for _, c := range got.Characters {
				for i, p := range c.Parts {
					points += p.Last - p.First
					if !slices.Equal(c.Ink[i], written[p.Stroke][p.First:p.Last+1]) {
						t.Errorf("%s: ink of %v differs", name, p)
					}
				}
			}
			if want := written.Points() - len(written); points != want {
				t.Errorf("%s: the characters hold %d steps of the pen of %d", name, points, want)
			}
		}
	}
}

func sameParts(a, b []Part) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(p Part) bool { return !slices.Contains(b, p) })
}

// Ink of one character is on one line, even where it was written as two.
func TestFixedAcrossLines(t *testing.T) {
	low := ink.Stroke{{X: 2, Y: 30}, {X: 3, Y: 40}}
	k := ink.Ink{bar(0), bar(5), low}
	for _, c := range []struct {
		fixed []Fixed
		lines int
	}{{nil, 2}, {[]Fixed{{Parts: []Part{{0, 0, 2}, {2, 0, 1}}}}, 1}, {[]Fixed{{Parts: []Part{{7, 0, 2}, {2, 0, 9}}}}, 2}} {
		got, err := Read(t.Context(), k, Options{Fixed: c.fixed}, fake)
		if err != nil {
			t.Fatal(err)
		}
		if n := got.Characters[len(got.Characters)-1].Line + 1; n != c.lines {
			t.Errorf("%v: %d lines, want %d", c.fixed, n, c.lines)
		}
	}
}

func TestDivide(t *testing.T) {
	level := ink.Stroke{{X: 0, Y: 0}, {X: 10, Y: 0}, {X: 20, Y: 1}, {X: 30, Y: 0}}
	k := ink.Ink{bar(2), level, bar(26)}
	parts := []Part{{0, 0, 2}, {1, 0, 3}, {2, 0, 2}}
	for _, c := range []struct {
		x           float64
		left, right []Part
	}{
		{15, []Part{{0, 0, 2}, {1, 0, 2}}, []Part{{1, 2, 3}, {2, 0, 2}}},
		{28, parts, nil},
		{4, []Part{{0, 0, 2}}, []Part{{1, 0, 3}, {2, 0, 2}}},
		{-9, nil, parts},
	} {
		if left, right := Divide(k, parts, c.x); !slices.Equal(left, c.left) || !slices.Equal(right, c.right) {
			t.Errorf("at %v: %v and %v, want %v and %v", c.x, left, right, c.left, c.right)
		}
	}
	if x := Gap(ink.Ink{bar(0), bar(2), bar(12)}); x != 7.5 {
		t.Errorf("three bars part at %v, want 7.5", x)
	}
	if x := Gap(ink.Ink{bar(4)}); x != 4.5 {
		t.Errorf("one bar parts at %v, want 4.5", x)
	}
}
