package bench

import (
	"time"

	"inkshade/glcompute/program"
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
		model = &nn.Model{Network: nn.NewNetwork(network, "tanh", seed), Labels: labels, Preprocessing: nn.MNIST28}
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
		shots[i].forget()
	}
	if err := r.alternate(lanes); err != nil {
		return nil, err
	}
	drawings := make([]Drawing, len(players))
	for i, l := range lanes {
		drawings[i] = shots[i].drawing(l.times)
		drawings[i].Device, drawings[i].Network = players[i].Name, model.Network.Sizes()
		if l.failed != nil {
			drawings[i] = Drawing{Device: players[i].Name, Network: model.Network.Sizes(), Missing: l.failed.Error()}
			players[i].drop(l.failed)
		}
	}
	return drawings, nil
}

// shot recognises one drawing on one device and keeps the times of its stages.
type shot struct {
	r         *runner
	ink       ink.Ink
	features  feature.Extractor
	inference *nn.Inference
	compiled  time.Duration
	prepared  time.Duration
	stages    [4][]time.Duration
	passes    [][]time.Duration // by pass
	names     []string
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
	s.compiled = t.Compile
	total := time.Duration(0)
	for i, d := range []time.Duration{preprocess, t.Upload, t.Compute, t.Readback} {
		s.stages[i] = append(s.stages[i], d)
		total += d
	}
	if s.names == nil {
		for _, p := range t.Passes {
			s.names = append(s.names, p.Name)
		}
		s.passes = make([][]time.Duration, len(t.Passes))
	}
	for i, p := range t.Passes {
		s.passes[i] = append(s.passes[i], p.Time)
	}
	return total, nil
}

// forget drops what was taken while the device made itself ready.
func (s *shot) forget() { s.stages, s.names, s.passes = [4][]time.Duration{}, nil, nil }

func (s *shot) drawing(totals []time.Duration) Drawing {
	d := Drawing{
		Preprocess: spreadOf(s.stages[0]).Median, Upload: spreadOf(s.stages[1]).Median,
		Compute: spreadOf(s.stages[2]).Median, Readback: spreadOf(s.stages[3]).Median,
		Total: spreadOf(totals), Compile: s.compiled, Prepare: s.prepared,
	}
	for i, name := range s.names {
		d.Passes = append(d.Passes, program.Pass{Name: name, Time: spreadOf(s.passes[i]).Median})
	}
	return d
}
