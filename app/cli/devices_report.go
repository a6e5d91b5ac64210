package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"inkshade"
	"inkshade/assets"
	"inkshade/glcompute"
	"inkshade/glcompute/clock"
	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// driverReport is what devices --report writes: nothing in it says whose machine it is.
type driverReport struct {
	Program string         `json:"program"`
	System  string         `json:"system"`
	Devices []deviceReport `json:"devices"`
	Checks  []driverCheck  `json:"checks"`
	Model   string         `json:"model"`
	Times   []driverTime   `json:"times"`
	// Crossovers are the fewest drawings at once for which a device was faster than the processor; 0 where it never was.
	Crossovers map[glcompute.DeviceKind]int `json:"crossovers"`
}

// driverCheck is what came of trying a driver anew in a process of its own.
type driverCheck struct {
	Kind   glcompute.DeviceKind `json:"kind"`
	Driver string               `json:"driver,omitempty"`
	Right  bool                 `json:"right"`
	Wrong  string               `json:"wrong,omitempty"`
}

// driverTime is the shortest of a few answers to so many drawings at once.
type driverTime struct {
	Kind     glcompute.DeviceKind `json:"kind"`
	Drawings int                  `json:"drawings"`
	Time     float64              `json:"ms"`
	Same     bool                 `json:"same"` // its answers are the processor's
}

// Drawings at once that are timed, and how often.
var reportedBatches = []int{1, 16, 128, 1024}

const reportRounds = 3

// writeReport tries the drivers anew, times them, and writes the report as JSON.
func writeReport(ctx context.Context, path string) error {
	about := inkshade.About()
	r := driverReport{
		Program: about.Name + " " + about.Version, System: runtime.GOOS + " " + runtime.GOARCH,
		Model: models.Named("digits"), Crossovers: map[glcompute.DeviceKind]int{},
	}
	for _, kind := range glcompute.VariantKinds() {
		driver, err := glcompute.TryDriver(kind)
		c := driverCheck{Kind: kind, Driver: driver, Right: err == nil}
		if err != nil {
			c.Wrong = err.Error()
		}
		r.Checks = append(r.Checks, c)
	}
	r.Devices = deviceReports(glcompute.List())
	if err := r.time(ctx); err != nil {
		return err
	}
	return files.WriteWhole(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(r)
	})
}

// time lets every device answer for the sample ink.
func (r *driverReport) time(ctx context.Context) error {
	samples, err := ink.Read(bytes.NewReader(assets.SampleInk()))
	if err != nil {
		return err
	}
	model, err := recognizer.LoadModel(r.Model)
	if err != nil {
		return err
	}
	drawings := make([]ink.Ink, slices.Max(reportedBatches))
	for i := range drawings {
		drawings[i] = samples[i%len(samples)].Ink
	}
	var processor []time.Duration
	var right []string // answers of the processor, which comes first
	for _, d := range r.Devices {
		if !d.Available {
			continue
		}
		shortest, answers, err := timed(ctx, model, d.Kind, drawings)
		if err != nil {
			return fmt.Errorf("%s: %w", d.Kind, err)
		}
		if right == nil {
			processor, right = shortest, answers
		}
		for i, n := range reportedBatches {
			r.Times = append(r.Times, driverTime{d.Kind, n, inMilliseconds(shortest[i]), slices.Equal(answers, right)})
			if r.Crossovers[d.Kind] == 0 && shortest[i] < processor[i] {
				r.Crossovers[d.Kind] = n
			}
		}
	}
	return nil
}

// timed gives the shortest times of a device, by reportedBatches, and its answers to the largest.
func timed(ctx context.Context, model *nn.Model, kind glcompute.DeviceKind, drawings []ink.Ink) (shortest []time.Duration, labels []string, err error) {
	dev, err := glcompute.Open(kind)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, dev.Close()) }()
	rec, err := recognizer.New(model, dev)
	if err != nil {
		return nil, nil, err
	}
	defer rec.Close()
	var answers []recognizer.Answer
	for _, n := range reportedBatches {
		var best time.Duration
		for round := range 1 + reportRounds { // drivers finish compiling in the first
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			begin := clock.Now()
			if answers, err = rec.RecognizeMany(drawings[:n], nil); err != nil {
				return nil, nil, err
			}
			if took := clock.Since(begin); round == 1 || round > 1 && took < best {
				best = took
			}
		}
		shortest = append(shortest, best)
	}
	for _, a := range answers {
		labels = append(labels, a.Candidates[0].Label)
	}
	return shortest, labels, nil
}
