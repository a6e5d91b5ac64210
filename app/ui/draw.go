package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
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
	place(d.several, margin+floor((left-offer)/2), height-2*toolHeight-gap-toastHeight-16, offer, toolHeight)
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
