package ui

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"fyne.io/fyne/v2/widget"

	"inkshade/recognizer/samples"
)

// exportFormats are the formats with their endings; pictures go to a folder, without one.
var exportFormats = []struct{ name, ending string }{
	{"JSON Lines", ".jsonl"},
	{"InkML", ".inkml"},
	{"UNIPEN", ".unipen"},
	{"PNG", ""},
}

var inkEndings = []string{".jsonl", ".json", ".ndjson", ".inkml", ".xml", ".unipen", ".unp", ".dat", ".txt", ".gz"}

// chooseImport asks for an ink file.
func (p *samplesPage) chooseImport() {
	if !p.refuse() {
		p.win.chooseFile(tr("Import"), inkEndings, func(path string) { p.askImport(path) })
	}
}

// chooseImportFolder asks for a folder with a folder of pictures for each class.
func (p *samplesPage) chooseImportFolder() {
	if !p.refuse() {
		p.win.chooseFolder(tr("Import pictures"), func(path string) { p.askImport(path) })
	}
}

// refuse says why nothing can be imported or exported, if nothing can.
func (p *samplesPage) refuse() bool {
	if p.win.book == nil {
		p.win.toast.say(tr("Nothing can be saved: your samples are not open."))
	}
	return p.win.book == nil
}

// askImport reads files and folders in the background, asks who drew what lies in them, and stores that. What cannot be read
// is told, and keeps nothing else from being imported.
func (p *samplesPage) askImport(paths ...string) {
	w, name := p.win, filepath.Base(paths[0])
	if more := len(paths) - 1; more > 0 {
		name = tr("{{.Labels}} and {{.Count}} more", map[string]any{"Labels": name, "Count": more})
	}
	var found samples.Found
	var failed []error
	w.importing(name, tr("Reading…"), func(ctx context.Context, tell func(done, all int)) error {
		for i, path := range paths {
			more, err := samples.Find(ctx, path, func(done, all int) { tell(i*all+done, len(paths)*all+1) }) // it is not saved after that
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if found = append(found, more...); err != nil {
				failed = append(failed, err)
			}
		}
		if len(failed) == len(paths) {
			return errors.Join(failed...)
		}
		return nil
	}, func() {
		if store := func(whose samples.Whose) { p.store(name, found, failed, whose) }; found.Nothing() {
			store(samples.Stated)
		} else {
			w.askWhose(store)
		}
	})
}

// store stores what was found in the background, and tells what was not.
func (p *samplesPage) store(name string, found samples.Found, failed []error, whose samples.Whose) {
	book, w := p.win.book, p.win
	var result samples.Imported
	w.importing(name, tr("Saving…"), func(ctx context.Context, tell func(done, all int)) (err error) {
		result, err = book.Import(ctx, found, whose, tell)
		return err
	}, func() {
		for _, err := range failed {
			result.Skipped = append(result.Skipped, said(err.Error()))
		}
		p.imported(result)
	})
}

// importing is a job of an import.
func (w *Window) importing(name, first string, work func(ctx context.Context, tell func(done, all int)) error, then func()) {
	w.job(tr("Importing {{.Name}}", map[string]any{"Name": name}), first, tr("Nothing was imported"), tr("Cancelled; nothing was imported."), work, then)
}

// imported says what came of an import, which can be undone.
func (p *samplesPage) imported(result samples.Imported) {
	text := tr("{{.Count}} added.", map[string]any{"Count": len(result.IDs)})
	if result.Known > 0 {
		text = sentences(text, tr("{{.Count}} there already.", counted(result.Known)))
	}
	w, ids := p.win, result.IDs
	if n := len(result.Skipped); n > 0 {
		text = sentences(text, tr("{{.Count}} not taken:", counted(n)))
		const most = 12
		for i, why := range result.Skipped {
			if i == most {
				text += "\n…"
				break
			}
			text += "\n" + said(why)
		}
		w.showText(tr("Import"), text)
	}
	if len(ids) == 0 {
		if len(result.Skipped) == 0 {
			w.toast.say(text)
		}
		return
	}
	a := w.added(text, ids)
	a.back = tr("Import undone.")
	w.changes.did(a)
	if len(result.Skipped) > 0 {
		w.toast.hide()
	}
}

// chooseExport asks what is to be exported, how and where.
func (p *samplesPage) chooseExport() { p.whenRead(p.askExport) }

func (p *samplesPage) askExport() {
	if p.refuse() {
		return
	}
	if total(p.gallery.classes) == 0 {
		p.win.toast.say(tr("No samples yet"))
		return
	}
	var names []string
	for _, f := range exportFormats {
		name := f.name
		if f.ending == "" {
			name = tr("Pictures in folders (PNG)")
		}
		names = append(names, name)
	}
	format := newDropDown(names, 0, nil)
	which := []string{tr("All samples")}
	filter, whole := p.gallery.filter()
	if whole && p.gallery.query != (query{}) {
		which = append(which, tr("What is shown now ({{.Count}})", map[string]any{"Count": len(p.gallery.shown)}))
	}
	choice := newDropDown(which, len(which)-1, nil)
	p.win.ask(tr("Export"), tr("Choose a place…"), 440, nil, func() {
		if choice.Selected == which[0] {
			filter = samples.Filter{}
		}
		p.chooseTarget(exportFormats[format.SelectedIndex()].ending, filter)
	}, widget.NewFormItem(tr("What"), choice), widget.NewFormItem(tr("Format"), format))
}

// chooseTarget asks where an export goes.
func (p *samplesPage) chooseTarget(ending string, f samples.Filter) {
	if ending == "" {
		p.win.chooseFolder(tr("Export"), func(path string) {
			p.exportPath(filepath.Join(path, "inkshade-"+time.Now().Format("20060102-150405")), f)
		})
		return
	}
	p.win.chooseTarget(tr("Export"), "inkshade"+ending, func(path string) { p.exportPath(path, f) })
}

// exportPath exports to a file or a folder in the background.
func (p *samplesPage) exportPath(path string, f samples.Filter) {
	book, w := p.win.book, p.win
	var n int
	w.job(tr("Exporting to {{.Name}}", map[string]any{"Name": filepath.Base(path)}), tr("Saving…"), tr("Nothing was exported"), tr("Cancelled; nothing was exported."),
		func(ctx context.Context, tell func(done, all int)) (err error) {
			n, err = book.Store.ExportFile(ctx, path, f, tell)
			return err
		}, func() { w.toast.say(tr("{{.Count}} exported to {{.Path}}.", map[string]any{"Count": n, "Path": path})) })
}
