package ui

import (
	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
)

// openBook opens the person's samples in the background. Until they are open, and when they
// cannot be opened, the window recognises without them.
func (w *Window) openBook() {
	open := w.Collection.Open
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
		w.Notice.Say(language.Tr("Nothing can be saved: {{.Reason}}", map[string]any{"Reason": language.Said(err)}))
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
	if problem := w.Collection.Problem; problem != nil {
		w.Warn(problem)
	}
	w.MemoryChanged()
	w.Each(func(p *page.Page) func() { return p.Book })
	w.UseTrained()
}
