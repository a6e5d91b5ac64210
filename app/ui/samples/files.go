package samples

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

// Import asks for an ink file.
func (p *Page) Import() {
	if !p.win.Refuse() {
		p.win.ChooseFile(language.Tr("Import"), ink.Endings(), func(path string) { p.Take(path) })
	}
}

// ImportFolder asks for a folder with a folder of pictures for each class.
func (p *Page) ImportFolder() {
	if !p.win.Refuse() {
		p.win.ChooseFolder(language.Tr("Import pictures"), func(path string) { p.Take(path) })
	}
}

// Take reads files and folders in the background, asks who drew what lies in them, and stores that; what cannot be read is told.
func (p *Page) Take(paths ...string) {
	w, name := p.win, filepath.Base(paths[0])
	if more := len(paths) - 1; more > 0 {
		name = language.Tr("{{.Labels}} and {{.Count}} more", map[string]any{"Labels": name, "Count": more})
	}
	var found samples.Found
	var failed []error
	w.Importing(name, language.Tr("Reading…"), func(ctx context.Context, tell func(done, all int)) error {
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
			w.AskWhose(store)
		}
	})
}

// store stores what was found in the background, and tells what was not.
func (p *Page) store(name string, found samples.Found, failed []error, whose samples.Whose) {
	book, w := p.win.Book, p.win
	var result samples.Imported
	w.Importing(name, language.Tr("Saving…"), func(ctx context.Context, tell func(done, all int)) (err error) {
		result, err = book.Import(ctx, found, whose, tell)
		return err
	}, func() {
		result.Skipped = append(result.Skipped, failed...)
		p.imported(result)
	})
}

// imported says what came of an import, which can be undone.
func (p *Page) imported(result samples.Imported) {
	text := language.Tr("{{.Count}} added.", map[string]any{"Count": len(result.IDs)})
	if result.Known > 0 {
		text = language.Sentences(text, language.Tr("{{.Count}} there already.", language.Counted(result.Known)))
	}
	w, ids := p.win, result.IDs
	if n := len(result.Skipped); n > 0 {
		text = language.Sentences(text, language.Tr("{{.Count}} not taken:", language.Counted(n)))
		const most = 12
		for i, why := range result.Skipped {
			if i == most {
				text += "\n…"
				break
			}
			text += "\n" + language.Said(why)
		}
		w.ShowText(language.Tr("Import"), text)
	}
	if len(ids) == 0 {
		if len(result.Skipped) == 0 {
			w.Toast.Say(text)
		}
		return
	}
	w.Did(page.Action{Text: text, Back: language.Tr("Import undone."), Command: w.Book.Delete(ids...)})
	if len(result.Skipped) > 0 {
		w.Toast.Close()
	}
}

// Export asks what is to be exported, how and where.
func (p *Page) Export() { p.whenRead(p.askExport) }

func (p *Page) askExport() {
	if p.win.Refuse() {
		return
	}
	if total(p.gallery.classes) == 0 {
		p.win.Toast.Say(language.Tr("No samples yet"))
		return
	}
	var names, endings []string
	for _, f := range ink.Formats() {
		names, endings = append(names, f.Name), append(endings, f.Endings[0])
	}
	format := widget.NewDropDown(append(names, language.Tr("Pictures in folders (PNG)")), 0, nil)
	endings = append(endings, "") // of a folder
	which := []string{language.Tr("All samples")}
	filter, whole := p.gallery.filter()
	if whole && p.gallery.query != (query{}) {
		which = append(which, language.Tr("What is shown now ({{.Count}})", map[string]any{"Count": len(p.gallery.shown)}))
	}
	choice := widget.NewDropDown(which, len(which)-1, nil)
	p.win.Ask(language.Tr("Export"), language.Tr("Choose a place…"), 440, nil, func() {
		if choice.Selected == which[0] {
			filter = samples.Filter{}
		}
		if ending := endings[format.SelectedIndex()]; ending != "" {
			p.win.ChooseTarget(language.Tr("Export"), "inkshade"+ending, func(path string) { p.exportPath(path, filter) })
			return
		}
		p.win.ChooseFolder(language.Tr("Export"), func(path string) {
			p.exportPath(filepath.Join(path, "inkshade-"+time.Now().Format("20060102-150405")), filter)
		})
	}, toolkit.NewFormItem(language.Tr("What"), choice), toolkit.NewFormItem(language.Tr("Format"), format))
}

func (p *Page) exportPath(path string, f samples.Filter) {
	book, w := p.win.Book, p.win
	var n int
	w.Job(language.Tr("Exporting to {{.Name}}", map[string]any{"Name": filepath.Base(path)}), language.Tr("Saving…"), language.Tr("Nothing was exported"), language.Tr("Cancelled; nothing was exported."),
		func(ctx context.Context, tell func(done, all int)) (err error) {
			n, err = book.Samples().ExportFile(ctx, path, f, tell)
			return err
		}, func() {
			w.Toast.Say(language.Tr("{{.Count}} exported to {{.Path}}.", map[string]any{"Count": n, "Path": path}))
		})
}
