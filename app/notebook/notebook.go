// Package notebook holds one person's handwriting while the program runs: the store on disk
// and the memory that answers at once, kept in step.
package notebook

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"inkshade/recognizer/personal"
	"inkshade/recognizer/samples"
)

// remembered bounds the memory, whose time to answer grows with it: the newest so many.
const remembered = 10000

// Notebook is an open store and what is remembered of it. Its methods wait for the disk and
// may be called from several goroutines. What changes samples goes through them; what reads,
// and the history of models, is the Store's.
//
// Remembered are all samples but those of others, which are not the person's style, those cut from
// running text, and those held out: a held-out sample measures what was learned from the others.
type Notebook struct {
	Store   *samples.Store
	Memory  *personal.Memory
	Session string // of what is drawn while the program runs

	mu     sync.Mutex // held over a change of the store and of the memory
	inside map[int64]inside
}

// inside is what can change of a sample in the memory.
type inside struct {
	label      string
	correction bool
}

// Open opens the store in the folder dir, which may be empty (see samples.Dir), and
// remembers what lies in it.
func Open(dir string) (*Notebook, error) {
	path, err := samples.Dir(dir)
	if err != nil {
		return nil, err
	}
	store, err := samples.Open(path)
	if err != nil {
		return nil, err
	}
	n := &Notebook{
		Store: store, Memory: personal.NewMemory(), Session: samples.NewSession(time.Now()),
		inside: map[int64]inside{},
	}
	if err := n.Reload(); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return n, nil
}

// Close ends the use of the store.
func (n *Notebook) Close() error { return n.Store.Close() }

// Reload brings the memory in step with the store after something else changed it, such as
// a training that held samples out.
func (n *Notebook) Reload() error { return n.change(func() error { return nil }) }

// change lets the memory follow a change of the store.
func (n *Notebook) change(do func() error) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := do(); err != nil {
		return err
	}
	return n.reload(context.Background())
}

// reload takes time for many samples that are new to the memory. When ctx ends it gives its
// error, and some are missing.
func (n *Notebook) reload(ctx context.Context) error {
	var wanted []samples.Sample
	keep := map[int64]bool{}
	for f := (samples.Filter{Newest: true, Limit: remembered}); len(wanted) < remembered; f.Offset += f.Limit {
		newest, err := n.Store.List(f)
		if err != nil {
			return err
		}
		for _, s := range newest {
			if remembers(s) && !keep[s.ID] && len(wanted) < remembered {
				wanted = append(wanted, s)
				keep[s.ID] = true
			}
		}
		if len(newest) < f.Limit {
			break
		}
	}
	for id := range n.inside {
		if !keep[id] {
			n.forget(id)
		}
	}
	return n.remember(ctx, slices.DeleteFunc(wanted, n.knows)...)
}

// knows reports whether the memory has a sample as it is.
func (n *Notebook) knows(s samples.Sample) bool {
	in, ok := n.inside[s.ID]
	return ok && in == inside{s.Label, s.Correction}
}

func remembers(s samples.Sample) bool {
	return s.Writer == "" && !s.HoldOut && !s.Context && !s.Deleted
}

// remember adds samples to the memory, or gives them there the label that they have now.
func (n *Notebook) remember(ctx context.Context, all ...samples.Sample) error {
	var fresh []personal.Sample
	for _, s := range all {
		if remembers(s) {
			fresh = append(fresh, personal.Sample{ID: s.ID, Label: s.Label, Ink: s.Ink, Correction: s.Correction})
			n.inside[s.ID] = inside{s.Label, s.Correction}
		}
	}
	err := n.Memory.AddMany(ctx, fresh)
	if err != nil {
		ids := make([]int64, len(fresh))
		for i, s := range fresh {
			ids[i] = s.ID
		}
		n.forget(ids...)
	}
	return err
}

func (n *Notebook) forget(ids ...int64) {
	n.Memory.Remove(ids...)
	for _, id := range ids {
		delete(n.inside, id)
	}
}

// Keep stores a sample, in the session of this run where it names none, and remembers it.
// When it returns without error the sample is on disk.
func (n *Notebook) Keep(s samples.Sample) (samples.Sample, error) {
	if s.Session == "" {
		s.Session = n.Session
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	id, err := n.Store.Add(s)
	if err != nil {
		return s, err
	}
	kept, err := n.Store.Get(id)
	if err != nil {
		return s, err
	}
	return kept, n.remember(context.Background(), kept)
}

// Delete takes samples out of the store and the memory; restore brings them back.
func (n *Notebook) Delete(ids ...int64) (restore func() error, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	d, err := n.Store.Delete(ids...)
	if err == nil {
		n.forget(ids...)
	}
	return func() error { return n.change(func() error { return n.Store.Restore(d.Token) }) }, err
}

// Relabel gives each sample the label beside its id; undo gives back those before.
func (n *Notebook) Relabel(labels map[int64]string) (undo func() error, err error) {
	return n.rewrite(n.Store.Relabel, labels)
}

// SetWriters gives each sample the writer beside its id, "" for the person; undo gives back those before.
func (n *Notebook) SetWriters(writers map[int64]string) (undo func() error, err error) {
	return n.rewrite(n.Store.SetWriters, writers)
}

// rewrite changes a text of samples, and gives what takes that back.
func (n *Notebook) rewrite(set func(map[int64]string) (map[int64]string, error), texts map[int64]string) (undo func() error, err error) {
	var before map[int64]string
	err = n.change(func() (err error) { before, err = set(texts); return err })
	return func() error { return n.change(func() error { _, err := set(before); return err }) }, err
}

// HoldOut holds samples out of learning, and so of the memory, or releases them; undo takes that
// back (see samples.Store.SetHoldOut).
func (n *Notebook) HoldOut(holdOut bool, ids ...int64) (undo func() error, err error) {
	var back func() error
	err = n.change(func() (err error) {
		back, err = n.Store.SetHoldOut(holdOut, ids...)
		return err
	})
	return func() error { return n.change(back) }, err
}

// Import stores what was found (see samples.Store.Import) and remembers it. When ctx ends, its error is
// returned, and nothing is added.
func (n *Notebook) Import(ctx context.Context, found samples.Found, whose samples.Whose, progress samples.Progress) (samples.Imported, error) {
	result, err := n.Store.Import(ctx, found, whose, progress)
	if err == nil {
		n.mu.Lock()
		err = n.reload(ctx)
		n.mu.Unlock()
	}
	if ctx.Err() == nil {
		return result, err
	}
	if len(result.IDs) > 0 {
		if _, err := n.Delete(result.IDs...); err != nil {
			return result, err
		}
	}
	return samples.Imported{}, ctx.Err()
}
