package recognizer

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"inkshade/glcompute"
	"inkshade/models"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// Every shipped model answers as many samples wrongly as testdata/accuracy.txt says on the processor: the characters of
// assets and testdata, distorted by fixed seeds. The other devices give the same answers and probabilities on every third of
// them. A change that means to change answers changes the file.
func TestAccuracy(t *testing.T) {
	const limit = 1e-5
	golden, err := os.ReadFile("testdata/accuracy.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, _, err := dataset.Read(t.Context(), "testdata/characters.jsonl", "testdata/hanzi.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	type asked struct {
		model    *nn.Model
		labels   []string
		drawings []ink.Ink
		class    map[string]int
		first    [][]float64 // the probabilities by the first device, and its answers
		said     []string
	}
	questions := map[string]*asked{}
	for _, name := range models.Names() {
		m, err := LoadModel(name)
		if err != nil {
			t.Fatal(err)
		}
		q := &asked{model: m, class: map[string]int{}}
		for i, label := range m.Labels {
			q.class[label] = i
		}
		q.labels, q.drawings = distortions(all, func(label string) bool { return m.Class(label) >= 0 })
		questions[name] = q
	}
	for _, kind := range glcompute.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			dev, err := glcompute.Open(kind)
			if err != nil {
				t.Fatal(err)
			}
			defer dev.Close()
			var got strings.Builder
			first := false // is what the others are compared with
			for _, name := range models.Names() {
				q := questions[name]
				r, err := New(q.model, dev)
				if err != nil {
					t.Fatal(err)
				}
				each := 3
				if first = len(q.first) == 0; first {
					each = 1
				}
				var some []ink.Ink
				for i := 0; i < len(q.drawings); i += each {
					some = append(some, q.drawings[i])
				}
				answers, err := r.RecognizeMany(some, nil)
				if err != nil {
					t.Fatal(err)
				}
				wrong, others, worst := 0, 0, 0.0
				for n, a := range answers {
					i, label := n*each, a.Candidates[0].Label
					if label != q.labels[i] {
						wrong++
					}
					got := probabilities(q.class, a)
					if i == len(q.first) {
						q.first, q.said = append(q.first, got), append(q.said, label)
					}
					if label != q.said[i] {
						others++
					}
					for class, p := range got {
						worst = max(worst, math.Abs(p-q.first[i][class]))
					}
				}
				fmt.Fprintf(&got, "%s %d of %d\n", name, wrong, len(answers))
				t.Logf("%s: largest difference of a probability %.2g of %.2g allowed", name, worst, limit)
				if !(worst <= limit) {
					t.Errorf("%s: probabilities differ by %g from those on %s", name, worst, glcompute.Kinds()[0])
				}
				if others > 0 {
					t.Errorf("%s: %d of %d answers are others than on %s", name, others, len(answers), glcompute.Kinds()[0])
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			}
			if first && got.String() != withoutComments(string(golden)) {
				t.Errorf("wrong are now\n%s", got.String())
			}
		})
	}
}

// distortions draws each sample that is known so many times that there are about 1,000.
func distortions(all []dataset.Sample, known func(label string) bool) (labels []string, drawings []ink.Ink) {
	strong := dataset.Distortion{Shift: 1, Rotate: 20, Scale: 0.2, Shear: 0.3, ElasticAlpha: 60, ElasticSigma: 5}
	count := 0
	for _, s := range all {
		if known(s.Label) {
			count++
		}
	}
	for i, s := range all {
		if !known(s.Label) {
			continue
		}
		for n := range 1000 / count {
			rng := rand.New(rand.NewPCG(uint64(i), uint64(n)))
			labels, drawings = append(labels, s.Label), append(drawings, strong.ApplyInk(nil, s.Ink, rng))
		}
	}
	return labels, drawings
}

// withoutComments are the lines that begin with no #.
func withoutComments(text string) string {
	var out strings.Builder
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		if !strings.HasPrefix(lines.Text(), "#") {
			fmt.Fprintln(&out, lines.Text())
		}
	}
	return out.String()
}

// probabilities are those of an answer, by class.
func probabilities(class map[string]int, a Answer) []float64 {
	p := make([]float64, len(class))
	for _, c := range a.Candidates {
		p[class[c.Label]] = c.Probability
	}
	return p
}
