package samples

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// sessionsNamed returns names that the hash takes, or does not take, for holding out.
func sessionsNamed(count int, taken bool) []string {
	var names []string
	for n := 0; len(names) < count; n++ {
		if name := fmt.Sprintf("session %d", n); falls(name) == taken {
			names = append(names, name)
		}
	}
	return names
}

func entriesOf(session string, labels ...string) []entry {
	var entries []entry
	for _, l := range labels {
		entries = append(entries, entry{label: l, session: session})
	}
	return entries
}

func numbered(groups ...[]entry) []entry {
	var all []entry
	for _, g := range groups {
		all = append(all, g...)
	}
	for i := range all {
		all[i].id = int64(i + 1)
	}
	return all
}

func heldIDs(decided map[int64]part) (ids []int64) {
	for _, id := range sortedKeys(decided) {
		if decided[id] == partHeldOut {
			ids = append(ids, id)
		}
	}
	return ids
}

func TestOneSessionHoldsOutOneInFiveOfEachClass(t *testing.T) {
	for _, session := range []string{sessionsNamed(1, true)[0], sessionsNamed(1, false)[0]} {
		entries := numbered(entriesOf(session, "a", "a", "a", "a", "a", "b", "b", "b", "b", "c", "c", "c", "c", "c", "c", "c", "c", "c", "c"))
		equal(t, "held out", heldIDs(assign(entries)), []int64{3, 12, 17})
	}
}

// Twenty-two samples of eight classes are too thin for one in five of each; still a fifth of all is held out.
func TestFewSamplesOfManyClassesAreHeldOut(t *testing.T) {
	entries := numbered(entriesOf("s", strings.Split("aaabbbcccdddeeefffgggh", "")...))
	decided := assign(entries)
	equal(t, "held out", heldIDs(decided), []int64{2, 5, 8, 11})
	for i := range entries {
		entries[i].part = decided[entries[i].id]
	}
	equal(t, "held out once more", heldIDs(assign(entries)), []int64(nil))
}

func TestCorrectionsAreNeverHeldOut(t *testing.T) {
	entries := numbered(entriesOf("s", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a"))
	for i := range entries[:9] {
		entries[i].correction = true
	}
	equal(t, "held out", heldIDs(assign(entries)), []int64{10})
	entries[9].correction = true
	equal(t, "held out of corrections only", heldIDs(assign(entries)), []int64(nil))
}

func TestWholeSessionsAreHeldOut(t *testing.T) {
	held, others := sessionsNamed(1, true)[0], sessionsNamed(5, false)
	var groups [][]entry
	for _, name := range others {
		groups = append(groups, entriesOf(name, "a", "a"))
	}
	fresh := numbered(append(groups, entriesOf(held, "a", "a", "rare"))...)
	equal(t, "a session of one in five, but not its thin class", heldIDs(assign(fresh)), []int64{11, 12})

	few := numbered(entriesOf(others[0], "a", "a"), entriesOf(others[1], "a", "a"), entriesOf(others[2], "a", "a", "a"), entriesOf(held, "a", "a"))
	equal(t, "few sessions", len(heldIDs(assign(few))), 9/holdOutShare)

	seen := append([]entry(nil), fresh...)
	seen[10].part = partLearned
	if p := assign(seen)[12]; p != partLearned {
		t.Errorf("a session that was learned from gives part %d", p)
	}
	corrected := append([]entry(nil), fresh...)
	corrected[10].part, corrected[10].correction = partLearned, true
	if p := assign(corrected)[12]; p != partHeldOut {
		t.Errorf("a session with a correction gives part %d", p)
	}
}

// A long story of drawings, deletions and trainings: what was learned from is never held out and the other way round,
// corrections are learned from, every sample has a part after each training, and a class that is measured keeps enough
// to learn from.
func TestHoldOutIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var entries []entry
		next := int64(1)
		for range rapid.IntRange(1, 8).Draw(t, "trainings") {
			for range rapid.IntRange(0, 40).Draw(t, "drawings") {
				e := entry{
					id: next, label: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "label"),
					session: fmt.Sprint("s", rapid.IntRange(0, 9).Draw(t, "session")), correction: rapid.IntRange(0, 3).Draw(t, "correction") == 0,
				}
				entries = append(entries, e)
				next++
			}
			before := append([]entry(nil), entries...)
			decided := assign(entries)
			outside, newlyHeld := map[string]int{}, map[string]bool{}
			for i := range entries {
				e := &entries[i]
				p, now := decided[e.id]
				if now != (before[i].part == partNew) || now && p == partNew {
					t.Fatalf("entry %+v was given %v, %v", *e, p, now)
				}
				if now {
					e.part = p
					newlyHeld[e.label] = newlyHeld[e.label] || p == partHeldOut
				}
				if e.correction && e.part != partLearned {
					t.Fatalf("correction %+v is not learned from", *e)
				}
				if e.part == partLearned {
					outside[e.label]++
				}
			}
			for label := range newlyHeld {
				if newlyHeld[label] && outside[label] < holdOutLeast {
					t.Fatalf("class %s keeps %d samples to learn from", label, outside[label])
				}
			}
		}
	})
}

