package ui

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"inkshade/app/state"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/samples"
)

// moveTo closes the collection that is open, does something in between, if anything, opens the one of that name,
// and says those words. Where that fails the one before is open again, or the first where that is gone. What waits for the disk is stored before.
func (w *Window) moveTo(name, words string, between func() error) {
	w.afterWork(func() { w.move(name, words, between) })
}

// afterWork does something once nothing is under way on the pages and what waits for the disk is stored.
func (w *Window) afterWork(do func()) {
	w.WhenIdle(func() {
		if w.Jobs > 0 {
			w.Toast.Say(language.Tr("Something is being imported, exported or measured; wait for its end or cancel it."))
			return
		}
		w.Each(func(p *page.Page) func() { return p.Leaving })
		w.Save(func() error { return nil }, do, nil)
	})
}

// change is moveTo for what is done to the collection that is open; where it is open elsewhere, too, it stays open, with what can be undone.
func (w *Window) change(name, words string, between func() error) {
	book, open := w.Book, w.Collection.Name
	w.Save(func() error {
		if book == nil { // it could not be opened
			return nil
		}
		return book.Alone(open)
	}, func() { w.moveTo(name, words, between) }, w.Tell)
}

func (w *Window) move(name, words string, between func() error) {
	before, folder := w.Collection, *w.Collection.Folder
	w.Book, w.Trained = nil, true
	w.State.Forget()
	w.Toast.Close()
	w.Each(func(p *page.Page) func() { return p.Left })
	var next page.Collection
	var book *state.Collection
	w.Save(func() (err error) {
		if w.kept != nil {
			err = w.kept.Close()
			w.kept = nil
		}
		if err == nil && between != nil {
			err = between()
		}
		if err == nil {
			if next, err = page.OpenCollection(w.App, folder, name); err == nil {
				book, err = next.Open()
			}
		}
		w.kept = book
		return err
	}, func() {
		w.enter(next, book)
		w.Toast.Say(words)
	}, func(err error) {
		w.Tell(err)
		w.Save(func() (err error) {
			if _, _, gone := folder.Find(before.Name); gone != nil { // renamed or removed just now; opening would make it anew
				before, err = page.OpenCollection(w.App, folder, state.First)
			}
			if err == nil {
				book, err = before.Open()
			}
			w.kept = book
			return err
		}, func() { w.enter(before, book) }, w.Warn)
	})
}

// enter shows a collection whose samples are open.
func (w *Window) enter(c page.Collection, book *state.Collection) {
	w.Collection = c
	setting.Collection.Set(w.App.Preferences(), c.Name)
	w.bookOpened(book)
	w.UseInForce(c.Model(w.Usual), true)
	w.UseWordsInForce(true)
	w.Save(func() error { return nil }, w.draw.Restrict, nil) // when the model is there
	w.collectionsChanged()
}

// openBook opens the person's samples in the background; meanwhile, and where they cannot be opened, the window recognises without them.
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
		w.UseWordsInForce(false)
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
	w.Trace.Write(page.Event{Event: "samples", Reason: book.Samples().Recovered().Path})
	if r := book.Samples().Recovered(); r.Path != "" {
		values := map[string]any{"Path": r.Path, "Samples": r.Samples}
		w.Notice.Say(language.OneOrMany(r.Samples, language.Tr("The samples file was damaged and now lies at {{.Path}}. 1 sample could be read from it and was kept.", values),
			language.Tr("The samples file was damaged and now lies at {{.Path}}. {{.Samples}} samples could be read from it and were kept.", values)))
	}
	if problem := w.Collection.Problem; problem != nil {
		w.Warn(problem)
	}
	w.MemoryChanged()
	w.Each(func(p *page.Page) func() { return p.Book })
	w.UseTrained()
}

func collectionName(name string) string {
	if name == state.First {
		return language.Tr("My handwriting")
	}
	return name
}

// collectionsChanged shows which collections there are now, and which is open.
func (w *Window) collectionsChanged() {
	folder, open := w.Collection.Folder, w.Collection.Name
	if folder == nil {
		return
	}
	title := "Inkshade – " + collectionName(open)
	if who := setting.Writer.Get(w.App.Preferences()); who != "" {
		title += " – " + who
	}
	w.Win.SetTitle(title)
	w.samples.Name(collectionName(open))
	page.Fetch(w.Frame, folder.Names, func(names []string) {
		w.collections = names
		w.Menu()
	}, w.Tell)
}

// returned shows what was done to the collections elsewhere, such as in the panel or on the command line, while another window had the keys.
func (w *Window) returned() {
	if w.Book == nil {
		return
	}
	book := w.Book
	page.Fetch(w.Frame, book.CatchUp, func(changed bool) {
		if changed && book == w.Book {
			w.Changed()
			w.UseOthers()
		}
	}, w.Warn)
	w.models.Refresh()
	if folder := w.Collection.Folder; folder != nil {
		page.Fetch(w.Frame, folder.Names, func(names []string) {
			if !slices.Equal(names, w.collections) {
				w.collections = names
				w.Menu()
			}
		}, w.Warn)
	}
}

