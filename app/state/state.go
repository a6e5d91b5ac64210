// Package state is what a person has: collections of samples, the models that ship, that were imported or that were trained on
// the samples, the history of the trainings, what can be undone, and settings. It knows no window; window and command line
// stand on it. What a person can take back is a Command; a training and an import give one when they have ended.
package state

import (
	"errors"
	"slices"
	"sync"
	"time"

	"inkshade/glcompute/clock"
	"inkshade/recognizer/samples"
)

// State is what a person does to what they have, in a program that goes on while the disk works. Commands, and whatever else
// waits for the disk, are done one after the other on a goroutine of their own, so that what came first is stored first; what
// came of it is told on the goroutine that uses the State, by its function post.
type State struct {
	Hear func(Event) // is told of every event

	post    func(func())
	past    []Step // that can be undone, the newest last
	undone  []Step // that can be done again, the one undone last at the end
	pending int    // steps on their way to the disk

	mu    sync.Mutex
	last  chan struct{} // closed when the newest task is done; nil before the first
	tasks sync.WaitGroup
}

// New gives a State with nothing done yet.
func New(post func(func())) *State { return &State{post: post, Hear: func(Event) {}} }

// Step is a command that a person gave.
type Step struct {
	Command Command   // that gives it or, once it was given, takes it back, and so on
	About   any       // what whoever gave it needs to show it
	At      time.Time // when it was given, taken back or given again last
}

// Event is a step that was given or, not Given, taken back. With Err nothing of it was done.
type Event struct {
	Step  Step
	Given bool
	New   bool // it was given for the first time, after which nothing can be given again
	Err   error
}

// Give gives a command.
func (s *State) Give(c Command, about any) {
	s.attempt(Step{Command: c, About: about}, true, s.given, func() {})
}

// Given notes a command that was given by other means; inverse takes it back.
func (s *State) Given(inverse Command, about any) { s.given(Step{Command: inverse, About: about}) }

func (s *State) given(step Step) {
	s.EndRedo()
	s.settle(&s.past, Event{Step: step, Given: true, New: true})
}

// attempt runs the command of a step, whose inverse is the step's from then on. Where that fails for good it drops the step.
func (s *State) attempt(step Step, give bool, then func(Step), drop func()) {
	s.pending++
	s.Do(func() func() {
		inverse, err := step.Command()
		return func() {
			s.pending--
			if err != nil {
				if errors.Is(err, samples.ErrNotFound) || errors.Is(err, samples.ErrLearned) {
					drop()
				}
				s.Hear(Event{Step: step, Given: give, Err: err})
				return
			}
			step.Command = inverse
			then(step)
		}
	})
}

// settle keeps a step that was given, or taken back.
func (s *State) settle(list *[]Step, e Event) {
	e.Step.At = clock.Now()
	*list = append(*list, e.Step)
	s.Hear(e)
}

// Undo takes the newest step back, Redo gives again what was taken back last: once everything that was asked for is on disk.
// Where there is nothing, they call none. A step that fails can be tried again, unless what it would change is gone.
func (s *State) Undo(none func()) { s.turn(&s.past, &s.undone, false, none) }

// Redo is Undo's inverse.
func (s *State) Redo(none func()) { s.turn(&s.undone, &s.past, true, none) }

func (s *State) turn(from, to *[]Step, give bool, none func()) {
	n := len(*from)
	switch {
	case s.pending > 0:
		s.Do(func() func() { return func() { s.turn(from, to, give, none) } })
	case n == 0:
		none()
	default:
		drop := func() {
			if n <= len(*from) { // it is not where EndRedo came meanwhile
				*from = slices.Delete(*from, n-1, n)
			}
		}
		s.attempt((*from)[n-1], give, func(step Step) {
			drop()
			s.settle(to, Event{Step: step, Given: give})
		}, drop)
	}
}

// Pending tells whether steps are on their way to the disk.
func (s *State) Pending() bool { return s.pending > 0 }

// Past and Undone are the steps that can be taken back, and given again, the next one last. They are not to be changed.
func (s *State) Past() []Step { return s.past }

// Undone is the other half of Past.
func (s *State) Undone() []Step { return s.undone }

// EndRedo lets nothing be given again that was taken back, as after new work elsewhere.
func (s *State) EndRedo() { s.undone = nil }

// Forget forgets every step, as those of a collection that is closed.
func (s *State) Forget() { s.past, s.undone = nil, nil }

// Do runs a task after those before it, and then what it returns, if anything, on the goroutine that uses the State.
func (s *State) Do(task func() (then func())) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, done := s.last, make(chan struct{})
	s.last = done
	s.tasks.Go(func() {
		defer close(done)
		if before != nil {
			<-before
		}
		if then := task(); then != nil {
			s.post(then)
		}
	})
}

// Wait waits until everything that was asked for is done: what a person saw accepted must reach the disk.
func (s *State) Wait() { s.tasks.Wait() }

// Command changes something of what a person has, and gives the command that takes that back.
type Command func() (inverse Command, err error)

// Do runs a command that nobody takes back.
func (c Command) Do() error {
	_, err := c()
	return err
}

// All is several commands as one: where one fails, those before it are taken back.
func All(commands ...Command) Command {
	return func() (Command, error) {
		back := make([]Command, len(commands))
		for i, c := range commands {
			var err error
			at := len(commands) - 1 - i
			if back[at], err = c(); err != nil {
				return nil, errors.Join(err, All(back[at+1:]...).Do())
			}
		}
		return All(back...), nil
	}
}
