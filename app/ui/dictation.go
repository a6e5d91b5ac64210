package ui

// dictation is a series of characters to be written, with what became of each.
type dictation struct {
	slots []*slot
	at    int
}

// slot is one drawing that is asked for.
type slot struct {
	label string
	round int // from 1
	drawn bool
	id    int64 // in the store; touched by the save queue alone
}

// newDictation asks for every label so many times, in rounds, so that the writing varies as it
// does in life.
func newDictation(labels []string, times int) *dictation {
	d := &dictation{}
	for round := range times {
		for _, l := range labels {
			d.slots = append(d.slots, &slot{label: l, round: round + 1})
		}
	}
	return d
}

// current is what to write now; nil at the end.
func (d *dictation) current() *slot {
	if d.at >= len(d.slots) {
		return nil
	}
	return d.slots[d.at]
}

// take accepts a drawing for the current slot, which it returns, and goes on.
func (d *dictation) take() *slot {
	s := d.current()
	if s != nil {
		s.drawn = true
		d.at++
	}
	return s
}

// skip leaves the current slot out.
func (d *dictation) skip() {
	if d.current() != nil {
		d.at++
	}
}

// back returns to the slot before and gives it when a drawing must be taken back.
func (d *dictation) back() *slot {
	if d.at == 0 {
		return nil
	}
	d.at--
	s := d.slots[d.at]
	if !s.drawn {
		return nil
	}
	s.drawn = false
	return s
}

// progress counts what is done, drawn or skipped, and all.
func (d *dictation) progress() (at, all int) { return d.at, len(d.slots) }

// written gives the ids of the drawings, to the save queue.
func (d *dictation) written() (ids []int64) {
	for _, s := range d.slots {
		if s.id != 0 {
			ids = append(ids, s.id)
		}
	}
	return ids
}

// upcoming lists the labels after the current one, at most so many.
func (d *dictation) upcoming(most int) []string {
	var labels []string
	for i := d.at + 1; i < len(d.slots) && len(labels) < most; i++ {
		labels = append(labels, d.slots[i].label)
	}
	return labels
}
