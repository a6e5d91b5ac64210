package calibrate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/prototype"
	"inkshade/recognizer/train"
)

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
