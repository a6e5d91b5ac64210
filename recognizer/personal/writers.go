package personal

import (
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"

	"inkshade/recognizer/dataset"
)

// Writer is one person of an evaluation: what is learned from, and what is tested on.
type Writer struct {
	Name        string
	Learn, Test []dataset.Sample
}

// Writers splits samples with strokes by who wrote them. A class of a writer takes part
// when there are more than perClass samples of it: perClass of them, drawn by seed, are
// learned from, the others tested on. A writer takes part with two such classes or more. A class
// with fewer samples is neither learned nor tested, so that what is measured is learning
// from perClass samples and nothing else. Writers are sorted by name; who else is among
// the samples does not change the split of one.
func Writers(samples []dataset.Sample, perClass int, seed int64) []Writer {
	byWriter := map[string]map[string][]dataset.Sample{}
	for _, s := range samples {
		if s.Writer == "" || len(s.Ink) == 0 {
			continue
		}
		if byWriter[s.Writer] == nil {
			byWriter[s.Writer] = map[string][]dataset.Sample{}
		}
		byWriter[s.Writer][s.Label] = append(byWriter[s.Writer][s.Label], s)
	}
	var writers []Writer
	for _, name := range slices.Sorted(maps.Keys(byWriter)) {
		w := Writer{Name: name}
		classes := 0
		for _, label := range slices.Sorted(maps.Keys(byWriter[name])) {
			group := byWriter[name][label]
			if len(group) <= perClass {
				continue
			}
			classes++
			order := rand.New(rand.NewPCG(uint64(seed), hash(name+"\x00"+label))).Perm(len(group))
			for place, i := range order {
				if place < perClass {
					w.Learn = append(w.Learn, group[i])
				} else {
					w.Test = append(w.Test, group[i])
				}
			}
		}
		if classes >= 2 {
			writers = append(writers, w)
		}
	}
	return writers
}

func hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}
