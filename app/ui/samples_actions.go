package ui

import "inkshade/recognizer/samples"

// action is a change of the samples that can be taken back and done again.
type action struct {
	text     string // what was done, for the person
	do, undo func() error
}

// perform changes the samples, shows what came of it, and keeps the way back.
func (p *samplesPage) perform(a action) {
	p.attempt(a.do, func() { p.did(a) })
}

func (p *samplesPage) attempt(change func() error, then func()) {
	p.win.save(change, func() {
		then()
		p.happened()
	}, p.win.tell)
}

// did keeps an action that was done for the first time.
func (p *samplesPage) did(a action) {
	p.past, p.undone = append(p.past, a), nil
	p.win.toast.offer(a.text, p.undo)
}

// happened answers and shows in the light of what the store has now.
func (p *samplesPage) happened() {
	p.changed()
	p.win.memoryChanged()
}

// undo takes the newest action back.
func (p *samplesPage) undo() {
	if a, ok := pop(&p.past); ok {
		p.attempt(a.undo, func() {
			p.undone = append(p.undone, a)
			p.win.toast.say(tr("Taken back: {{.What}}", map[string]any{"What": a.text}))
		})
	}
}

// redo does again what was undone last.
func (p *samplesPage) redo() {
	if a, ok := pop(&p.undone); ok {
		p.attempt(a.do, func() {
			p.past = append(p.past, a)
			p.win.toast.offer(a.text, p.undo)
		})
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
	var d samples.Deletion
	p.perform(action{
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
	p.perform(action{
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
	text := tr("{{.Count}} released to be learned from.", counted(len(change)))
	if holdOut {
		text = tr("{{.Count}} held out to measure with.", counted(len(change)))
	}
	p.perform(action{
		text: text,
		do:   func() error { return book.HoldOut(holdOut, change...) },
		undo: func() error { return book.HoldOut(!holdOut, change...) },
	})
}
