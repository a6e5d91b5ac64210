package recognizer

import (
	"context"
	"math"
	"slices"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/clock"
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

// LineBatch is how many of the hypotheses of a line the network answers for at once; a few are faster one by one.
func LineBatch(hypotheses int) int {
	if hypotheses < nn.SmallBatch/4 {
		return 1
	}
	return nn.BatchClass(hypotheses)
}

// AskLine answers for the shapes of a line, a batch at a time so that the context can end it: it is what line.Read asks.
func (r *Recognizer) AskLine(ctx context.Context, shapes []line.Shape) ([]line.Answer, error) {
	return r.askLine(ctx, shapes, &Timing{})
}

// askLine adds what the network takes to the timing.
func (r *Recognizer) askLine(ctx context.Context, shapes []line.Shape, t *Timing) ([]line.Answer, error) {
	out := make([]line.Answer, 0, len(shapes))
	for part := range slices.Chunk(shapes, nn.LargeBatch) {
		for batch := range slices.Chunk(part, LineBatch(len(part))) {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			begin := clock.Now()
			images, inks := make([]ink.Image, len(batch)), make([]ink.Ink, len(batch))
			for i, s := range batch {
				var err error
				if inks[i] = s.Ink; s.Ink == nil {
					images[i], err = ink.Normalize(s.Image)
				} else {
					images[i], err = ink.Rasterize(s.Ink)
				}
				if err != nil {
					return nil, err
				}
			}
			answers, err := r.recognize(images, inks, inks, clock.Since(begin))
			if err != nil {
				return nil, err
			}
			for _, a := range answers {
				t.Compute += a.Timing.Compute
				out = append(out, line.Answer{Candidates: a.Candidates, Unknown: a.Unknown, OutOfDistribution: a.OutOfDistribution})
			}
		}
	}
	return out, nil
}

// MeasureLine reads a line once, anew: Compute is the network with its transfers, Preprocess is all else, the search too.
func (r *Recognizer) MeasureLine(ctx context.Context, k ink.Ink, o line.Options) (Timing, error) {
	var t Timing
	o.Cache = nil
	begin := clock.Now()
	if r.ReadsLines() {
		_, err := r.ReadLines(ctx, []ink.Ink{k}, o)
		return Timing{Compute: clock.Since(begin)}, err
	}
	_, err := line.Read(ctx, k, o, func(ctx context.Context, shapes []line.Shape) ([]line.Answer, error) {
		return r.askLine(ctx, shapes, &t)
	})
	t.Preprocess = clock.Since(begin) - t.Compute
	return t, err
}
