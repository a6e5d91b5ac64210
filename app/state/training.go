package state

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"gonum.org/v1/gonum/floats"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/models"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/personal"
	"inkshade/recognizer/samples"
)

// Learner is how a collection learns.
type Learner struct {
	// Learn trains; personal.Train.
	Learn func(context.Context, glcompute.Device, personal.Task, func(personal.Progress)) (*personal.Result, error)
	// Open opens the device; glcompute.OpenOrCPU.
	Open func(glcompute.DeviceKind) glcompute.Device
	// Shipped reads the model that a history goes back to; recognizer.LoadModel.
	Shipped func(base string) (*nn.Model, error)
}

// Options of a training are the settings and the device.
type Options struct {
	Device glcompute.DeviceKind
	personal.Settings
}

// DefaultOptions are those that suit most writers; Auto measures which device is faster.
func DefaultOptions() Options {
	return Options{Device: glcompute.Auto, Settings: personal.DefaultSettings()}
}

// Training is one of the history, with the model that came of it. That of ID 0 is the shipped model, which has neither options
// nor a report.
type Training struct {
	ID, Parent int64
	Title      string // that a person gave the model, or empty
	Time       time.Time
	Active     bool
	Options    Options
	Report     Report
}

func trainingOf(m samples.Model) (Training, error) {
	t := described(m)
	if err := json.Unmarshal(m.Settings, &t.Options); err != nil {
		return t, message.Errorf("the settings of the trained model %d cannot be read: %w", m.ID, err)
	}
	if err := cmp.Or(json.Unmarshal(m.Figures, &t.Report), t.Report.fromRows(m.Figures)); err != nil {
		return t, message.Errorf("the figures of the trained model %d cannot be read: %w", m.ID, err)
	}
	return t, nil
}

func described(m samples.Model) Training {
	return Training{ID: m.ID, Parent: m.Parent, Title: m.Title(), Time: m.Time, Active: m.Active}
}

// EnoughSamples is the least number of samples that a training learns from.
const EnoughSamples = 5

// ErrBusy is the error of a second training beside one that runs.
var ErrBusy = message.Errorf("a training runs already; wait for its end or cancel it")

// Train folds the person's samples into the active model of base. It decides what is held out, stores the new model, and
// activates it where it is measurably better; both in one step at the very end, so that a cancelled, failed or killed training
// leaves only the choice of what is held out behind. A model that another window activated meanwhile stays active. One training
// runs at a time. progress may be nil; it is called from the goroutine of Train.
func (c *Collection) Train(ctx context.Context, base string, o Options, progress func(personal.Progress)) (Training, error) {
	if err := c.begin(); err != nil {
		return Training{}, err
	}
	defer c.end()
	task, parent, err := c.task(base, o)
	if err := cmp.Or(err, context.Cause(ctx)); err != nil {
		return Training{}, err
	}
	dev := c.Learner.Open(o.Device)
	defer dev.Close()
	result, err := c.Learner.Learn(ctx, dev, task, progress)
	if err != nil {
		return Training{}, err
	}
	report := Report{Result: *result, Learned: len(task.Learn), Fallback: dev.Info().Fallback}
	report.Model = nil
	for _, s := range slices.Concat(task.Learn, task.HeldOut) {
		report.Last = max(report.Last, s.ID)
	}
	return c.keepModel(ctx, base, parent, o, result, report)
}

// begin keeps the store open until end.
func (c *Collection) begin() error {
	c.using.Lock()
	defer c.using.Unlock()
	switch {
	case c.training:
		return ErrBusy
	case c.closed:
		return message.Errorf("the samples are closed")
	}
	c.training = true
	return nil
}

func (c *Collection) end() {
	c.using.Lock()
	defer c.using.Unlock()
	if c.training = false; c.closed {
		_ = c.store.Close() // whoever would be told is gone
	}
}

