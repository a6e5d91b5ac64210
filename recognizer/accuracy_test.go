package recognizer

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"inkshade/glcompute"
	"inkshade/models"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
)

// Every shipped model answers as many samples wrongly as testdata/accuracy.txt says, on every
// device: the characters of assets and testdata, distorted by fixed seeds. A change
// that means to change answers changes the file.
func TestAccuracy(t *testing.T) {
	golden, err := os.ReadFile("testdata/accuracy.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, err := dataset.Load("../assets/characters.jsonl", "testdata/hanzi.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []glcompute.DeviceKind{glcompute.CPU, glcompute.Fragment, glcompute.Compute} {
		t.Run(string(kind), func(t *testing.T) {
			dev, err := glcompute.Open(kind)
			if err != nil {
				t.Fatal(err)
			}
			defer dev.Close()
			var got strings.Builder
			for _, name := range models.Names() {
				m, err := LoadModel(name)
				if err != nil {
					t.Fatal(err)
				}
				r, err := New(m, dev)
				if err != nil {
					t.Fatal(err)
				}
				labels, drawings := distortions(all, r.knows)
				answers, err := r.RecognizeMany(drawings)
				if err != nil {
					t.Fatal(err)
				}
				wrong := 0
				for i, a := range answers {
					if a.Candidates[0].Label != labels[i] {
						wrong++
					}
				}
				fmt.Fprintf(&got, "%s %d of %d\n", name, wrong, len(answers))
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			}
			if got.String() != withoutComments(string(golden)) {
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
