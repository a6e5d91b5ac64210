package nn

import (
	"context"
	"errors"
	"slices"

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
// class (1, SmallBatch and LargeBatch), and of lines for each class of widths, on first use and keeps it. It is not safe for use by
// several goroutines at once.
type Inference struct {
	dev    glcompute.Device
	params *Parameters
	owned  bool
	width  int
	looks  int     // at each of the last samples
	lines  runSize // of the last lines
	runs   map[runSize]*inferenceRun
}

// runSize is what a program is compiled for: samples at once, and the columns of lines, 0 of a network as it is.
type runSize struct{ batch, columns int }

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
	return &Inference{dev: dev, params: params, width: params.Width(), looks: 1, runs: map[runSize]*inferenceRun{}}
}

// Prepare compiles the program for so many rows ahead of its first use.
func (inf *Inference) Prepare(rows int) error {
	_, err := inf.compiled(runSize{batch: BatchClass(rows)})
	return err
}

// BatchClass is how many of so many rows are computed at once. A batch takes as long when it is not full.
func BatchClass(rows int) int {
	switch {
	case rows <= 1:
		return 1
	case rows <= LargeBatch/2:
		return SmallBatch
	}
	return LargeBatch
}

func (inf *Inference) compiled(size runSize) (r *inferenceRun, err error) {
	if r, ok := inf.runs[size]; ok {
		return r, nil
	}
	params := inf.params
	if size.columns > 0 {
		if params, err = params.Wide(size.columns); err != nil {
			return nil, err
		}
	}
	p := glcompute.NewProgram()
	r = &inferenceRun{}
	for _, in := range params.net.Inputs {
		x := p.Input(size.batch*in.Shape.Positions(), in.Shape.Channels)
		r.inputs, r.inBufs = append(r.inputs, x), append(r.inBufs, make([]float32, x.Len()))
	}
	p.Batch(size.batch, r.inputs...)
	values, _ := params.record(p, r.inputs, nil, size.batch, len(params.layers))
	r.logits = values[len(values)-1]
	if r.run, err = inf.dev.Compile(p); err != nil {
		return nil, message.Errorf("preparing the network on the %s device: %w", inf.dev.Info().Kind, err)
	}
	r.result = make([]float32, r.logits.Len())
	inf.runs[size] = r
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

// Each computes all rows (inputs values each) and calls yield with the index and the logits of each, in order. Rows may hold several
// looks at a sample, one after another, as many each as the first; its logits are the mean of theirs. Softmax makes probabilities
// of them. The slices are reused by the next call.
func (inf *Inference) Each(rows [][]float32, yield func(i int, logits []float32)) error {
	looks, err := inf.split(rows)
	if err != nil {
		return err
	}
	each := yield
	if inf.looks > 1 {
		var mean []float32
		each = func(i int, logits []float32) {
			if i%inf.looks == 0 {
				mean = append(mean[:0], make([]float32, len(logits))...)
			}
			for k, v := range logits {
				mean[k] += v / float32(inf.looks)
			}
			if i%inf.looks == inf.looks-1 {
				yield(i/inf.looks, mean)
			}
		}
	}
	return inf.all(inf.size(len(rows)), len(looks), func(_ *inferenceRun, start, n int) [][]float32 { return looks[start : start+n] }, each)
}

// split gives the looks that rows hold, of inputs values each.
func (inf *Inference) split(rows [][]float32) ([][]float32, error) {
	inf.looks = 1
	if len(rows) > 0 {
		inf.looks = max(1, len(rows[0])/inf.width)
	}
	looks := make([][]float32, 0, inf.looks*len(rows))
	for i, row := range rows {
		if width := inf.looks * inf.width; len(row) != width {
			return nil, message.Errorf("sample %d has %d values, the network takes %d", i+1, len(row), width)
		}
		looks = slices.AppendSeq(looks, slices.Chunk(row, inf.width))
	}
	return looks, nil
}

// size is what is compiled for so many samples, with as many looks at each as at the last.
func (inf *Inference) size(samples int) runSize {
	if samples == 1 {
		return runSize{batch: inf.looks}
	}
	return runSize{batch: BatchClass(samples * inf.looks)}
}

// all computes n samples, a batch after the other, whose rows take gives.
func (inf *Inference) all(size runSize, n int, take func(r *inferenceRun, start, n int) [][]float32, yield func(i int, logits []float32)) error {
	r, err := inf.compiled(size)
	if err != nil {
		return err
	}
	each := len(r.result) / size.batch
	for start := 0; start < n; start += size.batch {
		rows := take(r, start, min(size.batch, n-start))
		if err := r.run.Do(r.bind(size.batch, rows...)...); err != nil {
			return message.Errorf("running the network on the %s device: %w", inf.dev.Info().Kind, err)
		}
		for i := range rows {
			yield(start+i, r.result[i*each:(i+1)*each])
		}
	}
	return nil
}

// Measure computes one row as Each does and gives the time of each stage.
func (inf *Inference) Measure(row []float32) (glcompute.Timing, error) {
	looks, err := inf.split([][]float32{row})
	if err != nil {
		return glcompute.Timing{}, err
	}
	r, err := inf.compiled(inf.size(1))
	if err != nil {
		return glcompute.Timing{}, err
	}
	return r.run.Measure(r.bind(len(looks), looks...)...)
}

// Info describes what did the last of so many rows at once, or the last lines.
func (inf *Inference) Info(rows int) glcompute.Info {
	for _, size := range []runSize{inf.size(rows), inf.lines} {
		if r, ok := inf.runs[size]; ok {
			return r.run.Info()
		}
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

// Close frees the compiled programs and, where NewInference made them, the parameters.
func (inf *Inference) Close() error {
	var problems []error
	for _, r := range inf.runs {
		problems = append(problems, r.run.Close())
	}
	clear(inf.runs)
	if inf.owned {
		inf.params.Forget(inf.dev)
	}
	return errors.Join(problems...)
}

// Apply gives what the last layer of a network makes of each row: the logits, or of the lower part
// of a network that was cut the hidden activations there. tell, which may be nil, is called now and then with the number of
// rows since the last call. When ctx ends, its cause is returned.
func Apply(ctx context.Context, dev glcompute.Device, net Network, rows [][]float32, tell func(rows int)) ([][]float32, error) {
	inf := InferenceOf(dev, NewParameters(net.Folded()))
	inf.owned = true
	defer inf.Close()
	out := make([][]float32, 0, len(rows))
	for part := range slices.Chunk(rows, 4*LargeBatch) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := inf.Each(part, func(_ int, result []float32) { out = append(out, slices.Clone(result)) }); err != nil {
			return nil, err
		}
		if tell != nil {
			tell(len(part))
		}
	}
	return out, nil
}
