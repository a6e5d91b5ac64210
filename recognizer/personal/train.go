package personal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"inkshade/glcompute/program"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/prototype"
)

// Train folds a person's samples into a copy of the model in use, on any device, and
// measures whether that helped.
//
// The last layers are trained (see Settings.Frozen) on distorted copies of the person's
// strokes. Some rows of every mini-batch rehearse what the model knew: variations of the
// prototypes that it keeps, each with the answer that the model in use gives to it
// (distillation; Hinton et al., 2015). The parameters are pulled toward the shipped model.
// Labels that the model does not have become classes of its last layer.
//
// The result says whether the trained model should be kept: see Result. progress may be
// nil. The same task, seed and device give the same model. A cancelled context returns its cause and no
// result. Nothing that was given is changed.
func Train(ctx context.Context, dev program.Device, t Task, progress func(Progress)) (*Result, error) {
	started := time.Now()
	w, err := prepare(ctx, dev, &t, progress, started)
	if err != nil {
		return nil, err
	}
	defer w.lower.close()
	s, err := newSession(dev, w.upper, w.anchor, w.own, w.rehearsal, t.Settings)
	if err != nil {
		return nil, err
	}
	defer s.close()
	s.progress, s.started = progress, started
	trained, err := s.learn(ctx)
	if err != nil {
		return nil, err
	}
	model := w.model.Clone()
	model.Network.PutValues(w.frozen, trained)
	w.tell(Measuring, t.Steps)
	did := s.steps.Info()
	r := &Result{
		Model: model, NewClasses: w.model.Labels[len(t.Start.Labels):], Steps: t.Steps, Loss: s.loss,
		Device: string(did.Kind), Choice: did.Choice,
	}
	if err := w.measure(ctx, r, trained); err != nil {
		return nil, err
	}
	r.decide()
	r.Seconds = time.Since(started).Seconds()
	describe(model, t, r)
	return r, nil
}

// work is what a training needs beside the steps themselves.
type work struct {
	Task
	dev      program.Device
	progress func(Progress)
	started  time.Time

	model  *nn.Model // Start with the new classes
	in     feature.Extractor
	set    *prototype.Set // nil where the model keeps none
	frozen int
	lower  *lower
	upper  nn.Network // layers of model that are trained
	anchor nn.Network // what they are pulled toward

	own, rehearsal rows
}

func prepare(ctx context.Context, dev program.Device, t *Task, progress func(Progress), started time.Time) (*work, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	w := &work{Task: *t, dev: dev, progress: progress, started: started}
	w.tell(Preparing, 0)
	labels := map[string]bool{}
	for _, s := range t.Learn {
		labels[s.Label] = true
	}
	var err error
	if w.model, err = t.Start.WithClasses(slices.Sorted(maps.Keys(labels)), t.Seed); err != nil {
		return nil, err
	}
	if w.in, err = feature.ByName(t.Start.Preprocessing); err != nil {
		return nil, err
	}
	if w.in.Size != t.Start.Network.Width() {
		return nil, fmt.Errorf("the model takes %d values, its preprocessing %s makes %d", t.Start.Network.Width(), w.in.Name, w.in.Size)
	}
	if w.set, err = prototype.Of(t.Start); err != nil {
		return nil, err
	}
	if w.frozen = t.Frozen; w.frozen < 0 {
		w.frozen = frozenLayers(w.model.Network, trainedWeights)
	}
	w.frozen = min(w.frozen, len(w.model.Network.Layers)-1)
	below, upper, ok := w.model.Network.Cut(w.frozen)
	for ; !ok; below, upper, ok = w.model.Network.Cut(w.frozen) {
		w.frozen--
	}
	w.upper, w.anchor = upper, upper
	if t.Shipped != nil {
		_, w.anchor, _ = w.model.WithValuesOf(t.Shipped).Cut(w.frozen)
	}
	if w.lower, err = newLower(dev, below); err != nil {
		return nil, err
	}
	if err := w.rows(ctx); err != nil {
		w.lower.close()
		return nil, err
	}
	return w, nil
}

