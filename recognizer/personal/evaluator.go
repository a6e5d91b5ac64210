package personal

import (
	"context"

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
