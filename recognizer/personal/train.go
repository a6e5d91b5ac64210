package personal

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"inkshade/glcompute"
	"inkshade/glcompute/clock"
	"inkshade/glcompute/message"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/prototype"
	"inkshade/recognizer/train"
)

// Train folds a person's samples into a copy of the model in use, on any device, and
// measures whether that helped.
//
// The last layers are trained (see Settings.Frozen) on distorted copies of the person's
// strokes, after the parameters of new classes alone. Some rows of every mini-batch replay what the model knew: variations of the
// prototypes that it keeps, each with the answer that the model in use gives to it
// (distillation; Hinton et al., 2015). The parameters are pulled toward the shipped model.
// Labels that the model does not have become classes of its last layer.
//
// The result says whether the trained model should be kept: see Result. progress may be
// nil. The same task, seed and device give the same model. A cancelled context returns its cause and no
// result. Nothing that was given is changed.
func Train(ctx context.Context, dev glcompute.Device, t Task, progress func(Progress)) (*Result, error) {
	started := clock.Now()
	if progress == nil {
		progress = func(Progress) {}
	}
	learn := trainRows
	if t.Start != nil && t.Start.Preprocessing == nn.LineMaps {
		learn = trainLines
	}
	r, err := learn(ctx, dev, t, progress)
	if err != nil {
		return nil, err
	}
	r.decide()
	r.Seconds = clock.Since(started).Seconds()
	r.Model.Note(map[string]string{
		"personal_samples": strconv.Itoa(len(t.Learn)),
		"personal_steps":   strconv.Itoa(r.Steps),
		"personal_seed":    strconv.FormatInt(t.Seed, 10),
		"personal_device":  r.Device,

		// These were measured of the model before.
		"test_data": "", "test_samples": "", "test_error_percent": "", "held_out_samples": "", "held_out_error_percent": "",
	})
	return r, nil
}

// trainRows is Train of a network that reads characters, but for what follows from the measurements.
func trainRows(ctx context.Context, dev glcompute.Device, t Task, progress func(Progress)) (*Result, error) {
	w, err := begin(dev, t, progress)
	if err != nil {
		return nil, err
	}
	own, replay, err := w.rows(ctx)
	if err != nil {
		return nil, err
	}
	if err := w.meetNewClasses(ctx, own, replay); err != nil {
		return nil, err
	}
	did, err := train.RunRows(ctx, dev, own, replay, t.Steps, w.config, w.learning)
	if err != nil {
		return nil, err
	}
	w.tell(Progress{Stage: Measuring, Step: t.Steps})
	r := &Result{
		Model: did.Model, NewClasses: w.model.Labels[len(t.Start.Labels):], Steps: t.Steps,
		Device: string(did.Device.Kind), Choice: did.Device.Choice,
	}
	return r, w.measure(ctx, r)
}

// work is what a training needs beside the steps themselves.
type work struct {
	Task
	dev      glcompute.Device
	progress func(Progress)

	model *nn.Model // Start with the new classes
	in    feature.Extractor
	set   *prototype.Set // nil where the model keeps none

	config        train.Config
	prepared, all int // rows that were made, answered or went through frozen layers; and those of all that
}

func begin(dev glcompute.Device, t Task, progress func(Progress)) (*work, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	w := &work{Task: t, dev: dev, progress: progress}
	w.tell(Progress{Stage: Preparing})
	labels := map[string]bool{}
	for _, s := range t.Learn {
		labels[s.Label] = true
	}
	var err error
	if w.model, err = folded(t.Start).WithClasses(slices.Sorted(maps.Keys(labels)), t.Seed); err != nil {
		return nil, err
	}
	if w.in, err = feature.ByName(t.Start.Preprocessing); err != nil {
		return nil, err
	}
	if w.in.Size != t.Start.Network.Width() {
		return nil, message.Errorf("the model takes %d values, its preprocessing %s makes %d", t.Start.Network.Width(), w.in.Name, w.in.Size)
	}
	if w.set, err = prototype.Of(t.Start); err != nil {
		return nil, err
	}
	w.configure()
	own, replay, passes := len(t.Learn)*(1+t.Copies), 0, 1
	if w.set != nil {
		for _, group := range w.set.Inputs {
			replay += replayRounds * len(group)
		}
	}
	if w.config.Frozen > 0 {
		passes++
	}
	if len(w.model.Labels) > len(t.Start.Labels) {
		passes++
	}
	w.all = passes*own + (passes+1)*replay
	return w, nil
}

