package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
)

// drawPage is the tab on which a person draws and sees the answer.
type drawPage struct {
	pad        *pad
	tools      *drawTools
	answer     *answerView
	candidates *candidateList
	times      *timingView
	inner      float32 // margin of the cards
	cards      [3]*fyne.Container
	content    *fyne.Container
	entry      *labelEntry // for what the drawing is
	choice     *button     // opens what may be answered
	mode       *segments   // one character or a line
	several    *button     // offers to read the drawing as a line
	crop       *cropView   // over the paper while a part of a picture is chosen
	line       *lineMode
	inLine     bool
	many       *manyPanel // the candidates of a model of many classes
	isMany     bool       // the model in use is one
}

func newDrawPage(t *trace) *drawPage {
	d := &drawPage{
		pad:        newPad(),
		answer:     newAnswerView(),
		candidates: newCandidateList(),
		times:      newTimingView(),
		many:       newManyPanel(),
	}
	d.entry = newLabelEntry(tr("What is it?"), nil, nil)
	d.tools = newDrawTools(d.entry)
	d.choice = newQuietButton(12, nil)
	d.choice.words.ofName()
	d.several = newToolButton(theme.ListIcon(), tr("Read as a line"), "", nil)
	d.several.Hide()
	list := container.NewStack(d.candidates.content, d.many.content)
	for i, c := range []fyne.CanvasObject{d.answer.content, list, d.times.content} {
		d.cards[i] = newCard(c, &d.inner)
	}
	d.content = container.New(arranged{pageSize, func(size fyne.Size) {
		if d.inLine {
			d.putLine(size)
		} else {
			d.put(size)
		}
	}}, d.pad, d.several, d.choice, d.tools.content, d.cards[0], d.cards[1], d.cards[2])
	d.candidates.show(nil, false)
	d.traceFrames(t)
	return d
}

// traceFrames notes the first frame that shows the answer to a drawing.
func (d *drawPage) traceFrames(t *trace) {
	painted := uint64(0)
	d.answer.seen.OnPaint = func(drawing uint64) {
		if drawing != painted {
			painted = drawing
			t.write(Event{Event: "answer", Drawing: drawing, Label: d.answer.glyph.text})
		}
	}
}

func (d *drawPage) showNothing() {
	d.answer.nothing()
	d.candidates.show(nil, false)
	d.many.grid.show(nil, false)
	d.times.forget()
}

func (d *drawPage) showAnswer(r reply) {
	d.answer.show(r)
	d.candidates.show(r.answer.Candidates, r.answer.Unknown)
	if d.many.content.Visible() && (d.pad.live == nil || time.Since(d.many.shownAt) >= frames) {
		d.many.shownAt = time.Now()
		d.many.grid.show(r.answer.Candidates, r.answer.Unknown)
	}
}

func (d *drawPage) showError(err error) {
	d.answer.fail(err)
	d.candidates.show(nil, false)
	d.many.grid.show(nil, false)
}

// drawTools are the buttons under the paper, and the entry for what the drawing is.
type drawTools struct {
	undo, redo, clear *button
	entry             *labelEntry
	content           *fyne.Container
}

func newDrawTools(entry *labelEntry) *drawTools {
	t := &drawTools{
		undo:  newToolButton(theme.ContentUndoIcon(), tr("Undo"), keyName("Ctrl+Z"), nil),
		redo:  newToolButton(theme.ContentRedoIcon(), tr("Redo"), keyName("Ctrl+Shift+Z"), nil),
		clear: newToolButton(theme.DeleteIcon(), tr("Clear"), keyName("Del"), nil),
		entry: entry,
	}
	t.content = container.New(evenColumns{gap: 10})
	t.with()
	t.setHistory(false, false, false)
	enable(t.entry, false)
	return t
}

// with puts more buttons between those that are always there and the entry.
func (t *drawTools) with(more ...fyne.CanvasObject) {
	t.content.Objects = append([]fyne.CanvasObject{t.undo, t.redo, t.clear}, more...)
	t.content.Add(container.NewVBox(layout.NewSpacer(), t.entry, layout.NewSpacer()))
}

func (t *drawTools) setHistory(canUndo, canRedo, canClear bool) {
	t.undo.allow(canUndo, tr("There is nothing to undo."))
	t.redo.allow(canRedo, tr("There is nothing to redo."))
	t.clear.allow(canClear, tr("The paper is empty."))
}

// put has two densities: roomy, and compact for windows down to 900 x 600. Paper and tools are
// left, three cards right; the paper takes what is left over.
func (d *drawPage) put(size fyne.Size) {
	y := densityOf(size)
	margin, gap, row := y.margin, y.gap, y.of(28, 22)
	panel := y.of(floor(min(max(size.Width*0.34, 432), 560)), 396)
	d.times.compact, d.inner = y.compact, y.inner
	height := size.Height - margin
	left := size.Width - 2*margin - gap - panel
	place(d.pad, margin, 0, left, height-toolHeight-gap)
	place(d.crop, margin, 0, left, height-toolHeight-gap)
	d.putHead(margin, left)
	offer := d.several.MinSize().Width + 8
	place(d.several, margin+floor((left-offer)/2), height-2*toolHeight-gap-toastHeight-d.pad.view.tip.lineHeight()-26, offer, toolHeight) // over a toast
	place(d.tools.content, margin, height-toolHeight, left, toolHeight)

	// The times need what they need; rows beyond their best height leave the rest to the answer.
	// Where a notice takes room from a small window, the table of the times goes first.
	x := margin + left + gap
	if d.many.grid.more {
		place(d.cards[1], x, 0, panel, height)
		return
	}
	wanted := shownCandidates*row + 2*d.inner
	if d.many.content.Visible() {
		wanted = y.of(224, 180) + 2*d.inner
	}
	var times, spare, candidates float32
	for _, d.times.brief = range []bool{false, true} {
		times = d.cards[2].MinSize().Height
		spare = height - times - 2*gap
		if candidates = min(wanted, spare-d.cards[0].MinSize().Height); candidates >= d.cards[1].MinSize().Height {
			break
		}
	}
	answer := spare - candidates
	d.answer.setPicture(d.answer.largestPicture(fyne.NewSize(panel-2*d.inner, answer-2*d.inner)))
	place(d.cards[0], x, 0, panel, answer)
	place(d.cards[1], x, answer+gap, panel, candidates)
	place(d.cards[2], x, height-times, panel, times)
}

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
		w.worker.submit(task{ink: d.pad.drawing(), traced: d.pad.traced()}, false)
	}
	w.historyChanged()
	d.setMany(d.isMany)
	d.content.Refresh()
	w.toast.place()
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
	top := height - bottom
	place(d.line.pad, margin, 0, width, paper)
	place(d.crop, margin, 0, width, top-gap) // over the tools too, so that a picture can be made out
	place(d.line.strip, margin, paper+6, width, strip)
	d.putHead(margin, width)
	place(d.tools.content, margin, paper+6+strip+gap, width, toolHeight)
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
