package ui

import "slices"

// selection is which samples are chosen, by id, and where the last choice was made. Places
// are indices into the order in which the samples are shown.
type selection struct {
	ids            map[int64]bool
	anchor, cursor int
}

func newSelection() *selection { return &selection{ids: map[int64]bool{}} }

// click chooses the sample at i alone; with add it joins or leaves the others, with extend
// all from the last click to this one are chosen.
func (s *selection) click(order []int64, i int, add, extend bool) {
	if i < 0 || i >= len(order) {
		return
	}
	s.cursor = i
	if extend {
		s.span(order, add)
		return
	}
	s.anchor = i
	if add {
		if s.ids[order[i]] {
			delete(s.ids, order[i])
		} else {
			s.ids[order[i]] = true
		}
		return
	}
	s.ids = map[int64]bool{order[i]: true}
}

// span chooses all from the anchor to the cursor, beside the others where add is set.
func (s *selection) span(order []int64, add bool) {
	if !add {
		s.ids = map[int64]bool{}
	}
	from := min(s.anchor, len(order)-1)
	for j := min(from, s.cursor); j <= max(from, s.cursor); j++ {
		s.ids[order[j]] = true
	}
}

// move goes by so many places and chooses what is there, or all on the way.
func (s *selection) move(order []int64, by int, extend bool) {
	if len(order) == 0 {
		return
	}
	to := s.cursor + by
	if len(s.ids) == 0 { // the first key shows where one stands
		to = s.cursor
	}
	s.click(order, min(max(to, 0), len(order)-1), false, extend)
}

func (s *selection) all(order []int64) {
	for _, id := range order {
		s.ids[id] = true
	}
}

func (s *selection) none() { s.ids = map[int64]bool{} }

// keep forgets what is not shown any more.
func (s *selection) keep(order []int64) {
	kept := map[int64]bool{}
	for _, id := range order {
		if s.ids[id] {
			kept[id] = true
		}
	}
	s.ids = kept
	s.cursor = min(max(s.cursor, 0), max(len(order)-1, 0))
	s.anchor = min(max(s.anchor, 0), max(len(order)-1, 0))
}

// list gives what is chosen in the order shown.
func (s *selection) list(order []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(order), func(id int64) bool { return !s.ids[id] })
}
