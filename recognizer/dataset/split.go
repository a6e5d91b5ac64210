package dataset

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"maps"
	"math"
	"path/filepath"
	"slices"
)

// SplitByWriter holds out a fraction (0 to 1) of the writers of each collection, of samples whose
// writers are known. A collection is what comes from one folder, so that a
// person who wrote in several of its files is on one side. The samples keep their order.
//
// The same samples, fraction and seed give the same split, wherever the folder lies, and
// one collection's does not depend on another's. A collection of two or more writers has
// at least one on either side unless fraction is 0 or 1. To test a model on part of the
// data it was trained with, split first and select classes afterwards: who is held out
// depends on who is there.
func SplitByWriter(s []Sample, fraction float64, seed int64) (rest, held []Sample) {
	collections := map[string]map[string]bool{} // of each the writers, and whether they are held out
	for _, sample := range s {
		c := collection(sample)
		if collections[c] == nil {
			collections[c] = map[string]bool{}
		}
		collections[c][sample.Writer] = false
	}
	for c, writers := range collections {
		names := slices.SortedFunc(maps.Keys(writers), func(a, b string) int {
			return cmp.Or(cmp.Compare(rank(seed, c, a), rank(seed, c, b)), cmp.Compare(a, b))
		})
		for _, name := range names[:share(len(names), fraction)] {
			writers[name] = true
		}
	}
	for _, sample := range s {
		if collections[collection(sample)][sample.Writer] {
			held = append(held, sample)
		} else {
			rest = append(rest, sample)
		}
	}
	return rest, held
}

// collection is the name of the folder the sample's file lies in.
func collection(s Sample) string { return filepath.Base(filepath.Dir(s.Source)) }

func rank(seed int64, collection, writer string) uint64 {
	h := fnv.New64a()
	h.Write(binary.LittleEndian.AppendUint64(nil, uint64(seed)))
	h.Write([]byte(collection + "\x00writer " + writer))
	return mix(h.Sum64())
}

// mix spreads the bits, which FNV leaves alike for names that differ in their last letter
// (the finalizer of SplitMix64; Steele et al., 2014).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func share(n int, fraction float64) int {
	count := int(math.Round(fraction * float64(n)))
	if n > 1 && fraction > 0 && fraction < 1 {
		count = min(max(count, 1), n-1)
	}
	return min(max(count, 0), n)
}
