package recognizer

import (
	"math"
	"slices"
	"time"

	"inkshade/glcompute"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/prototype"
)

// Candidate is a label that the ink may stand for.
type Candidate = line.Candidate

// Answer is what a recognizer says about one drawing.
type Answer struct {
	Candidates        []Candidate // all classes that may be answered, best first
	Unknown           bool        // the drawing is like nothing the model knows
	OutOfDistribution float64     // how far it is from what the model knows; above 1 it is unknown to it
	Added             []string    // the classes of the model that a person added to those it was made with
	Strangeness       float64     // how far the drawing is from what the model was made with; OutOfDistribution where nothing was added
	Image             ink.Image   // the 28x28 picture that the network saw, or its features came from
	Seen              ink.Image   // Image, or the finer picture that it saw instead
	Timing            Timing
}

// Timing is where the time of one recognition went.
type Timing struct {
	Preprocess time.Duration // ink to picture and features, on the CPU
	Upload     time.Duration // host to device
	Compute    time.Duration // the network; without Measure upload and readback are in it
	Readback   time.Duration // device to host

	// Only Measure knows these.
	Passes  []glcompute.Pass // of Compute, in order
	Compile time.Duration    // of the network for single drawings, once; no part of the total
}

// Total is the sum of all stages.
func (t Timing) Total() time.Duration { return t.Preprocess + t.Upload + t.Compute + t.Readback }

// AnswerOf is what a model answers whose network gives these logits: labels are its classes, seen what it keeps of its samples, nil for nothing,
// features those of feature.Extractor.Compared. A model that keeps nothing knows everything.
func AnswerOf(labels []string, logits, features []float32, seen *prototype.Set, allowed []bool) Answer {
	a := Answer{Candidates: candidatesAmong(labels, logits, seen.Calibration(), allowed)}
	if seen == nil {
		return a
	}
	a.OutOfDistribution = seen.OutOfDistribution(features, logits)
	a.Unknown, a.Strangeness = a.OutOfDistribution > 1, a.OutOfDistribution
	if known := seen.Classes(); known > 0 && known < len(labels) {
		a.Added, a.Strangeness = labels[known:], seen.OutOfDistribution(features, logits[:known])
	}
	return a
}

// candidatesAmong ranks the allowed classes; nil allows all. Their probabilities are the
// softmax of their logits alone, which is what the network's own become when the others
// are ruled out, and exact even where those are too small for a float32.
func candidatesAmong(labels []string, logits []float32, temperature float64, allowed []bool) []Candidate {
	// Whole numbers of logit and class, because thousands of them are sorted. Equal ones keep the order of the labels.
	order := make([]uint64, 0, len(logits))
	for i, l := range logits {
		if allowed == nil || allowed[i] {
			order = append(order, uint64(descending(l))<<32|uint64(i))
		}
	}
	slices.Sort(order)
	sum := nn.LogSum(logits, temperature, allowed)
	out := make([]Candidate, len(order))
	for n, of := range order {
		i := uint32(of)
		out[n] = Candidate{Label: labels[i], Probability: math.Exp(float64(logits[i])/temperature - sum)}
	}
	return out
}

// descending is smaller the larger v is; NaN is larger than all others.
func descending(v float32) uint32 {
	switch bits := math.Float32bits(v + 0); { // of -0 as of 0
	case v != v:
		return math.MaxUint32
	case v < 0:
		return bits
	default:
		return ^bits &^ (1 << 31)
	}
}
