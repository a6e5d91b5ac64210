package line_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// seen is a network to which the labels of a text stand at some places, in columns 2 wide, and those of other at the same places
// are half as likely.
func seen(text, other string, at ...float64) line.Transcribe {
	return func(_ context.Context, lines []ink.Ink) ([]line.Columns, error) {
		all := make([]line.Columns, len(lines))
		for i, k := range lines {
			x0, _, x1, _, _ := k.Bounds()
			c := line.Columns{Labels: []string{"a", "b", "c", "d", "1", "2"}, From: x0, Step: 2}
			for x := x0; x <= x1; x += c.Step {
				column := slices.Repeat([]float64{math.Log(0.001)}, 6)
				column = append(column, math.Log(0.99))
				for j, place := range at {
					if place >= x && place < x+c.Step {
						column[6] = math.Log(0.01)
						column[slices.Index(c.Labels, other[j:j+1])] = math.Log(0.3)
						column[slices.Index(c.Labels, text[j:j+1])] = math.Log(0.6)
					}
				}
				c.LogP = append(c.LogP, column)
			}
			all[i] = c
		}
		return all, nil
	}
}

// wave is a stroke that joins letters of width 10 from x on.
func wave(x float64, letters int) (s ink.Stroke) {
	for i := range 20*letters + 1 {
		s = append(s, ink.Point{X: x + float64(i)/2, Y: 5 - 5*math.Cos(float64(i)*math.Pi/10)})
	}
	return s
}

