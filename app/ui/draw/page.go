// Package draw is the page on which a person draws one character or writes a line, and sees the answer.
package draw

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/clipboard"
	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/recognizer/ink"
)

// Page is the tab on which a person draws and sees the answer.
type Page struct {
	win        *page.Frame
	copied     func() ([]byte, error) // gives the picture on the clipboard, nil where there is none
	answerWait time.Duration
	pause      page.Alarm // begins anew with every change of the drawing
	model      string     // that answers
	labels     []string   // that it has
	words      bool       // lines are read whole
	classes    page.ClassSet
	last       worker.Reply // the newest answer shown
	lesson     *lesson      // what was said about the drawing on the paper; nil when nothing was
	given      []*lesson    // on their way to the disk, and those before them since none was
	effect     bool         // the lesson's effect on its own drawing is to be shown

	Reader func() // is told when what reads may have changed

	pad                        *widget.Pad
	answer                     *answerView
	candidates                 *candidateList
	times                      *timingView
	inner                      float32 // margin of the cards
	cards                      [3]*fyne.Container
	tools                      *fyne.Container // under the paper
	undoing, redoing, clearing *widget.Button
	content                    *fyne.Container
	entry                      *widget.Entry    // for what the drawing is
	choice                     *widget.Button   // opens what may be answered
	mode                       *widget.Segments // one character or a line
	offer                      *widget.Button   // to read the drawing as a line, or by another model
	offered                    *fyne.Container  // has it in its middle
	crop                       *cropView        // over the paper while a part of a picture is chosen
	line                       *lineMode
	inLine                     bool
	many                       *manyPanel // the candidates of a model of many classes
	isMany                     bool       // the model in use is one
}

// New makes the page; Start lets it begin.
func New(w *page.Frame) *Page {
	d := &Page{
		win:        w,
		copied:     clipboard.Picture,
		answerWait: usualWait,
		pause:      page.Alarm{Post: w.Post},
		pad:        w.Paper,
		answer:     newAnswerView(),
		candidates: newCandidateList(),
		entry:      widget.NewLabelEntry(language.Tr("What is it?"), nil, nil),
		choice:     widget.NewQuietButton(12, nil),
		offer:      widget.NewToolButton(theme.ListIcon(), "", "", nil),
	}
	d.times = newTimingView(d.ReadsWords)
	d.offered = container.NewCenter(d.offer)
	d.many = newManyPanel(d)
	for _, row := range d.candidates.rows {
		row.OnTap = d.pick
	}
	d.entry.Connect(d.teachTyped, w.Win.Canvas().Unfocus)
	d.choice.Words.OfName()
	d.choice.OnTap = func() { w.DropDown(d.choice, d.ChoiceItems()) }
	d.offer.Hide()
	d.mode = widget.NewSegments([]string{language.Tr("Character"), language.Tr("Line")}, func(i int) { d.setLine(i == 1) })
	d.line, d.crop = newLineMode(d), newCropView(d)
	list := container.NewStack(d.candidates.content, d.many.content)
	for i, c := range []fyne.CanvasObject{d.answer.content, list, d.times.content} {
		d.cards[i] = widget.NewCard(c, &d.inner)
	}
	l := d.line
	d.undoing = w.Command("undo").Tool(theme.ContentUndoIcon(), language.Tr("Undo"))
	d.redoing = w.Command("redo").Tool(theme.ContentRedoIcon(), language.Tr("Redo"))
	d.clearing = w.Command("clear").Tool(theme.DeleteIcon(), language.Tr("Clear"))
	d.tools = widget.Evenly(10, d.undoing, d.redoing, d.clearing, l.split, l.join, l.copy,
		container.NewVBox(layout.NewSpacer(), d.entry, layout.NewSpacer()))
	l.card = widget.NewCard(l.text.content, &d.inner)
	d.content = container.New(widget.Arranged{Least: widget.PageSize, Put: func(size fyne.Size) {
		if d.inLine {
			d.putLine(size)
		} else {
			d.put(size)
		}
	}}, d.pad, l.pad, d.choice, l.language, d.mode, l.strip, d.offered, d.tools, l.card, d.cards[0], d.cards[1], d.cards[2], d.crop)
	d.candidates.show(nil, false)
	painted := uint64(0) // the first frame that shows the answer to a drawing is noted
	d.answer.seen.OnPaint = func(drawing uint64) {
		if drawing != painted {
			painted = drawing
			w.Trace.Write(page.Event{Event: "answer", Drawing: drawing, Label: d.answer.glyph.Text})
		}
	}
	d.pad.OnInk, d.pad.OnHistory = d.inkChanged, d.historyChanged
	w.Redoes(d.pad)
	w.Redoes(l.pad)
	d.classes = d.chosenClasses()
	return d
}

