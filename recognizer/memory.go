package recognizer

import (
	"slices"

	"inkshade/recognizer/ink"
)

// Memory changes the network's answers by what it remembers, such as a person's own
// drawings. It must be safe for use by several goroutines.
type Memory interface {
	// Adjust gives the answers to drawings (nil for a picture) in the light of what is
	// remembered. It leaves the Candidates of those it is given as they are and may add classes that the model
	// does not have; of those only the allowed ones, where allowed is not nil.
	Adjust(answers []Answer, inks []ink.Ink, allowed func(label string) bool) []Answer
	// Labels lists the classes that it remembers.
	Labels() []string
}

// SetMemory puts a memory beside the network, in place of the one before; nil for none. It
// takes effect with the next answer.
func (r *Recognizer) SetMemory(m Memory) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.memory = m
}

// knows tells whether a label can be answered; the caller holds the lock.
func (r *Recognizer) knows(label string) bool {
	return r.model.Class(label) >= 0 || r.memory != nil && slices.Contains(r.memory.Labels(), label)
}

// remember lets the memory change the answers; the caller holds the lock.
func (r *Recognizer) remember(answers []Answer, inks []ink.Ink) []Answer {
	if r.memory == nil {
		return answers
	}
	var allowed func(string) bool
	if chosen := r.chosen; chosen != nil {
		allowed = func(label string) bool { return slices.Contains(chosen, label) }
	}
	return r.memory.Adjust(answers, inks, allowed)
}
