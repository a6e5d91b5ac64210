package personal

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/recognizer"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

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

// EvaluateLines is EvaluateWriters of lines, read in a language: tests, guards and errors are characters, case ignored, and nothing
// is answered at once.
func EvaluateLines(ctx context.Context, dev glcompute.Device, base *nn.Model, writers []Writer, language line.Language, o EvaluationOptions) (*Figures, error) {
	var f Figures
	guard := someOf(o.Guard, o.GuardSamples, o.Seed)
	for _, w := range writers {
		learn := make([]Sample, len(w.Learn))
		for i, s := range w.Learn {
			learn[i] = Sample{ID: int64(i), Label: s.Label, Ink: s.Ink}
		}
		result, err := Train(ctx, dev, Task{Start: base, Learn: learn, Settings: o.Settings}, nil)
		if err != nil {
			return &f, message.Errorf("writer %s: %w", w.Name, err)
		}
		others := slices.DeleteFunc(slices.Clone(guard), func(s dataset.Sample) bool { return s.Writer != "" && s.Writer == w.Name })
		var wrong [2][2]int
		for i, m := range []*nn.Model{base, result.Model} {
			if wrong[i], err = readWrong(ctx, dev, m, language, w.Test, others); err != nil {
				return &f, err
			}
		}
		f.Writers++
		f.Tests += charactersOf(w.Test)
		f.Guards += charactersOf(others)
		f.Base, f.GuardBefore = f.Base+wrong[0][0], f.GuardBefore+wrong[0][1]
		f.Trained, f.GuardAfter = f.Trained+wrong[1][0], f.GuardAfter+wrong[1][1]
		f.TrainSeconds = append(f.TrainSeconds, result.Seconds)
		f.Device = result.Device
		if o.Progress != nil {
			o.Progress(w, f)
		}
	}
	slices.Sort(f.TrainSeconds)
	return &f, nil
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
