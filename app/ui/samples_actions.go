package ui

import "inkshade/recognizer/samples"

// chosen gives the ids of what is chosen; none while the store is not open.
func (p *samplesPage) chosen() []int64 {
	if p.win.book == nil {
		return nil
	}
	return p.gallery.selected.list(p.gallery.order)
}

// remove deletes what is chosen.
func (p *samplesPage) remove() {
	ids, book := p.chosen(), p.win.book
	if len(ids) == 0 {
		return
	}
	var d samples.Deletion
	p.win.changes.perform(action{
		text: tr("{{.Count}} deleted.", counted(len(ids))),
		do:   func() (err error) { d, err = book.Delete(ids...); return err },
		undo: func() error { return book.Restore(d) },
	})
}

// relabel gives what is chosen another label.
func (p *samplesPage) relabel(label string) {
	ids, book := p.chosen(), p.win.book
	label, err := samples.CleanLabel(label)
	if err != nil {
		p.win.tell(err)
		return
	}
	if len(ids) == 0 {
		return
	}
	labels := make(map[int64]string, len(ids))
	for _, id := range ids {
		labels[id] = label
	}
	var before map[int64]string
	p.win.changes.perform(action{
		text: tr("{{.Count}} relabelled as {{.Label}}.", map[string]any{"Count": len(ids), "Label": label}),
		do:   func() (err error) { before, err = book.Relabel(labels); return err },
		undo: func() error { _, err := book.Relabel(before); return err },
	})
}

// hold holds what is chosen out of learning, or releases it.
func (p *samplesPage) hold(holdOut bool) {
	book := p.win.book
	var change []int64
	for _, s := range p.gallery.chosen() {
		if s.HoldOut != holdOut {
			change = append(change, s.ID)
		}
	}
	if book == nil || len(change) == 0 {
		return
	}
	text := tr("{{.Count}} will be learned from.", counted(len(change)))
	if holdOut {
		text = tr("{{.Count}} kept for testing.", counted(len(change)))
	}
	p.win.changes.perform(reversible(text, func() (func() error, error) { return book.HoldOut(holdOut, change...) }))
}

// credit says who drew what is chosen: the person, or others.
func (p *samplesPage) credit(mine bool) {
	book, chosen, writers := p.win.book, p.gallery.chosen(), map[int64]string{}
	if len(chosen) == 0 {
		p.win.toast.say(tr("Choose drawings on the Samples page first."))
	}
	for _, s := range chosen {
		if (s.Writer == "") != mine {
			writers[s.ID] = map[bool]string{false: "others"}[mine]
		}
	}
	if book == nil || len(writers) == 0 {
		return
	}
	text := tr("{{.Count}} count as drawn by others.", counted(len(writers)))
	if mine {
		text = tr("{{.Count}} count as drawn by you.", counted(len(writers)))
	}
	var before map[int64]string
	p.win.changes.perform(action{
		text: text,
		do:   func() (err error) { before, err = book.SetWriters(writers); return err },
		undo: func() error { _, err := book.SetWriters(before); return err },
	})
}
