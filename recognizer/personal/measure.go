package personal

import (
	"context"
	"maps"
	"slices"

	"inkshade/glcompute"
	"inkshade/recognizer"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/prototype"
)

// item is a sample to be answered, prepared.
type item struct {
	label, writer string
	row, compared []float32 // what the network reads, and feature.Extractor.Compared of it
	at            point
	before        string // what the base model answers
}

// locate fills in where items lie.
func locate(ctx context.Context, items []item, images []ink.Image, inks []ink.Ink) error {
	points, err := pointsOf(ctx, images, inks)
	for i, p := range points {
		items[i].at = p
	}
	return err
}

// evaluator answers items by networks that began as one model.
type evaluator struct {
	dev glcompute.Device
	set *prototype.Set // of that model, whose temperature is that of all; nil where it keeps none
}

// answers gives the first candidates of a network that has these labels first: alone, and beside a memory, nil for none.
func (e evaluator) answers(ctx context.Context, net nn.Network, labels []string, items []item, memory *Memory) (alone, with []recognizer.Candidate, err error) {
	rows := make([][]float32, len(items))
	for i, q := range items {
		rows[i] = q.row
	}
	logits, err := nn.Apply(ctx, e.dev, net, rows, nil)
	if err != nil {
		return nil, nil, err
	}
	alone, with = make([]recognizer.Candidate, len(items)), make([]recognizer.Candidate, len(items))
	return alone, with, dataset.InParallel(ctx, len(items), func(_ context.Context, i int) error {
		a := recognizer.AnswerOf(labels, logits[i][:len(labels)], items[i].compared, e.set, nil)
		alone[i] = a.Candidates[0]
		if memory != nil {
			with[i] = memory.adjust(a, items[i].at, nil).Candidates[0]
		}
		return nil
	})
}

// wrong counts the answers that are not what was meant.
func wrong(answers []recognizer.Candidate, items []item) (n int) {
	for i, a := range answers {
		n += count(a.Label != items[i].label)
	}
	return n
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// measure answers the held-out samples and the replayed prototypes before and after.
func (w *work) measure(ctx context.Context, r *Result) error {
	if w.set != nil {
		rows, classes, err := replayed(ctx, w.in, w.set, 1, w.Distortion, w.Seed+1)
		if err != nil {
			return err
		}
		r.Replay.Samples = len(rows)
		for _, side := range []struct {
			net     nn.Network
			classes int // a new class is no answer before there is one
			wrong   *int
		}{{w.model.Network, len(w.Start.Labels), &r.Replay.Before}, {r.Model.Network, len(w.model.Labels), &r.Replay.After}} {
			logits, err := nn.Apply(ctx, w.dev, side.net, rows, nil)
			if err != nil {
				return err
			}
			for i, l := range logits {
				*side.wrong += count(nn.Best(l[:side.classes]) != classes[i])
			}
		}
	}
	if len(w.HeldOut) == 0 {
		return nil
	}
	memory := NewMemory()
	if err := memory.Add(ctx, slices.DeleteFunc(slices.Clone(w.Learn), func(s Sample) bool { return s.Other })...); err != nil {
		return err
	}
	rows, images, err := inputs(ctx, w.in, w.HeldOut)
	if err != nil {
		return err
	}
	held, inks := make([]item, len(rows)), make([]ink.Ink, len(rows))
	for i, s := range w.HeldOut {
		held[i], inks[i] = item{label: s.Label, row: rows[i], compared: w.in.Compared(rows[i], images[i].Pix)}, s.Ink
	}
	if err := locate(ctx, held, images, inks); err != nil {
		return err
	}
	e := evaluator{w.dev, w.set}
	alone, before, err := e.answers(ctx, w.model.Network, w.Start.Labels, held, memory)
	if err != nil {
		return err
	}
	trained, after, err := e.answers(ctx, r.Model.Network, w.model.Labels, held, memory)
	if err != nil {
		return err
	}
	r.Network = Comparison{len(held), wrong(alone, held), wrong(trained, held)}
	r.HeldOut = Comparison{len(held), wrong(before, held), wrong(after, held)}
	r.Before, r.After = confusion(w.model.Labels, w.HeldOut, before), confusion(w.model.Labels, w.HeldOut, after)
	for i, s := range w.HeldOut {
		if b, a := before[i], after[i]; b.Label != a.Label {
			r.Changes = append(r.Changes, Change{ID: s.ID, Label: s.Label, Before: b.Label, After: a.Label})
		}
	}
	return nil
}

// confusion sorts held-out samples by what they are and what they were taken for.
func confusion(labels []string, samples []Sample, answers []recognizer.Candidate) Confusion {
	c := Confusion{Labels: slices.Clone(labels)}
	cells := map[[2]string]*Cell{}
	for i, s := range samples {
		if !slices.Contains(c.Labels, s.Label) {
			c.Labels = append(c.Labels, s.Label)
		}
		key := [2]string{s.Label, answers[i].Label}
		if cells[key] == nil {
			cells[key] = &Cell{Want: key[0], Got: key[1]}
		}
		cells[key].Samples = append(cells[key].Samples, s.ID)
	}
	place := map[string]int{}
	for i, l := range c.Labels {
		place[l] = i
	}
	for _, key := range slices.SortedFunc(maps.Keys(cells), func(a, b [2]string) int {
		return (place[a[0]]-place[b[0]])*len(c.Labels) + place[a[1]] - place[b[1]]
	}) {
		c.Cells = append(c.Cells, *cells[key])
	}
	return c
}

// forgetting is the rise of the error on what is replayed that is put up with, and
// chance that of single prototypes, where there are few.
const (
	forgetting = 0.005
	chance     = 2
)

// decide fills in Keep and Reason.
func (r *Result) decide() {
	rise := r.Replay.After - r.Replay.Before
	h, n := r.HeldOut, r.Network
	switch {
	case float64(rise) > max(chance, forgetting*float64(r.Replay.Samples)):
		r.Reason = Forgets
	case h.Samples == 0:
		r.Keep, r.Reason = true, Unmeasured
	case h.After < h.Before:
		r.Keep, r.Reason = true, Better
	case h.After > h.Before:
		r.Reason = Worse
	case n.After > n.Before:
		r.Reason = WorseAlone
	case rise > 0:
		r.Reason = Forgets
	case n.After < n.Before:
		r.Keep, r.Reason = true, BetterAlone
	default: // new labels are worth a model that is as good
		r.Keep, r.Reason = len(r.NewClasses) > 0, AsGood
	}
}