func readColumns(t *testing.T, k ink.Ink, o line.Options, ask line.Transcribe) *line.Result {
	t.Helper()
	all, err := line.ReadColumns(t.Context(), []ink.Ink{k}, o, ask)
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

// Joined letters are parted between their columns, a dot goes to the letter under it, and every part of the ink to one letter.
func TestColumnsShareTheInk(t *testing.T) {
	k := ink.Ink{wave(0, 3), {{X: 14, Y: -5}, {X: 15, Y: -4}}}
	r := readColumns(t, k, line.Options{}, seen("abc", "bca", 6, 16, 26))
	if r.Text != "abc" || len(r.Characters) != 3 {
		t.Fatalf("read %q", r.Text)
	}
	for i, c := range r.Characters {
		if left, right := float64(10*i), float64(10*i+10); math.Abs(c.Box.MinX-left) > 2 || math.Abs(c.Box.MaxX-right) > 2 {
			t.Errorf("%s is from %g to %g, want about %g to %g", c.Label, c.Box.MinX, c.Box.MaxX, left, right)
		}
		if want := "bca"[i : i+1]; c.Candidates[0].Label != c.Label || c.Candidates[1].Label != want || len(c.Ink) != len(c.Parts) {
			t.Errorf("%s: candidates %v, %d strokes of %v", c.Label, c.Candidates, len(c.Ink), c.Parts)
		}
	}
	if parts := r.Characters[1].Parts; !slices.ContainsFunc(parts, func(p line.Part) bool { return p.Stroke == 1 }) {
		t.Errorf("the dot is not part of the letter under it: %v", parts)
	}
}

// Wide gaps part words, and lines stand below each other.
func TestColumnsOfSeveralWords(t *testing.T) {
	k := ink.Ink{wave(0, 1), wave(12, 1), wave(60, 1)}
	ask := seen("abc", "bca", 6, 18, 66)
	for _, o := range []line.Options{{}, {Language: line.English}} {
		if r := readColumns(t, k, o, ask); r.Text != "ab c" || !r.Characters[2].Space || r.Characters[1].Space {
			t.Errorf("read %q", r.Text)
		}
	}
	below := wave(0, 2)
	for i := range below {
		below[i].Y += 40
	}
	if r := readColumns(t, append(k, below), line.Options{}, ask); r.Text != "ab c\nab" || r.Characters[3].Line != 1 || len(r.Alternatives) != 5 {
		t.Errorf("read %q", r.Text)
	}
}

// Where a gap is neither wide nor narrow, the line is read both ways, and English tells which is better.
func TestColumnsOfDoubtfulGaps(t *testing.T) {
	for gap, want := range map[float64][2]bool{3: {false, false}, 8: {false, true}, 12: {true, true}, 60: {true, false}} {
		k := ink.Ink{wave(0, 1), wave(12, 1), wave(22+gap, 1)}
		r := readColumns(t, k, line.Options{Alternatives: 20}, seen("abc", "bca", 6, 18, 28+gap))
		if spaced := strings.Contains(r.Text, " "); spaced != want[0] {
			t.Errorf("a gap of %g: read %q", gap, r.Text)
		}
		seenBefore := map[string]bool{}
		for _, a := range r.Alternatives {
			if strings.TrimSpace(a.Text) != a.Text || strings.Contains(a.Text, "  ") || seenBefore[a.Text] {
				t.Errorf("a gap of %g: offered %q", gap, a.Text)
			}
			seenBefore[a.Text] = true
		}
		other := "ab c"
		if want[0] {
			other = "abc"
		}
		if slices.ContainsFunc(r.Alternatives, func(a line.Alternative) bool { return a.Text == other }) != want[1] {
			t.Errorf("a gap of %g: offered %v", gap, r.Alternatives)
		}
	}
}

// Of numbers only digits are read, even where the network sees none; a network without any says so.
func TestColumnsOfNumbers(t *testing.T) {
	k := ink.Ink{wave(0, 2)}
	if r := readColumns(t, k, line.Options{Language: line.Digits}, seen("ab", "12", 6, 16)); r.Text != "12" {
		t.Errorf("read %q", r.Text)
	}
	if r := readColumns(t, k, line.Options{Language: line.Digits}, seen("", "")); r.Text != "1" && r.Text != "2" {
		t.Errorf("read %q", r.Text)
	}
	_, err := line.ReadColumns(t.Context(), []ink.Ink{k}, line.Options{Language: line.Digits}, func(ctx context.Context, lines []ink.Ink) ([]line.Columns, error) {
		all, err := seen("ab", "ba", 6, 16)(ctx, lines)
		for i := range all {
			all[i].Labels = []string{"a", "b", "c", "d", "e", "f"}
		}
		return all, err
	})
	if err == nil {
		t.Error("letters are read as numbers")
	}
}

// What a person said of some ink holds: a label, also one that the network does not know, a cut, and a joint.
func TestColumnsKeepWhatWasSaid(t *testing.T) {
	k := ink.Ink{wave(0, 1), wave(12, 1), wave(24, 1)}
	ask := seen("abc", "bca", 6, 18, 30)
	stroke := func(i, first, last int) []line.Part { return []line.Part{{Stroke: i, First: first, Last: last}} }
	for want, fixed := range map[string][]line.Fixed{
		"adc": {{Parts: stroke(1, 0, 20), Label: "d"}},
		"a★c": {{Parts: stroke(1, 0, 20), Label: "★"}},
		"abc": {{Parts: stroke(1, 0, 20)}},
		"ab1": {{Parts: stroke(2, 0, 20), Label: "1"}},
		"abd": {{Parts: stroke(0, 0, 20), Label: "a"}, {Parts: stroke(1, 0, 20), Label: "b"}, {Parts: stroke(2, 0, 20), Label: "d"}},
		"d1c": {{Parts: stroke(0, 0, 20), Label: "d"}, {Parts: stroke(1, 0, 20), Label: "1"}},
		"dc":  {{Parts: slices.Concat(stroke(0, 0, 20), stroke(1, 0, 20)), Label: "d"}},
		"a12c": {
			{Parts: stroke(1, 0, 10), Label: "1"}, {Parts: stroke(1, 10, 20), Label: "2"},
		},
	} {
		r := readColumns(t, k, line.Options{Fixed: fixed}, ask)
		if r.Text != want {
			t.Errorf("read %q, want %q", r.Text, want)
			continue
		}
		for _, f := range fixed {
			i := slices.IndexFunc(r.Characters, func(c line.Character) bool { return slices.Equal(c.Parts, f.Parts) })
			if i < 0 || r.Characters[i].Fixed != (f.Label != "") || len(r.Characters[i].Candidates) < 2 {
				t.Errorf("%s: %v is not one character of %+v", want, f, r.Characters)
			}
		}
	}
	// Two characters by a cut alone, and one by a joint.
	r := readColumns(t, k, line.Options{Fixed: []line.Fixed{{Parts: stroke(0, 0, 10)}, {Parts: stroke(0, 10, 20)}}}, ask)
	if len(r.Characters) != 4 || r.Text[2:] != "bc" {
		t.Errorf("cut: %q", r.Text)
	}
	r = readColumns(t, k, line.Options{Fixed: []line.Fixed{{Parts: slices.Concat(stroke(1, 0, 20), stroke(2, 0, 20))}}}, ask)
	if len(r.Characters) != 2 || r.Text[:1] != "a" {
		t.Errorf("joined: %q", r.Text)
	}
}

// A text that a person gives to joined letters, to words and to lines lies on the ink that stands for it, and holds when it is read again.
func TestATextIsGivenToColumns(t *testing.T) {
	joined := ink.Ink{wave(0, 3), {{X: 14, Y: -5}, {X: 15, Y: -4}}}
	apart := ink.Ink{wave(0, 1), wave(12, 1), wave(24, 1)}
	below := slices.Clone(wave(0, 3))
	for i := range below {
		below[i].Y += 40
	}
	for _, c := range []struct {
		k     ink.Ink
		text  string
		lines int
	}{
		{joined, "abc", 1},
		{joined, "abd", 1},
		{joined, "cba", 1},
		{joined, "aéc", 1},
		{joined, "ab", 1},
		{joined, "a bc", 1},
		{apart, "abc", 1},
		{apart, "a b c", 1},
		{apart, "ab  c", 1},
		{apart, "bbb", 1},
		{append(slices.Clone(joined), below), "abc dba", 2},
	} {
		ask := seen("abc", "bca", 6, 16, 26)
		r := readColumns(t, c.k, line.Options{Text: c.text}, ask)
		again := readColumns(t, c.k, line.Options{Fixed: r.Said()}, ask)
		want := strings.Join(strings.Fields(c.text), " ")
		if c.lines > 1 {
			want = strings.Replace(want, " ", "\n", 1)
		}
		if again.Text != want || len(again.Characters) != len(strings.ReplaceAll(strings.Join(strings.Fields(c.text), ""), "é", "e")) {
			t.Errorf("%q is read again as %q", c.text, again.Text)
			continue
		}
		for i, was := range r.Characters {
			is := again.Characters[i]
			if !is.Fixed || !slices.Equal(is.Parts, was.Parts) || is.Line != was.Line {
				t.Errorf("%q: %+v is read again as %+v", c.text, was, is)
			}
		}
		if c.text == "abc" && len(c.k) == 2 && math.Abs(r.Characters[1].Box.MinX-10) > 2 {
			t.Errorf("b is at %+v", r.Characters[1].Box)
		}
	}
	if _, err := line.ReadColumns(t.Context(), []ink.Ink{{{{X: 0, Y: 0}, {X: 3, Y: 9}}}}, line.Options{Text: "abcabcabc"}, seen("abc", "bca", 1, 2, 3)); !errors.Is(err, line.ErrUnlike) {
		t.Errorf("a text without room: %v", err)
	}
}

// A person tells where words part, whatever the gap.
func TestColumnsKeepSpacesThatWereSaid(t *testing.T) {
	k := ink.Ink{wave(0, 1), wave(12, 1), wave(60, 1)}
	stroke := func(i int) []line.Part { return []line.Part{{Stroke: i, First: 0, Last: 20}} }
	for want, fixed := range map[string][]line.Fixed{
		"a b c": {{Parts: stroke(1), Space: line.OneSpace}},
		"abc":   {{Parts: stroke(2), Space: line.NoSpace}},
		"a bc":  {{Parts: stroke(2), Space: line.NoSpace, Label: "c"}, {Parts: stroke(1), Space: line.OneSpace, Label: "b"}},
	} {
		if r := readColumns(t, k, line.Options{Fixed: fixed}, seen("abc", "bca", 6, 18, 66)); r.Text != want {
			t.Errorf("read %q, want %q", r.Text, want)
		}
	}
}

// Whatever the columns say, every character has ink.
func TestColumnsOfLittleInk(t *testing.T) {
	for name, k := range map[string]ink.Ink{
		"a dot":                   {{{X: 3, Y: 3}}},
		"a line of two points":    {{{X: 0, Y: 0}, {X: 30, Y: 1}}},
		"a dot under many labels": {{{X: 0, Y: 0}}, {{X: 30, Y: 0}}},
	} {
		r := readColumns(t, k, line.Options{}, seen("abcd", "bcda", 1, 7, 15, 29))
		if len(r.Characters) == 0 {
			t.Errorf("%s: nothing is read", name)
		}
		for _, c := range r.Characters {
			if len(c.Parts) == 0 || len(c.Ink) == 0 {
				t.Errorf("%s: %s has no ink", name, c.Label)
			}
		}
	}
}

// Letters where numbers alone are read are no number, whatever digits are likeliest; digits are, also where a letter is likelier.
func TestLettersAreNoNumber(t *testing.T) {
	k := ink.Ink{wave(0, 4)}
	for _, c := range []struct {
		text, other string
		sure        bool
	}{{"abcd", "1212", true}, {"1212", "abcd", true}, {"abcd", "bcda", false}} {
		r := readColumns(t, k, line.Options{Language: line.Numbers}, seen(c.text, c.other, 5, 15, 25, 35))
		if sure := r.Confidence > 0.1; sure != c.sure || strings.Trim(r.Text, "12") != "" {
			t.Errorf("%s or %s is read as %s, %.4f", c.text, c.other, r.Text, r.Confidence)
		}
	}
}
