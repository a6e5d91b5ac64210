package dataset

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"math"
	"path/filepath"
	"slices"
	"strconv"
)

// SplitByWriter holds out a fraction (0 to 1) of the writers of each collection, and of
// its samples that have no writer. A collection is what comes from one folder, so that a
// person who wrote in several of its files is on one side. The samples keep their order.
//
// The same samples, fraction and seed give the same split, wherever the folder lies, and
// one collection's does not depend on another's. A collection of two or more writers has
// at least one on either side unless fraction is 0 or 1. To test a model on part of the
// data it was trained with, split first and select classes afterwards: who is held out
// depends on who is there.
func SplitByWriter(s []Sample, fraction float64, seed int64) (rest, held []Sample) {
	type member struct {
		name string
		rank uint64
	}
	// A sample without a writer counts as one of its own.
	names := make([]string, len(s))
	collections := map[string]map[string]bool{}
	for i, sample := range s {
		c := collection(sample)
		if names[i] = "writer " + sample.Writer; sample.Writer == "" {
			names[i] = "sample " + strconv.Itoa(len(collections[c]))
		}
		if collections[c] == nil {
			collections[c] = map[string]bool{}
		}
		collections[c][names[i]] = false
	}
	for c, writers := range collections {
		for _, anonymous := range []bool{false, true} {
			var members []member
			for name := range writers {
				if (name[0] == 's') == anonymous {
					members = append(members, member{name, rank(seed, c, name)})
				}
			}
			slices.SortFunc(members, func(a, b member) int {
				return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.name, b.name))
			})
			for _, m := range members[:share(len(members), fraction)] {
				writers[m.name] = true
			}
		}
	}
	for i, sample := range s {
		if collections[collection(sample)][names[i]] {
			held = append(held, sample)
		} else {
			rest = append(rest, sample)
		}
	}
	return rest, held
}

// collection is the name of the folder the sample's file lies in.
func collection(s Sample) string { return filepath.Base(filepath.Dir(s.Source)) }

func rank(seed int64, collection, name string) uint64 {
	h := fnv.New64a()
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(seed))
	h.Write(b[:])
	h.Write([]byte(collection))
	h.Write([]byte{0})
	h.Write([]byte(name))
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
