package personal

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/prototype"
	"inkshade/recognizer/train"
)

// How a network that reads lines learns a person's.
const (
	lineRounds = 8      // passes over the lines
	lineCopies = 3      // of each of the person's, distorted anew, in a pass
	lineReplay = 5      // composed ones in a pass, for each of the person's
	lineRate   = 0.0002 // of Adam
	lineBatch  = 10     // lines in a step
	lineWay    = 0.5    // of the way from the model in use to where the steps led, which spares others
	guardLines = 100    // composed to be answered before and after
	hands      = 12     // that composed lines are written in
)

// trainLines is trainRows of a network that reads lines. What it knew is replayed by lines composed of the letters that the model
// keeps, with English words and numbers for texts; others such lines are answered before and after.
func trainLines(ctx context.Context, dev glcompute.Device, t Task, progress func(Progress)) (*Result, error) {
	progress(Progress{Stage: Preparing})
	letters, err := handsOf(t.Start, t.Seed)
	if err != nil {
		return nil, err
	}
	cfg := train.Default()
	cfg.ForLines(func(string) bool { return false })
	start := folded(t.Start)
	cfg.Start, cfg.HoldOut, cfg.Seed, cfg.Average, cfg.Composed = start, 0, t.Seed, 0, 0
	cfg.Epochs, cfg.Rate, cfg.Batch, cfg.WarmUp, cfg.ReportEvery = lineRounds, lineRate, lineBatch, 1, 1
	samples := composed(letters, textsOf(len(t.Learn)*lineReplay, t.Seed), t.Seed)
	for range lineCopies {
		samples = append(samples, linesOf(t.Learn)...)
	}
	did, err := train.Run(ctx, dev, samples, cfg, func(e train.Event) {
		if !e.EpochDone {
			progress(Progress{Stage: Learning, Step: e.Step, Steps: e.Steps, Loss: e.Loss, StepsPerSecond: e.SamplesPerSecond / lineBatch, Remaining: e.Remaining})
		}
	})
	if err != nil {
		return nil, err
	}
	progress(Progress{Stage: Measuring, Step: did.Steps, Steps: did.Steps})
	nearer(start.Network, did.Model.Network)
	r := &Result{Model: did.Model, Steps: did.Steps, Device: string(did.Device.Kind), Choice: did.Device.Choice}
	if r.HeldOut, err = compareLines(ctx, dev, start, r.Model, linesOf(t.HeldOut)); err != nil {
		return nil, err
	}
	r.Network = r.HeldOut
	r.Replay, err = compareLines(ctx, dev, start, r.Model, composed(letters, textsOf(guardLines, t.Seed+1), t.Seed+1))
	return r, err
}

// nearer takes the parameters of a network back a part of their way from another's.
func nearer(from, to nn.Network) {
	for i, l := range to.Layers {
		for j, values := range l.Values {
			for k, v := range from.Layers[i].Values[j] {
				values[k] = v + lineWay*(values[k]-v)
			}
		}
	}
}

// compareLines counts the characters that two models read wrong.
func compareLines(ctx context.Context, dev glcompute.Device, before, after *nn.Model, samples []dataset.Sample) (c Comparison, err error) {
	if len(samples) == 0 {
		return c, nil
	}
	for m, wrong := range map[*nn.Model]*int{before: &c.Before, after: &c.After} {
		e, err := train.Evaluate(ctx, dev, m, samples)
		if err != nil {
			return c, err
		}
		c.Samples, *wrong = e.Characters, e.WrongCharacters
	}
	return c, nil
}

func linesOf(samples []Sample) (lines []dataset.Sample) {
	for _, s := range samples {
		lines = append(lines, dataset.Sample{Label: s.Label, Ink: s.Ink})
	}
	return lines
}

// handsOf gives the letters that a model keeps to made-up writers, who write each character in one of its forms.
func handsOf(m *nn.Model, seed int64) (samples []dataset.Sample, err error) {
	letters, err := prototype.Letters(m)
	if err != nil {
		return nil, err
	}
	if len(letters) == 0 {
		return nil, message.Errorf("the model keeps no letters, without which it forgets what it knew; choose another, or calibrate it")
	}
	forms := map[string][]int{}
	for i, l := range letters {
		forms[l.Label] = append(forms[l.Label], i)
	}
	for hand := range hands {
		rng := rand.New(rand.NewPCG(uint64(seed), uint64(hand)))
		for i, l := range letters {
			if of := forms[l.Label]; i == of[0] {
				form := letters[of[rng.IntN(len(of))]]
				samples = append(samples, dataset.Sample{Label: l.Label, Writer: string(rune('a' + hand)), Ink: form.Ink})
			}
		}
	}
	return samples, nil
}

// textsOf draws so many English words, some with capitals, and numbers.
func textsOf(n int, seed int64) []string {
	rng := rand.New(rand.NewPCG(uint64(seed), 0))
	var texts []string
	seen := 0
	for word := range line.EnglishWords() {
		if seen++; len(texts) < n {
			texts = append(texts, word)
		} else if i := rng.IntN(seen); i < n {
			texts[i] = word
		}
	}
	for i, word := range texts {
		switch rng.IntN(8) {
		case 0:
			texts[i] = strings.ToUpper(word)
		case 1, 2:
			texts[i] = strings.ToUpper(word[:1]) + word[1:]
		case 3:
			texts[i] = strconv.Itoa(rng.IntN(1e6))
		}
	}
	return texts
}

// composed writes texts in the letters of made-up writers.
func composed(letters []dataset.Sample, texts []string, seed int64) (lines []dataset.Sample) {
	rng := rand.New(rand.NewPCG(uint64(seed), 1))
	writers := dataset.LettersOf(letters, 1)
	for _, text := range texts {
		if w := writers[rng.IntN(len(writers))]; w.Has(text) {
			lines = append(lines, dataset.Sample{Label: text, Ink: w.Compose(text, rng)})
		}
	}
	return lines
}
