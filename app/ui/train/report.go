package train

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/personal"
	"inkshade/recognizer/samples"
)

// report is what a training changed: before and after, the confusion matrix and the drawings behind it, and what can be done.
type report struct {
	page    *Page
	entry   *state.Training
	opened  uint64
	compact bool

	own, replay       *widget.Comparison
	verdict, decision *widget.Label
	use, back, delete *widget.Button
	choice            *widget.Segments
	caption           *widget.Label
	matrix            *matrix
	scroll            *container.Scroll
	drawings          *evidenceView
	content           *fyne.Container
}

func newReport(p *Page) *report {
	r := &report{
		page:     p,
		own:      widget.NewComparison(language.Tr("Kept for testing, answered wrong"), 0),
		replay:   widget.NewComparison(language.Tr("Known characters, answered wrong"), 0.001),
		verdict:  widget.NewLabel("", 16, theme.ColorNameForeground).Bold().Wrapped(3),
		decision: widget.NewLabel("", 13, widget.ColorMuted).Wrapped(4),
		back:     widget.NewToolButton(theme.ContentUndoIcon(), language.Tr("Go back to the previous model"), "", p.takeBack),
		caption:  widget.NewLabel("", 12, widget.ColorMuted),
	}
	r.use = widget.NewToolButton(theme.ConfirmIcon(), language.Tr("Use this model"), "", func() { p.use(r.entry.ID) })
	r.delete = widget.NewToolButton(theme.DeleteIcon(), language.Tr("Delete"), "", func() { p.remove(r.entry.ID) })
	r.choice = widget.NewSegments([]string{language.Tr("before"), language.Tr("after")}, func(int) {
		r.fill()
		r.showChanges()
	})
	r.choice.Choose(1)
	r.matrix = newMatrix(r.openCell)
	r.scroll = container.NewScroll(r.matrix)
	r.matrix.chosen = func(cell widget.Area) { widget.RevealIn(r.scroll, cell) }
	r.drawings = newEvidenceView(language.Tr("Changed answers"), func() {
		r.matrix.selected = nowhere
		r.matrix.Refresh()
		r.showChanges()
	})
	r.content = container.New(widget.Arranged{Least: widget.AtLeast(480, 380), Put: r.put}, r.own, r.replay, r.verdict, r.decision,
		r.delete, r.use, r.back, r.choice, r.caption, r.scroll, r.drawings.content)
	return r
}

func (r *report) show(e *state.Training) {
	fresh := r.entry == nil || r.entry.ID != e.ID
	r.entry = e
	r.own.Set(e.Report.HeldOut)
	r.replay.Set(e.Report.Replay)
	lines := r.page.lines()
	r.verdict.Set(verdict(e.Report, lines))
	memory := alone(e.Report)
	if lines { // which have none
		memory = ""
	}
	r.decision.Set(language.Sentences(standIn(e.Report), shared(e), memory, decision(e)))
	for _, o := range []fyne.CanvasObject{r.choice, r.caption, r.scroll, r.drawings.content} {
		widget.Show(o, !lines)
	}
	r.use.Hidden, r.delete.Hidden, r.back.Hidden = e.Active, e.Active, !e.Active
	if fresh {
		r.choice.Choose(1)
		r.fill()
		r.showChanges()
	}
	widget.Rearrange(r.content)
}

func (r *report) fill() {
	report := r.entry.Report
	labels, left := matrixLabels(report.Before, report.After)
	r.matrix.show([]personal.Confusion{report.Before, report.After}[r.choice.Selected], labels, left)
	r.caption.Set("")
	switch {
	case left > 0 && len(labels) == mostClasses:
		r.caption.Set(language.OneOrMany(left, language.Tr("1 character with fewer mistakes is not shown."),
			language.Tr("{{.Count}} characters with fewer mistakes are not shown.", language.Counted(left))))
	case left > 0:
		r.caption.Set(language.OneOrMany(left, language.Tr("1 character without a mistake is not shown."),
			language.Tr("{{.Count}} characters without a mistake are not shown.", language.Counted(left))))
	}
	r.scroll.Refresh()
}

func (r *report) openCell(c personal.Cell) {
	r.load(c.Samples, func(found []samples.Sample) {
		r.drawings.show(cellWords(c), language.Tr("No drawing is here."), true, widget.Map(found, func(s samples.Sample) evidence {
			return evidence{sample: s, words: s.Label, color: widget.ColorMuted}
		}))
	})
}

// showChanges shows the drawings whose answer changed, those that got worse first.
func (r *report) showChanges() {
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
	ids := widget.Map(changes, func(c personal.Change) int64 { return c.ID })
	title := language.Tr("Answers that changed")
	if len(changes) > 0 {
		title = language.Tr("Answers that changed, before › after")
	}
	r.load(ids, func(found []samples.Sample) {
		var items []evidence
		for _, c := range changes {
			i := slices.IndexFunc(found, func(s samples.Sample) bool { return s.ID == c.ID })
			if i < 0 {
				continue
			}
			tone := []fyne.ThemeColorName{theme.ColorNameError, theme.ColorNameSuccess, widget.ColorMuted}[rank(c)]
			items = append(items, evidence{sample: found[i], words: c.Before + " › " + c.After, color: tone})
		}
		none := language.Tr("No answer changed.")
		if r.entry.Report.HeldOut.Samples == 0 {
			none = language.Tr("With five drawings of a character, one of them is kept for testing and shows here.")
		}
		r.drawings.show(title, none, false, items)
	})
}

// load reads drawings away from the window; only what was asked for last is shown.
func (r *report) load(ids []int64, then func([]samples.Sample)) {
	r.opened++
	mine, t := r.opened, r.page.win.Book
	page.Fetch(r.page.win, func() ([]samples.Sample, error) { return t.Drawings(ids...) }, func(found []samples.Sample) {
		if mine == r.opened {
			then(found)
		}
	}, r.page.fail)
}

