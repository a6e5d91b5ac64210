package dataset

import (
	"fmt"
	"slices"
	"testing"
)

func writers(collections map[string]int, perWriter int) []Sample {
	var s []Sample
	for _, c := range []string{"one", "two", "solo"} {
		for w := range collections[c] {
			for i := range perWriter {
				file := []string{"digits", "lower"}[i%2]
				s = append(s, Sample{Source: "/data/" + c + "/" + file, Writer: fmt.Sprintf("w%02d", w), Label: fmt.Sprint(i)})
			}
		}
	}
	return s
}

func TestSplitByWriter(t *testing.T) {
	s := writers(map[string]int{"one": 20, "two": 5, "solo": 1}, 6)
	rest, held := SplitByWriter(s, 0.2, 3)
	if len(rest)+len(held) != len(s) {
		t.Fatalf("%d and %d samples of %d", len(rest), len(held), len(s))
	}
	side := map[string]bool{}
	count := map[string]int{}
	for i, part := range [][]Sample{rest, held} {
		for _, sample := range part {
			c := collection(sample)
			key := c + sample.Writer
			if was, ok := side[key]; ok && was != (i == 1) {
				t.Fatalf("writer %s of %s is on both sides", sample.Writer, c)
			} else if !ok && i == 1 {
				count[c]++
			}
			side[key] = i == 1
		}
	}
	want := map[string]int{"one": 4, "two": 1}
	for c, n := range want {
		if count[c] != n {
			t.Errorf("%s: %d held out, want %d", c, count[c], n)
		}
	}
	if count["solo"] != 0 {
		t.Error("the only writer of a collection is held out at 0.2")
	}
}

func labels(s []Sample) []string {
	var out []string
	for _, sample := range s {
		out = append(out, sample.Source+sample.Writer+sample.Label)
	}
	return out
}

func TestSplitIsRepeatable(t *testing.T) {
	s := writers(map[string]int{"one": 20, "two": 5}, 4)
	_, held := SplitByWriter(s, 0.3, 5)
	_, again := SplitByWriter(slices.Clone(s), 0.3, 5)
	if !slices.Equal(labels(held), labels(again)) {
		t.Error("the same seed splits differently")
	}
	_, other := SplitByWriter(s, 0.3, 6)
	if slices.Equal(labels(held), labels(other)) {
		t.Error("another seed splits the same")
	}
	// A collection's split does not depend on another collection.
	alone := writers(map[string]int{"one": 20}, 4)
	_, heldAlone := SplitByWriter(alone, 0.3, 5)
	var one []Sample
	for _, sample := range held {
		if collection(sample) == "one" {
			one = append(one, sample)
		}
	}
	heldAlone = slices.DeleteFunc(heldAlone, func(s Sample) bool { return collection(s) != "one" })
	if !slices.Equal(labels(one), labels(heldAlone)) {
		t.Error("another collection changes the split")
	}
}

func TestSplitOfNothingAndAll(t *testing.T) {
	s := writers(map[string]int{"one": 3}, 2)
	for _, c := range []struct {
		fraction float64
		held     int
	}{{0, 0}, {1, len(s)}, {-1, 0}, {2, len(s)}} {
		if _, held := SplitByWriter(s, c.fraction, 1); len(held) != c.held {
			t.Errorf("%g: %d of %d held out, want %d", c.fraction, len(held), len(s), c.held)
		}
	}
	if rest, held := SplitByWriter(nil, 0.5, 1); rest != nil || held != nil {
		t.Error("samples out of nothing")
	}
}
