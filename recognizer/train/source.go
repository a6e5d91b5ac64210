package train

import (
	"context"
	"fmt"
	"strconv"

	"inkshade/glcompute/clock"
	"inkshade/glcompute/program"
	"inkshade/recognizer/feature"
)

// Source makes samples where they are used, without an end, so that none needs to be stored: it
// fills rows[len(classes)][values of the preprocessing] and the class of each, a place in the list
// of labels. It is called by one goroutine at a time, ahead of the device.
type Source func(rows []float32, classes []int)

// RunSource trains as Run does on what a source makes, with so many steps in an epoch. What is held
// out are the samples of cfg.Validation. Of cfg what says how samples are drawn and distorted is of no account.
func RunSource(ctx context.Context, dev program.Device, from Source, labels []string, perEpoch int, cfg Config, progress func(Event)) (*Result, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if perEpoch < 1 {
		return nil, fmt.Errorf("an epoch of %d steps is not possible; use at least 1", perEpoch)
	}
	m, err := startWith(&cfg, labels)
	if err != nil {
		return nil, err
	}
	in, err := feature.ByName(m.Preprocessing)
	if err != nil {
		return nil, err
	}
	s := &session{cfg: cfg, dev: dev, model: m, net: m.Network, progress: progress, started: clock.Now()}
	defer s.close()
	s.result.HeldOut = cfg.Validation
	if len(cfg.Validation) > 0 {
		if s.held, err = newEvaluator(ctx, in, m.Labels, cfg.Validation, nil); err != nil {
			return nil, err
		}
	}
	t := cfg.targets(len(m.Labels))
	s.feed = &feed{rows: cfg.Batch, width: in.Size, count: t.size(), perEpoch: perEpoch, steps: perEpoch * cfg.Epochs}
	s.feed.filler = func() filler { return &drawn{targets: t, from: from, classes: make([]int, cfg.Batch)} }
	s.cfg.Workers = 1
	r, err := s.run(ctx)
	if r != nil {
		r.Model.Metadata["training_samples"] = strconv.Itoa(r.Steps * cfg.Batch)
	}
	return r, err
}

// drawn fills batches from a source.
type drawn struct {
	targets
	from    Source
	classes []int
}

// await implements filler.
func (d *drawn) await(context.Context, int) bool { return true }

// fill implements filler.
func (d *drawn) fill(b *batch, _ int) {
	d.from(b.input, d.classes)
	size := d.size()
	for row, class := range d.classes {
		b.classes[row] = d.targets.fill(b.target[row*size:(row+1)*size], class)
	}
}
