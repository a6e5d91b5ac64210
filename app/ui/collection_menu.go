package ui

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/app/collection"
	"inkshade/recognizer/samples"
)

// collectionsChanged shows which collections there are now, and which is open.
func (w *Window) collectionsChanged() {
	folder, open := w.opts.Folder, w.opts.Name
	if folder == nil {
		return
	}
	w.win.SetTitle("Inkshade – " + collectionName(open))
	w.samples.classes.name.rename(theme.MenuDropDownIcon(), collectionName(open))
	w.samples.classes.name.Show()
	var names []string
	w.save(func() (err error) {
		names, err = folder.Names()
		return err
	}, func() {
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
	rename, remove := fyne.NewMenuItem(tr("Rename…"), w.askRenameCollection), fyne.NewMenuItem(tr("Remove…"), w.askRemoveCollection)
	rename.Disabled = w.opts.Name == collection.First
	remove.Disabled = rename.Disabled
	items = append(items, fyne.NewMenuItem(tr("New Collection…"), w.askNewCollection), rename, remove, fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem(tr("Export Collection…"), w.chooseCollectionExport), fyne.NewMenuItem(tr("Import Collection…"), w.chooseCollectionImport))
	for _, item := range items {
		item.Disabled = item.Disabled || w.opts.Folder == nil
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
	entry.Validator = func(text string) error {
		if err := w.opts.Folder.Check(strings.TrimSpace(text)); err != nil {
			return errors.New(said(err.Error()))
		}
		return nil
	}
	w.ask(title, give, fyne.NewSize(440, 180), entry, func() { then(strings.TrimSpace(entry.Text)) }, widget.NewFormItem(tr("Name"), entry))
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
	var c collection.Contents
	w.save(func() (err error) {
		c, err = folder.Contents(name)
		return err
	}, func() {
		named := map[string]any{"Name": name}
		w.confirm(tr("Remove {{.Name}}?", named), tr("Its {{.Samples}} drawings and {{.Models}} models will be deleted for good. Export it first if you may want them again.",
			map[string]any{"Samples": c.Samples, "Models": c.Trained + c.Imported}), tr("Remove {{.Name}}", named), tr("Keep it"), func() {
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
	w.job(tr("Exporting to {{.Name}}", map[string]any{"Name": filepath.Base(path)}), tr("Saving…"), tr("Export collection"), tr("Cancelled; nothing was exported."),
		func(ctx context.Context, tell func(done, all int)) (err error) {
			if err = folder.Choose(name, chosen); err == nil { // of the first it may stand in the preferences alone
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

// importCollection asks who drew what is in a file, makes a collection of it in the background, and opens that.
func (w *Window) importCollection(path string) {
	folder := *w.opts.Folder
	w.askWhose(func(whose samples.Whose) {
		var name string
		var c collection.Contents
		w.job(tr("Importing {{.Name}}", map[string]any{"Name": filepath.Base(path)}), tr("Reading…"), tr("Import collection"), tr("Cancelled; nothing was imported."),
			func(ctx context.Context, tell func(done, all int)) (err error) {
				name, c, err = folder.Import(ctx, path, "", whose, tell)
				return err
			}, func() { w.openCollection(name, contentsWords(name, c)) })
	})
}

func contentsWords(name string, c collection.Contents) string {
	return tr("{{.Name}}: {{.Samples}} drawings of {{.Labels}} characters, {{.Models}} models.",
		map[string]any{"Name": name, "Samples": c.Samples, "Labels": c.Labels, "Models": c.Trained + c.Imported})
}
