package ui

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/widget"

	"inkshade/app/notebook"
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
	if p.refuse() {
		return
	}
	d := dialog.NewFileOpen(func(r fyne.URIReadCloser, err error) {
		if err != nil || r == nil {
			return
		}
		path := r.URI().Path()
		_ = r.Close() // it is read by its path, which tells its size
		p.importPath(path)
	}, p.win.win)
	d.SetFilter(storage.NewExtensionFileFilter(inkEndings))
	p.win.browseFiles(d, tr("Import"))
}

// chooseImportFolder asks for a folder with a folder of pictures for each class.
func (p *samplesPage) chooseImportFolder() {
	if p.refuse() {
		return
	}
	d := dialog.NewFolderOpen(func(l fyne.ListableURI, err error) {
		if err == nil && l != nil {
			p.importPath(l.Path())
		}
	}, p.win.win)
	p.win.browseFiles(d, tr("Import pictures"))
}

// refuse says why nothing can be imported or exported, if nothing can.
func (p *samplesPage) refuse() bool {
	if p.win.book == nil {
		p.win.toast.say(tr("Nothing can be saved: your samples are not open."))
	}
	return p.win.book == nil
}

// browseFiles shows a dialog of files as large as is useful; Escape closes it.
func (w *Window) browseFiles(d *dialog.FileDialog, title string) {
	s := w.win.Canvas().Size()
	d.SetTitleText(title)
	d.Resize(fyne.NewSize(min(s.Width-60, 900), min(s.Height-60, 620)))
	w.modal = d
	d.Show()
}

// importPath imports a file or a folder in the background.
func (p *samplesPage) importPath(path string) {
	book, w := p.win.book, p.win
	p.job(tr("Importing {{.Name}}", map[string]any{"Name": filepath.Base(path)}), tr("Reading…"), func(ctx context.Context, tell func(share float64)) func() {
		result, err := book.Import(ctx, path, shareTold(tell))
		return func() {
			switch {
			case errors.Is(err, notebook.ErrCancelled):
				w.toast.say(tr("Cancelled; nothing was imported."))
			case err != nil:
				w.showFailure(tr("Import"), err)
			default:
				p.imported(result)
			}
		}
	})
}

// shareTold tells a job's share of what is done.
func shareTold(tell func(share float64)) samples.Progress {
	return func(done, all int) {
		if all > 0 {
			tell(float64(done) / float64(all))
		}
	}
}

// imported says what came of an import, which can be undone.
func (p *samplesPage) imported(result samples.Imported) {
	text := tr("{{.Count}} added.", map[string]any{"Count": len(result.IDs)})
	if result.Known > 0 {
		text = sentences(text, tr("{{.Count}} there already.", counted(result.Known)))
	}
	w, book, ids := p.win, p.win.book, result.IDs
	p.happened()
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
	// Undoing an import deletes; doing it again brings the same samples back.
	var deletion samples.Deletion
	undo := func() (err error) { deletion, err = book.Delete(ids...); return err }
	again := func() (func() error, error) { return undo, book.Restore(deletion) }
	p.deeds.did(deed{text: text, do: again}, undo)
	p.deeds.future = nil
	if len(result.Skipped) == 0 {
		w.toast.offer(text, p.undo)
	}
}

// chooseExport asks what is to be exported, how and where.
func (p *samplesPage) chooseExport() { p.whenRead(p.askExport) }

