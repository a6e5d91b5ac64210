// Package trainer lets the model in use learn from a person's samples: it decides what is
// learned from and what is held out, trains, stores what came of it, and puts one model of
// the history in force. Whatever ends a training early leaves the model before in force.
package trainer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"inkshade/app/notebook"
	"inkshade/glcompute"
	"inkshade/recognizer"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/personal"
	"inkshade/recognizer/samples"
)

// Trainer works on one notebook. Its methods wait for the disk and may be called from
// several goroutines; one training runs at a time.
type Trainer struct {
	// Learn trains; personal.Train.
	Learn func(context.Context, glcompute.Device, personal.Task, func(personal.Progress)) (*personal.Result, error)
	// Open opens the device; glcompute.OpenOrCPU.
	Open func(glcompute.DeviceKind) glcompute.Device
	// Shipped reads the model that a history goes back to; recognizer.LoadModel.
	Shipped func(base string) (*nn.Model, error)

	book *notebook.Notebook
	busy chan struct{} // holds a value while a training runs
}

// New makes a trainer of the samples and the history in book.
func New(book *notebook.Notebook) *Trainer {
	return &Trainer{
		Learn: personal.Train, Open: glcompute.OpenOrCPU, Shipped: recognizer.LoadModel,
		book: book, busy: make(chan struct{}, 1),
	}
}

// Enough is the least number of samples that a training learns from.
const Enough = 5

// ErrBusy is the error of a second training beside one that runs.
var ErrBusy = errors.New("a training runs already; wait for its end or cancel it")

// Train folds the person's samples into the model in force for base. It holds a part of
// them out, stores the new model, and puts it in force where it is measurably better; both
// in one step at the very end, so that a cancelled, failed or killed training leaves only
// the choice of what is held out behind. A model that another window put in force meanwhile
// stays in force. progress may be nil; it is called from the goroutine of Train.
func (t *Trainer) Train(ctx context.Context, base string, o Options, progress func(personal.Progress)) (Entry, error) {
	select {
	case t.busy <- struct{}{}:
		defer func() { <-t.busy }()
	default:
		return Entry{}, ErrBusy
	}
	task, parent, err := t.task(base, o)
	if err != nil {
		return Entry{}, err
	}
	if ctx.Err() != nil {
		return Entry{}, context.Cause(ctx)
	}
	dev := t.Open(o.Device)
	defer dev.Close()
	var curve curve
	result, err := t.Learn(ctx, dev, task, func(p personal.Progress) {
		curve.add(p)
		if progress != nil {
			progress(p)
		}
	})
	if err != nil {
		return Entry{}, err
	}
	report := reportOf(task, result, dev.Info().Fallback, curve.points)
	return t.store(ctx, base, parent, o, result, report)
}

// task gathers what is learned from, what is held out, and where training begins.
func (t *Trainer) task(base string, o Options) (task personal.Task, parent int64, err error) {
	task.Settings = o.Settings
	if task.Shipped, err = t.Shipped(base); err != nil {
		return task, 0, err
	}
	if task.Start, parent, err = t.InForce(base, task.Shipped); err != nil {
		return task, 0, err
	}
	learned, held, err := t.book.Store.AssignHoldOut()
	if err != nil {
		return task, 0, err
	}
	// A sample that is held out from now on must not answer any more.
	if err := t.book.Reload(); err != nil {
		return task, 0, err
	}
	task.Learn, task.HeldOut = own(learned), own(held)
	if len(task.Learn) < Enough {
		return task, 0, fmt.Errorf("there are %d samples to learn from, fewer than %d; draw and correct some more", len(task.Learn), Enough)
	}
	return task, parent, nil
}

// own leaves out what was cut from running text, as the memory does.
func own(all []samples.Sample) []personal.Sample {
	var out []personal.Sample
	for _, s := range all {
		if !s.Context {
			out = append(out, personal.Sample{ID: s.ID, Label: s.Label, Ink: s.Ink, Correction: s.Correction, Other: s.Writer != ""})
		}
	}
	return out
}

// InForce reads the model that answers for base; its id is 0 where that is the shipped one.
func (t *Trainer) InForce(base string, shipped *nn.Model) (*nn.Model, int64, error) {
	stored, trained, err := t.book.Store.InForce(base)
	if err != nil || !trained {
		return shipped, 0, err
	}
	m, err := onnx.Read(bytes.NewReader(stored.ONNX))
	return m, stored.ID, err
}

// store is the last step of a training.
func (t *Trainer) store(ctx context.Context, base string, parent int64, o Options, result *personal.Result, report Report) (Entry, error) {
	var file bytes.Buffer
	if err := onnx.Write(&file, result.Model); err != nil {
		return Entry{}, err
	}
	settings, err := json.Marshal(o)
	if err != nil {
		return Entry{}, fmt.Errorf("writing down the settings of the training: %w", err)
	}
	now, _, err := t.book.Store.InForce(base)
	if err != nil {
		return Entry{}, err
	}
	report.Overtaken = now.ID != parent
	figures, err := json.Marshal(report)
	if err != nil {
		return Entry{}, fmt.Errorf("writing down the figures of the training: %w", err)
	}
	if ctx.Err() != nil {
		return Entry{}, context.Cause(ctx)
	}
	keep := result.Keep && !report.Overtaken
	m := samples.Model{
		Parent: parent, Base: base, Settings: settings, Figures: figures, ONNX: file.Bytes(),
	}
	if m.ID, err = t.book.Store.AddModel(m, keep); err != nil {
		return Entry{}, err
	}
	stored, err := t.book.Store.Model(m.ID)
	if err != nil {
		return Entry{}, err
	}
	return entryOf(stored)
}

// Options of a training are the settings and the device.
type Options struct {
	Device glcompute.DeviceKind
	personal.Settings
}

// Defaults are the options that suit most writers; Auto measures which device is faster.
func Defaults() Options {
	return Options{Device: glcompute.Auto, Settings: personal.DefaultSettings()}
}
