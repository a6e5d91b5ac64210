//go:build learn

package mislabelled

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/embedding"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

// TestOnlyDrawings counts how often the only drawing of a label is doubted: in collections of one person with five drawings of
// each label, another label with one, and one drawing under a wrong label that nothing else has.
func TestOnlyDrawings(t *testing.T) {
	data := os.Getenv("INKSHADE_DATA")
	if data == "" {
		t.Skip("INKSHADE_DATA names no folder")
	}
	const people, times = 40, 4
	for _, file := range []string{"digits", "lower"} {
		all, _, err := dataset.Read(t.Context(), filepath.Join(data, "unipen", file+".jsonl.gz"))
		if err != nil {
			t.Fatal(err)
		}
		by, writers := map[string]map[string][]ink.Ink{}, []string(nil)
		for _, s := range all {
			if by[s.Writer] == nil {
				by[s.Writer], writers = map[string][]ink.Ink{}, append(writers, s.Writer)
			}
			by[s.Writer][s.Label] = append(by[s.Writer][s.Label], s.Ink)
		}
		random := rand.New(rand.NewPCG(1, 1))
		counts, asked := map[string]int{}, 0
		for _, w := range writers {
			var labels []string
			for label, inks := range by[w] {
				if len(inks) >= 5 {
					labels = append(labels, label)
				}
			}
			if len(labels) < 8 || asked == people*times {
				continue
			}
			slices.Sort(labels)
			for range times {
				asked++
				random.Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
				var some []samples.Sample
				add := func(label, as string) {
					some = append(some, samples.Sample{ID: int64(len(some)), Label: as, Ink: by[w][label][random.IntN(len(by[w][label]))]})
				}
				add(labels[0], "right")
				add(labels[1], "wrong")
				for _, label := range labels[1:] {
					for range 5 {
						add(label, label)
					}
				}
				for _, found := range doubted(t, some) {
					counts[found.Sample.Label]++
				}
			}
		}
		t.Logf("%s: of %d only drawings each %d right and %d wrong ones are doubted", file, asked, counts["right"], counts["wrong"])
	}
}

func doubted(t *testing.T, some []samples.Sample) []Suspicion {
	var inks []ink.Ink
	for _, s := range some {
		inks = append(inks, s.Ink)
	}
	points, err := embedding.OfInks(t.Context(), inks)
	if err != nil {
		t.Fatal(err)
	}
	found, err := Find(t.Context(), some, points)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