// put places the two comparisons on top, the verdict under them, the decision beside the buttons, then the matrix and the drawings.
func (r *report) put(size fyne.Size) {
	gap, between := float32(14), float32(40)
	r.verdict.SetSize(16)
	if r.compact {
		gap, between = 6, 20
		r.verdict.SetSize(13)
	}
	a := widget.Whole(size)
	above := a.Top(r.own.MinSize().Height, gap)
	above.Left(widget.Floor((size.Width-between)/2), between).Put(r.own)
	above.Put(r.replay)

	a.Top(r.verdict.Height(size.Width), 4).Put(r.verdict)
	const high = 38
	words := widget.Area{Pos: a.Pos, Size: fyne.NewSize(size.Width, high)}
	for _, b := range []*widget.Button{r.back, r.use, r.delete} {
		if b.Visible() {
			words.Right(b.MinSize().Width, 8).Put(b)
		}
	}
	words.Right(10, 0)
	decision := r.decision.Height(words.Size.Width)
	words.Top(decision, 0).Put(r.decision)
	a.Top(max(decision, high), gap)

	left := widget.Floor(min(size.Width*0.52, a.Size.Height+40))
	if len(r.matrix.labels) > manyClasses {
		left = widget.Floor(size.Width * 0.6)
	}
	below := a.Left(left, 24)
	choice := below.Top(26, 2)
	choice.Right(150, 0).Put(r.choice)
	if caption := r.caption.LineHeight(); r.matrix.left > 0 {
		below.Bottom(caption, 2).Put(r.caption)
	}
	below.Put(r.scroll)
	a.Top(4, 0)
	a.Put(r.drawings.content)
}

// evidence is a drawing with a word about it.
type evidence struct {
	sample samples.Sample
	words  string
	color  fyne.ThemeColorName
}

// evidenceView shows drawings under a title, as many as there are: it scrolls, and the arrow keys go through it.
type evidenceView struct {
	title   *widget.Label
	back    *widget.Press
	none    *widget.Label
	items   []evidence
	grid    *ringedGrid
	name    string // of what back goes to
	content *fyne.Container
}

func newEvidenceView(back string, onBack func()) *evidenceView {
	v := &evidenceView{
		title: widget.NewLabel("", 13, theme.ColorNameForeground).Bold().Wrapped(2),
		none:  widget.NewLabel("", 13, widget.ColorMuted).Aligned(fyne.TextAlignCenter).Wrapped(3),
		back:  widget.NewPressWithIcon("", theme.NavigateBackIcon(), onBack),
		name:  back,
	}
	v.back.Importance = toolkit.LowImportance
	v.back.Hide()
	v.grid = &ringedGrid{ring: widget.NewFill("", 8)}
	v.grid.Length = func() int { return len(v.items) }
	v.grid.CreateItem = func() fyne.CanvasObject {
		return widget.Under(0, widget.NewInkView(62), widget.Sized(0, 17, widget.NewLabel("", 12, widget.ColorMuted).Aligned(fyne.TextAlignCenter)))
	}
	v.grid.UpdateItem = func(id toolkit.GridWrapItemID, o fyne.CanvasObject) {
		if id < 0 || id >= len(v.items) { // the arrow keys of the toolkit leave a grid that is empty, or has become so
			return
		}
		parts, e := o.(*fyne.Container).Objects, v.items[id]
		parts[0].(*widget.InkView).Set(e.sample.Ink, e.sample.ID)
		parts[1].(*fyne.Container).Objects[0].(*widget.Label).SetColored(e.words, e.color)
	}
	v.grid.ExtendBaseWidget(v.grid)
	v.content = container.New(widget.Arranged{Least: widget.AtLeast(150, 120), Put: v.put}, v.title, v.back, v.none, v.grid, v.grid.ring)
	return v
}

// ringedGrid is a grid with a ring around it while it has the focus.
type ringedGrid struct {
	toolkit.GridWrap
	ring *widget.Fill
}

func (g *ringedGrid) FocusGained() {
	g.GridWrap.FocusGained()
	g.ring.Edged(theme.ColorNamePrimary, 2)
	widget.Reveal(g)
}

func (g *ringedGrid) FocusLost() {
	g.GridWrap.FocusLost()
	g.ring.Edged("", 0)
}

// show takes drawings; none is what to say where there are none.
func (v *evidenceView) show(title, none string, canGoBack bool, items []evidence) {
	v.items = items
	v.title.Set(title)
	v.none.Set("")
	if v.grid.Hidden = len(items) == 0; v.grid.Hidden {
		v.none.Set(none)
	}
	v.back.Hidden = !canGoBack
	v.grid.UnselectAll()
	v.grid.ScrollToTop()
	v.grid.Refresh()
	widget.Rearrange(v.content)
}

func (v *evidenceView) put(size fyne.Size) {
	a := widget.Whole(size)
	title := a
	if name := v.name; v.back.Visible() {
		if size.Width < 380 {
			name = "" // the arrow says enough where there is little room
		}
		v.back.SetText(name)
		m := v.back.MinSize()
		title.Right(m.Width, 0)
		widget.Place(v.back, title.Size.Width, -6, m.Width, m.Height)
	}
	a.Top(max(v.title.Height(title.Size.Width), v.back.MinSize().Height-6), 4)
	title.Top(v.title.Most(), 0).Put(v.title)
	a.Put(v.grid, v.grid.ring)
	widget.Place(v.none, 0, widget.Floor(size.Height/2-v.none.LineHeight()), size.Width, v.none.Most())
}
