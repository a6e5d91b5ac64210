package bench

import (
	"time"

	"inkshade/recognizer"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
)

// drawing recognises the drawing on every device with stages and passes apart.
func (r *runner) drawing() ([]Drawing, error) {
	model := r.o.model()
	features, err := feature.ByName(model.Preprocessing)
	if err != nil {
		return nil, err
	}
	players := r.playing(OneDrawing)
	lanes, taken, prepared := make([]*lane, len(players)), make([][]recognizer.Timing, len(players)), make([]time.Duration, len(players))
	for i, p := range players {
		begin := r.clock()
		inference, err := nn.NewInference(p.dev, model.Network)
		if err != nil {
			lanes[i] = &lane{failed: err}
			continue
		}
		defer inference.Close()
		lanes[i] = &lane{once: func() (time.Duration, error) {
			t, err := recognizer.MeasureOnce(r.o.Drawing, features, inference, r.clock)
			taken[i] = append(taken[i], t)
			return t.Total(), err
		}}
		_, lanes[i].failed = lanes[i].once()
		prepared[i], taken[i] = r.clock().Sub(begin), nil // not while the device made itself ready
	}
	if err := r.alternate(lanes); err != nil {
		return nil, err
	}
	drawings := make([]Drawing, len(players))
	for i, l := range lanes {
		d := &drawings[i]
		d.Device, d.Network = players[i].Name, model.Network.Folded().Sizes()
		if l.failed != nil {
			d.Missing = l.failed
			players[i].drop(l.failed)
			continue
		}
		d.Timing, d.Total, d.Prepare = recognizer.MedianTiming(taken[i]), spreadOf(l.times), prepared[i]
	}
	return drawings, nil
}

// model is the one that recognises.
func (o Options) model() *nn.Model {
	if o.Model != nil {
		return o.Model
	}
	labels := make([]string, network[len(network)-1])
	for i := range labels {
		labels[i] = string(rune('0' + i))
	}
	return &nn.Model{Network: perceptron(), Labels: labels, Preprocessing: nn.MNIST28}
}
