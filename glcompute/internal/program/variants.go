package program

import (
	"fmt"
	"strings"
	"time"

	"inkshade/glcompute/message"
)

// ErrNoCache says that there is no place for choices.
var ErrNoCache = message.Errorf("nothing is measured or kept, and a rule of thumb picks the variants: the cache is turned off (INKSHADE_CACHE=off), or there is no folder for it")

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

// String says which variant is taken, and what is known of all.
func (s *Selection) String() string {
	var chosen string
	var all []string
	for _, t := range s.Trials {
		if t.Number == s.Chosen {
			chosen = t.Name
		}
		all = append(all, t.Name+" "+t.String())
	}
	return fmt.Sprintf("%s %s: %s (%s)", s.Operation, s.Work, chosen, strings.Join(all, "; "))
}

// VariantTrial is the time of a variant, the one taken without measuring first.
type VariantTrial struct {
	Number   int
	Name     string
	Time     time.Duration // shortest replay; 0 where there was none yet
	Unusable string        `json:",omitempty"` // why it cannot be used here
}

func (t VariantTrial) String() string {
	switch {
	case t.Unusable != "":
		return "cannot be used here: " + t.Unusable
	case t.Time == 0:
		return "not measured yet"
	}
	return milliseconds(t.Time)
}

// Tuning says what Tune is about to measure.
type Tuning struct {
	Done, Total int // trials of all variants of the classes that are measured
	Selection   *Selection
}
