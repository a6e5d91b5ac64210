//go:build learn

package personal

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"inkshade/recognizer"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/dataset/datatest"
	"inkshade/recognizer/nn/nntest"
)

// What learning five samples of thirty Chinese characters gains for made-up people, of whom each has a form of its own of
// every character: docs/chinese.md has the figures.
func TestChineseStyles(t *testing.T) {
	medians, _, err := dataset.Read(t.Context(), datatest.Require(t, "hanzi/medians.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	model, err := recognizer.LoadModel("chinese-cnn")
	if err != nil {
		t.Fatal(err)
	}
	o := EvaluationOptions{Settings: DefaultSettings(), Guard: people(t, medians, "other", 3)}
	f, err := EvaluateWriters(t.Context(), nntest.CPU(t), model, Writers(people(t, medians, "person", 4), 5, 1), o)
	if err != nil {
		t.Fatal(err)
	}
	share := func(errors, all int) string {
		return fmt.Sprintf("%.1f %% of %d", 100*float64(errors)/float64(all), all)
	}
	t.Logf("wrong before %s, at once %s, trained %s; of others %s before, %s after; %.1f s a person", share(f.Base, f.Tests), share(f.Instant, f.Tests),
		share(f.Trained, f.Tests), share(f.GuardBefore, f.Guards), share(f.GuardAfter, f.Guards), f.MedianSeconds())
}

// people give eight drawings each of thirty characters: forms far from the middle lines of a font's strokes, with small changes each time.
func people(t *testing.T, medians []dataset.Sample, name string, count int) (all []dataset.Sample) {
	t.Helper()
	own := dataset.Distortion{Rotate: 25, Scale: 0.25, Shear: 0.4, ElasticAlpha: 80, ElasticSigma: 5}
	change := dataset.Distortion{Rotate: 4, Scale: 0.05, Shear: 0.05, ElasticAlpha: 12, ElasticSigma: 5}
	rng := rand.New(rand.NewPCG(1, uint64(len(name))))
	for person := range count {
		for _, i := range rng.Perm(len(medians))[:30] {
			s := medians[i]
			form := own.ApplyInk(nil, s.Ink, rng)
			for range 8 {
				all = append(all, dataset.Sample{Label: s.Label, Writer: fmt.Sprint(name, person), Ink: change.ApplyInk(nil, form, rng)})
			}
		}
	}
	if err := dataset.Draw(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	return all
}
