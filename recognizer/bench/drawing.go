package bench

import (
	"time"

	"inkshade/recognizer"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// drawing recognises the drawing on every device with stages and passes apart.
func (r *runner) drawing() ([]Drawing, error) {
	model := r.o.Model
	if model == nil {
		labels := make([]string, network[len(network)-1])
		for i := range labels {
			labels[i] = string(rune('0' + i))
		}
		model = &nn.Model{Network: perceptron(), Labels: labels, Preprocessing: nn.MNIST28}
	}
	features, err := feature.ByName(model.Preprocessing)
	if err != nil {
		return nil, err
	}
	players := r.playing(OneDrawing)
	shots := make([]*shot, len(players))
	lanes := make([]*lane, len(players))
	for i, p := range players {
		shots[i] = &shot{r: r, ink: r.o.Drawing, features: features}
		begin := r.clock()
		inference, err := nn.NewInference(p.dev, model.Network)
		if err != nil {
			lanes[i] = &lane{failed: err}
			continue
		}
		defer inference.Close()
		shots[i].inference = inference
		lanes[i] = &lane{once: shots[i].once}
		_, lanes[i].failed = shots[i].once()
		shots[i].prepared = r.clock().Sub(begin)
		shots[i].taken = nil // while the device made itself ready
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
		d.Timing, d.Total, d.Prepare = recognizer.MedianTiming(shots[i].taken), spreadOf(l.times), shots[i].prepared
	}
	return drawings, nil
}

// shot recognises one drawing on one device and keeps the times of its stages.
type shot struct {
	r         *runner
	ink       ink.Ink
	features  feature.Extractor
	inference *nn.Inference
	prepared  time.Duration
	taken     []recognizer.Timing
}

func (s *shot) once() (time.Duration, error) {
	begin := s.r.clock()
	img, err := ink.Rasterize(s.ink)
	if err != nil {
		return 0, err
	}
	row := s.features.Vector(img, s.ink)
	preprocess := s.r.clock().Sub(begin)
	t, err := s.inference.Measure(row)
	if err != nil {
		return 0, err
	}
	s.taken = append(s.taken, recognizer.Timing{
		Preprocess: preprocess, Upload: t.Upload, Compute: t.Compute, Readback: t.Readback, Passes: t.Passes, Compile: t.Compile,
	})
	return s.taken[len(s.taken)-1].Total(), nil
}