// Papers are those for a character and for a line.
func (d *Page) Papers() [2]*widget.Pad { return [2]*widget.Pad{d.pad, d.line.pad} }

// Start has the page answer as was chosen last time, once the worker is there.
func (d *Page) Start() {
	d.Restrict()
	d.setLine(setting.LineMode.Get(d.win.App.Preferences()))
}

// Tab is the page as the window has it.
func (d *Page) Tab() *page.Page {
	return &page.Page{
		Key: "draw", Name: language.Tr("Draw"), Content: d.content, Commands: d.commands(), Answerer: d.answererChanged, Awaiting: d.awaiting, Answer: d.showAnswer, Measured: func(t worker.Times) {
			if t.OfLine == d.inLine {
				d.times.lines[t.Side].taken = &t
				d.times.fill()
			}
		}, Offered: d.showOffer,
		Kept: d.kept, Left: d.kept, Models: d.choicesChanged,
		Book: func() { d.classes = d.chosenClasses() },
		Set: func() {
			d.win.SetPen(d.pad)
			d.win.SetPen(d.line.pad)
		},
		Actions: page.Actions{
			Undo:  d.undo,
			Redo:  d.redo,
			Clear: d.clear,
			Typed: d.typedRune,
			Key: func(k fyne.KeyName) {
				switch {
				case d.crop.Visible():
					d.crop.key(k)
				case d.toolKey(k):
				case d.inLine:
					d.line.key(k)
				case d.manyKey(k):
				case k == fyne.KeyDelete || k == fyne.KeyBackspace || k == fyne.KeyEscape:
					d.pad.Clear()
				}
			},
			Pen:   func(down bool) { d.paper().KeyPen(down) },
			Toast: d.toastArea,
		},
	}
}

func (d *Page) undo()  { d.crop.close(); d.win.UndoOn(d.paper())() }
func (d *Page) redo()  { d.crop.close(); d.win.RedoOn(d.paper())() }
func (d *Page) clear() { d.crop.close(); d.paper().Clear() }

// usualWait is how long the window holds its breath for the answer when the pen lifts: less than a frame.
const usualWait = 10 * time.Millisecond

// ask has the paper for one character read.
func (d *Page) ask(k ink.Ink, penDown bool) {
	d.win.Worker.Submit(worker.Task{Ink: k, Rather: d.line.writtenIn(), Traced: d.pad.Traced()}, penDown)
}

// inkChanged is called by the pad on every point and on every pen-up, undo, redo, clear.
func (d *Page) inkChanged(c widget.InkChange) {
	if c.PenDown && len(c.Ink) == 1 && d.entry.Text != "" { // of the drawing before
		d.entry.SetText("")
	}
	d.ask(c.Ink, c.PenDown)
	d.lessonChanged()
	d.offer.Hide()
	d.setMore(false)
	d.pause.Stop()
	switch seconds := setting.DrawPause.Get(d.win.App.Preferences()); {
	case c.Lifted && seconds > 0:
		d.pause.After(time.Duration(seconds*float64(time.Second)), func() { d.pad.SetDone(true) })
	case !c.PenDown:
		d.pad.SetDone(d.said())
	}
	if c.Lifted {
		d.win.Trace.Write(page.Event{Event: "pen-up", Drawing: d.win.Worker.Sequence()})
		d.win.Worker.Await(d.answerWait)
	}
	if len(c.Ink) == 0 {
		d.showNothing()
	}
}

