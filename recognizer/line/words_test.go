package line_test

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"unicode"

	"inkshade/glcompute"
	"inkshade/recognizer"
	"inkshade/recognizer/dataset/datatest"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

const modelName = "characters-cnn"

func open(t testing.TB) *recognizer.Recognizer {
	t.Helper()
	return openModel(t, modelName)
}

// openModel opens a model on the processor.
func openModel(t testing.TB, name string) *recognizer.Recognizer {
	t.Helper()
	m, err := recognizer.LoadModel(name)
	if err != nil {
		t.Fatal(err)
	}
	dev, err := glcompute.Open(glcompute.CPU)
	if err != nil {
		t.Fatal(err)
	}
	r, err := recognizer.New(m, dev)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); dev.Close() })
	return r
}

func readInk(t testing.TB, path ...string) []ink.Labelled {
	t.Helper()
	f, err := os.Open(datatest.Require(t, path...))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := ink.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// unseen tells whether a writer is one of the third that no weights are learned from.
func unseen(writer string) bool {
	h := fnv.New32a()
	h.Write([]byte(writer))
	return h.Sum32()%3 == 0
}

// separate tells whether a word has at least as many strokes as letters and digits.
func separate(s ink.Labelled) bool {
	n := 0
	for _, c := range s.Label {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			n++
		}
	}
	return len(s.Ink) >= n
}

// composed makes lines of five digits, each line of one writer; those that are measured on are the writers of pendigits,
// of which nothing was learned.
func composed(t testing.TB, unseenWriters bool, most int) []line.Sample {
	byWriter := map[string][]ink.Labelled{}
	var writers []string
	path := []string{"unipen", "digits.jsonl.gz"}
	if unseenWriters {
		path = []string{"pendigits", "pendigits-train.gz"}
	}
	for _, s := range readInk(t, path...) {
		if (unseenWriters || !unseen(s.Writer)) && !s.Context {
			if byWriter[s.Writer] == nil {
				writers = append(writers, s.Writer)
			}
			byWriter[s.Writer] = append(byWriter[s.Writer], s)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	var out []line.Sample
	for len(out) < most {
		from := byWriter[writers[rng.IntN(len(writers))]]
		var s line.Sample
		right, height := 0.0, 0.0
		for range 5 {
			c := from[rng.IntN(len(from))]
			x0, y0, x1, y1, _ := c.Ink.Bounds()
			if height == 0 {
				height = max(y1-y0, x1-x0)
			}
			dx := right + height*(0.1+0.3*rng.Float64()) - x0
			dy := height*0.1*(rng.Float64()-0.5) - y1
			right = x1 + dx
			for _, stroke := range c.Ink {
				moved := slices.Clone(stroke)
				for i := range moved {
					moved[i].X += dx
					moved[i].Y += dy
				}
				s.Ink = append(s.Ink, moved)
			}
			s.Text += c.Label
		}
		out = append(out, s)
	}
	return out
}
