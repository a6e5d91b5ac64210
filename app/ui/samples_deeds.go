package ui

import "inkshade/recognizer/samples"

// perform changes the samples, shows what came of it, and keeps the way back.
func (p *samplesPage) perform(d deed) {
	p.attempt(d, func() { p.deeds.future = nil })
}

func (p *samplesPage) attempt(d deed, then func()) {
	w := p.win
	w.saves.do(func() func() {
		undo, err := d.do()
		return func() {
			if err != nil {
				w.toast.say(said(err.Error()))
				return
			}
			p.deeds.did(d, undo)
			then()
			p.happened()
			w.toast.offer(d.text, p.undo)
		}
	})
}

// happened answers and shows in the light of what the store has now.
func (p *samplesPage) happened() {
	p.changed()
	p.win.memoryChanged()
}

// undo takes the newest deed back.
func (p *samplesPage) undo() {
	x, ok := p.deeds.last()
	if !ok {
		return
	}
	w := p.win
	w.saves.do(func() func() {
		err := x.undo()
		return func() {
			if err != nil {
				w.toast.say(said(err.Error()))
				return
			}
			p.deeds.future = append(p.deeds.future, x.deed)
			p.happened()
			w.toast.say(tr("Taken back: {{.What}}", map[string]any{"What": x.text}))
		}
	})
}

// redo does again what was undone last.
func (p *samplesPage) redo() {
	if d, ok := p.deeds.next(); ok {
		p.attempt(d, func() {})
	}
}

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
	p.perform(deed{
		text: tr("{{.Count}} deleted.", map[string]any{"Count": len(ids)}),
		do: func() (func() error, error) {
			d, err := book.Delete(ids...)
			return func() error { return book.Restore(d) }, err
		},
	})
}

// relabel gives what is chosen another label.
func (p *samplesPage) relabel(label string) {
	ids, book := p.chosen(), p.win.book
	label, err := samples.CleanLabel(label)
	if err != nil {
		p.win.toast.say(said(err.Error()))
		return
	}
	if len(ids) == 0 {
		return
	}
	labels := make(map[int64]string, len(ids))
	for _, id := range ids {
		labels[id] = label
	}
	p.perform(deed{
		text: tr("{{.Count}} relabelled as {{.Label}}.", map[string]any{"Count": len(ids), "Label": label}),
		do: func() (func() error, error) {
			before, err := book.Relabel(labels)
			return func() error { _, err := book.Relabel(before); return err }, err
		},
	})
}

// hold holds what is chosen out of learning, or releases it.
func (p *samplesPage) hold(holdOut bool) {
	ids, book := p.chosen(), p.win.book
	var change []int64
	for _, s := range p.gallery.chosen() {
		if s.HoldOut != holdOut {
			change = append(change, s.ID)
		}
	}
	if len(ids) == 0 || len(change) == 0 {
		return
	}
	text := tr("{{.Count}} released to be learned from.", map[string]any{"Count": len(change)})
	if holdOut {
		text = tr("{{.Count}} held out to measure with.", map[string]any{"Count": len(change)})
	}
	p.perform(deed{text: text, do: func() (func() error, error) {
		err := book.HoldOut(holdOut, change...)
		return func() error { return book.HoldOut(!holdOut, change...) }, err
	}})
}
