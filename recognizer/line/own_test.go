package line_test

import (
	"math"
	"strings"
	"testing"

	"inkshade/recognizer/line"
)

// doubtful are columns of a text in which each of the letters below may as well be the one beside it.
func doubtful(text string, pairs ...string) line.Columns {
	c := line.Columns{Step: 1}
	for l := 'a'; l <= 'z'; l++ {
		c.Labels = append(c.Labels, string(l))
	}
	c.Labels = append(c.Labels, "1", " ")
	for _, want := range text {
		for _, blank := range []bool{false, true} {
			column := make([]float64, len(c.Labels)+1)
			for i := range column {
				column[i] = math.Log(1e-6)
			}
			if blank {
				column[len(c.Labels)] = math.Log(0.99)
			} else {
				for i, label := range c.Labels {
					switch pair := string(want) + label; {
					case label == string(want):
						column[i] = math.Log(0.7)
					case strings.Contains(strings.Join(pairs, " "), pair):
						column[i] = math.Log(0.3)
					}
				}
			}
			c.LogP = append(c.LogP, column)
		}
	}
	return c
}

// What a person wrote before is read again where the ink leaves doubt, and other words as without it.
func TestOwnWordsAreLikelier(t *testing.T) {
	own := line.WordsOf([]string{"Anna Kowalski, 1 a", "to Kowalski"})
	for _, c := range []struct {
		language           line.Language
		written, alone, by string
	}{
		{line.None, "kovalski", "kovalski", "kowalski"},
		{line.English, "kovalski", "kovalski", "kowalski"},
		{line.None, "1 kovalski", "1 kovalski", "1 kowalski"},
		{line.None, "kovalskis", "kovalskis", "kovalskis"}, // another word
		{line.None, "anva", "anva", "anna"},
		{line.None, "vow", "vow", "vow"},
	} {
		columns := doubtful(c.written, "vw", "vn")
		for want, words := range map[string]*line.Words{c.alone: nil, c.by: own} {
			if got := strings.Join(line.Decode(columns, c.language, words, 24)[0].Labels, ""); got != want {
				t.Errorf("%s, %q: read %q, want %q", c.language, c.written, got, want)
			}
		}
	}
	if line.WordsOf([]string{"", "1 a 2"}) != nil {
		t.Error("a single letter is a word")
	}
}

// What own words say of a text does not depend on the way it is found: ln p of all beginnings of a text is that of the words it has.
func TestOwnWordsAreCountedOnce(t *testing.T) {
	own := line.WordsOf([]string{"ab ab cd"})
	const fresh, all = 200.0, 3.0
	for text, words := range map[string][]string{"ab": {"ab"}, "ab cd": {"ab", "cd"}, "ce": {"ce"}, "1ab": {"ab"}, "abab": {"abab"}} {
		want := 0.0
		for _, word := range words {
			p := fresh / (fresh + all)
			if n := map[string]float64{"ab": 2, "cd": 1}[word]; n > 0 {
				p += n / (fresh + all) * math.Pow(6, float64(len(word)+1))
			}
			want += math.Log(p)
		}
		d := line.Decode(doubtful(text), line.None, own, 24)[0]
		if strings.Join(d.Labels, "") != text || math.Abs(d.Said-want) > 1e-9 {
			t.Errorf("%q: %v, ln p %.4f, want %.4f", text, d.Labels, d.Said, want)
		}
	}
}
