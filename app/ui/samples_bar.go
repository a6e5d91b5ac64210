package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// samplesBar is the line above the gallery: what is looked for, and what can be done.
type samplesBar struct {
	search  *widget.Entry
	kind    *widget.Select
	count   *label
	write   *widget.Button
	fetch   *widget.Button
	give    *widget.Button
	content *fyne.Container
	page    *samplesPage
}

func newSamplesBar(p *samplesPage) *samplesBar {
	b := &samplesBar{page: p, search: widget.NewEntry(), count: newLabel("", 13, colorMuted)}
	b.search.SetPlaceHolder(tr("Search"))
	b.search.OnChanged = func(text string) { p.ask(func(q *query) { q.text = text }) }
	b.kind = widget.NewSelect([]string{tr("All samples"), tr("Corrections"), tr("Kept for testing"), tr("Doubtful label")}, nil)
	b.kind.SetSelectedIndex(0)
	b.kind.OnChanged = func(string) { p.ask(func(q *query) { q.kind = kind(b.kind.SelectedIndex()) }) }
	b.write = widget.NewButtonWithIcon(tr("Write Samples…"), theme.DocumentCreateIcon(), p.chooseGuided)
	b.write.Importance = widget.HighImportance
	b.fetch = widget.NewButtonWithIcon(tr("Import…"), theme.FolderOpenIcon(), p.chooseImport)
	b.give = widget.NewButtonWithIcon(tr("Export…"), theme.DocumentSaveIcon(), p.chooseExport)
	search := container.NewGridWrap(fyne.NewSize(220, b.search.MinSize().Height), b.search)
	b.content = container.NewBorder(nil, nil, container.NewHBox(search, b.kind), container.NewHBox(b.write, b.fetch, b.give),
		container.NewVBox(layout.NewSpacer(), b.count, layout.NewSpacer()))
	return b
}

// refresh says how many samples are shown.
func (b *samplesBar) refresh() {
	shown, all := len(b.page.gallery.shown), len(b.page.gallery.all)
	switch {
	case all == 0:
		b.count.set("")
	case shown == all:
		b.count.set(tr("Samples: {{.Count}}", map[string]any{"Count": all}))
	default:
		b.count.set(tr("{{.Shown}} of {{.Count}}", map[string]any{"Shown": shown, "Count": all}))
	}
	enable(b.give, all > 0)
}
