package state

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/personal"
	"inkshade/recognizer/samples"
)

// remembered bounds the memory, whose time to answer grows with it: the newest so many.
const remembered = 10000

// Collection is a set of samples with its models while it is open: the store on disk, and the memory that answers at once, kept
// in step. Its methods wait for the disk and may be called from several goroutines.
//
// Remembered are all samples but those of others than who writes now, which are not the person's style, those cut from running text, and those held
// out: a held-out sample measures what was learned from the others.
type Collection struct {
	Models
	Learner Learner
	Memory  *personal.Memory
	Session string        // of what is drawn while the program runs
	Who     func() string // gives the name of who writes now, empty for nobody in particular

	who    string     // whose samples are remembered
	mu     sync.Mutex // held over a change of the store and of the memory
	inside map[int64]inside

	using    sync.Mutex
	training bool // one runs
	closed   bool // it ends with the training

	reading sync.Mutex
	active  map[string]activeModel // read or trained last, by its base
}

// inside is what can change of a sample in the memory.
type inside struct {
	label      string
	correction bool
}

type activeModel struct {
	id    int64
	model *nn.Model
}

// Open opens the collection in the folder dir, which may be empty (see samples.Dir), and remembers what lies in it.
func Open(dir string) (*Collection, error) {
	models, err := OpenModels(dir)
	if err != nil {
		return nil, err
	}
	if models.store, err = samples.Open(models.dir); err != nil {
		return nil, err
	}
	c := &Collection{
		Models: models, Learner: Learner{Learn: personal.Train, Open: glcompute.OpenOrCPU, Shipped: recognizer.LoadModel}, Memory: personal.NewMemory(), Session: samples.NewSession(time.Now()),
		Who:    func() string { return "" },
		inside: map[int64]inside{}, active: map[string]activeModel{},
	}
	if err := c.Reload(); err != nil {
		return nil, errors.Join(err, c.store.Close())
	}
	return c, nil
}

// Close ends the use of the store: at once, or with the training that uses it still.
func (c *Collection) Close() error {
	c.using.Lock()
	defer c.using.Unlock()
	if c.closed = true; c.training {
		return nil
	}
	return c.store.Close()
}

// Reload brings the memory in step with the store after something else changed it, such as a training that held samples out.
func (c *Collection) Reload() error { return c.change(func() error { return nil }) }

// CatchUp does so where another window or command has changed the store, or somebody else writes now, and tells whether it did.
func (c *Collection) CatchUp() (changed bool, err error) {
	c.mu.Lock()
	another := c.who != c.Who()
	c.mu.Unlock()
	if changed, err = c.store.ChangedElsewhere(); changed || another {
		changed = true
		err = errors.Join(err, c.Reload())
	}
	return changed, err
}

// change lets the memory follow a change of the store.
func (c *Collection) change(do func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := do(); err != nil {
		return err
	}
	return c.reload(context.Background())
}

// reload takes time for many samples that are new to the memory. When ctx ends it gives its error, and some are missing.
func (c *Collection) reload(ctx context.Context) error {
	c.who = c.Who()
	wanted, err := c.store.List(samples.Filter{Writer: c.who, Own: true, Newest: true, Limit: remembered})
	if err != nil {
		return err
	}
	keep := map[int64]bool{}
	for _, s := range wanted {
		keep[s.ID] = true
	}
	for id := range c.inside {
		if !keep[id] {
			c.forget(id)
		}
	}
	known := func(s samples.Sample) bool {
		in, ok := c.inside[s.ID]
		return ok && in == inside{s.Label, s.Correction}
	}
	return c.remember(ctx, slices.DeleteFunc(wanted, known)...)
}

// remember adds samples to the memory, or gives them there the label that they have now. Of a line it remembers how the person parts
// words.
func (c *Collection) remember(ctx context.Context, all ...samples.Sample) error {
	var fresh []personal.Sample
	var ids []int64
	for _, s := range all {
		switch {
		case s.Writer != c.who || s.HoldOut || s.Deleted:
			continue
		case s.Line():
			c.Memory.AddLine(s.ID, s.Ink, s.Label)
		case s.Context:
			continue
		default:
			fresh, ids = append(fresh, asLearned(s)), append(ids, s.ID)
		}
		c.inside[s.ID] = inside{s.Label, s.Correction}
	}
	err := c.Memory.Add(ctx, fresh...)
	if err != nil {
		c.forget(ids...)
	}
	return err
}

// asLearned is a sample as memory and training have it.
func asLearned(s samples.Sample) personal.Sample {
	return personal.Sample{ID: s.ID, Label: s.Label, Ink: s.Ink, Correction: s.Correction, Other: s.Writer != ""}
}

func (c *Collection) forget(ids ...int64) {
	c.Memory.Remove(ids...)
	for _, id := range ids {
		delete(c.inside, id)
	}
}

