package train

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/clock"
	"inkshade/glcompute/message"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
)

// Run trains a model on dev. Progress is told to progress, in the calling goroutine; it may
// be nil. The same samples, configuration and executor give the same model; where devices share
// the steps, with the same shares.
//
// When ctx ends, or the device fails, or the loss is no number any more, Run returns the
// best state so far (after an early cancel without any evaluation: the present state)
// together with an error; the context's cause can be found in it with errors.Is. The
// result is nil when there is no state to return.
func Run(ctx context.Context, dev glcompute.Device, samples []dataset.Sample, cfg Config, progress func(Event)) (*Result, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	if len(samples) == 0 {
		return nil, message.Errorf("there are no samples to train on")
	}
	rest, held := Split(samples, cfg.HoldOut, cfg.Seed)
	held = append(held, cfg.Held...)
	if len(rest) == 0 {
		return nil, message.Errorf("all %d samples are kept for testing; keep less, or bring samples of more writers", len(samples))
	}
	start, feed := startModel, (*session).feedSamples
	if cfg.Preprocessing == nn.LineMaps {
		start, feed = startLines, (*session).feedLines
	}
	m, err := start(&cfg, samples)
	if err != nil {
		return nil, err
	}
	s := newSession(cfg, dev, m.Network, progress)
	defer s.close()
	s.model, s.result.Trained, s.result.HeldOut = m, rest, held
	if err := feed(s, ctx, m, rest, held); err != nil {
		return nil, err
	}
	if cfg.Anchor != nil {
		s.anchor = m.WithValuesOf(cfg.Anchor)
	}
	if err := s.prepare(ctx); err != nil {
		return nil, err
	}
	r, err := s.train(ctx)
	if r != nil {
		r.Model = m
		m.Network = s.best
		s.describe(m)
	}
	return r, err
}

// feedSamples prepares what is learned from and what is held out.
func (s *session) feedSamples(ctx context.Context, m *nn.Model, rest, held []dataset.Sample) error {
	in, err := feature.ByName(m.Preprocessing)
	if err != nil {
		return err
	}
	if len(m.Network.Layers) > 0 && in.Size != m.Network.Width() {
		return message.Errorf("the network takes %d inputs, its preprocessing %s makes %d", m.Network.Width(), m.Preprocessing, in.Size)
	}
	if err := checkImages(rest); err != nil {
		return err
	}
	from := newSampler(&s.cfg, m, in, rest)
	s.feed, s.hard = from.feed, from.hard
	if len(held) > 0 {
		e, err := newEvaluator(in, m.Labels, held, nil)
		if err == nil {
			err = e.prepare(ctx)
		}
		if err != nil {
			return err
		}
		s.held = e
	}
	return nil
}

// describe writes how the model came about into its metadata.
func (s *session) describe(m *nn.Model) {
	device, split := string(s.result.Device.Kind), ""
	shared := s.result.SharedSteps()
	if c := s.result.Device.Choice; shared > 0 || s.result.Device.Kind == glcompute.Mixed {
		split = c.List(c.Joint.Shares, func(d glcompute.Info) string { return string(d.Kind) })
	}
	if shared > 0 {
		device = fmt.Sprintf("%s, after %d steps %s", glcompute.Mixed, shared, device)
	}
	m.Note(map[string]string{
		"training_samples":   strconv.Itoa(len(s.result.Trained)),
		"training_epochs":    strconv.Itoa(s.Epoch),
		"training_batch":     strconv.Itoa(s.cfg.Batch),
		"training_seed":      strconv.FormatInt(s.cfg.Seed, 10),
		"training_optimizer": string(s.cfg.Optimizer),
		"training_device":    device,
		"training_split":     split,
	})
	if e := s.HoldOut; e != nil {
		m.Note(map[string]string{
			"held_out_samples":       strconv.Itoa(e.Samples),
			"held_out_error_percent": strconv.FormatFloat(100*e.ErrorRate(), 'f', 3, 64),
		})
	}
}

