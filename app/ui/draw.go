package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
)

// drawPage is the tab on which a person draws and sees the answer.
type drawPage struct {
	pad        *widget.Pad
	tools      *drawTools
	answer     *answerView
	candidates *candidateList
	times      *timingView
	inner      float32 // margin of the cards
	cards      [3]*fyne.Container
	content    *fyne.Container
	entry      *widget.LabelEntry // for what the drawing is
	choice     *widget.Button     // opens what may be answered
	mode       *widget.Segments   // one character or a line
	several    *widget.Button     // offers to read the drawing as a line
	crop       *cropView          // over the paper while a part of a picture is chosen
	line       *lineMode
	inLine     bool
	many       *manyPanel // the candidates of a model of many classes
	isMany     bool       // the model in use is one
}

func newDrawPage(t *page.Trace, paper *widget.Pad) *drawPage {
	d := &drawPage{
		pad:        paper,
		answer:     newAnswerView(),
		candidates: newCandidateList(),
		times:      newTimingView(),
		many:       newManyPanel(),
	}
	d.entry = widget.NewLabelEntry(language.Tr("What is it?"), nil, nil)
	d.tools = newDrawTools(d.entry)
	d.choice = widget.NewQuietButton(12, nil)
	d.choice.Words.OfName()
	d.several = widget.NewToolButton(theme.ListIcon(), language.Tr("Read as a line"), "", nil)
	d.several.Hide()
	list := container.NewStack(d.candidates.content, d.many.content)
	for i, c := range []fyne.CanvasObject{d.answer.content, list, d.times.content} {
		d.cards[i] = widget.NewCard(c, &d.inner)
	}
	d.content = container.New(widget.Arranged{Least: widget.PageSize, Put: func(size fyne.Size) {
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
func (d *drawPage) traceFrames(t *page.Trace) {
	painted := uint64(0)
	d.answer.seen.OnPaint = func(drawing uint64) {
		if drawing != painted {
			painted = drawing
			t.Write(page.Event{Event: "answer", Drawing: drawing, Label: d.answer.glyph.Text})
		}
	}
}

func (d *drawPage) showNothing() {
	d.answer.nothing()
	d.candidates.show(nil, false)
	d.many.grid.show(nil, false)
	d.times.forget()
}

func (d *drawPage) showAnswer(r worker.Reply) {
	d.answer.show(r)
	d.candidates.show(r.Answer.Candidates, r.Answer.Unknown)
	if d.many.content.Visible() && (d.pad.Live == nil || time.Since(d.many.shownAt) >= widget.Frames) {
		d.many.shownAt = time.Now()
		d.many.grid.show(r.Answer.Candidates, r.Answer.Unknown)
	}
}

func (d *drawPage) showError(err error) {
	d.answer.fail(err)
	d.candidates.show(nil, false)
	d.many.grid.show(nil, false)
}

// drawTools are the buttons under the paper, and the entry for what the drawing is.
type drawTools struct {
	undo, redo, clear *widget.Button
	entry             *widget.LabelEntry
	content           *fyne.Container
}

func newDrawTools(entry *widget.LabelEntry) *drawTools {
	t := &drawTools{
		undo:  widget.NewToolButton(theme.ContentUndoIcon(), language.Tr("Undo"), page.KeyName("Ctrl+Z"), nil),
		redo:  widget.NewToolButton(theme.ContentRedoIcon(), language.Tr("Redo"), page.KeyName("Ctrl+Shift+Z"), nil),
		clear: widget.NewToolButton(theme.DeleteIcon(), language.Tr("Clear"), page.KeyName("Del"), nil),
		entry: entry,
	}
	t.content = container.New(widget.EvenColumns{Gap: 10})
	t.with()
	t.setHistory(false, false, false)
	widget.Enable(t.entry, false)
	return t
}

// with puts more buttons between those that are always there and the entry.
func (t *drawTools) with(more ...fyne.CanvasObject) {
	t.content.Objects = append([]fyne.CanvasObject{t.undo, t.redo, t.clear}, more...)
	t.content.Add(container.NewVBox(layout.NewSpacer(), t.entry, layout.NewSpacer()))
}

func (t *drawTools) setHistory(canUndo, canRedo, canClear bool) {
	t.undo.Allow(canUndo, language.Tr("There is nothing to undo."))
	t.redo.Allow(canRedo, language.Tr("There is nothing to redo."))
	t.clear.Allow(canClear, language.Tr("The paper is empty."))
}

// put has two densities: roomy, and compact for windows down to 900 x 600. Paper and tools are
// left, three cards right; the paper takes what is left over.
func (d *drawPage) put(size fyne.Size) {
	y := widget.DensityOf(size)
	margin, gap, row := y.Margin, y.Gap, y.Of(28, 22)
	panel := y.Of(widget.Floor(min(max(size.Width*0.34, 432), 560)), 396)
	d.times.compact, d.inner = y.Compact, y.Inner
	height := size.Height - margin
	left := size.Width - 2*margin - gap - panel
	widget.Place(d.pad, margin, 0, left, height-widget.ToolHeight-gap)
	widget.Place(d.crop, margin, 0, left, height-widget.ToolHeight-gap)
	d.putHead(margin, left)
	offer := d.several.MinSize().Width + 8
	widget.Place(d.several, margin+widget.Floor((left-offer)/2), height-2*widget.ToolHeight-gap-page.ToastHeight-d.pad.View.Tip.LineHeight()-26, offer, widget.ToolHeight) // over a toast
	widget.Place(d.tools.content, margin, height-widget.ToolHeight, left, widget.ToolHeight)

	// The times need what they need; rows beyond their best height leave the rest to the answer.
	// Where a notice takes room from a small window, the table of the times goes first.
	x := margin + left + gap
	if d.many.grid.more {
		widget.Place(d.cards[1], x, 0, panel, height)
		return
	}
	wanted := page.ShownCandidates*row + 2*d.inner
	if d.many.content.Visible() {
		wanted = y.Of(224, 180) + 2*d.inner
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
	widget.Place(d.cards[0], x, 0, panel, answer)
	widget.Place(d.cards[1], x, answer+gap, panel, candidates)
	widget.Place(d.cards[2], x, height-times, panel, times)
}

// addLine adds the wide paper and what belongs to it.
func (d *drawPage) addLine(l *lineMode) {
	d.line = l
	d.crop = newCropView(l.win)
	d.mode = widget.NewSegments([]string{language.Tr("Character"), language.Tr("Line")}, func(i int) { l.win.setLine(i == 1) })
	d.several.OnTap = func() {
		k, from := d.pad.Drawing(), scanOf(d.pad)
		if l.win.setLine(true); from != nil {
			l.win.read(*from) // finer
		} else {
			l.pad.SetInk(k)
		}
	}
	l.card = widget.NewCard(l.text.content, &d.inner)
	for _, o := range []fyne.CanvasObject{l.pad, l.strip, l.card, l.language, d.mode} {
		d.content.Add(o)
	}
	d.content.Remove(d.choice)
	d.content.Add(d.choice)
	d.content.Add(d.crop)
}

// paper is what is written on.
func (d *drawPage) paper() *widget.Pad {
	if d.inLine {
		return d.line.pad
	}
	return d.pad
}

// toastArea is where a toast hides no word: below the drawing, or on the right of the wide paper.
func (d *drawPage) toastArea() widget.Area {
	a := widget.AreaOf(d.paper())
	if d.inLine {
		a.Size.Width /= 2
		a.Pos.X += a.Size.Width
		return a
	}
	return a.Above(d.pad.View.Tip.LineHeight() + 8)
}

// setLine switches between one character and a line, and remembers it. Each has its own paper.
func (w *Window) setLine(on bool) {
	d := w.draw
	l := d.line
	setting.LineMode.Set(w.App.Preferences(), on)
	d.paper().End()
	d.crop.close()
	d.setMore(false)
	d.inLine = on
	d.mode.Choose(map[bool]int{true: 1}[on])
	for _, o := range []fyne.CanvasObject{l.pad, l.strip, l.card, l.language} {
		widget.Show(o, on)
	}
	widget.Show(d.pad, !on)
	widget.Show(d.cards[0], !on)
	d.several.Hide()
	d.tools.with()
	d.times.title.Set(language.Tr("Time for this drawing"))
	if on {
		d.tools.with(l.split, l.join, l.copy)
		d.times.title.Set(language.Tr("Time for this line"))
	}
	d.showNothing()
	d.times.setHypotheses(0)
	if on {
		l.result = nil
		l.show()
		l.ask(false)
	} else {
		w.Worker.Submit(worker.Task{Ink: d.pad.Drawing(), Traced: d.pad.Traced()}, false)
	}
	w.historyChanged()
	d.setMany(d.isMany)
	d.content.Refresh()
	w.Toast.Place()
	w.Menu()
}

// showSeveral says that a drawing is rather a line, where the answer to it is in doubt.
func (w *Window) showSeveral(n int, drawing uint64) {
	if drawing != w.Worker.Sequence() || w.draw.inLine || w.draw.isMany || w.last.Drawing != drawing || len(w.last.Answer.Candidates) == 0 {
		return
	}
	if a := w.last.Answer; a.Unknown || a.Candidates[0].Probability < 0.9 {
		w.draw.answer.by.Set(language.Tr("This looks like {{.Count}} characters.", map[string]any{"Count": n}))
		w.draw.several.Show()
	}
}

// putHead places what stands on the upper edge of the paper.
func (d *drawPage) putHead(margin, width float32) {
	right := margin + width - 8
	for _, s := range []*widget.Segments{d.mode, d.line.language} {
		if s.Visible() {
			width := float32(78 * len(s.Names))
			right -= width
			widget.Place(s, right, 8, width, s.MinSize().Height)
			right -= 12
		}
	}
	widget.Place(d.choice, margin+8, 4, min(d.choice.MinSize().Width, right-margin-8), d.choice.MinSize().Height)
}

// putLine places the wide paper and its strip above, the tools under them, and three cards below.
func (d *drawPage) putLine(size fyne.Size) {
	y := widget.DensityOf(size)
	margin, gap := y.Margin, y.Gap
	width, height := size.Width-2*margin, size.Height-margin
	d.times.compact, d.inner, d.times.brief = true, y.Of(14, 11), true
	strip := y.Of(72, 58)
	times := d.cards[2].MinSize().Height
	bottom := max(times, min(widget.Floor(height*y.Of(0.32, 0.34)), 260))
	paper := height - bottom - widget.ToolHeight - strip - 2*gap - 6
	top := height - bottom
	widget.Place(d.line.pad, margin, 0, width, paper)
	widget.Place(d.crop, margin, 0, width, top-gap) // over the tools too, so that a picture can be made out
	widget.Place(d.line.strip, margin, paper+6, width, strip)
	d.putHead(margin, width)
	widget.Place(d.tools.content, margin, paper+6+strip+gap, width, widget.ToolHeight)
	text, list := widget.Floor((width-2*gap)*0.36), widget.Floor((width-2*gap)*0.26)
	widget.Place(d.line.card, margin, top, text, bottom)
	widget.Place(d.cards[1], margin+text+gap, top, list, bottom)
	widget.Place(d.cards[2], margin+text+list+2*gap, top, width-text-list-2*gap, bottom)
}

// menu is what can be done with a line.
func (l *lineMode) menu() *fyne.Menu {
	ctrl, alt := fyne.KeyModifierShortcutDefault, fyne.KeyModifierAlt
	d := l.win.draw
	on := func(do func()) func() {
		return func() {
			if d.inLine && l.win.Pages[l.win.Front].Content == d.content {
				do()
			}
		}
	}
	whole := page.WithKey(language.Tr("Write a Line"), fyne.KeyT, ctrl, func() {
		l.win.OpenPage(0)
		l.win.setLine(!d.inLine)
	})
	whole.Checked = d.inLine
	items := []*fyne.MenuItem{whole, fyne.NewMenuItemSeparator()}
	for i, key := range []fyne.KeyName{fyne.KeyX, fyne.KeyN, fyne.KeyW, fyne.KeyD} {
		item := page.WithKey(l.language.Names[i].Text, key, ctrl|fyne.KeyModifierShift, on(func() { l.setLanguage(i) }))
		items = append(items, page.Ticked(item, l.language.Selected == i))
	}
	const step = 12
	return fyne.NewMenu(language.Tr("Line"), append(items, fyne.NewMenuItemSeparator(),
		page.WithKey(language.Tr("Split the Character"), fyne.KeyK, ctrl, on(l.splitChosen)),
		page.WithKey(language.Tr("Join with the Next"), fyne.KeyJ, ctrl, on(l.joinChosen)),
		page.WithKey(language.Tr("Border to the Left"), fyne.KeyLeft, alt, on(func() { l.shift(-step) })),
		page.WithKey(language.Tr("Border to the Right"), fyne.KeyRight, alt, on(func() { l.shift(step) })))...)
}

// connectKeys takes the candidates of the chosen character by their numbers.
func (l *lineMode) connectKeys(c fyne.Canvas) {
	for n := range page.ShownCandidates {
		key := &desktop.CustomShortcut{KeyName: fyne.KeyName(rune('1' + n)), Modifier: fyne.KeyModifierAlt}
		c.AddShortcut(key, func(fyne.Shortcut) {
			if l.win.draw.inLine && l.win.Actions().Key != nil {
				l.pickNth(n)
			}
		})
	}
}