// kept shows what is said of the drawing and what can be undone, in the light of what is kept now.
func (d *Page) kept() {
	said := d.said()
	if !d.win.State.Pending() {
		d.given = nil
	}
	d.lessonChanged()
	if said { // what could not be saved can be said again
		d.pad.SetDone(d.said())
	}
	d.historyChanged()
}

func (d *Page) historyChanged() {
	h, c := &d.paper().History, d.win.State
	if len(h.Now) == 0 {
		d.entry.SetText("") // what was typed was about what is gone
	}
	if !d.inLine {
		widget.Enable(d.entry, len(h.Now) > 0)
	}
	d.undoing.Allow(len(h.Past)+len(c.Past()) > 0, language.Tr("There is nothing to undo."))
	d.redoing.Allow(len(h.Future)+len(c.Undone()) > 0, language.Tr("There is nothing to redo."))
	d.clearing.Allow(len(h.Now) > 0, language.Tr("The paper is empty."))
}

// answererChanged shows who answers, and what can be chosen where it is by another model.
func (d *Page) answererChanged() {
	s := d.win.Status
	d.times.status = s
	d.times.fill()
	if s.Model != d.model || s.Words != d.words || !slices.Equal(s.Labels, d.labels) {
		d.model, d.words, d.labels = s.Model, s.Words, s.Labels
		d.modelChanged()
	}
}

// Taken is what was measured last on a side; nil for nothing.
func (d *Page) Taken(side device.Side) *worker.Times { return d.times.lines[side].taken }

// Lacks is what is still to come of a drawing that was answered by these devices; empty when all of it is shown.
func (d *Page) Lacks() string {
	if d.candidates.rows[0].Candidate == nil && d.answer.glyph.Text != "!" {
		return "there is no answer yet"
	}
	for _, side := range sides {
		if d.win.Status.Device(side).State == device.Ready && d.Taken(side) == nil {
			return "the " + string(side) + " is still being timed"
		}
	}
	return ""
}

func (d *Page) showNothing() {
	d.answer.nothing()
	d.candidates.show(nil, false)
	d.many.grid.Show(nil, false)
	d.times.forget()
}

func (d *Page) showAnswer(r worker.Reply) {
	switch {
	case r.OfLine:
		d.line.read(r)
		return
	case r.Err != nil:
		d.answer.say("!", theme.ColorNameError, "", failure(r.Err))
		d.answer.by.Recolor(theme.ColorNameError)
		d.candidates.show(nil, false)
		d.many.grid.Show(nil, false)
		return
	}
	d.last = r
	d.answer.show(r)
	d.candidates.show(r.Answer.Candidates, r.Answer.Unknown)
	if d.many.content.Visible() && (d.pad.Live == nil || time.Since(d.many.shownAt) >= widget.Frames) {
		d.many.shownAt = time.Now()
		d.many.grid.Show(r.Answer.Candidates, r.Answer.Unknown)
	}
	d.pad.View.Tip.Set(d.correctionTip(r))
	d.showEffect(r)
}

// put has two densities: roomy, and compact for windows down to 900 x 600. Paper and tools are left, three cards right.
func (d *Page) put(size fyne.Size) {
	y, left := widget.DensityOf(size)
	d.times.squeeze(y.Of(10, 5))
	d.inner = y.Inner
	right := left.Right(y.Of(widget.Floor(min(max(size.Width*0.34, 432), 560)), 396), y.Gap)
	left.Bottom(widget.ToolHeight, y.Gap).Put(d.tools)
	left.Put(d.pad, d.crop)
	d.putHead(left)
	left.Bottom(page.ToastHeight+d.pad.View.Tip.LineHeight()+26, 0) // of a toast
	left.Bottom(widget.ToolHeight, 0).Put(d.offered)

	// The times need what they need; rows beyond their best height leave the rest to the answer.
	// Where a notice takes room from a small window, the table of the times goes first.
	if d.many.grid.More {
		right.Put(d.cards[1])
		return
	}
	wanted := page.ShownCandidates*y.Of(28, 22) + 2*d.inner
	if d.many.content.Visible() {
		wanted = y.Of(224, 180) + 2*d.inner
	}
	var spare, candidates float32
	for _, d.times.table.Hidden = range []bool{false, true} {
		spare = right.Size.Height - d.cards[2].MinSize().Height - 2*y.Gap
		if candidates = min(wanted, spare-d.cards[0].MinSize().Height); candidates >= d.cards[1].MinSize().Height {
			break
		}
	}
	right.Top(spare-candidates, y.Gap).Put(d.cards[0])
	right.Top(candidates, y.Gap).Put(d.cards[1])
	right.Put(d.cards[2])
}