// folded is the model as it is used: the statistics of batch normalisation are not those of one
// person.
func folded(m *nn.Model) *nn.Model {
	f := *m
	f.Network = m.Network.Folded()
	return &f
}

// configure says how the rows are trained on.
func (w *work) configure() {
	c := train.Config{
		Start: w.model, Anchor: w.model, Frozen: min(w.Frozen, len(w.model.Network.Layers)-1), Replay: w.Replay,
		Batch: w.Batch, Rate: w.Rate, WarmUp: warmUp, Momentum: w.Momentum, Decay: w.Settings.Anchor,
		Seed: w.Seed, ReportEvery: tellEvery,
	}
	if w.Shipped != nil {
		c.Anchor = folded(w.Shipped)
	}
	if w.model.Network.Convolutional() {
		c.Decay *= convolutionPull
	}
	if w.Frozen < 0 {
		c.Frozen = frozenLayers(w.model.Network, trainedProducts)
	}
	w.config = c
}

// frozenLayers is the number of first layers that stay as they are: all but so many of the
// last that multiply at most budget times together for a row, and at least the last one.
func frozenLayers(net nn.Network, budget int) int {
	layers := net.Describe()
	n := len(layers) - 1
	products := func(l nn.LayerDescription) int { return l.Parameters * l.Shape.Positions() }
	trained := products(layers[n])
	for n > 0 && trained+products(layers[n-1]) <= budget {
		n--
		trained += products(layers[n])
	}
	return n
}

// rows prepares what is learned and what is replayed.
func (w *work) rows(ctx context.Context) (own, replay train.Rows, err error) {
	plain, _, err := inputs(ctx, w.in, w.Learn)
	if err != nil {
		return own, replay, err
	}
	copies, err := distorted(ctx, w.in, w.Learn, w.Copies, w.Distortion, w.Seed, w.prepare)
	if err != nil {
		return own, replay, err
	}
	for _, s := range w.Learn {
		own.Classes = append(own.Classes, w.model.Class(s.Label))
	}
	for i := range copies {
		own.Classes = append(own.Classes, own.Classes[i/w.Copies])
	}
	own.Inputs = append(plain, copies...)
	w.prepare(len(plain))
	for _, c := range own.Classes {
		target := make([]float32, len(w.model.Labels))
		target[c] = 1
		own.Targets = append(own.Targets, target)
	}
	if w.set == nil {
		return own, replay, nil
	}
	if replay.Inputs, replay.Classes, err = replayed(ctx, w.in, w.set, replayRounds, w.Distortion, w.Seed); err != nil {
		return own, replay, err
	}
	w.prepare(len(replay.Inputs))
	replay.Targets, err = w.answers(ctx, replay.Inputs)
	return own, replay, err
}

// meetNewClasses fits the last layer's parameters of the new classes alone, which have nothing yet that the pull could hold them to:
// pulled toward chance values they would never be answered. Without a replay, which says what they are not, they stay as they are.
func (w *work) meetNewClasses(ctx context.Context, own, replay train.Rows) error {
	if len(w.model.Labels) == len(w.Start.Labels) || len(replay.Inputs) == 0 {
		return nil
	}
	c := w.config
	c.Frozen, c.Anchor, c.Decay, c.Rate = len(w.model.Network.Layers)-1, nil, 0, newClassRate
	did, err := train.RunRows(ctx, w.dev, own, replay, newClassRounds*w.Steps, c, func(e train.Event) { w.prepare(e.Passed) })
	if err != nil {
		return err
	}
	w.model.Network = did.Model.WithValuesOf(folded(w.Start))
	return nil
}

// answers gives the model's probabilities for rows, 0 for new classes.
func (w *work) answers(ctx context.Context, rows [][]float32) ([][]float32, error) {
	logits, err := nn.Apply(ctx, w.dev, w.model.Network, rows, w.prepare)
	known := len(w.Start.Labels)
	for _, l := range logits {
		nn.Softmax(l[:known])
		clear(l[known:])
	}
	return logits, err
}

// prepare tells of rows more that are prepared.
func (w *work) prepare(rows int) {
	w.prepared += rows
	w.tell(Progress{Stage: Preparing, Prepared: float64(w.prepared) / float64(w.all)})
}

