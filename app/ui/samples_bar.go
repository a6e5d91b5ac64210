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
	b.search.OnChanged = func(text string) {
		q := p.gallery.query
		q.text = text
		p.ask(q)
	}
	b.kind = widget.NewSelect([]string{tr("All samples"), tr("Corrections"), tr("Held out"), tr("Contradicted")}, nil)
	b.kind.SetSelectedIndex(0)
	b.kind.OnChanged = func(string) {
		q := p.gallery.query
		q.kind = kind(b.kind.SelectedIndex())
		p.ask(q)
	}
	b.write = widget.NewButtonWithIcon(tr("Write Samples…"), theme.DocumentCreateIcon(), p.chooseGuided)
	b.write.Importance = widget.HighImportance
	b.fetch = widget.NewButtonWithIcon(tr("Import…"), theme.FolderOpenIcon(), p.chooseImport)
	b.give = widget.NewButtonWithIcon(tr("Export…"), theme.DocumentSaveIcon(), p.chooseExport)
	b.content = container.New(&barLayout{b}, b.search, b.kind, b.count, b.write, b.fetch, b.give)
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
	if all == 0 {
		b.give.Disable()
	} else {
		b.give.Enable()
	}
}

type barLayout struct{ bar *samplesBar }

func (l *barLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(600, l.bar.search.MinSize().Height)
}

func (l *barLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	const gap = 8
	b := l.bar
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
	h := b.count.lineHeight()
	place(b.count, left, floor((size.Height-h)/2), max(x-left, 0), h)
}
