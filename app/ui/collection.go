package ui

import (
	"cmp"
	"maps"
	"slices"

	"fyne.io/fyne/v2"

	"inkshade/app/collection"
	"inkshade/app/library"
	"inkshade/app/notebook"
	"inkshade/models"
)

// Collection is what belongs to a collection of samples, and changes with it.
type Collection struct {
	// Folder has all collections; nil for a window that has only one.
	Folder *collection.Folder
	// Name is that of the collection.
	Name string
	// Open opens its samples, on a goroutine of its own; nil for a window that keeps nothing.
	Open func() (*notebook.Notebook, error)
	// Library keeps the models that the person opened in it.
	Library library.Library
	// Models are the names of the models that can be chosen.
	Models []string

	chosen map[string]string // model, classes and own set, by the keys of the preferences
}

const collectionPreference = "collection"

// OpenCollection finds a collection of a data folder. An empty name is that of the one that was open last time, or
// of the first where that is gone.
func OpenCollection(a fyne.App, f collection.Folder, name string) (Collection, error) {
	found, dir, err := f.Find(cmp.Or(name, a.Preferences().String(collectionPreference)))
	if err != nil && name == "" {
		found, dir, err = f.Find(collection.First)
	}
	if err != nil {
		return Collection{}, err
	}
	c := Collection{Folder: &f, Name: found, Open: func() (*notebook.Notebook, error) { return notebook.Open(dir) }, chosen: f.Choices(found)}
	if c.chosen == nil {
		c.chosen = map[string]string{}
		if found == collection.First {
			c.chosen = firstChoices(a)
		}
	}
	if c.Library, err = library.Open(dir); err != nil {
		return c, err
	}
	imported, _ := c.Library.Names() // where they cannot be read, opening the samples tells
	c.Models = models.Names()
	for _, name := range imported {
		c.Models = append(c.Models, c.Library.Resolve(name))
	}
	return c, nil
}

// firstChoices are those of the first collection as version 0.1 kept them.
func firstChoices(a fyne.App) map[string]string {
	chosen := map[string]string{}
	for _, key := range []string{modelPreference, classesPreference, ownPreference} {
		chosen[key] = a.Preferences().String(key)
	}
	return chosen
}

// Model is the model that was chosen last time for the collection, or else the one given.
func (c *Collection) Model(otherwise string) string {
	if name := c.Library.Resolve(c.chosen[modelPreference]); slices.Contains(c.Models, name) {
		return name
	}
	return otherwise
}

// choice remembers what was chosen for the collection.
func (w *Window) choice(key, value string) {
	c := w.opts.Collection
	if c.chosen[key] == value {
		return
	}
	c.chosen[key] = value
	if c.Folder == nil || c.Name == collection.First {
		w.app.Preferences().SetString(key, value)
	}
	if chosen := maps.Clone(c.chosen); c.Folder != nil {
		w.save(func() error { return c.Folder.Choose(c.Name, chosen) }, nil, w.warn)
	}
}

// moveTo closes the collection that is open, does something in between, if anything, opens the one of that name,
// and says those words. Where that fails the one before is open again, or the first where that is gone. What waits for the disk is stored before.
func (w *Window) moveTo(name, words string, between func() error) {
	w.train.whenIdle(func() {
		if w.jobs > 0 {
			w.toast.say(tr("Something is being imported, exported or measured; wait for its end or cancel it."))
			return
		}
		if w.samples.guided.content.Visible() {
			w.samples.guided.finish()
		}
		w.save(func() error { return nil }, func() { w.move(name, words, between) }, nil)
	})
}

func (w *Window) move(name, words string, between func() error) {
	before, folder := w.opts.Collection, *w.opts.Folder
	w.leave()
	var next Collection
	var book *notebook.Notebook
	w.save(func() (err error) {
		select {
		case old := <-w.opened:
			if old != nil {
				err = old.Close()
			}
		default:
		}
		if err == nil && between != nil {
			err = between()
		}
		if err == nil {
			if next, err = OpenCollection(w.app, folder, name); err == nil {
				book, err = next.Open()
			}
		}
		w.opened <- book
		return err
	}, func() {
		w.enter(next, book)
		w.toast.say(words)
	}, func(err error) {
		w.tell(err)
		w.save(func() (err error) {
			<-w.opened
			if _, _, gone := folder.Find(before.Name); gone != nil { // renamed or removed just now; opening would make it anew
				before, err = OpenCollection(w.app, folder, collection.First)
			}
			if err == nil {
				book, err = before.Open()
			}
			w.opened <- book
			return err
		}, func() { w.enter(before, book) }, w.warn)
	})
}

// leave forgets on all pages what belongs to the collection that is open.
func (w *Window) leave() {
	w.book, w.trained = nil, true
	w.changes.past, w.changes.undone = nil, nil
	w.toast.hide()
	w.train.collectionLeft()
	w.models.collectionLeft()
	w.samples.collectionLeft()
	w.lessonChanged()
	w.historyChanged()
}

// enter shows a collection whose samples are open.
func (w *Window) enter(c Collection, book *notebook.Notebook) {
	w.opts.Collection = c
	w.app.Preferences().SetString(collectionPreference, c.Name)
	w.classes = w.chosenClasses()
	w.bookOpened(book)
	w.useInForce(c.Model(w.opts.Usual), true)
	w.save(func() error { return nil }, func() { w.restrict(w.classes) }, nil) // when the model is there
	w.collectionsChanged()
}

// collectionName is what people call a collection.
func collectionName(name string) string {
	if name == collection.First {
		return tr("My handwriting")
	}
	return name
}
