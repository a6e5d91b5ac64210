package train

import (
	"context"
	"strconv"

	"inkshade/glcompute"
	"inkshade/glcompute/clock"
	"inkshade/glcompute/message"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
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
	s := &session{cfg: cfg, dev: dev, model: m, net: m.Network, progress: progress, started: clock.Now()}
	defer s.close()
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
	s.result.Trained, s.result.HeldOut = rest, held
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
	if m.Metadata == nil {
		m.Metadata = map[string]string{}
	}
	m.Metadata["training_samples"] = strconv.Itoa(len(s.result.Trained))
	m.Metadata["training_epochs"] = strconv.Itoa(s.result.Epoch)
	m.Metadata["training_batch"] = strconv.Itoa(s.cfg.Batch)
	m.Metadata["training_seed"] = strconv.FormatInt(s.cfg.Seed, 10)
	m.Metadata["training_optimizer"] = string(s.cfg.Optimizer)
	m.Metadata["training_device"] = s.result.deviceWords()
	delete(m.Metadata, "training_split")
	if split := s.result.split(); split != "" {
		m.Metadata["training_split"] = split
	}
	if e := s.result.HoldOut; e != nil {
		m.Metadata["held_out_samples"] = strconv.Itoa(e.Samples)
		m.Metadata["held_out_error_percent"] = strconv.FormatFloat(100*e.ErrorRate(), 'f', 3, 64)
	}
}