func (d *Page) paper() *widget.Pad {
	if d.inLine {
		return d.line.pad
	}
	return d.pad
}

// toastArea is where a toast hides no word: below the drawing, or on the right of the wide paper.
func (d *Page) toastArea() widget.Area {
	a := widget.AreaOf(d.paper())
	if d.inLine {
		a.Size.Width /= 2
		a.Pos.X += a.Size.Width
		return a
	}
	return a.Above(d.pad.View.Tip.LineHeight() + 8)
}

// setLine switches between one character and a line, and remembers it. Each has its own paper.
func (d *Page) setLine(on bool) {
	l := d.line
	setting.LineMode.Set(d.win.App.Preferences(), on)
	d.paper().End()
	d.crop.close()
	d.setMore(false)
	d.inLine = on
	d.entry.SetText("")
	d.mode.Choose(map[bool]int{true: 1}[on])
	for _, o := range []fyne.CanvasObject{l.pad, l.strip, l.card, l.language, l.split, l.join, l.copy} {
		widget.Show(o, on)
	}
	widget.Show(d.pad, !on)
	widget.Show(d.cards[0], !on)
	d.offer.Hide()
	d.times.title.Set(language.Tr("Time for this drawing"))
	if on {
		d.times.title.Set(language.Tr("Time for this line"))
	}
	d.times.hypotheses = 0
	d.showNothing()
	if on {
		l.all = nil
		l.show()
		l.ask(false)
	} else {
		d.entry.SetPlaceHolder(language.Tr("What is it?"))
		d.ask(d.pad.Drawing(), false)
	}
	d.historyChanged()
	d.setMany(d.isMany)
	d.choicesChanged()
	d.content.Refresh()
	d.win.Toast.Place()
}

func (d *Page) putHead(paper widget.Area) {
	head := paper.Top(34, 0)
	head.Right(8, 0)
	for _, s := range []*widget.Segments{d.mode, d.line.language} {
		if s.Visible() {
			choice := head.Right(float32(78*len(s.Names)), 12)
			widget.Place(s, choice.Pos.X, 8, choice.Size.Width, s.MinSize().Height)
		}
	}
	least := d.choice.MinSize()
	widget.Place(d.choice, head.Pos.X+8, 4, min(least.Width, head.Size.Width-8), least.Height)
}

func (d *Page) putLine(size fyne.Size) {
	y, above := widget.DensityOf(size)
	d.times.squeeze(8)
	d.inner, d.times.table.Hidden = y.Of(14, 11), true
	below := above.Bottom(max(d.cards[2].MinSize().Height, min(widget.Floor(above.Size.Height*y.Of(0.32, 0.34)), 260)), y.Gap)
	above.Put(d.crop) // over the tools too, so that a picture can be made out
	above.Bottom(widget.ToolHeight, y.Gap).Put(d.tools)
	above.Bottom(y.Of(72, 58), 6).Put(d.line.strip)
	above.Put(d.line.pad)
	d.putHead(above)
	width := below.Size.Width - 2*y.Gap
	below.Left(widget.Floor(width*0.36), y.Gap).Put(d.line.card)
	below.Left(widget.Floor(width*0.26), y.Gap).Put(d.cards[1])
	below.Put(d.cards[2])
}
