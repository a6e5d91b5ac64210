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

// report is what a training changed: before and after, the confusion matrix and the
// drawings behind it, and what can be done with the model.
type report struct {
	page    *Page
	entry   *state.Training
	after   bool // the matrix shows the answers after training
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
		page: p, after: true,
		own:      widget.NewComparison(language.Tr("Kept for testing, answered wrong"), 0),
		replay:   widget.NewComparison(language.Tr("Known characters, answered wrong"), 0.001),
		verdict:  widget.NewLabel("", 15, theme.ColorNameForeground).Bold().Wrapped(3),
		decision: widget.NewLabel("", 13, widget.ColorMuted).Wrapped(3),
		back:     widget.NewToolButton(theme.ContentUndoIcon(), language.Tr("Go back to the previous model"), "", p.takeBack),
		caption:  widget.NewLabel("", 12, widget.ColorMuted),
	}
	r.use = widget.NewToolButton(theme.ConfirmIcon(), language.Tr("Use this model"), "", func() { p.use(r.entry.ID) })
	r.delete = widget.NewToolButton(theme.DeleteIcon(), language.Tr("Delete"), "", func() { p.remove(r.entry.ID) })
	r.choice = widget.NewSegments([]string{language.Tr("before"), language.Tr("after")}, func(i int) {
		r.after = i == 1
		r.fill()
		r.showChanges()
	})
	r.choice.Choose(1)
	r.matrix = newMatrix(r.openCell)
	r.scroll = container.NewScroll(r.matrix)
	r.drawings = newEvidenceView(language.Tr("Changed answers"), func() {
		r.matrix.selected = nowhere
		r.matrix.Refresh()
		r.showChanges()
	})
	r.content = container.New(widget.Arranged{Least: widget.AtLeast(480, 380), Put: r.put}, r.own, r.replay, r.verdict, r.decision,
		r.use, r.back, r.delete, r.choice, r.caption, r.scroll, r.drawings.content)
	return r
}

// show takes an entry of the history.
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
		r.after = true
		r.choice.Choose(1)
		r.fill()
		r.showChanges()
	}
	widget.Rearrange(r.content)
}

// fill shows the matrix before or after training.
func (r *report) fill() {
	report := r.entry.Report
	labels, left := matrixLabels(report.Before, report.After)
	c := report.Before
	if r.after {
		c = report.After
	}
	r.matrix.show(c, labels, left)
	r.caption.Set("")
	switch {
	case left > 0 && len(labels) == mostClasses:
		r.caption.Set(language.Tr("{{.Count}} characters with fewer mistakes are not shown.", language.Counted(left)))
	case left > 0:
		r.caption.Set(language.OneOrMany(left, language.Tr("1 character without a mistake is not shown."),
			language.Tr("{{.Count}} characters without a mistake are not shown.", language.Counted(left))))
	}
	r.scroll.Refresh()
}

