package program

import (
	"errors"
	"time"
)

// ErrNoCache says that there is no place for choices.
var ErrNoCache = errors.New("nothing is measured or kept, and a rule of thumb picks the variants: the cache is turned off (INKSHADE_CACHE=off), or there is no folder for it")

// Selection is what is known about the variants of an operation for a class of shapes.
type Selection struct {
	Operation string // "product"
	Work      string // what was measured in a few words, "128x784 · 784x800"
	Chosen    int    // number of the variant that the next start takes
	Trials    []VariantTrial
}

// Left is the number of variants that have not been measured yet.
func (s *Selection) Left() int {
	n := 0
	for _, t := range s.Trials {
		if t.Time == 0 && t.Unusable == "" {
			n++
		}
	}
	return n
}

// VariantTrial is the time of a variant, the one taken without measuring first.
type VariantTrial struct {
	Number   int
	Name     string
	Time     time.Duration // shortest replay; 0 where there was none yet
	Unusable string        // why it cannot be used here
}

// Tuning says what Tune or Retune is about to measure.
type Tuning struct {
	Done, Total int // trials of all variants of the classes that are measured
	Selection   *Selection
	Variant     int // number
}
