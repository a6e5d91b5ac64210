package panel

import (
	"context"
	"maps"
	"math"
	"slices"

	"inkshade/app/state"
	"inkshade/app/ui/glyph"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

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
	ink    ink.Ink // of the request
	result *line.Result
	err    error
	typed  map[string]string // for labels in place of these; see state.TypedKey
}

// reader reads the newest writing away from the window; what is no longer the newest is not read to its end. Its methods come
// from the window's goroutine, where tell is called, too.
type reader struct {
	engine worker.Engine
	typed  func() map[string]string
	tell   func(reading)
	tasks  *state.State // readings and changes, one after the other
	single squares      // of the tasks alone
	newest request
	cancel context.CancelFunc // ends the reading of the newest
}

func newReader(e worker.Engine, typed func() map[string]string, post func(func()), tell func(reading)) *reader {
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
		of := reading{number: q.number, ink: q.ink}
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

// squares reads single characters, each from a square of the paper.
type squares struct {
	known []line.Character // that were read last
}

// read gives the characters in their squares as a line. A stroke belongs to the square of its middle.
func (q *squares) read(e worker.Engine, k ink.Ink, fixed []line.Fixed) (*line.Result, error) {
	in := map[int][]line.Part{}
	for i, s := range k {
		if x0, _, x1, _, ok := (ink.Ink{s}).Bounds(); ok {
			n := int(math.Floor((x0 + x1) / 2 / widget.Square))
			in[n] = append(in[n], line.Part{Stroke: i, Last: len(s) - 1})
		}
	}
	r := &line.Result{}
	for _, n := range slices.Sorted(maps.Keys(in)) {
		c, err := q.character(e, k, in[n])
		if err != nil {
			return nil, err
		}
		r.Characters = append(r.Characters, c)
	}
	q.known = slices.Clone(r.Characters)
	for i := range r.Characters {
		c := &r.Characters[i]
		for _, f := range fixed {
			if slices.Equal(f.Parts, c.Parts) {
				c.Label, c.Fixed = f.Label, true
			}
		}
	}
	return r, nil
}

// character reads some strokes, unless they were read last time too.
func (q *squares) character(e worker.Engine, k ink.Ink, parts []line.Part) (line.Character, error) {
	var strokes ink.Ink
	for _, p := range parts {
		strokes = append(strokes, k[p.Stroke])
	}
	for _, c := range q.known {
		if widget.SameInk(c.Ink, strokes) {
			c.Parts = parts
			return c, nil
		}
	}
	a, _, err := e.Recognize(strokes, false)
	if err != nil {
		return line.Character{}, err
	}
	c := line.Character{Candidates: slices.Clone(a.Candidates[:min(len(a.Candidates), glyph.First)]), Unknown: a.Unknown, Ink: strokes, Parts: parts}
	c.Label, c.Confidence = c.Candidates[0].Label, c.Candidates[0].Probability
	c.Box.MinX, c.Box.MinY, c.Box.MaxX, c.Box.MaxY, _ = strokes.Bounds()
	return c, nil
}
