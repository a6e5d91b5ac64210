package personal

import (
	"context"

	"inkshade/glcompute/program"
	"inkshade/recognizer"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/prototype"
)

// quiz is a sample to be answered, prepared.
type quiz struct {
	label, writer string
	row           []float32
	at            point
	before        string // what the base of a study answers
}

// exam puts quizzes to networks that one model began as.
type exam struct {
	dev program.Device
	set *prototype.Set // of that model, whose temperature is that of all; nil where it keeps none
}

// answers gives the first candidates of a network that has these labels first: alone, and beside a memory, nil for none.
func (e exam) answers(ctx context.Context, net nn.Network, labels []string, quizzes []quiz, memory *Memory) (alone, with []recognizer.Candidate, err error) {
	rows := make([][]float32, len(quizzes))
	for i, q := range quizzes {
		rows[i] = q.row
	}
	logits, err := nn.Apply(ctx, e.dev, net, rows, nil)
	if err != nil {
		return nil, nil, err
	}
	alone, with = make([]recognizer.Candidate, len(quizzes)), make([]recognizer.Candidate, len(quizzes))
	return alone, with, dataset.InParallel(ctx, len(quizzes), func(_ context.Context, i int) error {
		a := recognizer.Answer{Candidates: recognizer.Candidates(labels, logits[i][:len(labels)], e.set.Calibration())}
		alone[i] = a.Candidates[0]
		if memory != nil {
			with[i] = memory.adjust(a, quizzes[i].at, nil).Candidates[0]
		}
		return nil
	})
}

// wrong counts the answers that are not what was meant.
func wrong(answers []recognizer.Candidate, quizzes []quiz) (n int) {
	for i, a := range answers {
		n += count(a.Label != quizzes[i].label)
	}
	return n
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