// task gathers what is learned from, what is held out, and where training begins.
func (c *Collection) task(base string, o Options) (task personal.Task, parent int64, err error) {
	task.Settings = o.Settings
	if task.Shipped, err = c.Learner.Shipped(base); err != nil {
		return task, 0, err
	}
	if task.Start, parent, err = c.ActiveModel(base, task.Shipped); err != nil {
		return task, 0, err
	}
	learned, held, err := c.store.AssignHoldOut()
	if err != nil {
		return task, 0, err
	}
	// A sample that is held out from now on must not answer any more.
	if err := c.Reload(); err != nil {
		return task, 0, err
	}
	task.Learn, task.HeldOut = taught(base, learned), taught(base, held)
	if len(task.Learn) < EnoughSamples {
		return task, 0, message.Errorf("there are %d samples to learn from, fewer than %d; draw and correct some more", len(task.Learn), EnoughSamples)
	}
	return task, parent, nil
}

// teaches tells whether a model learns from a sample: what reads words from the lines of the person, the others from what was not cut
// from running text, as the memory does.
func teaches(base string, s *samples.Sample) bool {
	if base == models.Words {
		return s.Line() && s.Writer == ""
	}
	return !s.Context
}

func taught(base string, all []samples.Sample) []personal.Sample {
	var out []personal.Sample
	for _, s := range all {
		if teaches(base, &s) {
			out = append(out, asLearned(s))
		}
	}
	return out
}

// activeID is the model that answers for base, 0 the shipped one.
func (c *Collection) activeID(base string) (int64, error) {
	history, err := c.store.Models(base)
	if i := slices.IndexFunc(history, func(m samples.Model) bool { return m.Active }); i >= 0 {
		return history[i].ID, err
	}
	return 0, err
}

// ActiveModel gives the model that answers for base, which is not to be changed; its id is 0 where that is the shipped one. It is
// read where it is not the one that was read or trained last.
func (c *Collection) ActiveModel(base string, shipped *nn.Model) (*nn.Model, int64, error) {
	c.reading.Lock()
	defer c.reading.Unlock()
	id, err := c.activeID(base)
	if err != nil || id == 0 {
		return shipped, 0, err
	}
	m, err := c.model(base, id)
	return m, id, err
}

// model reads a trained model that is to be the active one of base; the caller holds reading.
func (c *Collection) model(base string, id int64) (*nn.Model, error) {
	if c.active[base].id != id {
		stored, err := c.store.Model(id)
		if err != nil {
			return nil, err
		}
		m, err := onnx.Read(context.Background(), bytes.NewReader(stored.ONNX))
		if err != nil {
			return nil, message.Errorf("the trained model %d cannot be used: %w", id, err)
		}
		c.active[base] = activeModel{id, m}
	}
	return c.active[base].model, nil
}

// keepModel is the last step of a training.
func (c *Collection) keepModel(ctx context.Context, base string, parent int64, o Options, result *personal.Result, report Report) (Training, error) {
	var file bytes.Buffer
	unwritten := onnx.Write(&file, result.Model)
	now, unknown := c.activeID(base)
	report.Overtaken = now != parent
	settings, unset := json.Marshal(o)
	figures, err := json.Marshal(report)
	if err != nil {
		err = message.Errorf("writing down the figures of the training: %w", err)
	}
	if err := cmp.Or(unwritten, unknown, unset, err, context.Cause(ctx)); err != nil {
		return Training{}, err
	}
	keep := result.Keep && !report.Overtaken
	stored, err := c.store.AddModel(samples.Model{Parent: parent, Base: base, Settings: settings, Figures: figures, ONNX: file.Bytes()}, keep)
	if err != nil {
		return Training{}, err
	}
	if keep {
		c.reading.Lock()
		c.active[base] = activeModel{stored.ID, result.Model}
		c.reading.Unlock()
	}
	t := described(stored)
	t.Options, t.Report = o, report
	return t, nil
}

// History lists the trainings from base, the latest first, and the shipped model last.
func (s Models) History(base string) ([]Training, error) {
	stored, err := s.store.Models(base)
	if err != nil {
		return nil, err
	}
	shipped := Training{Active: true}
	var all []Training
	for _, m := range stored {
		t, err := trainingOf(m)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
		shipped.Active = shipped.Active && !t.Active
	}
	return append(all, shipped), nil
}