// collectionItems are the collections, and what can be done with the one that is open.
func (w *Window) collectionItems() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	folder, open := w.Collection.Folder, w.Collection.Name
	add := func(name string, grey bool, do func()) {
		items = append(items, w.Item(&page.Command{Name: name, Do: do, Grey: grey || folder == nil}))
	}
	isOpen := func(name string) string {
		return language.Tr("{{.Name}} is open.", map[string]any{"Name": collectionName(name)})
	}
	for _, name := range w.collections {
		add(collectionName(name), false, func() { w.openCollection(name, isOpen(name)) })
		widget.Last(items).Checked = name == open
	}
	if len(items) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
	}
	add(language.Tr("New Collection…"), false, func() {
		w.askCollectionName(language.Tr("New collection"), language.Tr("Make"), "", "", func(name string) {
			w.moveTo(name, isOpen(name), func() error { return folder.Make(name) })
		})
	})
	add(language.Tr("Rename…"), open == state.First, func() {
		hint := ""
		if len(w.State.Past())+len(w.State.Undone()) > 0 {
			hint = language.Tr("What was done so far can no longer be undone then.")
		}
		w.askCollectionName(language.Tr("Rename"), language.Tr("Rename"), open, hint, func(name string) {
			w.change(name, language.Tr("{{.Name}} is now called {{.New}}.", map[string]any{"Name": open, "New": name}), func() error { return folder.Rename(open, name) })
		})
	})
	add(language.Tr("Remove…"), open == state.First, w.askRemoveCollection)
	add(language.Tr("Who Writes…"), false, w.askWriter)
	items = append(items, fyne.NewMenuItemSeparator())
	add(language.Tr("Export Collection…"), false, func() {
		w.ChooseTarget(language.Tr("Export collection"), collectionName(open)+state.Ending, w.exportCollection)
	})
	add(language.Tr("Import Collection…"), false, func() {
		w.ChooseFile(language.Tr("Import collection"), []string{state.Ending}, w.importCollection)
	})
	return items
}

func (w *Window) openCollection(name, words string) {
	if name != w.Collection.Name {
		w.moveTo(name, words, nil)
	}
}

// askCollectionName asks for a name that is free.
func (w *Window) askCollectionName(title, give, name, hint string, then func(name string)) {
	check := func(text string) error { return w.Collection.Folder.Check(strings.TrimSpace(text)) }
	w.AskText(title, give, language.Tr("Name"), language.Tr("My runes"), name, hint, check, func(text string) { then(strings.TrimSpace(text)) })
}

// askWriter asks whose name new samples get, and answers by what that person drew.
func (w *Window) askWriter() {
	p := w.App.Preferences()
	hint := language.Tr("New drawings get this name, and corrections count for it alone. Empty for your own.")
	check := func(text string) error { return samples.CheckText(strings.TrimSpace(text)) }
	w.AskText(language.Tr("Who writes"), language.Tr("Use"), language.Tr("Name"), "", setting.Writer.Get(p), hint, check, func(text string) {
		setting.Writer.Set(p, strings.TrimSpace(text))
		w.collectionsChanged()
		w.returned()
	})
}

func (w *Window) askRemoveCollection() {
	folder, name := w.Collection.Folder, w.Collection.Name
	page.Fetch(w.Frame, func() (state.Contents, error) { return folder.Contents(name) }, func(c state.Contents) {
		named := map[string]any{"Name": name}
		w.Confirm(language.Tr("Remove {{.Name}}?", named), language.Tr("Its {{.Drawings}} and {{.Models}} will be deleted for good. Export it first if you may want them again.",
			map[string]any{"Drawings": language.DrawingCount(c.Samples), "Models": modelCount(c)}), language.Tr("Remove"), language.Tr("Keep it"), func() {
			w.change(state.First, language.Tr("{{.Name}} removed.", named), func() error { return folder.Remove(name) })
		})
	}, w.Tell)
}

func (w *Window) exportCollection(path string) {
	folder, name, chosen := *w.Collection.Folder, w.Collection.Name, maps.Clone(w.Collection.Chosen)
	var c state.Contents
	w.Job(language.Tr("Exporting to {{.Name}}", map[string]any{"Name": filepath.Base(path)}), language.Tr("Saving…"), language.Tr("Nothing was exported"), language.Tr("Cancelled; nothing was exported."),
		func(ctx context.Context, tell func(done, all int)) (err error) {
			if err = folder.Choose(name, chosen); err == nil { // of the first it may stand where version 0.1 kept it
				c, err = folder.Export(ctx, name, path, tell)
			}
			return err
		}, func() {
			w.Toast.Say(language.Sentences(contentsWords(collectionName(name), c), language.Tr("Exported to {{.Path}}.", map[string]any{"Path": path})))
		})
}

// importCollection asks who drew what is in a file of a collection, makes one of it in the background, and opens that.
func (w *Window) importCollection(path string) {
	folder, file := *w.Collection.Folder, filepath.Base(path)
	check := func(ctx context.Context, _ func(done, all int)) error { return state.CheckFile(ctx, path) }
	w.Importing(file, language.Tr("Reading…"), check, func() {
		w.AskWhose(func(whose samples.Whose) {
			var name string
			var c state.Contents
			w.Importing(file, language.Tr("Reading…"), func(ctx context.Context, tell func(done, all int)) (err error) {
				name, c, err = folder.Import(ctx, path, "", whose, tell)
				return err
			}, func() { w.openCollection(name, contentsWords(name, c)) })
		})
	})
}

func contentsWords(name string, c state.Contents) string {
	return language.Tr("{{.Name}}: {{.Drawings}}, {{.Models}}.", map[string]any{"Name": name, "Drawings": language.DrawingCount(c.Samples), "Models": modelCount(c)})
}

func modelCount(c state.Contents) string {
	n := c.Trained + c.Imported
	return language.OneOrMany(n, language.Tr("1 model"), language.Tr("{{.Count}} models", language.Counted(n)))
}
