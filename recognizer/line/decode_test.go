package line_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"inkshade/recognizer/line"
)

func random(r *rand.Rand, columns int, labels ...string) line.Columns {
	c := line.Columns{Labels: labels}
	for range columns {
		p, sum := make([]float64, len(labels)+1), 0.0
		for i := range p {
			p[i] = math.Exp(2 * r.NormFloat64())
			sum += p[i]
		}
		for i := range p {
			p[i] = math.Log(p[i] / sum)
		}
		c.LogP = append(c.LogP, p)
	}
	return c
}

// all sums the probability of every text over every way to place it.
func all(c line.Columns) map[string]float64 {
	texts := map[string]float64{}
	var walk func(t int, ln float64, text []string, last int)
	walk = func(t int, ln float64, text []string, last int) {
		if t == len(c.LogP) {
			texts[strings.Join(text, "")] += math.Exp(ln)
			return
		}
		for i, p := range c.LogP[t] {
			now := text
			if i < len(c.Labels) && i != last {
				now = append(slices.Clone(text), c.Labels[i])
			}
			walk(t+1, ln+p, now, i)
		}
	}
	walk(0, 0, nil, -1)
	return texts
}

// What is hopeless in a column is left out, which takes less than e^-9 of it.
func TestDecodeFindsTheMostLikelyText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		c := random(r, 1+r.IntN(6), "a", "b", "1")
		want := all(c)
		got := line.Decode(c, line.None, nil, 1000)
		for i, d := range got {
			p := want[strings.Join(d.Labels, "")]
			if math.Abs(math.Exp(d.LogP)-p) > 1e-4 && p > 1e-3 {
				t.Errorf("%q: p %g, want %g", d.Labels, math.Exp(d.LogP), p)
			}
			if i > 0 && d.LogP > got[i-1].LogP {
				t.Errorf("text %d is more likely than the one before", i)
			}
		}
		best := 0.0
		for _, p := range want {
			best = max(best, p)
		}
		if math.Abs(math.Exp(got[0].LogP)-best) > 1e-4 {
			t.Errorf("the best has p %g, want %g", math.Exp(got[0].LogP), best)
		}
	}
}

// certain are columns that spell a text, "." being the blank.
func certain(text string, labels ...string) line.Columns {
	c := line.Columns{Labels: labels}
	for _, r := range text {
		p := slices.Repeat([]float64{math.Log(0.1 / float64(len(labels)))}, len(labels)+1)
		i := slices.Index(labels, string(r))
		if i < 0 {
			i = len(labels)
		}
		p[i] = math.Log(0.9)
		c.LogP = append(c.LogP, p)
	}
	return c
}

func TestDecodePlacesItsLabels(t *testing.T) {
	for text, want := range map[string]struct {
		labels string
		spans  [][2]int
	}{
		".aa.b.":  {"ab", [][2]int{{1, 3}, {4, 5}}},
		"aa.aabb": {"aab", [][2]int{{0, 2}, {3, 5}, {5, 7}}},
		"...":     {"", [][2]int{}},
		"1":       {"1", [][2]int{{0, 1}}},
	} {
		d := line.Decode(certain(text, "a", "b", "1"), line.None, nil, 20)[0]
		if strings.Join(d.Labels, "") != want.labels || !slices.Equal(d.Spans, want.spans) {
			t.Errorf("%s: %q at %v, want %q at %v", text, d.Labels, d.Spans, want.labels, want.spans)
		}
	}
}

func TestDecodeListensToTheLanguage(t *testing.T) {
	letters := strings.Split("abcdefghijklmnopqrstuvwxyz0123456789", "")
	c := certain("t.h.e", letters...)
	q, h := slices.Index(letters, "q"), slices.Index(letters, "h")
	c.LogP[2][q], c.LogP[2][h] = math.Log(0.5), math.Log(0.4) // rather "tqe"
	for language, want := range map[line.Language]string{line.None: "tqe", line.English: "the"} {
		if d := line.Decode(c, language, nil, 20)[0]; strings.Join(d.Labels, "") != want {
			t.Errorf("%s: %q, want %q", language, d.Labels, want)
		}
	}
	l, one := slices.Index(letters, "l"), slices.Index(letters, "1")
	c = certain("1.7", letters...)
	c.LogP[0][l], c.LogP[0][one] = math.Log(0.6), math.Log(0.3)
	if d := line.Decode(c, line.Digits, nil, 20)[0]; strings.Join(d.Labels, "") != "17" {
		t.Errorf("among digits %q", d.Labels)
	}
	c = certain("3.-.8", append(letters, "-")...)
	c.LogP[2][len(letters)], c.LogP[2][l], c.LogP[2][one] = math.Log(0.5), math.Log(0.4), math.Log(0.01)
	for language, want := range map[line.Language]string{line.Numbers: "3-8", line.Digits: "318"} {
		if d := line.Decode(c, language, nil, 20)[0]; strings.Join(d.Labels, "") != want {
			t.Errorf("%s: %q, want %q", language, d.Labels, want)
		}
	}
}
