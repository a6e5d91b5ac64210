// Package calibrate makes what a model keeps of its samples, package prototype, from samples it was trained with and from held-out ones.
package calibrate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/lvq"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/prototype"
	"inkshade/recognizer/train"
)

// Refused is the share of held-out samples that may be taken for unknown. It leaves room
// below one in a hundred for writers who are stranger than those held out. It holds for
// held-out samples of known writers and for those without one, each on their own, and where the
// network sees the pen for all of them as pictures.
const Refused = 0.006

// fitted is a set in the making.
type fitted struct{ *prototype.Set }

// Limits of what is clustered and kept.
const (
	mostPerClass = 40   // means of each kind
	mostMeans    = 940  // means of each kind over all classes; of more classes nothing is kept, and only the network's doubt tells the unknown
	mostRows     = 1500 // samples of a class that are clustered
	fewest       = 200  // held-out samples that a limit of their own is taken from
)

// Options say how a set is computed.
type Options struct {
	Seed           int64
	EdgesOnly      bool    // compares by gradient features alone where the network sees the pen, too: it refuses more of what is drawn in many ways
	DetectorWeight float64 // of -ln P(known), in units of what the limit is without it; 0 stands for UsualWeight
}

// UsualWeight is that of a detector where none is given.
const UsualWeight = 0.25

