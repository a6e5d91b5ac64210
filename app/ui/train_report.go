package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/app/trainer"
	"inkshade/recognizer/personal"
	"inkshade/recognizer/samples"
)

// trainReport is what a training changed: before and after, the confusion matrix and the
// drawings behind it, and what can be done with the model.
type trainReport struct {
	page    *trainPage
	entry   *trainer.Entry
	after   bool // the matrix shows the answers after training
	opened  uint64
	compact bool

	own, replay       *comparison
	verdict, decision *label
	use, back, delete *button
	choice            *segments
	caption           *label
	matrix            *matrix
	scroll            *container.Scroll
	drawings          *evidenceView
	content           *fyne.Container
}

func newTrainReport(p *trainPage) *trainReport {
	r := &trainReport{
		page: p, after: true,
		own:      newComparison(tr("Kept for testing, answered wrong"), 0),
		replay:   newComparison(tr("Known characters, answered wrong"), 0.001),
		verdict:  newLabel("", 15, theme.ColorNameForeground).bold().wrapped(3),
		decision: newLabel("", 13, colorMuted).wrapped(3),
		back:     newToolButton(theme.ContentUndoIcon(), tr("Go back to the previous model"), "", p.takeBack),
		caption:  newLabel("", 12, colorMuted),
	}
	r.use = newToolButton(theme.ConfirmIcon(), tr("Use this model"), "", func() { p.use(r.entry.ID) })
	r.delete = newToolButton(theme.DeleteIcon(), tr("Delete"), "", func() { p.remove(r.entry.ID) })
	r.choice = newSegments([]string{tr("before"), tr("after")}, func(i int) {
		r.after = i == 1
		r.fill()
		r.showChanges()
	})
	r.choice.choose(1)
	r.matrix = newMatrix(r.openCell)
	r.scroll = container.NewScroll(r.matrix)
	r.drawings = newEvidenceView(tr("Changed answers"), func() {
		r.matrix.selected = nowhere
		r.matrix.Refresh()
		r.showChanges()
	})
	r.content = container.New(arranged{atLeast(480, 380), r.put}, r.own, r.replay, r.verdict, r.decision,
		r.use, r.back, r.delete, r.choice, r.caption, r.scroll, r.drawings.content)
	return r
}

// show takes an entry of the history.
func (r *trainReport) show(e *trainer.Entry) {
	fresh := r.entry == nil || r.entry.ID != e.ID
	r.entry = e
	r.own.show(e.Report.HeldOut)
	r.replay.show(e.Report.Replay)
	r.verdict.set(verdict(e.Report))
	r.decision.set(sentences(standIn(e.Report), shared(e), alone(e.Report), decision(e)))
	r.use.Hidden, r.delete.Hidden, r.back.Hidden = e.InForce, e.InForce, !e.InForce
	if fresh {
		r.after = true
		r.choice.choose(1)
		r.fill()
		r.showChanges()
	}
	rearrange(r.content)
}

// fill shows the matrix before or after training.
func (r *trainReport) fill() {
	report := r.entry.Report
	labels, left := matrixLabels(report.Before, report.After)
	c := report.Before
	if r.after {
		c = report.After
	}
	r.matrix.show(c, labels, left)
	r.caption.set("")
	switch {
	case left > 0 && len(labels) == mostClasses:
		r.caption.set(tr("{{.Count}} characters with fewer mistakes are not shown.", counted(left)))
	case left > 0:
		r.caption.set(oneOrMany(left, tr("1 character without a mistake is not shown."),
			tr("{{.Count}} characters without a mistake are not shown.", counted(left))))
	}
	r.scroll.Refresh()
}

// openCell shows the drawings of a cell of the matrix.
func (r *trainReport) openCell(c personal.Cell) {
	r.load(c.Samples, func(found []samples.Sample) {
		var items []evidence
		for _, s := range found {
			items = append(items, evidence{sample: s, words: s.Label, color: colorMuted})
		}
		r.drawings.show(cellWords(c), tr("No drawing is here."), true, items)
	})
}

// showChanges shows the drawings whose answer changed, those that got worse first.
func (r *trainReport) showChanges() {
	changes := slices.Clone(r.entry.Report.Changes)
	rank := func(c personal.Change) int {
		switch {
		case c.Worse():
			return 0
		case c.Better():
			return 1
		}
		return 2
	}
	slices.SortStableFunc(changes, func(a, b personal.Change) int { return rank(a) - rank(b) })
	var ids []int64
	for _, c := range changes {
		ids = append(ids, c.ID)
	}
	title := tr("Answers that changed")
	if len(changes) > 0 {
		title = tr("Answers that changed, before › after")
	}
	r.load(ids, func(found []samples.Sample) {
		var items []evidence
		for _, c := range changes {
			i := slices.IndexFunc(found, func(s samples.Sample) bool { return s.ID == c.ID })
			if i < 0 {
				continue
			}
			tone := []fyne.ThemeColorName{theme.ColorNameError, theme.ColorNameSuccess, colorMuted}[rank(c)]
			items = append(items, evidence{sample: found[i], words: c.Before + " › " + c.After, color: tone})
		}
		none := tr("No answer changed.")
		if r.entry.Report.HeldOut.Samples == 0 {
			none = tr("With five drawings of a character, one of them is kept for testing and shows here.")
		}
		r.drawings.show(title, none, false, items)
	})
}