// Event tells how training goes. Run sends one every Config.ReportEvery steps and one at
// the end of each epoch. The device goes on while a loss is on its way, so that an event may
// come some steps after its own: how many depends on the device, what it says does not, but
// for times and Device. An event is left out when its loss went down with a device.
type Event struct {
	Epoch, Epochs int // the epoch in work counts from 1
	Step, Steps   int // steps done when the loss was asked for, of all epochs

	Loss     float64        // mean of the batches read since the last event, at the end of an epoch of all read in it
	Accuracy float64        // share of right answers in them, on distorted images and before their step
	Device   glcompute.Info // what did the last step when the event came

	SamplesPerSecond float64 // since the first step, evaluation included
	Elapsed          time.Duration
	Remaining        time.Duration // at this pace, without early stop

	Passed int // rows that went through frozen layers since the last event, before the first step of RunRows; no other field is set

	EpochDone bool        // the fields below are new
	HoldOut   *Evaluation // of the state on the held-out samples; nil when there are none
	Best      bool        // the best state so far
}

// Ending says why training ended.
type Ending string

const (
	Finished  Ending = "finished"      // all epochs done
	Stopped   Ending = "stopped early" // Config.Patience epochs without improvement
	Cancelled Ending = "cancelled"     // the context ended
	Failed    Ending = "failed"        // the device was lost or the loss was no number
)

// Result is what training made.
type Result struct {
	Model  *nn.Model // the best state: fewest held-out errors, then smallest loss
	Epoch  int       // of the best state; 0 is the model that training started from
	Ending Ending

	HoldOut *Evaluation // Model on the held-out samples; nil without them
	History []Event     // the event of each epoch's end

	Trained, HeldOut []dataset.Sample // how the samples were split
	Steps            int              // done
	Lost             error            // why the training cannot be continued after Cancelled; nil where it can, or was not to be

	Device glcompute.Info // what did the last step
}

// SharedSteps are those that several devices made together before one of them failed; 0 where
// none did, or no step was shared.
func (r *Result) SharedSteps() int {
	if c := r.Device.Choice; c != nil && c.Lost.String() != "" {
		return c.Joint.Replays
	}
	return 0
}

// add takes the losses and outputs of a batch, of the rows whose class is given, and marks those
// that are answered rightly; a single output says so by being above zero.
func (w *window) add(loss, probabilities []float32, classes []int, right []bool) {
	count := len(probabilities) / len(loss)
	for i, class := range classes {
		w.Loss += float64(loss[i])
		row := probabilities[i*count : (i+1)*count]
		right[i] = nn.Best(row) == class && (count > 1 || row[0] > 0)
		if right[i] {
			w.Right++
		}
	}
	w.Samples += len(classes)
}

func (w *window) meanLoss() float64 {
	if w.Samples == 0 {
		return math.NaN()
	}
	return w.Loss / float64(w.Samples)
}

// event describes the state after a step, and empties the window it reports.
func (s *session) event(epoch, step int, w *window) Event {
	e := Event{
		Epoch: epoch, Epochs: s.cfg.Epochs,
		Step: step, Steps: s.feed.steps,
		Loss:     w.meanLoss(),
		Accuracy: Share(w.Right, w.Samples),
		Elapsed:  clock.Since(s.started),
		Device:   s.learner.Info(),
	}
	*w = window{}
	running := clock.Since(s.begun) // without what was compiled and measured before
	if seconds := running.Seconds(); seconds > 0 {
		e.SamplesPerSecond = float64(e.Step*s.cfg.Batch) / seconds
	}
	e.Remaining = time.Duration(float64(running) / float64(e.Step) * float64(e.Steps-e.Step))
	return e
}