// rows prepares what is learned and what is rehearsed.
func (w *work) rows(ctx context.Context) error {
	plain, _, err := inputs(ctx, w.in, w.Learn)
	if err != nil {
		return err
	}
	copies, err := distorted(ctx, w.in, w.Learn, w.Copies, w.Distortion, w.Seed)
	if err != nil {
		return err
	}
	var classes []int
	for _, s := range w.Learn {
		classes = append(classes, w.model.Class(s.Label))
	}
	all := plain
	for i := range w.Learn {
		for c := range w.Copies {
			all, classes = append(all, copies[i*w.Copies+c]), append(classes, classes[i])
		}
	}
	if w.own.input, err = w.lower.apply(ctx, all); err != nil {
		return err
	}
	w.own.class = classes
	for _, c := range classes {
		w.own.target = append(w.own.target, hard(c, len(w.model.Labels)))
	}
	if w.set == nil {
		return nil
	}
	old, oldClasses, err := rehearsed(ctx, w.in, w.set, rehearsalRounds, w.Distortion, w.Seed)
	if err != nil {
		return err
	}
	if w.rehearsal.input, err = w.lower.apply(ctx, old); err != nil {
		return err
	}
	w.rehearsal.class = oldClasses
	w.rehearsal.target, err = w.answers(w.rehearsal.input)
	return err
}

// answers gives the model's probabilities for rows of the trained layers, 0 for new classes.
func (w *work) answers(rows [][]float32) ([][]float32, error) {
	logits, err := w.logits(w.upper, rows)
	if err != nil {
		return nil, err
	}
	known := len(w.Start.Labels)
	for i, l := range logits {
		logits[i] = make([]float32, len(l))
		softmax(logits[i][:known], l[:known])
	}
	return logits, nil
}

// logits runs trained layers on rows.
func (w *work) logits(upper nn.Network, rows [][]float32) ([][]float32, error) {
	inference, err := nn.NewInference(w.dev, upper)
	if err != nil {
		return nil, err
	}
	defer inference.Close()
	out := make([][]float32, 0, len(rows))
	err = inference.Each(rows, func(_ int, logits, _ []float32) { out = append(out, slices.Clone(logits)) })
	return out, err
}

func (w *work) tell(stage Stage, step int) {
	if w.progress != nil {
		w.progress(Progress{Stage: stage, Step: step, Steps: w.Steps, Elapsed: time.Since(w.started)})
	}
}

func hard(class, classes int) []float32 {
	t := make([]float32, classes)
	t[class] = 1
	return t
}

// check reports the first part of the task that cannot be used.
func (t *Task) check() error {
	switch s := t.Settings; {
	case t.Start == nil:
		return errors.New("there is no model to start from")
	case len(t.Learn) == 0:
		return errors.New("there is nothing to learn from; draw some characters and say what they are")
	case s.Steps < 1 || s.Batch < 1 || s.Copies < 0:
		return fmt.Errorf("%d steps of %d rows with %d copies are not possible; use at least 1, 1 and 0", s.Steps, s.Batch, s.Copies)
	case !(s.Rehearsal >= 0 && s.Rehearsal <= 0.9):
		return fmt.Errorf("a rehearsed share of %g is not possible; use 0 to 0.9", s.Rehearsal)
	case !(s.Rate >= 0 && s.Rate <= 100) || !(s.Momentum >= 0 && s.Momentum < 1) || !(s.Anchor >= 0 && s.Anchor <= 100):
		return fmt.Errorf("a rate of %g, a momentum of %g and an anchor of %g are not possible; use 0 to 100, 0 to below 1, 0 to 100", s.Rate, s.Momentum, s.Anchor)
	}
	return t.Start.Check()
}
