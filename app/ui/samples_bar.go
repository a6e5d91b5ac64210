package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
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
	b.kind = widget.NewSelect([]string{tr("All samples"), tr("Corrections"), tr("Held out"), tr("Contradicted")}, nil)
	b.kind.SetSelectedIndex(0)
	b.kind.OnChanged = func(string) { p.ask(func(q *query) { q.kind = kind(b.kind.SelectedIndex()) }) }
	b.write = widget.NewButtonWithIcon(tr("Write Samples…"), theme.DocumentCreateIcon(), p.chooseGuided)
	b.write.Importance = widget.HighImportance
	b.fetch = widget.NewButtonWithIcon(tr("Import…"), theme.FolderOpenIcon(), p.chooseImport)
	b.give = widget.NewButtonWithIcon(tr("Export…"), theme.DocumentSaveIcon(), p.chooseExport)
	b.content = container.New(arranged{func() fyne.Size { return fyne.NewSize(600, b.search.MinSize().Height) }, b.put}, b.search, b.kind, b.count, b.write, b.fetch, b.give)
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

func (b *samplesBar) put(size fyne.Size) {
	const gap = 8
	x := size.Width
	for _, o := range []*widget.Button{b.give, b.fetch, b.write} {
		w := o.MinSize().Width
		x -= w
		place(o, x, 0, w, size.Height)
		x -= gap
	}
	kind := b.kind.MinSize().Width
	search := min(max(x-kind-110, 130), 230)
	place(b.search, 0, 0, search, size.Height)
	place(b.kind, search+gap, 0, kind, size.Height)
	left := search + kind + 2*gap
	middle(b.count, left, 0, max(x-left, 0), size.Height, b.count.lineHeight())
}
