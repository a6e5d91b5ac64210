package personal

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"inkshade/glcompute/clock"
	"inkshade/glcompute/program"
	"inkshade/recognizer"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/prototype"
)

// Figures is what learning from a few samples a class does for writers, all of them
// together: errors are counted over the test samples of all.
type Figures struct {
	Writers, Tests int
	Base           int       // errors of the model as it is
	Instant        int       // with the Memory of what was learned
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

// StudyOptions say how to study. Settings are those of Train.
type StudyOptions struct {
	Settings
	Guard        []dataset.Sample      // of others; may be empty
	GuardSamples int                   // most of them, drawn by seed; 0 takes all
	Progress     func(Writer, Figures) // called when a writer is done, with the figures so far; may be nil
}

// Study measures learning on writers, each from the model as it is. Before and after, the
// model answers the guard samples; a writer's own among them are left out for that writer.
// When ctx ends its cause is returned, with the figures of the writers done.
func Study(ctx context.Context, dev program.Device, base *nn.Model, writers []Writer, o StudyOptions) (*Figures, error) {
	g, err := newStudy(ctx, dev, base, o.Guard, o.GuardSamples, o.Seed)
	if err != nil {
		return nil, err
	}
	var f Figures
	for _, w := range writers {
		if ctx.Err() != nil {
			return &f, context.Cause(ctx)
		}
		if err := g.writer(ctx, w, o.Settings, &f); err != nil {
			return &f, fmt.Errorf("writer %s: %w", w.Name, err)
		}
		if o.Progress != nil {
			o.Progress(w, f)
		}
	}
	slices.Sort(f.TrainSeconds)
	return &f, nil
}

// study is what stays the same for all writers.
type study struct {
	dev         program.Device
	base        *nn.Model
	in          feature.Extractor
	temperature float64
	guard       []quiz
}

// quiz is a sample to be answered, prepared.
type quiz struct {
	label, writer string
	row           []float32
	at            point
	before        recognizer.Answer // of the base model
}

func newStudy(ctx context.Context, dev program.Device, base *nn.Model, guard []dataset.Sample, most int, seed int64) (*study, error) {
	in, err := feature.ByName(base.Preprocessing)
	if err != nil {
		return nil, err
	}
	set, err := prototype.Of(base)
	if err != nil {
		return nil, err
	}
	g := &study{dev: dev, base: base, in: in, temperature: 1}
	if set != nil {
		g.temperature = set.Temperature
	}
	if most > 0 && len(guard) > most {
		var some []dataset.Sample
		for _, i := range rand.New(rand.NewPCG(uint64(seed), 0x9a4d)).Perm(len(guard))[:most] {
			some = append(some, guard[i])
		}
		guard = some
	}
	g.guard, err = g.quizzes(ctx, guard)
	return g, err
}

// quizzes prepares samples and answers them with the base model.
func (g *study) quizzes(ctx context.Context, samples []dataset.Sample) ([]quiz, error) {
	quizzes := make([]quiz, len(samples))
	err := dataset.InParallel(ctx, len(samples), func(_ context.Context, i int) error {
		s := samples[i]
		quizzes[i] = quiz{label: s.Label, writer: s.Writer, row: g.in.Vector(s.Image, s.Ink), at: pointOf(s.Image, s.Ink)}
		return nil
	})
	if err != nil {
		return nil, err
	}
	answers, err := g.answer(ctx, g.base, quizzes)
	for i, a := range answers {
		quizzes[i].before = a
	}
	return quizzes, err
}

func (g *study) answer(ctx context.Context, m *nn.Model, quizzes []quiz) ([]recognizer.Answer, error) {
	rows := make([][]float32, len(quizzes))
	for i, q := range quizzes {
		rows[i] = q.row
	}
	logits, err := nn.Apply(ctx, g.dev, m.Network, rows, nil)
	answers := make([]recognizer.Answer, len(logits))
	for i, l := range logits {
		answers[i].Candidates = recognizer.Candidates(m.Labels, l, g.temperature)
	}
	return answers, err
}

// writer adds the figures of one.
func (g *study) writer(ctx context.Context, w Writer, s Settings, f *Figures) error {
	learn := make([]Sample, len(w.Learn))
	for i, l := range w.Learn {
		learn[i] = Sample{ID: int64(i), Label: l.Label, Ink: l.Ink}
	}
	memory := NewMemory()
	if err := memory.Add(learn...); err != nil {
		return err
	}
	tests, err := g.quizzes(ctx, w.Test)
	if err != nil {
		return err
	}
	begin := clock.Now()
	result, err := Train(ctx, g.dev, Task{Start: g.base, Learn: learn, Settings: s}, nil)
	if err != nil {
		return err
	}
	seconds := clock.Since(begin).Seconds()
	f.Device = result.Device
	var others []quiz
	for _, q := range g.guard {
		if q.writer == "" || q.writer != w.Name {
			others = append(others, q)
		}
	}
	all := append(slices.Clone(tests), others...)
	after, err := g.answer(ctx, result.Model, all)
	if err != nil {
		return err
	}
	const instant, alone, both = 0, 1, 2
	wrong := make([][3]bool, len(all))
	err = dataset.InParallel(ctx, len(all), func(_ context.Context, i int) error {
		q := all[i]
		wrong[i][alone] = after[i].Candidates[0].Label != q.label
		wrong[i][both] = memory.adjust(after[i], q.at, nil).Candidates[0].Label != q.label
		if i < len(tests) {
			wrong[i][instant] = memory.adjust(q.before, q.at, nil).Candidates[0].Label != q.label
		}
		return nil
	})
	if err != nil {
		return err
	}
	f.Writers++
	f.Tests += len(tests)
	f.Guards += len(others)
	f.TrainSeconds = append(f.TrainSeconds, seconds)
	for i, q := range all {
		was := q.before.Candidates[0].Label != q.label
		if i < len(tests) {
			f.Base += count(was)
			f.Instant += count(wrong[i][instant])
			f.TrainedAlone += count(wrong[i][alone])
			f.Trained += count(wrong[i][both])
			continue
		}
		f.GuardBefore += count(was)
		f.GuardAlone += count(wrong[i][alone])
		f.GuardAfter += count(wrong[i][both])
	}
	return nil
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
