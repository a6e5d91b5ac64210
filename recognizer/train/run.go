package train

import (
	"context"
	"errors"
	"fmt"

	"inkshade/glcompute/program"
	"inkshade/recognizer/dataset"
)

// Run trains a model on dev. Progress is told to progress, in the calling goroutine; it may
// be nil. The same samples, configuration and executor give the same model; where devices share
// the steps, with the same shares.
//
// When ctx ends, or the device fails, or the loss is no number any more, Run returns the
// best state so far (after an early cancel without any evaluation: the present state)
// together with an error; the context's cause can be found in it with errors.Is. The
// result is nil when there is no state to return.
func Run(ctx context.Context, dev program.Device, samples []dataset.Sample, cfg Config, progress func(Event)) (*Result, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if len(samples) == 0 {
		return nil, errors.New("there are no samples to train on")
	}
	rest, held := samples, cfg.Validation
	if held == nil {
		rest, held = Split(samples, cfg.HoldOut, cfg.Seed)
	}
	if len(rest) == 0 {
		return nil, fmt.Errorf("all %d samples are held out; hold out less, or bring samples of more writers", len(samples))
	}
	m, err := startModel(&cfg, samples)
	if err != nil {
		return nil, err
	}
	s := &session{cfg: cfg, dev: dev, model: m, progress: progress}
	defer s.close()
	if err := s.prepare(ctx, rest, held); err != nil {
		return nil, err
	}
	return s.train(ctx)
}
