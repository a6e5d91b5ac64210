package recognizer

import (
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/clock"
	"inkshade/glcompute/message"
	"inkshade/recognizer/feature"
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
	out, all := make([]Candidate, len(order)), 0.0
	for n, of := range order {
		i := uint32(of)
		out[n] = Candidate{Label: labels[i], Probability: math.Exp(float64(logits[i])/temperature - sum)}
		all += out[n].Probability
	}
	if all > 1.5 { // of logits so large that they round the logarithm of the sum away
		for n := range out {
			out[n].Probability /= all
		}
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
			images, inks := make([]ink.Image, len(batch)), make([]ink.Ink, len(batch))
			for i, s := range batch {
				images[i], inks[i] = s.Image, s.Ink
			}
			answers, err := r.many(inks, images, true)
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

// Measure recognises the ink repeats times with every stage timed apart, after one run
// that does not count, and gives the median of each stage.
func (r *Recognizer) Measure(k ink.Ink, repeats int) (Timing, error) {
	if repeats < 1 {
		return Timing{}, message.Errorf("%d repeats give no median; use at least 1", repeats)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
		return Timing{}, errClosed
	case r.ReadsLines():
		return Timing{}, errReadsLines
	}
	var taken []Timing
	for i := range repeats + 1 {
		t, err := MeasureOnce(k, r.features, r.inference, clock.Now)
		if err != nil {
			return Timing{}, err
		}
		if i > 0 {
			taken = append(taken, t)
		}
	}
	return MedianTiming(taken), nil
}

// MeasureOnce recognises the ink with every stage timed apart, by a clock.
func MeasureOnce(k ink.Ink, features feature.Extractor, inference *nn.Inference, now func() time.Time) (Timing, error) {
	begin := now()
	img, err := ink.Rasterize(k)
	if err != nil {
		return Timing{}, err
	}
	row := features.Looks(img, k)
	preprocess := now().Sub(begin)
	t, err := inference.Measure(row)
	if err != nil {
		return Timing{}, err
	}
	return Timing{preprocess, t.Upload, t.Compute, t.Readback, t.Passes, t.Compile}, nil
}

// MedianTiming takes the median of each stage and pass of timings of one drawing on one device.
// Passes are left out where not all timings have as many.
func MedianTiming(all []Timing) Timing {
	if len(all) == 0 {
		return Timing{}
	}
	middle := func(part func(Timing) time.Duration) time.Duration {
		taken := make([]time.Duration, len(all))
		for i, t := range all {
			taken[i] = part(t)
		}
		return clock.Median(taken)
	}
	m := Timing{
		Preprocess: middle(func(t Timing) time.Duration { return t.Preprocess }),
		Upload:     middle(func(t Timing) time.Duration { return t.Upload }),
		Compute:    middle(func(t Timing) time.Duration { return t.Compute }),
		Readback:   middle(func(t Timing) time.Duration { return t.Readback }),
		Compile:    all[0].Compile,
	}
	for i, p := range all[0].Passes {
		if slices.ContainsFunc(all, func(t Timing) bool { return len(t.Passes) != len(all[0].Passes) }) {
			break
		}
		m.Passes = append(m.Passes, glcompute.Pass{Name: p.Name, Time: middle(func(t Timing) time.Duration { return t.Passes[i].Time })})
	}
	return m
}

// ReadsLines tells whether the model reads whole lines, and no single characters.
func (r *Recognizer) ReadsLines() bool { return r.model.Preprocessing == nn.LineMaps }

// ReadLines reads inks as lines: with a model that reads lines by its columns, else by cutting them into characters.
func (r *Recognizer) ReadLines(ctx context.Context, inks []ink.Ink, o line.Options) ([]*line.Result, error) {
	if r.ReadsLines() {
		return line.ReadColumns(ctx, inks, o, r.Columns)
	}
	return line.ReadMany(ctx, inks, o, r.AskLine)
}

// Columns is what line.ReadColumns asks.
func (r *Recognizer) Columns(ctx context.Context, lines []ink.Ink) ([]line.Columns, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, errClosed
	}
	out := make([]line.Columns, len(lines))
	cells := make([]ink.Ink, len(lines))
	alike := map[int][]int{} // lines of a class of columns
	for i, k := range lines {
		var scale float64
		cells[i], scale = feature.Line(k)
		if cells[i] == nil {
			return nil, ink.ErrEmpty
		}
		left, _, _, _, _ := k.Bounds()
		out[i] = line.Columns{Labels: r.model.Labels, LogP: make([][]float64, feature.LineColumns(cells[i])), From: feature.ColumnEdge(0, left, scale)}
		out[i].Step = feature.ColumnEdge(1, left, scale) - out[i].From
		class := nn.ColumnClass(len(out[i].LogP))
		alike[class] = append(alike[class], i)
	}
	if 0 < len(lines) && len(lines) <= nn.FewLines { // which go with the longest
		all := make([]int, len(lines))
		for i := range all {
			all[i] = i
		}
		alike = map[int][]int{slices.Max(slices.Collect(maps.Keys(alike))): all}
	}
	classes := len(r.model.Labels) + 1
	for _, columns := range slices.Sorted(maps.Keys(alike)) {
		of, broken := alike[columns], false
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		err := r.inference.Logits(len(of), columns, func(i int, row []float32) {
			feature.FillLine(row, cells[of[i]], columns)
		}, func(i int, logits []float32) {
			broken = broken || !finite(logits)
			for j := range out[of[i]].LogP {
				out[of[i]].LogP[j] = r.logProbabilities(logits[j*classes : (j+1)*classes])
			}
		})
		if err == nil && broken {
			err = message.Errorf("the model gives no numbers for a line; use another device or another model")
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// logProbabilities are ln p of a column, the classes that may be answered and the blank among each other.
func (r *Recognizer) logProbabilities(logits []float32) []float64 {
	var allowed []bool
	if r.allowed != nil {
		allowed = append(slices.Clip(r.allowed), true)
	}
	temperature := r.seen.Calibration()
	sum := nn.LogSum(logits, temperature, allowed)
	out := make([]float64, len(logits))
	for i, v := range logits {
		out[i] = float64(v)/temperature - sum
		if allowed != nil && !allowed[i] {
			out[i] = math.Inf(-1)
		}
	}
	return out
}