// openCell shows the drawings of a cell of the matrix.
func (r *report) openCell(c personal.Cell) {
	r.load(c.Samples, func(found []samples.Sample) {
		var items []evidence
		for _, s := range found {
			items = append(items, evidence{sample: s, words: s.Label, color: widget.ColorMuted})
		}
		r.drawings.show(cellWords(c), language.Tr("No drawing is here."), true, items)
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
	var ids []int64
	for _, c := range changes {
		ids = append(ids, c.ID)
	}
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

// put places the two comparisons on top, the words and buttons under them, then the matrix and
// the drawings.
func (r *report) put(size fyne.Size) {
	gap, between := float32(14), float32(40)
	r.verdict.SetSize(15)
	if r.compact {
		gap, between = 6, 20
		r.verdict.SetSize(13)
	}
	half := widget.Floor((size.Width - between) / 2)
	h := r.own.MinSize().Height
	widget.Place(r.own, 0, 0, half, h)
	widget.Place(r.replay, half+between, 0, size.Width-half-between, h)
	y := h + gap

	x := size.Width
	const high = 38
	for _, b := range []*widget.Button{r.back, r.use, r.delete} {
		if b.Hidden {
			continue
		}
		w := b.MinSize().Width
		x -= w
		widget.Place(b, x, y, w, high)
		x -= 8
	}
	vh, dh := r.verdict.Height(x-10), r.decision.Height(x-10)
	widget.Place(r.verdict, 0, y, x-10, r.verdict.Most())
	widget.Place(r.decision, 0, y+vh+1, x-10, r.decision.Most())
	y += max(vh+1+dh, high) + gap

	rest := size.Height - y
	left := widget.Floor(min(size.Width*0.52, rest+40))
	if len(r.matrix.labels) > manyClasses {
		left = widget.Floor(size.Width * 0.6)
	}
	switchHeight := float32(26)
	under := float32(0)
	if r.matrix.left > 0 {
		under = r.caption.LineHeight() + 2
	}
	widget.Place(r.choice, left-150, y, 150, switchHeight)
	widget.Place(r.scroll, 0, y+switchHeight+2, left, rest-switchHeight-2-under)
	widget.Place(r.caption, 0, size.Height-r.caption.LineHeight(), left, r.caption.LineHeight())
	widget.Place(r.drawings.content, left+24, y+4, size.Width-left-24, rest-4)
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
	title   *widget.Label
	back    *toolkit.Button
	none    *widget.Label
	items   []evidence
	grid    *toolkit.GridWrap
	name    string // of what back goes to
	content *fyne.Container
}

func newEvidenceView(back string, onBack func()) *evidenceView {
	v := &evidenceView{
		title: widget.NewLabel("", 13, theme.ColorNameForeground).Bold().Wrapped(2),
		none:  widget.NewLabel("", 13, widget.ColorMuted).Aligned(fyne.TextAlignCenter).Wrapped(3),
		back:  toolkit.NewButtonWithIcon("", theme.NavigateBackIcon(), onBack),
		name:  back,
	}
	v.back.Importance = toolkit.LowImportance
	v.back.Hide()
	v.grid = toolkit.NewGridWrap(
		func() int { return len(v.items) },
		func() fyne.CanvasObject { return newInkTile() },
		func(id toolkit.GridWrapItemID, o fyne.CanvasObject) {
			t, e := o.(*inkTile), v.items[id]
			t.view.Set(e.sample.Ink, e.sample.ID)
			t.words.SetColored(e.words, e.color)
		})
	v.content = container.New(widget.Arranged{Least: widget.AtLeast(150, 120), Put: v.put}, v.title, v.back, v.none, v.grid)
	return v
}

// show takes drawings; none is what to say where there are none.
func (v *evidenceView) show(title, none string, canGoBack bool, items []evidence) {
	v.items = items
	v.title.Set(title)
	v.none.Set("")
	if len(items) == 0 {
		v.none.Set(none)
	}
	v.back.Hidden = !canGoBack
	v.grid.UnselectAll()
	v.grid.ScrollToTop()
	v.grid.Refresh()
	widget.Rearrange(v.content)
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
		widget.Place(v.back, width, -6, m.Width, m.Height)
	}
	widget.Place(v.title, 0, 0, width, v.title.Most())
	h := max(v.title.Height(width), v.back.MinSize().Height-6)
	widget.Place(v.none, 0, widget.Floor(size.Height/2-v.none.LineHeight()), size.Width, v.none.Most())
	widget.Place(v.grid, 0, h+4, size.Width, size.Height-h-4)
}

// inkTile is a drawing with a word under it.
type inkTile struct {
	widget.Composed
	view  *widget.InkView
	words *widget.Label
}

const (
	tileSide  = 62
	tileWords = 17
)

func newInkTile() *inkTile {
	t := &inkTile{view: widget.NewInkView(tileSide), words: widget.NewLabel("", 12, widget.ColorMuted).Aligned(fyne.TextAlignCenter)}
	t.Compose(t, container.New(widget.Arranged{Least: widget.AtLeast(tileSide, tileSide+tileWords), Put: func(size fyne.Size) {
		widget.Place(t.view, 0, 0, size.Width, size.Height-tileWords)
		widget.Place(t.words, 0, size.Height-tileWords+1, size.Width, tileWords)
	}}, t.view, t.words))
	return t
}
