package personal

import (
	"context"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/recognizer"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
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
	return o.each(ctx, dev, base, writers, func(w Writer, learned []Sample, r *Result, f *Figures) error {
		return g.writer(ctx, w, learned, r.Model, f)
	})
}

// EvaluateLines is EvaluateWriters of lines, read in a language: tests, guards and errors are characters, case ignored, and nothing
// is answered at once.
func EvaluateLines(ctx context.Context, dev glcompute.Device, base *nn.Model, writers []Writer, language line.Language, o EvaluationOptions) (*Figures, error) {
	guard := someOf(o.Guard, o.GuardSamples, o.Seed)
	return o.each(ctx, dev, base, writers, func(w Writer, _ []Sample, r *Result, f *Figures) error {
		others := slices.DeleteFunc(slices.Clone(guard), func(s dataset.Sample) bool { return s.Writer != "" && s.Writer == w.Name })
		var wrong [2][2]int
		for i, m := range []*nn.Model{base, r.Model} {
			var err error
			if wrong[i], err = readWrong(ctx, dev, m, language, w.Test, others); err != nil {
				return err
			}
		}
		f.Tests += charactersOf(w.Test)
		f.Guards += charactersOf(others)
		f.Base, f.GuardBefore = f.Base+wrong[0][0], f.GuardBefore+wrong[0][1]
		f.Trained, f.GuardAfter = f.Trained+wrong[1][0], f.GuardAfter+wrong[1][1]
		return nil
	})
}

// each learns from one writer after the other, and has what came of it measured.
func (o EvaluationOptions) each(ctx context.Context, dev glcompute.Device, base *nn.Model, writers []Writer, measure func(w Writer, learned []Sample, r *Result, f *Figures) error) (*Figures, error) {
	var f Figures
	for _, w := range writers {
		if ctx.Err() != nil {
			return &f, context.Cause(ctx)
		}
		learned := make([]Sample, len(w.Learn))
		for i, s := range w.Learn {
			learned[i] = Sample{ID: int64(i), Label: s.Label, Ink: s.Ink}
		}
		r, err := Train(ctx, dev, Task{Start: base, Learn: learned, Settings: o.Settings}, nil)
		if err == nil {
			err = measure(w, learned, r, &f)
		}
		if err != nil {
			return &f, message.Errorf("writer %s: %w", w.Name, err)
		}
		f.Writers++
		f.TrainSeconds = append(f.TrainSeconds, r.Seconds)
		f.Device = r.Device
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

func (g *writersEvaluation) items(ctx context.Context, samples []dataset.Sample) ([]item, error) {
	items := make([]item, len(samples))
	images, inks := make([]ink.Image, len(samples)), make([]ink.Ink, len(samples))
	if err := dataset.InParallel(ctx, len(samples), func(_ context.Context, i int) error {
		s := samples[i]
		images[i], inks[i] = s.Image, s.Ink
		row := g.in.Looks(s.Image, s.Ink)
		items[i] = item{label: s.Label, writer: s.Writer, row: row, compared: g.in.Compared(row, s.Image.Pix)}
		return nil
	}); err != nil {
		return nil, err
	}
	return items, locate(ctx, items, images, inks)
}

// writer adds the figures of one from whom a model learned.
func (g *writersEvaluation) writer(ctx context.Context, w Writer, learned []Sample, trained *nn.Model, f *Figures) error {
	memory := NewMemory()
	if err := memory.Add(ctx, learned...); err != nil {
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
	others := slices.DeleteFunc(slices.Clone(g.guard), func(q item) bool { return q.writer != "" && q.writer == w.Name })
	n := len(tests)
	alone, both, err := g.answers(ctx, trained.Network, trained.Labels, slices.Concat(tests, others), memory)
	if err != nil {
		return err
	}
	for _, q := range tests {
		among := memory.adjust(recognizer.Answer{Strangeness: mostStrange}, q.at, nil).Candidates
		f.Taught += count(among[0].Label != q.label)
	}
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
	return nil
}

func charactersOf(samples []dataset.Sample) (n int) {
	for _, s := range samples {
		n += len([]rune(s.Label))
	}
	return n
}

// readWrong counts the characters of two sets of lines that a model reads wrong.
func readWrong(ctx context.Context, dev glcompute.Device, m *nn.Model, language line.Language, sets ...[]dataset.Sample) (wrong [2]int, err error) {
	r, err := recognizer.New(m, dev)
	if err != nil {
		return wrong, err
	}
	defer r.Close()
	for i, samples := range sets {
		inks := make([]ink.Ink, len(samples))
		for j, s := range samples {
			inks[j] = s.Ink
		}
		results, err := r.ReadLines(ctx, inks, line.Options{Language: language})
		if err != nil {
			return wrong, err
		}
		for j, s := range samples {
			for _, d := range line.Differences([]rune(strings.ToLower(s.Label)), []rune(strings.ToLower(results[j].Text))) {
				wrong[i] += d.Errors()
			}
		}
	}
	return wrong, nil
}

// Writer is one person of an evaluation: what is learned from, and what is tested on.
type Writer struct {
	Name        string
	Learn, Test []dataset.Sample
}

// Writers splits samples with strokes by who wrote them. A class of a writer takes part
// when there are more than perClass samples of it: perClass of them, drawn by seed, are
// learned from, the others tested on. A writer takes part with two such classes or more. A class
// with fewer samples is neither learned nor tested, so that what is measured is learning
// from perClass samples and nothing else. Writers are sorted by name; who else is among
// the samples does not change the split of one.
func Writers(samples []dataset.Sample, perClass int, seed int64) []Writer {
	byWriter := map[string]map[string][]dataset.Sample{}
	for _, s := range samples {
		if s.Writer == "" || len(s.Ink) == 0 {
			continue
		}
		if byWriter[s.Writer] == nil {
			byWriter[s.Writer] = map[string][]dataset.Sample{}
		}
		byWriter[s.Writer][s.Label] = append(byWriter[s.Writer][s.Label], s)
	}
	var writers []Writer
	for _, name := range slices.Sorted(maps.Keys(byWriter)) {
		w := Writer{Name: name}
		classes := 0
		for _, label := range slices.Sorted(maps.Keys(byWriter[name])) {
			group := byWriter[name][label]
			if len(group) <= perClass {
				continue
			}
			classes++
			order := rand.New(rand.NewPCG(uint64(seed), hash(name+"\x00"+label))).Perm(len(group))
			for place, i := range order {
				if place < perClass {
					w.Learn = append(w.Learn, group[i])
				} else {
					w.Test = append(w.Test, group[i])
				}
			}
		}
		if classes >= 2 {
			writers = append(writers, w)
		}
	}
	return writers
}

// LineWriters splits lines with strokes by who wrote them. A writer takes part with at least twice as many as are learned from: so many,
// drawn by seed, are, and the others, at most `most` of them, are tested on. Writers are sorted by name.
func LineWriters(samples []dataset.Sample, learned, most int, seed int64) (writers []Writer) {
	of := map[string][]dataset.Sample{}
	for _, s := range samples {
		if s.Writer != "" && len([]rune(s.Label)) > 1 && line.Check(s.Ink) == nil {
			of[s.Writer] = append(of[s.Writer], s)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		all := of[name]
		if len(all) < 2*learned {
			continue
		}
		rand.New(rand.NewPCG(uint64(seed), hash(name))).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		writers = append(writers, Writer{Name: name, Learn: all[:learned], Test: all[learned:min(len(all), learned+most)]})
	}
	return writers
}

func hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}