// Activate lets a model of the history answer for base, 0 being the shipped one, in the place of the one before. A model that
// cannot be read is an error, and the one before stays active.
func (c *Collection) Activate(base string, id, before int64) Command {
	return func() (Command, error) {
		if id != 0 {
			c.reading.Lock()
			defer c.reading.Unlock()
			if _, err := c.model(base, id); err != nil {
				return nil, err
			}
		}
		return c.Activate(base, before, id), c.store.SetActive(base, id)
	}
}

// Drawings reads the samples of these ids as they are now; those that were removed for good are left out.
func (c *Collection) Drawings(ids ...int64) (found []samples.Sample, err error) {
	for _, id := range ids {
		s, err := c.store.Get(id)
		switch {
		case err == nil:
			found = append(found, s)
		case !errors.Is(err, samples.ErrNotFound):
			return nil, err
		}
	}
	return found, nil
}

// Fewest is how many samples a class needs to be learned well, and before one of them is held out; see samples.Store.AssignHoldOut.
const Fewest = 5

// Readiness is what a training would start from now.
type Readiness struct {
	Samples   int      // that teach the model
	New       int      // of them, those that the active model has not seen and may learn from
	HeldOut   int      // of them, those held out so far
	Undecided int      // of them, those of which the next training may hold some out
	Cut       int      // drawings of characters cut out of running text, which no training learns
	Classes   int      // labels that they have
	Thin      []string // labels with fewer than five samples: too few to hold one out
	Unknown   []string // labels that the model in use does not know
	Active    int64    // the active model; 0 is the shipped one
}

// Missing is how many samples more a training needs; 0 when it can begin.
func (r Readiness) Missing() int { return max(0, EnoughSamples-(r.Samples-r.HeldOut)) }

// Readiness looks at the samples and at the history of base, which it gives, too; labels are what the model in use knows.
func (c *Collection) Readiness(base string, labels []string) (r Readiness, history []Training, err error) {
	all, err := c.store.List(samples.Filter{})
	if err != nil {
		return r, nil, err
	}
	if history, err = c.History(base); err != nil {
		return r, nil, err
	}
	last := int64(0)
	for _, t := range history {
		if t.Active {
			r.Active, last = t.ID, t.Report.Last
		}
	}
	counts := map[string]int{}
	for _, s := range all {
		if !teaches(base, &s) {
			if s.Context && !s.Line() {
				r.Cut++
			}
			continue
		}
		r.Samples++
		counts[s.Label]++
		switch {
		case s.HoldOut:
			r.HeldOut++
		case !s.Learned:
			r.Undecided++
		}
		if s.ID > last && !s.HoldOut {
			r.New++
		}
	}
	if r.Classes = len(counts); base == models.Words { // texts are no classes
		counts = nil
	}
	for label, n := range counts {
		if n < Fewest {
			r.Thin = append(r.Thin, label)
		}
		if !slices.Contains(labels, label) {
			r.Unknown = append(r.Unknown, label)
		}
	}
	slices.Sort(r.Thin)
	slices.Sort(r.Unknown)
	return r, history, nil
}

// Report is what a training showed. The history keeps it as JSON beside the model.
type Report struct {
	personal.Result                  // its Model is left out
	Learned         int              // samples learned from
	Last            int64            // the newest sample that took part, by its ID
	Fallback        *message.Message // why the processor stood in for the device that was asked for; nil otherwise
	Overtaken       bool             // another model was put in force while this one was trained
}

// fromRows takes the shares of devices from how many rows each had, as version 0.1 wrote them.
func (r *Report) fromRows(figures []byte) error {
	var old struct{ Sharing struct{ Rows []float64 } }
	if err := json.Unmarshal(figures, &old); err != nil || r.Choice == nil || r.Choice.Shares != nil {
		return err
	}
	rows := old.Sharing.Rows
	if len(rows) == 0 || len(rows) != len(r.Choice.Devices) {
		r.Choice = nil
		return nil
	}
	r.Choice.Shares, r.Choice.Decided = rows, true
	floats.Scale(1/floats.Sum(rows), rows)
	return nil
}
