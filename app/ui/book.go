package ui

import (
	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/recognizer/nn"
)

// openBook opens the person's samples in the background. Until they are open, and when they
// cannot be opened, the window recognises without them.
func (w *Window) openBook() {
	open := w.opts.Open
	if open == nil {
		return
	}
	page.Fetch(w.Frame, func() (book *state.Collection, err error) {
		w.kept, err = open()
		return w.kept, err
	}, func(book *state.Collection) {
		w.bookOpened(book)
		w.collectionsChanged()
		w.take(w.opts.Files)
	}, func(err error) {
		w.Trace.Write(page.Event{Event: "samples", Reason: err.Error()})
		w.Notice.Say(language.Tr("Nothing can be saved: {{.Reason}}", map[string]any{"Reason": language.Said(err.Error())}))
		w.Problem = err
		w.Each(func(p *page.Page) func() { return p.Book })
	})
}

func (w *Window) bookOpened(book *state.Collection) {
	w.Book = book
	w.Trace.Write(page.Event{Event: "samples", Reason: book.Store.Recovered().Path})
	if r := book.Store.Recovered(); r.Path != "" {
		w.Notice.Say(language.Tr("The samples file was damaged and now lies at {{.Path}}. {{.Samples}} samples could be read from it and were kept.",
			map[string]any{"Path": r.Path, "Samples": r.Samples}))
	}
	if problem := w.opts.problem; problem != nil {
		w.Warn(problem)
	}
	w.memoryChanged()
	w.Each(func(p *page.Page) func() { return p.Book })
	w.useTrained()
}

// memoryChanged answers anew in the light of what is remembered now.
func (w *Window) memoryChanged() {
	memory := w.Book.Memory
	w.Worker.Change(func() { w.opts.Engine.Remember(memory) })
}

// useTrained puts the model in force that was trained from the one in use, if any, when
// both the model and the samples are there for the first time.
func (w *Window) useTrained() {
	if name := w.Status.Model; w.Book != nil && name != "" && !w.trained {
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
	page.Fetch(w.Frame, func() (m *nn.Model, err error) {
		if t == nil {
			return nil, nil
		}
		for _, base := range names {
			if m, _, err = t.ActiveModel(base, nil); m != nil || err != nil {
				name = base
				break
			}
		}
		return m, err
	}, func(m *nn.Model) {
		if m != nil || shipped {
			w.use(name, m)
		}
	}, w.Warn)
}

// using is the action of putting a model of the history of base in force, 0 for the one that ships, in
// the place of the one before, and in use in the place of the one that answers now.
func (w *Window) using(text, base string, id, before int64) page.Action {
	was, command := w.Status.Model, state.All()
	if t := w.train.trainer; t != nil {
		command = t.Activate(base, id, before)
	}
	return page.Action{
		Text:    text,
		Command: command,
		Shown: func(done bool) {
			switch {
			case !done && was != base:
				w.answerBy(was)
			case was != base || w.Status.Model == base:
				w.answerBy(base)
			}
			w.train.refresh()
			w.Trace.Write(page.Event{Event: "in-force", Label: idText(id)})
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
	w.Worker.Change(func() {
		if err := w.opts.Engine.Use(name, m); err != nil {
			w.Post(func() { w.Warn(err) })
		}
	})
}
