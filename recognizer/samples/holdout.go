package samples

import (
	"cmp"
	"database/sql"
	"hash/fnv"
	"maps"
	"slices"

	"inkshade/glcompute/message"
)

// The rule of AssignHoldOut in numbers.
const (
	holdOutShare    = 5  // one session in five, and one sample in five of each class, is held out
	holdOutSessions = 4  // whole sessions are held out only where so many others stay to learn from
	holdOutKeep     = 3  // samples of its class that must stay to learn from before a sample is held out
	holdOutEnough   = 10 // held out say something; where there are fewer, classes give more
	holdOutLeast    = 2  // samples of its class must stay even then
)

// AssignHoldOut decides for every undecided sample whether it is learned from or held out, stores the decisions, and
// returns both parts, decided now or before. It is called when a training starts; in one transaction, so that a drawing
// stored meanwhile waits for the next. A decision is never changed by it: what was learned from is never held out, what
// is held out stays so until SetHoldOut. What was cut out of running text is not learned from, and takes no part in it. Lines do, by
// themselves, as samples of one class.
//
// The rule, whose numbers are one in five, three samples and ten:
//
//  1. A correction is learned from: it took effect when it was made, so it can measure nothing.
//  2. By session: of all sessions, those are held out whose name's hash (FNV-1a) falls to one in five, where at least four others
//     remain, the session holds at most a third as many samples as all others together, and nothing of it but corrections was
//     learned from. Their undecided samples are held out, unless fewer than three of the class would remain outside.
//  3. A class of n samples that has fewer than n/5 (rounded down) held out so far, because there are few sessions, gets the rest from its
//     undecided samples in other sessions, spread evenly over the time of their drawing; at least three of the class stay.
//  4. Where fewer than ten are held out in all, and less than one in five, classes of three samples and more give one after another, those with
//     the most outside first, as long as two stay: so small a part would say nothing.
//  5. All others are learned from.
//
// What it means: samples held out by rules 3 and 4 come from sittings that are learned from too, and corrections are never
// among those held out, so the error measured is that of a writer in the same mood, without its worst drawings. Guided
// entry, where labels are known before, and several sittings make it honest.
func (s *Store) AssignHoldOut() (learned, heldOut []Sample, err error) {
	err = s.change(message.Text("choose what is kept for testing"), func(tx *sql.Tx) error {
		entries, err := readAll(func(row scanner) (e entry, err error) {
			return e, row.Scan(&e.id, &e.label, &e.session, &e.correction, &e.part, &e.line)
		}, tx, "SELECT id, iif(context, '', label), session, correction, part, context FROM samples WHERE deletion IS NULL AND (NOT context OR length(label) > 1) ORDER BY id")
		if err != nil {
			return err
		}
		ids := map[part][]int64{}
		for _, lines := range []bool{false, true} {
			of := slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return e.line != lines })
			for id, p := range assign(of) {
				ids[p] = append(ids[p], id)
			}
		}
		for p, chosen := range ids {
			if err := setPart(tx, partNew, p, idList(chosen)); err != nil {
				return err
			}
		}
		if learned, err = list(tx, Filter{Part: Learned}); err != nil {
			return err
		}
		heldOut, err = list(tx, Filter{Part: HeldOut})
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return learned, heldOut, nil
}

type entry struct {
	id         int64
	label      string
	session    string
	correction bool
	part       part
	line       bool
}

// assign applies the rule of AssignHoldOut to entries in order of id, and returns the part of each that had none.
func assign(entries []entry) map[int64]part {
	chosen := heldSessions(entries)
	decided := map[int64]part{}
	total, held, outside := map[string]int{}, map[string]int{}, map[string]int{}
	inside, others := []entry{}, map[string][]entry{}
	for _, e := range entries {
		total[e.label]++
		free := e.part == partNew && !e.correction
		switch {
		case e.part == partHeldOut:
			held[e.label]++
		case free && chosen[e.session]:
			inside = append(inside, e)
		default:
			outside[e.label]++
			if free {
				others[e.label] = append(others[e.label], e)
			}
		}
		if e.part == partNew {
			decided[e.id] = partLearned
		}
	}
	for _, e := range inside {
		if outside[e.label] >= holdOutKeep {
			decided[e.id] = partHeldOut
			held[e.label]++
		}
	}
	for label, free := range others {
		need := min(total[label]/holdOutShare-held[label], len(free), outside[label]-holdOutKeep)
		for i := range max(need, 0) {
			decided[free[(2*i+1)*len(free)/(2*need)].id] = partHeldOut
			held[label]++
			outside[label]--
		}
		others[label] = slices.DeleteFunc(free, func(e entry) bool { return decided[e.id] == partHeldOut })
	}
	more := min(len(entries)/holdOutShare, holdOutEnough)
	for _, n := range held {
		more -= n
	}
	for ; more > 0; more-- {
		most := ""
		for _, label := range sortedKeys(others) {
			if len(others[label]) > 0 && outside[label] > max(holdOutLeast, outside[most]) {
				most = label
			}
		}
		if most == "" {
			break
		}
		middle := len(others[most]) / 2
		decided[others[most][middle].id] = partHeldOut
		others[most] = slices.Delete(others[most], middle, middle+1)
		outside[most]--
	}
	return decided
}

// heldSessions are the sessions that rule 2 of AssignHoldOut holds out.
func heldSessions(entries []entry) map[string]bool {
	size, tainted := map[string]int{}, map[string]bool{}
	for _, e := range entries {
		size[e.session]++
		if e.part == partLearned && !e.correction {
			tainted[e.session] = true
		}
	}
	chosen := map[string]bool{}
	for session, n := range size {
		if len(size) > holdOutSessions && !tainted[session] && falls(session) && 3*n <= len(entries)-n {
			chosen[session] = true
		}
	}
	// Where the hash takes too many of few sessions, the last by name go back to be learned from.
	names := sortedKeys(chosen)
	for len(names) > 0 && len(size)-len(names) < holdOutSessions {
		delete(chosen, names[len(names)-1])
		names = names[:len(names)-1]
	}
	return chosen
}

// falls tells whether the session's name falls to the one in five.
func falls(session string) bool {
	h := fnv.New64a()
	h.Write([]byte(session))
	return (h.Sum64()>>32)%holdOutShare == 0
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}
