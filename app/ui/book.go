package ui

import (
	"inkshade/app/notebook"
	"inkshade/recognizer/nn"
)

// openBook opens the person's samples in the background. Until they are open, and when they
// cannot be opened, the window recognises without them.
func (w *Window) openBook() {
	open := w.opts.Open
	if open == nil {
		return
	}
	fetch(w, func() (book *notebook.Notebook, err error) {
		w.kept, err = open()
		return w.kept, err
	}, func(book *notebook.Notebook) {
		w.bookOpened(book)
		w.collectionsChanged()
		w.take(w.opts.Files)
	}, func(err error) {
		w.trace.write(Event{Event: "samples", Reason: err.Error()})
		w.notice.show(tr("Nothing can be saved: {{.Reason}}", map[string]any{"Reason": said(err.Error())}))
		w.train.fail(err)
		w.samples.show()
	})
}

// save does what waits for the disk away from the window, and then on the window's goroutine what
// follows, or failed.
func (w *Window) save(work func() error, then func(), failed func(error)) {
	fetch(w, func() (struct{}, error) { return struct{}{}, work() }, func(struct{}) { run(then) }, failed)
}

// fetch does the same with what gives something.
func fetch[T any](w *Window, work func() (T, error), then func(T), failed func(error)) {
	w.saves.do(func() func() {
		found, err := work()
		if err != nil {
			return func() { failed(err) }
		}
		return func() { then(found) }
	})
}

// tell says for a while what went wrong, warn until a person has read it.
func (w *Window) tell(err error) { w.toast.say(sentence(said(err.Error()))) }
func (w *Window) warn(err error) { w.notice.show(sentence(said(err.Error()))) }

func (w *Window) bookOpened(book *notebook.Notebook) {
	w.book = book
	w.trace.write(Event{Event: "samples", Reason: book.Store.Recovered().Path})
	if r := book.Store.Recovered(); r.Path != "" {
		w.notice.show(tr("The samples file was damaged and now lies at {{.Path}}. {{.Samples}} samples could be read from it and were kept.",
			map[string]any{"Path": r.Path, "Samples": r.Samples}))
	}
	w.memoryChanged()
	w.train.samplesOpened(book)
	w.useTrained()
	w.samples.changed()
}

// off does something long on a goroutine of its own; Close waits for it.
func (w *Window) off(f func()) { w.offs.Go(f) }

// away does the same with what gives something, and then what follows on the window's goroutine.
func away[T any](w *Window, work func() (T, error), then func(T, error)) {
	w.off(func() {
		found, err := work()
		w.opts.post(func() { then(found, err) })
	})
}

// memoryChanged answers anew in the light of what is remembered now.
func (w *Window) memoryChanged() {
	memory := w.book.Memory
	w.worker.change(func() { w.opts.Engine.Remember(memory) })
}

// useTrained puts the model in force that was trained from the one in use, if any, when
// both the model and the samples are there for the first time.
func (w *Window) useTrained() {
	if name := w.header.status.Model; w.book != nil && name != "" && !w.trained {
		w.useInForce(name, false)
	}
}

// useInForce puts the trained successor of a model that ships in use or, where there is none
// and shipped is set, the model itself. Where nobody chose one, what was trained from the former usual one comes before
// the usual one as it ships.
func (w *Window) useInForce(name string, shipped bool) {
	w.trained = true
	t := w.train.trainer
	names := []string{name}
	if w.opts.Former != "" && name == w.opts.Usual && w.opts.chosen[modelPreference] == "" {
		names = append(names, w.opts.Former)
	}
	fetch(w, func() (m *nn.Model, err error) {
		if t == nil {
			return nil, nil
		}
		for _, base := range names {
			if m, _, err = t.InForce(base, nil); m != nil || err != nil {
				name = base
				break
			}
		}
		return m, err
	}, func(m *nn.Model) {
		if m != nil || shipped {
			w.use(name, m)
		}
	}, w.warn)
}

// using is the action of putting a model of the history of base in force, 0 for the one that ships, in
// the place of the one before, and in use in the place of the one that answers now.
func (w *Window) using(text, base string, id, before int64) action {
	t, was := w.train.trainer, w.header.status.Model
	put := func(id int64) error {
		if t == nil {
			return nil
		}
		return t.Use(base, id)
	}
	return action{
		text: text,
		do:   func() error { return put(id) },
		undo: func() error { return put(before) },
		shown: func(done bool) {
			switch {
			case !done && was != base:
				w.answerBy(was)
			case was != base || w.header.status.Model == base:
				w.answerBy(base)
			}
			w.train.refresh()
			w.trace.write(Event{Event: "in-force", Label: idText(id)})
		},
	}
}

// answerBy puts a model, or its trained successor, in use and remembers it.
func (w *Window) answerBy(name string) {
	w.choice(modelPreference, w.opts.Library.NameOf(name))
	w.useInForce(name, true)
}

// use puts a model in use; a nil m is the one that ships under the name.
func (w *Window) use(name string, m *nn.Model) {
	w.worker.change(func() {
		if err := w.opts.Engine.Use(name, m); err != nil {
			w.opts.post(func() { w.warn(err) })
		}
	})
}
