package personal

import (
	"context"
	"math/rand/v2"
	"slices"

	"inkshade/glcompute"
	"inkshade/glcompute/clock"
	"inkshade/glcompute/message"
	"inkshade/recognizer"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/prototype"
)

// Figures is what learning from a few samples a class does for writers, all of them
// together: errors are counted over the test samples of all.
type Figures struct {
	Writers, Tests int
	Base           int       // errors of the model as it is
	Instant        int       // with the Memory of what was learned
	Taught         int       // of that Memory alone, where only what was learned may be answered
	Trained        int       // with the trained network and that Memory
	TrainedAlone   int       // with the trained network and no Memory
	Guards         int       // guard samples answered, over all writers
	GuardBefore    int       // errors on them of the model as it is
	GuardAfter     int       // with the trained network and the Memory, which know the writer
	GuardAlone     int       // with the trained network alone
	TrainSeconds   []float64 // of every writer, ascending
	Device         string    // kind of the device that made the steps of the last one
}

// MedianSeconds is the median time of a training; of an even number the lower of the two
// in the middle.
func (f *Figures) MedianSeconds() float64 {
	if len(f.TrainSeconds) == 0 {
		return 0
	}
	return f.TrainSeconds[(len(f.TrainSeconds)-1)/2]
}

// EvaluationOptions say how to evaluate. Settings are those of Train.
type EvaluationOptions struct {
	Settings
	Guard        []dataset.Sample      // of others; may be empty
	GuardSamples int                   // most of them, drawn by seed; 0 takes all
	Progress     func(Writer, Figures) // called when a writer is done, with the figures so far; may be nil
}

// EvaluateWriters measures learning on writers, each from the model as it is. Before and after, the
// model answers the guard samples; a writer's own among them are left out for that writer.
// When ctx ends its cause is returned, with the figures of the writers done.
func EvaluateWriters(ctx context.Context, dev glcompute.Device, base *nn.Model, writers []Writer, o EvaluationOptions) (*Figures, error) {
	g, err := newWritersEvaluation(ctx, dev, base, o.Guard, o.GuardSamples, o.Seed)
	if err != nil {
		return nil, err
	}
	var f Figures
	for _, w := range writers {
		if ctx.Err() != nil {
			return &f, context.Cause(ctx)
		}
		if err := g.writer(ctx, w, o.Settings, &f); err != nil {
			return &f, message.Errorf("writer %s: %w", w.Name, err)
		}
		if o.Progress != nil {
			o.Progress(w, f)
		}
	}
	slices.Sort(f.TrainSeconds)
	return &f, nil
}

// writersEvaluation is what stays the same for all writers.
type writersEvaluation struct {
	evaluator
	base  *nn.Model
	in    feature.Extractor
	guard []item
}

func newWritersEvaluation(ctx context.Context, dev glcompute.Device, base *nn.Model, guard []dataset.Sample, most int, seed int64) (*writersEvaluation, error) {
	in, err := feature.ByName(base.Preprocessing)
	if err != nil {
		return nil, err
	}
	set, err := prototype.Of(base)
	if err != nil {
		return nil, err
	}
	g := &writersEvaluation{evaluator: evaluator{dev, set}, base: base, in: in}
	if g.guard, err = g.items(ctx, someOf(guard, most, seed)); err != nil {
		return nil, err
	}
	before, _, err := g.answers(ctx, base.Network, base.Labels, g.guard, nil)
	for i, c := range before {
		g.guard[i].before = c.Label
	}
	return g, err
}

// someOf draws at most so many samples; 0 takes all.
func someOf(samples []dataset.Sample, most int, seed int64) (some []dataset.Sample) {
	if most == 0 || len(samples) <= most {
		return samples
	}
	for _, i := range rand.New(rand.NewPCG(uint64(seed), 0x9a4d)).Perm(len(samples))[:most] {
		some = append(some, samples[i])
	}
	return some
}

// items prepares samples.
func (g *writersEvaluation) items(ctx context.Context, samples []dataset.Sample) ([]item, error) {
	items := make([]item, len(samples))
	images, inks := make([]ink.Image, len(samples)), make([]ink.Ink, len(samples))
	if err := dataset.InParallel(ctx, len(samples), func(_ context.Context, i int) error {
		s := samples[i]
		images[i], inks[i] = s.Image, s.Ink
		row := g.in.Vector(s.Image, s.Ink)
		items[i] = item{label: s.Label, writer: s.Writer, row: row, compared: g.in.Compared(row, s.Image.Pix)}
		return nil
	}); err != nil {
		return nil, err
	}
	return items, locate(ctx, items, images, inks)
}

// writer adds the figures of one.
func (g *writersEvaluation) writer(ctx context.Context, w Writer, s Settings, f *Figures) error {
	learn := make([]Sample, len(w.Learn))
	for i, l := range w.Learn {
		learn[i] = Sample{ID: int64(i), Label: l.Label, Ink: l.Ink}
	}
	memory := NewMemory()
	if err := memory.Add(learn...); err != nil {
		return err
	}
	tests, err := g.items(ctx, w.Test)
	if err != nil {
		return err
	}
	base, instant, err := g.answers(ctx, g.base.Network, g.base.Labels, tests, memory)
	if err != nil {
		return err
	}
	for _, q := range tests {
		among := memory.adjust(recognizer.Answer{Strangeness: mostStrange}, q.at, nil).Candidates
		f.Taught += count(among[0].Label != q.label)
	}
	begin := clock.Now()
	result, err := Train(ctx, g.dev, Task{Start: g.base, Learn: learn, Settings: s}, nil)
	if err != nil {
		return err
	}
	seconds := clock.Since(begin).Seconds()
	others := slices.DeleteFunc(slices.Clone(g.guard), func(q item) bool { return q.writer != "" && q.writer == w.Name })
	n := len(tests)
	alone, both, err := g.answers(ctx, result.Model.Network, result.Model.Labels, slices.Concat(tests, others), memory)
	if err != nil {
		return err
	}
	f.Writers++
	f.Tests += n
	f.Base += wrong(base, tests)
	f.Instant += wrong(instant, tests)
	f.TrainedAlone += wrong(alone[:n], tests)
	f.Trained += wrong(both[:n], tests)
	f.Guards += len(others)
	for _, q := range others {
		f.GuardBefore += count(q.before != q.label)
	}
	f.GuardAlone += wrong(alone[n:], others)
	f.GuardAfter += wrong(both[n:], others)
	f.TrainSeconds = append(f.TrainSeconds, seconds)
	f.Device = result.Device
	return nil
}