// Fit computes the set of a model from samples it was trained with and from held-out ones,
// best of other writers. Labels that the model does not have are left out. The same samples
// and options give the same set. Without held-out samples there is neither a
// temperature nor a limit, which is an error. When ctx ends its cause is returned.
func Fit(ctx context.Context, dev glcompute.Device, m *nn.Model, trained, held []dataset.Sample, o Options) (*prototype.Set, error) {
	if len(held) == 0 {
		return nil, errors.New("probabilities are calibrated on samples kept for testing; keep some")
	}
	in, err := feature.ByName(m.Preprocessing)
	if err != nil {
		return nil, err
	}
	s := &fitted{&prototype.Set{Temperature: 1}}
	perClass := min(mostPerClass, mostMeans/len(m.Labels))
	groups := byClass(m, trained, o.Seed)
	s.Inputs, s.Shapes = make([][][]float32, len(groups)), make([][][]float32, len(groups))
	gradients, pens, counts := make([]float64, len(groups)), make([]float64, len(groups)), make([]float64, len(groups))
	err = dataset.InParallel(ctx, len(groups), func(ctx context.Context, class int) (err error) {
		if len(groups[class]) > 0 && perClass > 0 {
			counts[class] = float64(len(groups[class]))
			gradients[class], pens[class], err = s.cluster(ctx, dev, in, class, groups[class], perClass, o.Seed)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if in.Pen > 0 && !o.EdgesOnly && perClass > 0 {
		s.Spread = prototype.Spread{Gradient: spread(gradients, counts), Pen: spread(pens, counts)}
	}
	if s.Detector, err = teach(ctx, dev, in, m, trained, o.Seed); err != nil {
		return nil, err
	}
	if err := s.calibrate(ctx, dev, m, in, held, cmp.Or(o.DetectorWeight, UsualWeight)); err != nil {
		return nil, err
	}
	return s.Set, nil
}

// cluster fills in the prototypes of one class, and sums up how far its samples are from what is kept of them.
func (s *fitted) cluster(ctx context.Context, dev glcompute.Device, in feature.Extractor, class int, group []dataset.Sample, k int, seed int64) (gradient, pen float64, err error) {
	rng := rand.New(rand.NewPCG(uint64(seed), uint64(class)))
	inputs, shapes, err := vectors(ctx, in, in.Vector, group)
	if err != nil {
		return 0, 0, err
	}
	if s.Inputs[class], err = lvq.KMeans(ctx, dev, inputs, k, rng); err != nil {
		return 0, 0, err
	}
	kept := s.Inputs[class]
	if in.Edges {
		s.Shapes[class] = prototype.ShapesOf(kept)
	} else {
		if s.Shapes[class], err = lvq.KMeans(ctx, dev, shapes, k, rng); err != nil {
			return 0, 0, err
		}
		kept = s.Shapes[class]
	}
	const g = feature.GradientSize
	for _, x := range shapes {
		at, _ := feature.Closest(x, kept)
		gradient += float64(feature.SquaredDistance(x[:g], kept[at][:g]))
		pen += float64(feature.SquaredDistance(x[g:], kept[at][g:len(x)]))
	}
	return gradient, pen, nil
}

// spread is the mean distance in each class beside that of all classes, of sums over so many samples. Of a class with few samples, most
// of which lie on its means, not much is known: the mean of all samples counts as fewSamples more.
func spread(sums, counts []float64) []float64 {
	const fewSamples, least = 5, 1e-3
	whole, samples, usual, all := 0.0, 0.0, 0.0, make([]float64, len(sums))
	for c, sum := range sums {
		whole, samples = whole+sum, samples+counts[c]
	}
	for c, sum := range sums {
		all[c] = max((sum+fewSamples*(whole/max(samples, 1)))/(counts[c]+fewSamples), least)
		usual += all[c] / float64(len(sums))
	}
	for c := range all {
		all[c] /= usual
	}
	return all
}

// byClass gives at most mostRows samples of each class, drawn by seed.
func byClass(m *nn.Model, samples []dataset.Sample, seed int64) [][]dataset.Sample {
	index := map[string]int{}
	for i, l := range m.Labels {
		index[l] = i
	}
	groups := make([][]dataset.Sample, len(m.Labels))
	for _, i := range rand.New(rand.NewPCG(uint64(seed), 0x9107)).Perm(len(samples)) {
		if c, ok := index[samples[i].Label]; ok && len(groups[c]) < mostRows {
			groups[c] = append(groups[c], samples[i])
		}
	}
	return groups
}

// calibrate finds temperature and limits on held-out samples; weight is the detector's in units of the limit without it.
func (s *fitted) calibrate(ctx context.Context, dev glcompute.Device, m *nn.Model, in feature.Extractor, held []dataset.Sample, weight float64) error {
	logits, shapes, err := answers(ctx, dev, m.Network, in, held)
	if err != nil {
		return err
	}
	var classes []int
	for _, sample := range held {
		classes = append(classes, m.Class(sample.Label))
	}
	if s.Temperature, err = temperature(ctx, logits, classes); err != nil {
		return err
	}
	s.Detector.Weight = 0
	if _, err := s.limits(ctx, in, held, logits, shapes); err != nil {
		return err
	}
	s.Detector.Weight = weight * s.Limit
	counted, err := s.limits(ctx, in, held, logits, shapes)
	if err != nil {
		return err
	}
	if in.Pen > 0 {
		pictures := slices.Clone(held)
		for i := range pictures {
			pictures[i].Ink = nil
		}
		if logits, shapes, err = answers(ctx, dev, m.Network, in, pictures); err != nil {
			return err
		}
		all, err := s.scores(ctx, logits, shapes)
		if err != nil {
			return err
		}
		if s.PictureLimit = limit(all); counted == 0 {
			s.Limit = s.PictureLimit
		}
	}
	if sum := s.Limit + s.PictureLimit; math.IsNaN(sum) || math.IsInf(sum, 0) {
		return fmt.Errorf("the network's answers to the samples kept for testing are no numbers; train it again with a smaller rate")
	}
	return nil
}

// limits sets the limit of drawings and says how many of the samples have a say in it.
func (s *fitted) limits(ctx context.Context, in feature.Extractor, held []dataset.Sample, logits, shapes [][]float32) (counted int, err error) {
	all, err := s.scores(ctx, logits, shapes)
	if err != nil {
		return 0, err
	}
	var groups [2][]float64 // of samples with a writer, and of those without
	for i, n := range all {
		if in.Pen > 0 && held[i].Ink == nil {
			continue // pictures have a limit of their own
		}
		group := 0
		if held[i].Writer == "" {
			group = 1
		}
		groups[group] = append(groups[group], n)
		counted++
	}
	s.Limit = 0
	for _, n := range groups {
		// A few samples tell nothing about one in a hundred, unless there are no others.
		if len(n) >= fewest || 2*len(n) > counted {
			s.Limit = max(s.Limit, limit(n))
		}
	}
	return counted, nil
}

// vectors gives what a network sees of samples, which see makes, and what Score compares them by.
func vectors(ctx context.Context, in feature.Extractor, see func(ink.Image, ink.Ink) []float32, samples []dataset.Sample) (rows, shapes [][]float32, err error) {
	rows, shapes = make([][]float32, len(samples)), make([][]float32, len(samples))
	return rows, shapes, dataset.InParallel(ctx, len(samples), func(_ context.Context, i int) error {
		rows[i] = see(samples[i].Image, samples[i].Ink)
		shapes[i] = in.Compared(rows[i], samples[i].Image.Pix)
		return nil
	})
}

// answers gives the logits of samples and what Score compares them by.
func answers(ctx context.Context, dev glcompute.Device, net nn.Network, in feature.Extractor, samples []dataset.Sample) (logits, shapes [][]float32, err error) {
	rows, shapes, err := vectors(ctx, in, in.Looks, samples)
	if err == nil {
		logits, err = nn.Apply(ctx, dev, net, rows, nil)
	}
	return logits, shapes, err
}

func (s *fitted) scores(ctx context.Context, logits, shapes [][]float32) ([]float64, error) {
	all := make([]float64, len(logits))
	return all, dataset.InParallel(ctx, len(all), func(_ context.Context, i int) error {
		all[i] = s.Score(shapes[i], logits[i])
		return nil
	})
}

// limit is the score that the share Refused of these goes beyond, and above 0 where the network
// doubts none of them.
func limit(scores []float64) float64 {
	const least = 1e-3
	slices.Sort(scores)
	return max(scores[len(scores)-1-int(Refused*float64(len(scores)))], least)
}

// temperature minimises the mean of -ln softmax(logits/T)[class] by golden-section search
// over ln T; the loss has one minimum. Samples of class -1 are left out. When ctx ends its
// cause is returned.
func temperature(ctx context.Context, logits [][]float32, classes []int) (float64, error) {
	loss := func(logT float64) float64 {
		t, sum := math.Exp(logT), 0.0
		for i, row := range logits {
			if classes[i] < 0 {
				continue
			}
			sum += nn.LogSum(row, t, nil) - float64(row[classes[i]])/t
		}
		return sum
	}
	golden := (math.Sqrt(5) - 1) / 2
	low, high := math.Log(0.25), math.Log(8)
	for high-low > 1e-3 {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		a, b := high-golden*(high-low), low+golden*(high-low)
		if loss(a) <= loss(b) {
			high = b
		} else {
			low = a
		}
	}
	return math.Exp((low + high) / 2), nil
}

// How a detector is taught.
const (
	mostKnown    = 30_000 // samples of the model
	fewestMade   = 2_000  // drawings that are none; as many as samples where these are more
	mostSteps    = 4_000  // mini-batches
	detectorPass = 12     // passes over all of them, at most
	detectorRate = 0.05   // largest learning rate
	pictureShare = 0.25   // of the drawings that are shown without their pen
)

// teach makes a detector of samples of the model. Of more classes than prototypes are kept of,
// it only learns whether a drawing is of any. Its values are those that a file can hold.
func teach(ctx context.Context, dev glcompute.Device, in feature.Extractor, m *nn.Model, trained []dataset.Sample, seed int64) (*prototype.Detector, error) {
	classes := len(m.Labels)
	if classes > mostMeans {
		classes = 1
	}
	rows, err := examples(ctx, in, m, classes, trained, seed)
	if err != nil {
		return nil, err
	}
	d := prototype.NewDetector(in, classes)
	if err := d.Net.Initialise(seed); err != nil {
		return nil, err
	}
	cfg := train.Default()
	cfg.Start = &nn.Model{Network: d.Net, Labels: make([]string, classes+1)}
	cfg.Rate, cfg.Average, cfg.Seed = detectorRate, 0, seed
	steps := min(mostSteps, detectorPass*len(rows.Inputs)/cfg.Batch)
	r, err := train.RunRows(ctx, dev, rows, train.Rows{}, steps, cfg, nil)
	if err != nil {
		return nil, fmt.Errorf("learning what is unknown: %w", err)
	}
	d.Net = r.Model.Network
	return d.Rounded(in)
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
