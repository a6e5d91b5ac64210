package state

import (
	"errors"
	"slices"
	"testing"

	"inkshade/recognizer/samples"
)

// What could not be undone or redone for a passing reason is tried again, and what is gone does not block what lies below.
func TestStepsThatFailAreKeptUnlessTheyNeverSucceed(t *testing.T) {
	s := New(func(then func()) { then() })
	var said []string
	s.Hear = func(e Event) {
		if said = append(said, e.Step.About.(string)); e.Err != nil {
			said = append(said, e.Err.Error())
		}
	}
	var fails error
	var change Command
	change = func() (Command, error) { return change, fails }
	try := func(do func(func()), err error, want string, past, undone int) {
		t.Helper()
		fails, said = err, nil
		do(func() { said = append(said, "none") })
		s.Wait()
		if !slices.Contains(said, want) || len(s.Past()) != past || len(s.Undone()) != undone {
			t.Errorf("it says %q, %d steps can be undone and %d redone; want %q, %d, %d", said, len(s.Past()), len(s.Undone()), want, past, undone)
		}
	}
	for _, about := range []string{"one", "two"} {
		s.Give(change, about)
		s.Wait()
	}
	try(s.Undo, samples.ErrInUse, samples.ErrInUse.Error(), 2, 0)
	try(s.Undo, nil, "two", 1, 1)
	try(s.Redo, samples.ErrDiskFull, samples.ErrDiskFull.Error(), 1, 1)
	try(s.Redo, nil, "two", 2, 0)
	try(s.Undo, samples.ErrLearned, "two", 1, 0)
	try(s.Undo, absent{errors.New("no such model")}, "no such model", 0, 0)
	try(s.Undo, nil, "none", 0, 0)
}