// load reads drawings away from the window; only what was asked for last is shown.
func (r *trainReport) load(ids []int64, then func([]samples.Sample)) {
	r.opened++
	mine, t := r.opened, r.page.trainer
	fetch(r.page.win, func() ([]samples.Sample, error) { return t.Drawings(ids...) }, func(found []samples.Sample) {
		if mine == r.opened {
			then(found)
		}
	}, r.page.fail)
}

// put places the two comparisons on top, the words and buttons under them, then the matrix and
// the drawings.
func (r *trainReport) put(size fyne.Size) {
	gap, between := float32(14), float32(40)
	r.verdict.resize(15)
	if r.compact {
		gap, between = 6, 20
		r.verdict.resize(13)
	}
	half := floor((size.Width - between) / 2)
	h := r.own.MinSize().Height
	place(r.own, 0, 0, half, h)
	place(r.replay, half+between, 0, size.Width-half-between, h)
	y := h + gap

	x := size.Width
	const high = 38
	for _, b := range []*button{r.back, r.use, r.delete} {
		if b.Hidden {
			continue
		}
		w := b.MinSize().Width
		x -= w
		place(b, x, y, w, high)
		x -= 8
	}
	vh, dh := r.verdict.height(x-10), r.decision.height(x-10)
	place(r.verdict, 0, y, x-10, r.verdict.most())
	place(r.decision, 0, y+vh+1, x-10, r.decision.most())
	y += max(vh+1+dh, high) + gap

	rest := size.Height - y
	left := floor(min(size.Width*0.52, rest+40))
	if len(r.matrix.labels) > manyClasses {
		left = floor(size.Width * 0.6)
	}
	switchHeight := float32(26)
	under := float32(0)
	if r.matrix.left > 0 {
		under = r.caption.lineHeight() + 2
	}
	place(r.choice, left-150, y, 150, switchHeight)
	place(r.scroll, 0, y+switchHeight+2, left, rest-switchHeight-2-under)
	place(r.caption, 0, size.Height-r.caption.lineHeight(), left, r.caption.lineHeight())
	place(r.drawings.content, left+24, y+4, size.Width-left-24, rest-4)
}

// evidence is a drawing with a word about it.
type evidence struct {
	sample samples.Sample
	words  string
	color  fyne.ThemeColorName
}

// evidenceView shows drawings under a title, as many as there are: it scrolls, and the
// arrow keys go through it.
type evidenceView struct {
	title   *label
	back    *widget.Button
	none    *label
	items   []evidence
	grid    *widget.GridWrap
	name    string // of what back goes to
	content *fyne.Container
}

func newEvidenceView(back string, onBack func()) *evidenceView {
	v := &evidenceView{
		title: newLabel("", 13, theme.ColorNameForeground).bold().wrapped(2),
		none:  newLabel("", 13, colorMuted).aligned(fyne.TextAlignCenter).wrapped(3),
		back:  widget.NewButtonWithIcon("", theme.NavigateBackIcon(), onBack),
		name:  back,
	}
	v.back.Importance = widget.LowImportance
	v.back.Hide()
	v.grid = widget.NewGridWrap(
		func() int { return len(v.items) },
		func() fyne.CanvasObject { return newInkTile() },
		func(id widget.GridWrapItemID, o fyne.CanvasObject) { o.(*inkTile).show(v.items[id]) })
	v.content = container.New(arranged{atLeast(150, 120), v.put}, v.title, v.back, v.none, v.grid)
	return v
}

// show takes drawings; none is what to say where there are none.
func (v *evidenceView) show(title, none string, canGoBack bool, items []evidence) {
	v.items = items
	v.title.set(title)
	v.none.set("")
	if len(items) == 0 {
		v.none.set(none)
	}
	v.back.Hidden = !canGoBack
	v.grid.UnselectAll()
	v.grid.ScrollToTop()
	v.grid.Refresh()
	rearrange(v.content)
}

func (v *evidenceView) put(size fyne.Size) {
	width := size.Width
	if name := v.name; !v.back.Hidden {
		if size.Width < 380 {
			name = "" // the arrow says enough where there is little room
		}
		v.back.SetText(name)
		m := v.back.MinSize()
		width -= m.Width
		place(v.back, width, -6, m.Width, m.Height)
	}
	place(v.title, 0, 0, width, v.title.most())
	h := max(v.title.height(width), v.back.MinSize().Height-6)
	place(v.none, 0, floor(size.Height/2-v.none.lineHeight()), size.Width, v.none.most())
	place(v.grid, 0, h+4, size.Width, size.Height-h-4)
}

// inkTile is a drawing with a word under it.
type inkTile struct {
	composed
	view  *inkView
	words *label
}

const (
	tileSide  = 62
	tileWords = 17
)

func newInkTile() *inkTile {
	t := &inkTile{view: newInkView(tileSide), words: newLabel("", 12, colorMuted).aligned(fyne.TextAlignCenter)}
	t.compose(t, container.New(arranged{atLeast(tileSide, tileSide+tileWords), func(size fyne.Size) {
		place(t.view, 0, 0, size.Width, size.Height-tileWords)
		place(t.words, 0, size.Height-tileWords+1, size.Width, tileWords)
	}}, t.view, t.words))
	return t
}

func (t *inkTile) show(e evidence) {
	t.view.show(e.sample.Ink, e.sample.ID)
	t.words.show(e.words, e.color)
}