// Keep stores a sample, in the session of this run and by who writes now where it names none, and remembers it. When it is done the sample is on disk,
// and s is as it was stored.
func (c *Collection) Keep(s *samples.Sample) Command {
	return func() (Command, error) {
		if s.Session == "" {
			s.Session = c.Session
		}
		s.Writer = cmp.Or(s.Writer, c.Who())
		c.mu.Lock()
		defer c.mu.Unlock()
		kept, err := c.store.Add(*s)
		if err != nil {
			return nil, err
		}
		*s = kept
		return c.Delete(s.ID), c.remember(context.Background(), kept)
	}
}

// Restate is Keep of what is said of a drawing of which something was said before, nil for nothing: the word before goes, and
// what was answered first counts. It may be stored no sooner than this command is run.
func (c *Collection) Restate(s, before *samples.Sample) Command {
	if before == nil {
		return c.Keep(s)
	}
	return func() (Command, error) {
		s.Answered = before.Answered
		s.Correction = !s.Context && s.Answered.Label != s.Label
		keep := c.Keep(s)
		if before.ID == 0 { // it could not be stored
			return keep()
		}
		switch before, err := c.store.Get(before.ID); {
		case err != nil:
			return nil, err
		case before.Deleted:
			return keep()
		case before.Label == s.Label:
			return nil, message.Errorf("this drawing is saved as %s already", s.Label)
		default:
			return All(keep, c.Delete(before.ID))()
		}
	}
}

// NewSample is a drawing as it is stored: what it stands for, and what was answered (nil when there was no answer). It is a
// correction when the answer was another, or none.
func NewSample(label string, k ink.Ink, scale float64, drawn time.Time, answered *recognizer.Answer) samples.Sample {
	s := samples.Sample{Label: label, Ink: k, DeviceScale: scale, Time: drawn}
	if answered == nil || len(answered.Candidates) == 0 {
		return s
	}
	best := answered.Candidates[0]
	s.Answered = samples.Answer{Label: best.Label, Probability: min(best.Probability, 1)}
	s.Correction = best.Label != label || answered.Unknown
	return s
}

// NewSampleOf is NewSample of a character of a line.
func NewSampleOf(c line.Character, label string, scale float64, drawn time.Time) samples.Sample {
	read := recognizer.Candidate{Label: c.Label, Probability: c.Confidence}
	return NewSample(label, c.Ink, scale, drawn, &recognizer.Answer{Candidates: []recognizer.Candidate{read}, Unknown: c.Unknown})
}

// Delete takes samples out of the store and the memory.
func (c *Collection) Delete(ids ...int64) Command {
	return func() (Command, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		deletion, err := c.store.Delete(ids...)
		if err == nil || errors.Is(err, samples.ErrNotFound) { // deleted in another window
			c.forget(ids...)
		}
		if err != nil {
			return nil, err
		}
		return func() (Command, error) {
			return c.Delete(ids...), c.change(func() error { return c.store.Restore(deletion) })
		}, nil
	}
}

// Relabel gives each sample the label beside its id.
func (c *Collection) Relabel(labels map[int64]string) Command {
	return c.rewrite(c.store.Relabel, labels)
}

// SetWriters gives each sample the writer beside its id, "" for the person.
func (c *Collection) SetWriters(writers map[int64]string) Command {
	return c.rewrite(c.store.SetWriters, writers)
}

func (c *Collection) rewrite(set func(map[int64]string) (map[int64]string, error), texts map[int64]string) Command {
	return func() (Command, error) {
		var before map[int64]string
		err := c.change(func() (err error) { before, err = set(texts); return err })
		return c.rewrite(set, before), err
	}
}

// HoldOut holds samples out of learning, and so of the memory, or releases them (see samples.Store.SetHoldOut).
func (c *Collection) HoldOut(holdOut bool, ids ...int64) Command {
	return func() (Command, error) {
		var back func() error
		err := c.change(func() (err error) { back, err = c.store.SetHoldOut(holdOut, ids...); return err })
		return func() (Command, error) { return c.HoldOut(holdOut, ids...), c.change(back) }, err
	}
}

// Import stores what was found (see samples.Store.Import) and remembers it; Delete takes it back. When ctx ends, its error is
// returned, and nothing is added.
func (c *Collection) Import(ctx context.Context, found samples.Found, whose samples.Whose, progress samples.Progress) (samples.Imported, error) {
	result, err := c.store.Import(ctx, found, whose, progress)
	if err == nil {
		c.mu.Lock()
		err = c.reload(ctx)
		c.mu.Unlock()
	}
	if ctx.Err() == nil {
		return result, err
	}
	if len(result.IDs) > 0 {
		if err := c.Delete(result.IDs...).Do(); err != nil {
			return result, err
		}
	}
	return samples.Imported{}, ctx.Err()
}