// Split takes the share (0 to 1) of samples that Run holds out: whole writers where they
// are known, and of the others a share of each label of each source, drawn by seed.
func Split(samples []dataset.Sample, share float64, seed int64) (rest, held []dataset.Sample) {
	if share == 0 {
		return samples, nil
	}
	var known []dataset.Sample
	groups := map[[2]string][]dataset.Sample{}
	var order [][2]string
	for _, s := range samples {
		if s.Writer != "" {
			known = append(known, s)
			continue
		}
		key := [2]string{s.Source, s.Label}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], s)
	}
	if len(known) > 0 {
		rest, held = dataset.SplitByWriter(known, share, seed)
	}
	rng := rand.New(rand.NewPCG(uint64(seed), 0x5711))
	for _, key := range order {
		g := groups[key]
		rng.Shuffle(len(g), func(i, j int) { g[i], g[j] = g[j], g[i] })
		n := int(math.Round(share * float64(len(g))))
		held, rest = append(held, g[:n]...), append(rest, g[n:]...)
	}
	return rest, held
}

// labelsOf lists the labels of samples, sorted.
func labelsOf(samples []dataset.Sample) ([]string, error) {
	labels := map[string]bool{}
	for _, s := range samples {
		if s.Label == "" {
			return nil, message.Errorf("a sample of %s has no label; give it one, or take it out", files.Shown(s.Source))
		}
		if len(s.Label) > ink.MaxLabel {
			return nil, message.Errorf("a sample of %s has a label of %d bytes, more than %d; choose a shorter one", files.Shown(s.Source), len(s.Label), ink.MaxLabel)
		}
		labels[s.Label] = true
	}
	return slices.Sorted(maps.Keys(labels)), nil
}

// startModel gives the model whose parameters training begins with.
func startModel(cfg *Config, samples []dataset.Sample) (*nn.Model, error) {
	labels, err := labelsOf(samples)
	if err != nil {
		return nil, err
	}
	if cfg.Start != nil {
		if err := cfg.Start.Check(); err != nil {
			return nil, message.Errorf("the model to start from cannot be used: %w", err)
		}
		return cfg.Start.WithClasses(labels, cfg.Seed)
	}
	if len(labels) < 2 {
		return nil, message.Errorf("there is only the label %s; training needs at least two", strconv.Quote(labels[0]))
	}
	if cfg.Learner != nil {
		return &nn.Model{Labels: labels, Preprocessing: cfg.Preprocessing}, nil
	}
	in, err := feature.ByName(cfg.Preprocessing)
	if err != nil {
		return nil, err
	}
	net, err := newNetwork(cfg, in.Size, len(labels))
	if err != nil {
		return nil, err
	}
	return &nn.Model{Network: net, Labels: labels, Preprocessing: cfg.Preprocessing}, nil
}

// newNetwork makes the network of cfg with initial values, unless it is one whose file onnx.Read
// would not take.
func newNetwork(cfg *Config, inputs, classes int) (net nn.Network, err error) {
	if net = nn.Perceptron(inputs, cfg.Hidden, classes, cfg.Function); cfg.Network != (nn.Architecture{}) {
		if net, err = cfg.Network.Network(nn.InputShape(cfg.Preprocessing, inputs), classes); err != nil {
			return net, err
		}
	}
	const most = onnx.MaxBytes / 5 // four bytes each, and room for what else the file holds
	if n := net.Parameters(); n > most {
		return net, message.Errorf("a network of %d parameters is too large, %d is the most; use smaller layers", n, most)
	}
	return net, net.Initialise(cfg.Seed)
}

// pixels is the length of the image of a sample.
const pixels = ink.Side * ink.Side

// checkImages reports the first sample without a 28x28 image.
func checkImages(samples []dataset.Sample) error {
	for i, s := range samples {
		if len(s.Image.Pix) != pixels {
			return message.Errorf("sample %d (label %q) has an image of %d pixels, want %d", i+1, s.Label, len(s.Image.Pix), pixels)
		}
	}
	return nil
}