func (w *work) learning(e train.Event) {
	if e.Passed > 0 {
		w.prepare(e.Passed)
	} else if !e.EpochDone {
		w.tell(Progress{
			Stage: Learning, Step: e.Step, Loss: e.Loss, Accuracy: e.Accuracy,
			StepsPerSecond: e.SamplesPerSecond / float64(w.Batch), Remaining: e.Remaining,
		})
	}
}

func (w *work) tell(p Progress) {
	p.Steps = w.Steps
	w.progress(p)
}

// check reports the first part of the task that cannot be used.
func (t *Task) check() error {
	switch {
	case t.Start == nil:
		return message.Errorf("there is no model to start from")
	case len(t.Learn) == 0:
		return message.Errorf("there is nothing to learn from; draw some characters and say what they are")
	}
	if err := train.CheckSettings(Adjustable, &t.Settings); err != nil {
		return err
	}
	return t.Start.Check()
}

// inputs gives the network's input for every sample as it is, and its image.
func inputs(ctx context.Context, in feature.Extractor, samples []Sample) ([][]float32, []ink.Image, error) {
	rows, images := make([][]float32, len(samples)), make([]ink.Image, len(samples))
	return rows, images, dataset.InParallel(ctx, len(samples), func(_ context.Context, i int) (err error) {
		s := samples[i]
		if images[i], err = ink.Rasterize(s.Ink); err != nil {
			return message.Errorf("sample %d (%s) cannot be used: %w", s.ID, s.Label, err)
		}
		rows[i] = in.Vector(images[i], s.Ink)
		return nil
	})
}

// distorted gives copies inputs of each sample, sample by sample, made of its strokes
// distorted. Copy c of sample i depends on seed, i and c alone. tell is called now and then with the number of copies
// since the last call.
func distorted(ctx context.Context, in feature.Extractor, samples []Sample, copies int, d dataset.Distortion, seed int64, tell func(rows int)) ([][]float32, error) {
	rows := make([][]float32, len(samples)*copies)
	const part = 256
	for start := 0; start < len(rows); start += part {
		n := min(part, len(rows)-start)
		if err := dataset.InParallel(ctx, n, func(_ context.Context, i int) error {
			i += start
			k := samples[i/copies].Ink
			strokes := d.ApplyInk(nil, k, rand.New(rand.NewPCG(uint64(seed), spread(i))))
			image, err := ink.Rasterize(strokes)
			if err != nil {
				strokes = k
				image, _ = ink.Rasterize(k) // has ink: inputs was called before
			}
			rows[i] = in.Vector(image, strokes)
			return nil
		}); err != nil {
			return nil, err
		}
		tell(n)
	}
	return rows, nil
}

// replayed gives rounds variations of each prototype, and its class. A picture is distorted as in
// training; features are mixed with another prototype of the class, and of one in ten
// the pen's part is left out, as for pictures.
func replayed(ctx context.Context, in feature.Extractor, set *prototype.Set, rounds int, d dataset.Distortion, seed int64) (rows [][]float32, classes []int, err error) {
	var pcg rand.PCG
	rng := rand.New(&pcg)
	n := 0
	for class, group := range set.Inputs {
		for _, p := range group {
			if ctx.Err() != nil {
				return nil, nil, context.Cause(ctx)
			}
			for range rounds {
				n++
				pcg.Seed(uint64(seed), spread(n))
				row := make([]float32, len(p))
				if !in.Edges && !in.Fine {
					d.Apply(row, p, rng)
				} else {
					mix(row, p, group[rng.IntN(len(group))], rng)
					if in.Pen > 0 && rng.Float64() < pictureShare {
						in.WithoutPen(row)
					}
				}
				rows, classes = append(rows, row), append(classes, class)
			}
		}
	}
	return rows, classes, nil
}

// pictureShare is the share of replayed rows without a pen.
const pictureShare = 0.1

// mix writes a point between a and the middle of a and b.
func mix(dst, a, b []float32, rng *rand.Rand) {
	t := float32(rng.Float64() / 2)
	for i, v := range a {
		dst[i] = v + t*(b[i]-v)
	}
}

// spread makes neighbouring numbers different in all bits (a multiplier of SplitMix64).
func spread(n int) uint64 { return uint64(n+1) * 0xbf58476d1ce4e5b9 }