func (p *samplesPage) askExport() {
	if p.refuse() {
		return
	}
	if len(p.gallery.all) == 0 {
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
	format := widget.NewSelect(names, nil)
	format.SetSelectedIndex(0)
	which := []string{tr("All samples")}
	filter, whole := p.gallery.filter()
	if whole && p.gallery.query != (query{}) {
		which = append(which, tr("What is shown now ({{.Count}})", map[string]any{"Count": len(p.gallery.shown)}))
	}
	choice := widget.NewRadioGroup(which, nil)
	choice.SetSelected(which[len(which)-1])
	items := []*widget.FormItem{widget.NewFormItem(tr("What"), choice), widget.NewFormItem(tr("Format"), format)}
	d := dialog.NewForm(tr("Export"), tr("Choose a place…"), tr("Cancel"), items, func(ok bool) {
		if !ok {
			return
		}
		if choice.Selected == which[0] {
			filter = samples.Filter{}
		}
		p.chooseTarget(exportFormats[format.SelectedIndex()].ending, filter)
	}, p.win.win)
	d.Resize(fyne.NewSize(460, 240))
	p.win.modal = d
	d.Show()
}

// chooseTarget asks where an export goes.
func (p *samplesPage) chooseTarget(ending string, f samples.Filter) {
	if ending == "" {
		d := dialog.NewFolderOpen(func(l fyne.ListableURI, err error) {
			if err == nil && l != nil {
				p.exportPath(filepath.Join(l.Path(), "inkshade-"+time.Now().Format("20060102-150405")), f)
			}
		}, p.win.win)
		p.win.browseFiles(d, tr("Export"))
		return
	}
	d := dialog.NewFileSave(func(out fyne.URIWriteCloser, err error) {
		if err != nil || out == nil {
			return
		}
		path := out.URI().Path()
		_ = out.Close()
		p.exportPath(path, f)
	}, p.win.win)
	d.SetFileName("inkshade" + ending)
	p.win.browseFiles(d, tr("Export"))
}

// exportPath exports to a file or a folder in the background.
func (p *samplesPage) exportPath(path string, f samples.Filter) {
	book, w := p.win.book, p.win
	p.job(tr("Exporting to {{.Name}}", map[string]any{"Name": filepath.Base(path)}), tr("Saving…"), func(ctx context.Context, tell func(share float64)) func() {
		n, err := book.Export(ctx, path, f, shareTold(tell))
		return func() {
			switch {
			case errors.Is(err, notebook.ErrCancelled):
				w.toast.say(tr("Cancelled; nothing was exported."))
			case err != nil:
				w.showFailure(tr("Export"), err)
			default:
				w.toast.say(tr("{{.Count}} exported to {{.Path}}.", map[string]any{"Count": n, "Path": path}))
			}
		}
	})
}

// jobDelay is how long a job may take before it is worth a dialog.
const jobDelay = 300 * time.Millisecond

// job does something long in the background. While it lasts a dialog says what it does at
// first and how far it is, and cancels it; what is left after that share is to save. What it
// returns runs on the window's goroutine.
func (p *samplesPage) job(title, first string, work func(ctx context.Context, tell func(share float64)) func()) {
	w := p.win
	ctx, cancel := context.WithCancel(w.background)
	bar := widget.NewProgressBar()
	words := widget.NewLabel(first)
	d := dialog.NewCustomWithoutButtons(title, container.NewVBox(words, bar), w.win)
	stop := widget.NewButton(tr("Cancel"), nil)
	stop.OnTapped = func() {
		cancel()
		stop.Disable()
		words.SetText(tr("Cancelling…"))
	}
	d.SetButtons([]fyne.CanvasObject{stop})
	d.Resize(fyne.NewSize(380, 160))
	finished := false
	time.AfterFunc(jobDelay, func() {
		w.opts.post(func() {
			if !finished {
				d.Show()
			}
		})
	})
	tell := throttled(func(share float64) {
		w.opts.post(func() {
			bar.SetValue(share)
			if share >= 1 && ctx.Err() == nil {
				words.SetText(tr("Saving…"))
			}
		})
	})
	w.off(func() {
		then := work(ctx, tell)
		w.opts.post(func() {
			finished = true
			cancel()
			d.Hide()
			then()
		})
	})
}

// throttled lets a report through ten times a second, and the last one always.
func throttled(report func(share float64)) func(share float64) {
	var mu sync.Mutex
	var last time.Time
	return func(share float64) {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); share >= 1 || now.Sub(last) >= 100*time.Millisecond {
			last = now
			report(share)
		}
	}
}

// showFailure tells why something did not work, in a dialog whose text can be copied.
func (w *Window) showFailure(title string, err error) { w.showText(title, said(err.Error())) }

func (w *Window) showText(title, text string) {
	l := widget.NewLabel(text)
	l.Wrapping = fyne.TextWrapWord
	l.Selectable = true
	w.open(title, container.NewVScroll(l), fyne.NewSize(520, 260))
}
