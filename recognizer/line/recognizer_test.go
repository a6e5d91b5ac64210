package line_test

import (
	"math"
	"slices"
	"testing"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// A character by itself is answered as the recogniser of characters answers it.
func TestOneCharacter(t *testing.T) {
	r := open(t)
	all, _, err := dataset.Read(t.Context(), "../testdata/characters.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	parted := 0
	for _, s := range all {
		want, err := r.Recognize(s.Ink)
		if err != nil {
			t.Fatal(err)
		}
		got, err := line.Read(t.Context(), s.Ink, line.Options{}, r.AskLine)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Characters) > 1 {
			parted++
			t.Logf("%s is read as %q", s.Label, got.Text)
			continue
		}
		if c := got.Characters[0]; c.Label != want.Candidates[0].Label || c.Unknown != want.Unknown ||
			math.Abs(c.Candidates[0].Probability-want.Candidates[0].Probability) > 1e-5 {
			t.Errorf("%s: the line says %+v, the character is %+v", s.Label, c.Candidates[:2], want.Candidates[:2])
		}
	}
	if parted > len(all)/20 {
		t.Errorf("%d of %d characters are read as several", parted, len(all))
	}
}

// When the dot of an i is set does not matter, nor does reading many lines at once.
func TestOrderAndBatches(t *testing.T) {
	r := open(t)
	all, _, err := dataset.Read(t.Context(), "../testdata/characters.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var k ink.Ink
	right := 0.0
	for _, c := range "min" {
		i := slices.IndexFunc(all, func(s dataset.Sample) bool { return s.Label == string(c) })
		x0, y0, x1, y1, _ := all[i].Ink.Bounds()
		height := map[rune]float64{'m': 20, 'i': 30, 'n': 20}[c]
		scale := height / (y1 - y0)
		for _, s := range all[i].Ink {
			s = slices.Clone(s)
			for j := range s {
				s[j].X, s[j].Y = right+(s[j].X-x0)*scale, (s[j].Y-y1)*scale
			}
			k = append(k, s)
		}
		right += (x1-x0)*scale + 5
	}
	want, err := line.Read(t.Context(), k, line.Options{}, r.AskLine)
	if err != nil {
		t.Fatal(err)
	}
	late := slices.Clone(k)
	dot := slices.IndexFunc(k, func(s ink.Stroke) bool {
		_, y0, _, y1, _ := ink.Ink{s}.Bounds()
		return y1-y0 < 5
	})
	if dot < 0 {
		t.Fatal("the i has no dot")
	}
	late = append(slices.Delete(late, dot, dot+1), k[dot])
	together, err := line.ReadMany(t.Context(), []ink.Ink{late, k[:1], k}, line.Options{}, r.AskLine)
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range []*line.Result{together[0], together[2]} {
		if got.Text != want.Text || math.Abs(got.Confidence-want.Confidence) > 1e-4 {
			t.Errorf("%q %v, want %q %v", got.Text, got.Confidence, want.Text, want.Confidence)
		}
	}
}
