//go:build learn

package line_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// TestLearn learns the weights anew and writes them.
func TestLearn(t *testing.T) {
	r := open(t)
	most := 1100
	samples := lines(t, false, func(s ink.Labelled) bool { return separate(s) && !number(s) }, most)
	samples = append(samples, lines(t, false, number, 260)...)
	samples = append(samples, composed(t, false, 250)...)
	data, err := line.Learn(t.Context(), samples, r.AskLine, modelName, 3)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("weights.json", data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestCalibrate prints the weights of signs.
func TestCalibrate(t *testing.T) {
	r := open(t)
	all := lines(t, false, func(s ink.Labelled) bool { return separate(s) && !number(s) && s.Attributes["style"] == "PRINTED" }, 300)
	all = append(all, lines(t, false, func(s ink.Labelled) bool { return !separate(s) && !number(s) }, 250)...)
	all = append(all, lines(t, false, number, 80)...)
	w, err := line.Calibrate(t.Context(), all, r.AskLine)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.2f", w)
}

// TestMeasure prints the table of docs/lines.md.
func TestMeasure(t *testing.T) {
	r := open(t)
	words := lines(t, true, func(s ink.Labelled) bool { return separate(s) }, 300)
	spaces := 0
	for _, s := range words {
		got, err := line.Read(t.Context(), s.Ink, line.Options{}, r.AskLine)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(got.Text, " ") && !strings.Contains(s.Text, " ") {
			spaces++
		}
	}
	t.Logf("%d of %d words are parted by spaces", spaces, len(words))
	printed := lines(t, true, func(s ink.Labelled) bool {
		return separate(s) && !number(s) && s.Attributes["style"] == "PRINTED"
	}, 400)
	numbers := lines(t, true, number, 400)
	five := composed(t, true, 300)
	joined := lines(t, true, func(s ink.Labelled) bool { return !separate(s) && !number(s) }, 200)
	t.Log("joined, none:    ", measure(t, r, joined, line.Options{}))
	t.Log("joined, english: ", measure(t, r, joined, line.Options{Language: line.English}))
	t.Log("printed, none:   ", measure(t, r, printed, line.Options{}))
	t.Log("printed, english:", measure(t, r, printed, line.Options{Language: line.English}))
	t.Log("numbers, none:   ", measure(t, r, numbers, line.Options{}))
	t.Log("numbers, digits: ", measure(t, r, numbers, line.Options{Language: line.Digits}))
	t.Log("composed, none:  ", measure(t, r, five, line.Options{}))
	t.Log("composed, digits:", measure(t, r, five, line.Options{Language: line.Digits}))
}

func number(s ink.Labelled) bool {
	return len(s.Label) > 1 && strings.Trim(s.Label, "0123456789") == ""
}

// trained are the writers that the network's own samples come from.
func trained(t testing.TB) map[string]bool {
	writers := map[string]bool{}
	for _, name := range []string{"digits", "upper", "lower", "symbols"} {
		for _, s := range readInk(t, "unipen", name+".jsonl.gz") {
			writers[s.Writer] = true
		}
	}
	return writers
}

// lines chooses words and numbers in an order by chance: for measuring of writers of whom nothing was learned.
func lines(t testing.TB, unseenWriters bool, want func(ink.Labelled) bool, most int) []line.Sample {
	all := readInk(t, "words", "words.jsonl.gz")
	rng := rand.New(rand.NewPCG(1, 2))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var known map[string]bool
	if unseenWriters {
		known = trained(t)
	}
	var out []line.Sample
	for _, s := range all {
		if unseen(s.Writer) == unseenWriters && !known[s.Writer] && want(s) && len(out) < most {
			out = append(out, line.Sample{Text: s.Label, Ink: s.Ink})
		}
	}
	return out
}

type score struct {
	lines, right, characters, wrong int
	confidence                      float64 // sum
}

func (s score) String() string {
	return fmt.Sprintf("%d lines, %.1f %% right, character error %.1f %%, mean confidence %.2f", s.lines, 100*float64(s.right)/float64(s.lines), 100*float64(s.wrong)/float64(s.characters), s.confidence/float64(s.lines))
}

// add counts a reading of a text, case ignored.
func (s *score) add(text string, got *line.Result) {
	want := []rune(strings.ToLower(text))
	d := 0
	for _, run := range line.Differences(want, []rune(strings.ToLower(got.Text))) {
		d += run.Errors()
	}
	s.lines, s.characters, s.wrong, s.confidence = s.lines+1, s.characters+len(want), s.wrong+d, s.confidence+got.Confidence
	if d == 0 {
		s.right++
	}
}

func measure(t testing.TB, r *recognizer.Recognizer, samples []line.Sample, o line.Options) (s score) {
	show := os.Getenv("SHOW") != ""
	begin := time.Now()
	for part := range slices.Chunk(samples, 32) {
		var inks []ink.Ink
		for _, p := range part {
			inks = append(inks, p.Ink)
		}
		results, err := line.ReadMany(context.Background(), inks, o, r.AskLine)
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range results {
			a, b := strings.ToLower(part[i].Text), strings.ToLower(got.Text)
			s.lines++
			s.characters += len([]rune(a))
			d := 0
			for _, run := range line.Differences([]rune(a), []rune(b)) {
				d += run.Errors()
			}
			s.wrong += d
			s.confidence += got.Confidence
			if d == 0 {
				s.right++
			} else if show {
				fmt.Printf("%q %q %.2f\n", part[i].Text, got.Text, got.Confidence)
			}
		}
	}
	t.Logf("%v a line", time.Since(begin)/time.Duration(len(samples)))
	return s
}
