package prototype

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas/blas32"

	"inkshade/glcompute/program"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/train"
)

// detector tells characters that a model knows from drawings that are none. It is a perceptron on
// feature.Extractor.Compared whose classes are those of the model and, last, none of them, taught with the
// samples of the model and with dataset.NonCharacter (Hendrycks et al., "Deep anomaly detection with outlier
// exposure", 2019). It never looks at what the model's network computes, and so stays good for one that was trained
// further.
type detector struct {
	net    nn.Network
	weight float64
}

// How a detector is taught.
const (
	detectorUnits = 256
	mostKnown     = 30_000 // samples of the model
	fewestMade    = 2_000  // drawings that are none; as many as samples where these are more
	mostSteps     = 4_000  // mini-batches
	detectorPass  = 12     // passes over all of them, at most
	detectorRate  = 0.05   // largest learning rate
	pictureShare  = 0.25   // of the drawings that are shown without their pen
)

// strange is -ln of the probability that the features are of a class that is known, times the weight; 0 without a
// detector.
func (d *detector) strange(features []float32) float64 {
	if d == nil || d.weight == 0 {
		return 0
	}
	values := features
	for i, l := range d.net.Layers {
		weights, units := l.Values[0], len(l.Values[1])
		sums := slices.Clone(l.Values[1])
		for k, v := range values {
			if v == 0 || i > 0 && v < 0 { // a hidden unit is a ReLU
				continue
			}
			blas32.Axpy(v, vector(weights[k*units:(k+1)*units]), vector(sums))
		}
		values = sums
	}
	return d.weight * (nn.LogSum(values, 1, nil) - nn.LogSum(values[:len(values)-1], 1, nil))
}

func vector(x []float32) blas32.Vector { return blas32.Vector{N: len(x), Inc: 1, Data: x} }

// newDetector makes one without values for so many classes that are known.
func newDetector(in feature.Extractor, classes int) *detector {
	features := feature.GradientSize
	if in.Edges && in.Pen > 0 {
		features += feature.PenSize
	}
	return &detector{net: nn.Perceptron(features, []int{detectorUnits}, classes+1, "relu")}
}

// teach makes a detector of samples of the model. Of more classes than prototypes are kept of,
// it only learns whether a drawing is of any. Its values are those that a file can hold.
func teach(ctx context.Context, dev program.Device, in feature.Extractor, m *nn.Model, trained []dataset.Sample, seed int64) (*detector, error) {
	classes := len(m.Labels)
	if classes > mostMeans {
		classes = 1
	}
	rows, err := examples(ctx, in, m, classes, trained, seed)
	if err != nil {
		return nil, err
	}
	d := newDetector(in, classes)
	if err := d.net.Initialise(seed); err != nil {
		return nil, err
	}
	cfg := train.Default()
	cfg.Start = &nn.Model{Network: d.net, Labels: make([]string, classes+1)}
	cfg.Rate, cfg.Average, cfg.Seed = detectorRate, 0, seed
	steps := min(mostSteps, detectorPass*len(rows.Inputs)/cfg.Batch)
	r, err := train.RunRows(ctx, dev, rows, train.Rows{}, steps, cfg, nil)
	if err != nil {
		return nil, fmt.Errorf("learning what is unknown: %w", err)
	}
	d.net = r.Model.Network
	return d.encode().decode(in, classes)
}

// examples are what a detector learns from. The same ones come of the same samples and options.
func examples(ctx context.Context, in feature.Extractor, m *nn.Model, classes int, trained []dataset.Sample, seed int64) (train.Rows, error) {
	type example struct {
		dataset.Sample
		class int // classes for none
	}
	var all []example
	for _, i := range rand.New(rand.NewPCG(uint64(seed), 0xde7e)).Perm(len(trained)) {
		if class := m.Class(trained[i].Label); class >= 0 && len(all) < mostKnown {
			all = append(all, example{trained[i], class % classes})
		}
	}
	made := max(len(all), fewestMade)
	var inks []ink.Ink
	for _, e := range all {
		if len(e.Ink.Clean()) > 0 {
			inks = append(inks, e.Ink)
		}
	}
	drawn := len(all)
	all = append(all, make([]example, made)...)
	rows := train.Rows{Inputs: make([][]float32, len(all)), Targets: make([][]float32, len(all)), Classes: make([]int, len(all))}
	targets := make([][]float32, classes+1)
	for i := range targets {
		targets[i] = make([]float32, classes+1)
		targets[i][i] = 1
	}
	return rows, dataset.InParallel(ctx, len(all), func(_ context.Context, i int) error {
		rng := rand.New(rand.NewPCG(uint64(seed), uint64(i)))
		e := all[i]
		for i >= drawn && e.Image.Pix == nil {
			e.class, e.Ink = classes, dataset.NonCharacter(inks, rng)
			e.Image, _ = ink.Rasterize(e.Ink) // two halves may both be empty
		}
		if rng.Float64() < pictureShare {
			e.Ink = nil
		}
		row := in.Vector(e.Image, e.Ink)
		rows.Inputs[i], rows.Targets[i], rows.Classes[i] = slices.Clone(in.Compared(row, e.Image.Pix)), targets[e.class], e.class
		return nil
	})
}

// packed is a detector in a file: a signed byte for each value, times the step of its parameter.
type packed struct {
	Weight  float64   `json:"weight"`
	Classes int       `json:"classes"` // that are known
	Steps   []float32 `json:"steps"`
	Values  []byte    `json:"values"`
}

func (d *detector) encode() *packed {
	p := &packed{Weight: d.weight, Classes: d.net.Classes() - 1}
	for _, l := range d.net.Layers {
		for _, values := range l.Values {
			step := max(slices.Max(values), -slices.Min(values), 1e-9) / math.MaxInt8
			p.Steps = append(p.Steps, step)
			for _, v := range values {
				p.Values = append(p.Values, byte(int8(math.Round(float64(v/step)))))
			}
		}
	}
	return p
}

// decode makes a detector of at most so many classes.
func (p *packed) decode(in feature.Extractor, most int) (*detector, error) {
	if p.Classes < 1 || p.Classes > most || !(p.Weight >= 0) || math.IsInf(p.Weight, 0) {
		return nil, errDamaged
	}
	d := newDetector(in, p.Classes)
	d.weight = p.Weight
	if len(p.Values) != d.net.Parameters() || len(p.Steps) != 2*len(d.net.Layers) {
		return nil, errDamaged
	}
	if err := d.net.Initialise(0); err != nil {
		return nil, err
	}
	bytes := p.Values
	for i, l := range d.net.Layers {
		for k, values := range l.Values {
			for n := range values {
				values[n] = float32(int8(bytes[n])) * p.Steps[2*i+k]
			}
			bytes = bytes[len(values):]
		}
	}
	if d.net.Check() != nil { // a step that is no finite number
		return nil, errDamaged
	}
	return d, nil
}