func TestAssignHoldOutIsStored(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir, standard())
	var all []Sample
	for n := range 20 {
		v := sampleOf(fmt.Sprint(n%2), n)
		v.Correction = n < 4
		all = append(all, v)
	}
	ids := must(addAll(s, all))(t)
	learned, held, err := s.AssignHoldOut()
	if err != nil || len(held) != 4 || len(learned) != 16 {
		t.Fatalf("%d learned, %d held out, %v", len(learned), len(held), err)
	}
	s.Close()
	s = openIn(t, dir, standard())
	equal(t, "held out after reopening", must(s.List(Filter{Part: HeldOut}))(t), held)
	late := must(s.Add(sampleOf("0", 99)))(t).ID
	if v := must(s.Get(late))(t); v.HoldOut || v.Learned {
		t.Errorf("a fresh sample is decided: %+v", v)
	}
	again, heldAgain, err := s.AssignHoldOut()
	if err != nil || len(again)+len(heldAgain) != 21 {
		t.Fatal(len(again), len(heldAgain), err)
	}
	equal(t, "held out, second time", heldAgain, held)

	if _, err := s.SetHoldOut(true, held[0].ID, ids[0]); err == nil {
		t.Error("a sample that was learned from was held out")
	}
	if _, err := s.SetHoldOut(false, held[0].ID); err != nil || !must(s.Get(held[0].ID))(t).Learned {
		t.Errorf("not released: %v", err)
	}
	fresh := must(s.Add(sampleOf("0", 100)))(t).ID
	if _, err := s.SetHoldOut(true, fresh); err != nil || !must(s.Get(fresh))(t).HoldOut {
		t.Errorf("not held out: %v", err)
	}
}

// What was cut out of running text is never learned from, and makes no class so large that its only drawing is held out.
func TestRunningTextIsNeitherLearnedNorHeldOut(t *testing.T) {
	s := openIn(t, t.TempDir(), standard())
	var all []Sample
	for n := range 30 {
		v := sampleOf(fmt.Sprint(n%2), n)
		v.Context = n >= 2
		all = append(all, v)
	}
	ids := must(addAll(s, all))(t)
	learned, held, err := s.AssignHoldOut()
	if err != nil || len(held) != 0 || len(learned) != 2 || learned[0].ID != ids[0] {
		t.Fatalf("%d learned, %d held out, %v", len(learned), len(held), err)
	}
}

// What was held out, or released, can be taken back as if it had never been, and done again; a release not once a training
// has learned from what was released.
func TestHoldOutIsTakenBackAndDoneAgain(t *testing.T) {
	s := openIn(t, t.TempDir(), standard())
	id := must(s.Add(sampleOf("0", 1)))(t).ID
	is := func(held, learned bool) {
		t.Helper()
		if v := must(s.Get(id))(t); v.HoldOut != held || v.Learned != learned {
			t.Errorf("held out %v, learned %v; want %v, %v", v.HoldOut, v.Learned, held, learned)
		}
	}
	for range 2 {
		undo := must(s.SetHoldOut(true, id))(t)
		is(true, false)
		if err := undo(); err != nil {
			t.Fatal(err)
		}
		is(false, false)
	}
	must(s.SetHoldOut(true, id))(t)
	undo := must(s.SetHoldOut(false, id))(t)
	is(false, true)
	if err := undo(); err != nil {
		t.Fatal(err)
	}
	is(true, false)
	undo = must(s.SetHoldOut(false, id))(t)
	must(s.AddModel(Model{Base: "digits-mlp", ONNX: []byte("x")}, false))(t)
	if err := undo(); err == nil || !strings.Contains(err.Error(), "a training has learned from them since") {
		t.Errorf("after a training: %v", err)
	}
	is(false, true)
}
