package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// addLine adds the wide paper and what belongs to it.
func (d *drawPage) addLine(l *lineMode) {
	d.line = l
	d.crop = newCropView(l.win)
	d.mode = newSegments([]string{tr("Character"), tr("Line")}, func(i int) { l.win.setLine(i == 1) })
	d.several.onTap = func() {
		k, from := d.pad.drawing(), d.pad.history.scan
		if l.win.setLine(true); from != nil {
			l.win.read(*from) // finer
		} else {
			l.pad.setInk(k)
		}
	}
	l.card = newCard(l.text.content, &d.inner)
	for _, o := range []fyne.CanvasObject{l.pad, l.strip, l.card, l.language, d.mode} {
		d.content.Add(o)
	}
	d.content.Remove(d.choice)
	d.content.Add(d.choice)
	d.content.Add(d.crop)
}

// paper is what is written on.
func (d *drawPage) paper() *pad {
	if d.inLine {
		return d.line.pad
	}
	return d.pad
}

// toastArea is where a toast hides no word: below the drawing, or on the right of the wide paper.
func (d *drawPage) toastArea() area {
	a := areaOf(d.paper())
	if d.inLine {
		a.size.Width /= 2
		a.pos.X += a.size.Width
		return a
	}
	return a.above(d.pad.view.tip.lineHeight() + 8)
}

// setLine switches between one character and a line, and remembers it. Each has its own paper.
func (w *Window) setLine(on bool) {
	d := w.draw
	l := d.line
	w.app.Preferences().SetBool(linePreference, on)
	d.paper().end()
	d.crop.close()
	d.setMore(false)
	d.inLine = on
	d.mode.choose(map[bool]int{true: 1}[on])
	for _, o := range []fyne.CanvasObject{l.pad, l.strip, l.card, l.language} {
		show(o, on)
	}
	show(d.pad, !on)
	show(d.cards[0], !on)
	d.several.Hide()
	d.tools.with()
	d.times.title.set(tr("Time for this drawing"))
	if on {
		d.tools.with(l.split, l.join, l.copy)
		d.times.title.set(tr("Time for this line"))
	}
	d.showNothing()
	d.times.setHypotheses(0)
	if on {
		l.result = nil
		l.show()
		l.ask(false)
	} else {
		w.worker.submit(task{ink: d.pad.drawing()}, false)
	}
	w.historyChanged()
	d.setMany(d.isMany)
	d.content.Refresh()
	w.win.SetMainMenu(w.menu())
}

// showSeveral says that a drawing is rather a line, where the answer to it is in doubt.
func (w *Window) showSeveral(n int, drawing uint64) {
	if drawing != w.worker.sequence() || w.draw.inLine || w.draw.isMany || w.last.drawing != drawing || len(w.last.answer.Candidates) == 0 {
		return
	}
	if a := w.last.answer; a.Unknown || a.Candidates[0].Probability < 0.9 {
		w.draw.answer.by.set(tr("This looks like {{.Count}} characters.", map[string]any{"Count": n}))
		w.draw.several.Show()
	}
}

// putHead places what stands on the upper edge of the paper.
func (d *drawPage) putHead(margin, width float32) {
	right := margin + width - 8
	for _, s := range []*segments{d.mode, d.line.language} {
		if s.Visible() {
			width := float32(78 * len(s.names))
			right -= width
			place(s, right, 8, width, s.MinSize().Height)
			right -= 12
		}
	}
	place(d.choice, margin+8, 4, min(d.choice.MinSize().Width, right-margin-8), d.choice.MinSize().Height)
}

// putLine places the wide paper and its strip above, the tools under them, and three cards below.
func (d *drawPage) putLine(size fyne.Size) {
	y := densityOf(size)
	margin, gap := y.margin, y.gap
	width, height := size.Width-2*margin, size.Height-margin
	d.times.compact, d.inner, d.times.brief = true, y.of(14, 11), true
	strip := y.of(72, 58)
	times := d.cards[2].MinSize().Height
	bottom := max(times, min(floor(height*y.of(0.32, 0.34)), 260))
	paper := height - bottom - toolHeight - strip - 2*gap - 6
	place(d.line.pad, margin, 0, width, paper)
	place(d.crop, margin, 0, width, paper)
	place(d.line.strip, margin, paper+6, width, strip)
	d.putHead(margin, width)
	place(d.tools.content, margin, paper+6+strip+gap, width, toolHeight)
	top := height - bottom
	text, list := floor((width-2*gap)*0.36), floor((width-2*gap)*0.26)
	place(d.line.card, margin, top, text, bottom)
	place(d.cards[1], margin+text+gap, top, list, bottom)
	place(d.cards[2], margin+text+list+2*gap, top, width-text-list-2*gap, bottom)
}

// menu is what can be done with a line.
func (l *lineMode) menu() *fyne.Menu {
	ctrl, alt := fyne.KeyModifierShortcutDefault, fyne.KeyModifierAlt
	d := l.win.draw
	on := func(do func()) func() {
		return func() {
			if d.inLine && l.win.pages[l.win.front].content == d.content {
				do()
			}
		}
	}
	whole := withKey(tr("Write a Line"), fyne.KeyT, ctrl, func() {
		l.win.openPage(0)
		l.win.setLine(!d.inLine)
	})
	whole.Checked = d.inLine
	items := []*fyne.MenuItem{whole, fyne.NewMenuItemSeparator()}
	for i, key := range []fyne.KeyName{fyne.KeyX, fyne.KeyN, fyne.KeyW} {
		item := withKey(l.language.names[i].text, key, ctrl|fyne.KeyModifierShift, on(func() { l.setLanguage(i) }))
		items = append(items, ticked(item, l.language.selected == i))
	}
	const step = 12
	return fyne.NewMenu(tr("Line"), append(items, fyne.NewMenuItemSeparator(),
		withKey(tr("Split the Character"), fyne.KeyK, ctrl, on(l.splitChosen)),
		withKey(tr("Join with the Next"), fyne.KeyJ, ctrl, on(l.joinChosen)),
		withKey(tr("Border to the Left"), fyne.KeyLeft, alt, on(func() { l.shift(-step) })),
		withKey(tr("Border to the Right"), fyne.KeyRight, alt, on(func() { l.shift(step) })))...)
}

// connectKeys takes the candidates of the chosen character by their numbers.
func (l *lineMode) connectKeys(c fyne.Canvas) {
	for n := range shownCandidates {
		key := &desktop.CustomShortcut{KeyName: fyne.KeyName(rune('1' + n)), Modifier: fyne.KeyModifierAlt}
		c.AddShortcut(key, func(fyne.Shortcut) {
			if l.win.draw.inLine && l.win.actions().key != nil {
				l.pickNth(n)
			}
		})
	}
}
