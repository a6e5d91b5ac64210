package trainer

import (
	"slices"

	"inkshade/recognizer/samples"
)

// State is what a training would start from now.
type State struct {
	Samples   int      // the person's, without those cut from running text
	New       int      // of them, those that the model in force has not seen
	HeldOut   int      // of them, those held out so far
	Undecided int      // of them, those of which the next training may hold some out
	Classes   int      // labels that they have
	Thin      []string // labels with fewer than five samples: too few to hold one out
	Unknown   []string // labels that the model in use does not know
	InForce   int64    // the model in force; 0 is the shipped one
}

// Missing is how many samples more a training needs; 0 when it can begin.
func (s State) Missing() int { return max(0, Enough-(s.Samples-s.HeldOut)) }

// fewest is how many samples a class needs before one of them is held out; see
// samples.Store.AssignHoldOut.
const fewest = 5

// State looks at the samples and at the history of base; labels are what the model in use
// knows.
func (t *Trainer) State(base string, labels []string) (State, error) {
	all, err := t.book.Store.List(samples.Filter{})
	if err != nil {
		return State{}, err
	}
	history, err := t.History(base)
	if err != nil {
		return State{}, err
	}
	var s State
	last := int64(0)
	for _, e := range history {
		if e.InForce {
			s.InForce, last = e.ID, e.Report.Last
		}
	}
	counts := map[string]int{}
	for _, sample := range all {
		if sample.Context {
			continue
		}
		s.Samples++
		counts[sample.Label]++
		switch {
		case sample.HoldOut:
			s.HeldOut++
		case !sample.Learned:
			s.Undecided++
		}
		if sample.ID > last {
			s.New++
		}
	}
	s.Classes = len(counts)
	for label, n := range counts {
		if n < fewest {
			s.Thin = append(s.Thin, label)
		}
		if !slices.Contains(labels, label) {
			s.Unknown = append(s.Unknown, label)
		}
	}
	slices.Sort(s.Thin)
	slices.Sort(s.Unknown)
	return s, nil
}
