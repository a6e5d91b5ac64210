package panel

import (
	"context"

	"inkshade/app/state"
	"inkshade/app/state/device"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

// Engine reads; see device.Engine.
type Engine interface {
	Prepare(report func(device.Status))
	Use(name string, m *nn.Model) error
	Remember(m recognizer.Memory)
	Recognize(k ink.Ink, traced bool) (recognizer.Answer, device.Side, error)
	RecognizeLine(ctx context.Context, k ink.Ink, o line.Options) (*line.Result, device.Side, error)
	Close() error
}

// request is writing that is to be read.
type request struct {
	number int
	ink    ink.Ink
	how    line.Options
	parted bool // into squares of single characters
}

// reading is what was read of a request.
type reading struct {
	number int
	result *line.Result
	err    error
	typed  map[string]string // for labels in place of these; see state.TypedKey
}

// reader reads the newest writing away from the window; what is no longer the newest is not read to its end. Its methods come
// from the window's goroutine, where tell is called, too.
type reader struct {
	engine Engine
	typed  func() map[string]string
	tell   func(reading)
	tasks  *state.State // readings and changes, one after the other
	single squares      // of the tasks alone
	newest request
	cancel context.CancelFunc // ends the reading of the newest
}

func newReader(e Engine, typed func() map[string]string, post func(func()), tell func(reading)) *reader {
	return &reader{engine: e, typed: typed, tell: tell, tasks: state.New(post), cancel: func() {}}
}

// ask has some writing read in place of the one before.
func (r *reader) ask(k ink.Ink, how line.Options, parted bool) (number int) {
	r.newest = request{r.newest.number + 1, k, how, parted}
	r.read()
	return r.newest.number
}

// change does something that changes how the engine answers, where nothing is read meanwhile.
func (r *reader) change(f func()) {
	r.cancel()
	r.tasks.Do(func() func() {
		f()
		r.single.known = nil
		return nil
	})
	r.read()
}

func (r *reader) read() {
	r.cancel()
	ctx, cancel := context.WithCancel(context.Background())
	q := r.newest
	r.cancel = cancel
	r.tasks.Do(func() func() {
		defer cancel()
		if len(q.ink) == 0 || ctx.Err() != nil {
			return nil
		}
		of := reading{number: q.number}
		if q.parted {
			of.result, of.err = r.single.read(r.engine, q.ink, q.how.Fixed)
		} else {
			of.result, _, of.err = r.engine.RecognizeLine(ctx, q.ink, q.how)
		}
		if ctx.Err() != nil {
			return nil
		}
		of.typed = r.typed()
		return func() { r.tell(of) }
	})
}

// close waits until the engine is no longer asked.
func (r *reader) close() {
	r.cancel()
	r.tasks.Wait()
}
