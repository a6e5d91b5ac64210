package ui

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/app/collection"
	"inkshade/app/library"
	"inkshade/app/notebook"
	"inkshade/models"
	"inkshade/recognizer/samples"
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

// firstChoices are those of the first collection as version 0.1 kept them; they count until something else is chosen.
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
	if c.Folder == nil {
		w.app.Preferences().SetString(key, value)
		return
	}
	chosen := maps.Clone(c.chosen)
	w.save(func() error { return c.Folder.Choose(c.Name, chosen) }, nil, func(err error) {
		if w.book != nil { // else opening the samples tells
			w.warn(err)
		}
	})
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
		if w.kept != nil {
			err = w.kept.Close()
			w.kept = nil
		}
		if err == nil && between != nil {
			err = between()
		}
		if err == nil {
			if next, err = OpenCollection(w.app, folder, name); err == nil {
				book, err = next.Open()
			}
		}
		w.kept = book
		return err
	}, func() {
		w.enter(next, book)
		w.toast.say(words)
	}, func(err error) {
		w.tell(err)
		w.save(func() (err error) {
			if _, _, gone := folder.Find(before.Name); gone != nil { // renamed or removed just now; opening would make it anew
				before, err = OpenCollection(w.app, folder, collection.First)
			}
			if err == nil {
				book, err = before.Open()
			}
			w.kept = book
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

// collectionsChanged shows which collections there are now, and which is open.
func (w *Window) collectionsChanged() {
	folder, open := w.opts.Folder, w.opts.Name
	if folder == nil {
		return
	}
	w.win.SetTitle("Inkshade – " + collectionName(open))
	w.samples.classes.name.rename(theme.MenuDropDownIcon(), collectionName(open))
	w.samples.classes.name.Show()
	fetch(w, folder.Names, func(names []string) {
		w.collections = names
		w.win.SetMainMenu(w.menu())
	}, w.tell)
}

// collectionItems are the collections, and what can be done with the one that is open.
func (w *Window) collectionItems() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, name := range w.collections {
		item := fyne.NewMenuItem(collectionName(name), func() { w.openCollection(name, tr("{{.Name}} is open.", map[string]any{"Name": collectionName(name)})) })
		item.Checked = name == w.opts.Name
		items = append(items, item)
	}
	if len(items) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
	}
	first := w.opts.Name == collection.First
	rename, remove := greyed(fyne.NewMenuItem(tr("Rename…"), w.askRenameCollection), first), greyed(fyne.NewMenuItem(tr("Remove…"), w.askRemoveCollection), first)
	items = append(items, fyne.NewMenuItem(tr("New Collection…"), w.askNewCollection), rename, remove, fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem(tr("Export Collection…"), w.chooseCollectionExport), fyne.NewMenuItem(tr("Import Collection…"), w.chooseCollectionImport))
	for _, item := range items {
		greyed(item, w.opts.Folder == nil)
	}
	return items
}

// showCollections opens them as a menu under the name of the one that is open.
func (w *Window) showCollections() { w.dropDown(w.samples.classes.name, w.collectionItems()) }

// openCollection opens another collection, and says so in those words.
func (w *Window) openCollection(name, words string) {
	if name != w.opts.Name {
		w.moveTo(name, words, nil)
	}
}

// askCollectionName asks for a name that is free.
func (w *Window) askCollectionName(title, give, name string, then func(name string)) {
	entry := newLabelEntry(tr("My runes"), nil, nil)
	entry.SetText(name)
	entry.Validator = func(text string) error { return w.opts.Folder.Check(strings.TrimSpace(text)) }
	w.ask(title, give, 420, entry, func() { then(strings.TrimSpace(entry.Text)) }, widget.NewFormItem(tr("Name"), entry))
}

func (w *Window) askNewCollection() {
	folder := w.opts.Folder
	w.askCollectionName(tr("New collection"), tr("Make"), "", func(name string) {
		w.moveTo(name, tr("{{.Name}} is open.", map[string]any{"Name": name}), func() error { return folder.Make(name) })
	})
}

func (w *Window) askRenameCollection() {
	folder, from := w.opts.Folder, w.opts.Name
	w.askCollectionName(tr("Rename"), tr("Rename"), from, func(name string) {
		w.moveTo(name, tr("{{.Name}} is now called {{.New}}.", map[string]any{"Name": from, "New": name}), func() error { return folder.Rename(from, name) })
	})
}

func (w *Window) askRemoveCollection() {
	folder, name := w.opts.Folder, w.opts.Name
	fetch(w, func() (collection.Contents, error) { return folder.Contents(name) }, func(c collection.Contents) {
		named := map[string]any{"Name": name}
		w.confirm(tr("Remove {{.Name}}?", named), tr("Its {{.Drawings}} and {{.Models}} will be deleted for good. Export it first if you may want them again.",
			map[string]any{"Drawings": drawingCount(c.Samples), "Models": modelCount(c)}), tr("Remove"), tr("Keep it"), func() {
			w.moveTo(collection.First, tr("{{.Name}} removed.", named), func() error { return folder.Remove(name) })
		})
	}, w.tell)
}

func (w *Window) chooseCollectionExport() {
	w.chooseTarget(tr("Export collection"), collectionName(w.opts.Name)+collection.Ending, w.exportCollection)
}

// exportCollection writes the collection that is open to a file, in the background.
func (w *Window) exportCollection(path string) {
	folder, name, chosen := *w.opts.Folder, w.opts.Name, maps.Clone(w.opts.chosen)
	var c collection.Contents
	w.job(tr("Exporting to {{.Name}}", map[string]any{"Name": filepath.Base(path)}), tr("Saving…"), tr("Nothing was exported"), tr("Cancelled; nothing was exported."),
		func(ctx context.Context, tell func(done, all int)) (err error) {
			if err = folder.Choose(name, chosen); err == nil { // of the first it may stand where version 0.1 kept it
				c, err = folder.Export(ctx, name, path, tell)
			}
			return err
		}, func() {
			w.toast.say(sentences(contentsWords(collectionName(name), c), tr("Exported to {{.Path}}.", map[string]any{"Path": path})))
		})
}

func (w *Window) chooseCollectionImport() {
	w.chooseFile(tr("Import collection"), []string{collection.Ending}, w.importCollection)
}

// importCollection asks who drew what is in a file of a collection, makes one of it in the background, and opens that.
func (w *Window) importCollection(path string) {
	folder, file := *w.opts.Folder, filepath.Base(path)
	check := func(ctx context.Context, _ func(done, all int)) error { return collection.Check(ctx, path) }
	w.importing(file, tr("Reading…"), check, func() {
		w.askWhose(func(whose samples.Whose) {
			var name string
			var c collection.Contents
			w.importing(file, tr("Reading…"), func(ctx context.Context, tell func(done, all int)) (err error) {
				name, c, err = folder.Import(ctx, path, "", whose, tell)
				return err
			}, func() { w.openCollection(name, contentsWords(name, c)) })
		})
	})
}

func contentsWords(name string, c collection.Contents) string {
	return tr("{{.Name}}: {{.Drawings}}, {{.Models}}.", map[string]any{"Name": name, "Drawings": drawingCount(c.Samples), "Models": modelCount(c)})
}

func modelCount(c collection.Contents) string {
	n := c.Trained + c.Imported
	return oneOrMany(n, tr("1 model"), tr("{{.Count}} models", counted(n)))
}
