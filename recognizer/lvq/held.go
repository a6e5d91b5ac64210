package lvq

import (
	"context"
	"slices"

	"inkshade/glcompute"
	"inkshade/recognizer/train"
)

// heldBytes is how much memory of the device samples may take: more of them go up in mini-batches.
const heldBytes = 1 << 28

// held are the projected rows of all samples. They go up once; a step is told which of them are its batch.
type held struct {
	rows    *glcompute.Parameter // [samples][Out]
	index   *glcompute.Tensor    // [batch][1], uploaded: the sample of each row
	numbers []float32
}

// hold projects all samples of a lesson; nil where they change from epoch to epoch, or take too much.
func (p *Prototypes) hold(ctx context.Context, l train.Lesson) (*held, error) {
	if l.Samples == 0 || l.Samples >= 1<<24 || 4*l.Samples*p.Out > heldBytes {
		return nil, nil
	}
	lower, err := p.lower(l.Dev)
	if err != nil {
		return nil, err
	}
	if lower != nil {
		defer lower.Close()
	}
	data, input := make([]float32, l.Samples*p.Out), make([]float32, l.Batch*p.In)
	for first := 0; first < l.Samples; first += l.Batch {
		part := input[:min(l.Batch, l.Samples-first)*p.In]
		if err := l.Rows(ctx, part, first); err != nil {
			return nil, err
		}
		if lower == nil {
			copy(data[first*p.Out:], part)
			continue
		}
		put := func(i int, y []float32) { copy(data[(first+i)*p.Out:], y) }
		if err := lower.Each(slices.Collect(slices.Chunk(part, p.In)), put); err != nil {
			return nil, err
		}
	}
	return newHeld(data, p.Out, l.Batch), nil
}

func newHeld(rows []float32, width, batch int) *held {
	return &held{rows: glcompute.NewParameter("samples", len(rows)/width, width, rows), numbers: make([]float32, batch)}
}

// record gives the rows of a batch.
func (h *held) record(p *glcompute.Program) *glcompute.Tensor {
	h.index = p.Input(len(h.numbers), 1)
	return p.Gather(p.Variable(h.rows), h.index)
}

// batch is the binding of a batch of these samples.
func (h *held) batch(samples []int) glcompute.Binding {
	for i, s := range samples {
		h.numbers[i] = float32(s)
	}
	return glcompute.In(h.index, h.numbers)
}
