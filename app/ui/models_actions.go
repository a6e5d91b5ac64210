package ui

import (
	"bytes"
	"cmp"
	"io"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"inkshade/app/library"
)

// modelEndings are those of files of models.
var modelEndings = []string{".onnx"}

// use puts a model in force and in use, and remembers it.
func (p *modelsPage) use(e *modelEntry) {
	p.win.train.whenIdle(func() {
		before := int64(0)
		for _, other := range p.entries {
			if other.Base == e.Base && other.InForce {
				before = other.ID
			}
		}
		p.win.changes.perform(p.win.using(tr("{{.Name}} is in use.", map[string]any{"Name": p.win.modelTitle(e)}), e.Base, e.ID, before))
	})
}

// busy says that a model is in use and must stay as it is, if it must.
func (p *modelsPage) busy(e *modelEntry) bool {
	if p.inUse(e) {
		p.win.toast.say(tr("This model is in use; choose another one first."))
	}
	return p.inUse(e)
}

// remove takes a model away, which can be undone.
func (p *modelsPage) remove(e *modelEntry) {
	if !p.busy(e) {
		p.win.changes.perform(reversible(tr("{{.Name}} removed.", map[string]any{"Name": p.win.modelTitle(e)}), e.Remove))
	}
}

// askName asks for another name of an imported or a trained model.
func (p *modelsPage) askName(e *modelEntry) {
	name, rename := e.Name, p.rename
	if e.Kind == library.Trained {
		name, rename = e.Title, p.retitle
	} else if p.busy(e) {
		return
	}
	entry := newLabelEntry(p.win.modelTitle(e), nil, nil)
	entry.SetText(name)
	p.win.ask(tr("Rename"), tr("Rename"), fyne.NewSize(420, 170), entry, func() { rename(e, strings.TrimSpace(entry.Text)) },
		widget.NewFormItem(tr("Name"), entry))
}

// rename gives an imported model another name.
func (p *modelsPage) rename(e *modelEntry, name string) {
	shelf := p.shelf()
	p.win.changes.perform(action{
		text: tr("{{.Name}} is now called {{.New}}.", map[string]any{"Name": e.Name, "New": name}),
		do:   func() error { return shelf.Rename(e.Name, name) },
		undo: func() error { return shelf.Rename(name, e.Name) },
	})
	p.open = name
}

// retitle gives a trained model a name, or takes it away.
func (p *modelsPage) retitle(e *modelEntry, title string) {
	before, store := e.Title, p.win.book.Store
	p.win.changes.perform(action{
		text: tr("{{.Name}} is now called {{.New}}.", map[string]any{"Name": p.win.modelTitle(e), "New": cmp.Or(title, e.Name)}),
		do:   func() error { return store.RenameModel(e.ID, title) },
		undo: func() error { return store.RenameModel(e.ID, before) },
	})
}

// chooseTarget asks where the file of a model goes.
func (p *modelsPage) chooseTarget(e *modelEntry) {
	name := strings.ReplaceAll(p.win.modelTitle(e), " ", "-") + modelEndings[0]
	p.win.chooseTarget(tr("Export"), name, func(path string) { p.export(e, path) })
}

// export writes the file of a model.
func (p *modelsPage) export(e *modelEntry, path string) {
	w := p.win
	w.save(func() error {
		data, err := e.File()
		if err != nil {
			return err
		}
		return writeWhole(path, func(out io.Writer) error {
			_, err := io.Copy(out, bytes.NewReader(data))
			return err
		})
	}, func() {
		w.toast.say(tr("Exported to {{.Path}}.", map[string]any{"Path": path}))
	}, w.tell)
}

// chooseModel asks for a file to open, from any page.
func (w *Window) chooseModel() { w.chooseFile(tr("Open a model"), modelEndings, w.openModel) }

// openModel opens a model on its page.
func (w *Window) openModel(path string) {
	w.openContent(w.models.content)
	w.models.openFile(path)
}
