package nn

import (
	"inkshade/glcompute"
	"inkshade/glcompute/message"
)

// Rows that Inference sends to the device at once when it has some, such as the shapes of a line, or
// many.
const (
	SmallBatch = 32
	LargeBatch = 256
)

// Inference runs a network on a device. It compiles a program for each batch size
// class (1, SmallBatch and LargeBatch) on first use and keeps it. It is not safe for use by several
// goroutines at once.
type Inference struct {
	dev            glcompute.Device
	params         *Parameters
	owned          bool
	width, classes int
	runs           map[int]*inferenceRun
}

type inferenceRun struct {
	run    glcompute.Run
	inputs []*glcompute.Tensor // of the network, each uploaded by itself
	inBufs [][]float32
	logits *glcompute.Tensor
	result []float32
}

// NewInference brings a copy of the network's parameters onto the device.
func NewInference(dev glcompute.Device, net Network) (*Inference, error) {
	if err := net.Check(); err != nil {
		return nil, err
	}
	inf := InferenceOf(dev, NewParameters(net.Folded()))
	inf.owned = true
	return inf, nil
}

// InferenceOf runs on parameters that others may be training on the same device. Close
// leaves them there.
func InferenceOf(dev glcompute.Device, params *Parameters) *Inference {
	return &Inference{dev: dev, params: params, width: params.Width(), classes: params.Classes(), runs: map[int]*inferenceRun{}}
}

// Prepare compiles the program for so many rows ahead of its first use.
func (inf *Inference) Prepare(rows int) error {
	_, err := inf.compiled(batchClass(rows))
	return err
}

// batchClass is how many of so many rows are computed at once. A batch takes as long when it is not full.
func batchClass(rows int) int {
	switch {
	case rows <= 1:
		return 1
	case rows <= LargeBatch/2:
		return SmallBatch
	}
	return LargeBatch
}

func (inf *Inference) compiled(batch int) (*inferenceRun, error) {
	if r, ok := inf.runs[batch]; ok {
		return r, nil
	}
	r, err := compileInference(inf.dev, inf.params, batch)
	if err == nil {
		inf.runs[batch] = r
	}
	return r, err
}

func compileInference(dev glcompute.Device, params *Parameters, batch int) (*inferenceRun, error) {
	p := glcompute.NewProgram()
	r := &inferenceRun{}
	for _, in := range params.net.Inputs {
		x := p.Input(batch*in.Shape.Positions(), in.Shape.Channels)
		r.inputs, r.inBufs = append(r.inputs, x), append(r.inBufs, make([]float32, x.Len()))
	}
	p.Batch(batch, r.inputs...)
	values, _ := params.record(p, r.inputs, nil, batch, len(params.layers))
	r.logits = values[len(values)-1]
	run, err := dev.Compile(p)
	if err != nil {
		return nil, message.Errorf("preparing the network on the %s device: %w", dev.Info().Kind, err)
	}
	r.run = run
	r.result = make([]float32, r.logits.Len())
	return r, nil
}

// bind puts rows into the buffers of the inputs, zeros after the last, and binds them and the logits.
func (r *inferenceRun) bind(batch int, rows ...[]float32) (bindings []glcompute.Binding) {
	from := 0
	for k, buf := range r.inBufs {
		size := len(buf) / batch
		for i, row := range rows {
			copy(buf[i*size:(i+1)*size], row[from:])
		}
		clear(buf[len(rows)*size:])
		from += size
		bindings = append(bindings, glcompute.In(r.inputs[k], buf))
	}
	return append(bindings, glcompute.Out(r.logits, r.result))
}

// Each computes all rows (inputs values each) and calls yield with the index and the logits of each, in order.
// Softmax makes probabilities of them. The slices are reused by the next call.
func (inf *Inference) Each(rows [][]float32, yield func(i int, logits []float32)) error {
	batch, width := batchClass(len(rows)), inf.width
	r, err := inf.compiled(batch)
	if err != nil {
		return err
	}
	for start := 0; start < len(rows); start += batch {
		n := min(batch, len(rows)-start)
		for i := range n {
			if err := checkRow(rows[start+i], start+i, width); err != nil {
				return err
			}
		}
		if err := r.run.Do(r.bind(batch, rows[start:start+n]...)...); err != nil {
			return message.Errorf("running the network on the %s device: %w", inf.dev.Info().Kind, err)
		}
		for i := range n {
			yield(start+i, r.result[i*inf.classes:(i+1)*inf.classes])
		}
	}
	return nil
}

// Measure computes one row and gives the time of each stage.
func (inf *Inference) Measure(row []float32) (glcompute.Timing, error) {
	r, err := inf.compiled(1)
	if err != nil {
		return glcompute.Timing{}, err
	}
	if err := checkRow(row, 0, inf.width); err != nil {
		return glcompute.Timing{}, err
	}
	return r.run.Measure(r.bind(1, row)...)
}

// Info describes what did the last of so many rows at once.
func (inf *Inference) Info(rows int) glcompute.Info {
	if r, ok := inf.runs[batchClass(rows)]; ok {
		return r.run.Info()
	}
	return inf.dev.Info()
}

// Best is the class of the largest of the logits, the first of several.
func Best(logits []float32) int {
	best := 0
	for i, v := range logits {
		if v > logits[best] {
			best = i
		}
	}
	return best
}

func checkRow(row []float32, i, width int) error {
	if len(row) != width {
		return message.Errorf("sample %d has %d values, the network takes %d", i+1, len(row), width)
	}
	return nil
}

// Close frees the compiled programs and, where NewInference made them, the parameters.
func (inf *Inference) Close() error {
	first := closeRuns(inf.runs)
	if inf.owned {
		inf.params.Forget(inf.dev)
	}
	return first
}

// closeRuns closes and forgets all, and gives the first error.
func closeRuns[K comparable](runs map[K]*inferenceRun) (first error) {
	for _, r := range runs {
		if err := r.run.Close(); err != nil && first == nil {
			first = err
		}
	}
	clear(runs)
	return first
}
