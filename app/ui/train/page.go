// Package train is the page on which the model learns a person's handwriting.
package train

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/state"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/glcompute"
	"inkshade/models"
)

// Page is the tab on which the model learns a person's handwriting, shows whether that helped, and can be taken back.
type Page struct {
	win     *page.Frame
	state   state.Readiness
	model   string           // the one in use, or the shipped one it goes back to
	which   *widget.Segments // learns: that, or what reads words
	picked  bool             // a person said which
	labels  []string         // that the one in use knows
	known   bool             // the state has been read
	entries []state.Training
	shown   int64 // the entry whose report is open
	running *training
	failed  error  // what the last training ended with
	wanted  bool   // a training is to begin with the next state
	asked   uint64 // counts refreshes, so that a late one shows nothing

	head     *head
	idle     *fyne.Container
	course   *course
	report   *report
	history  *widget.RingedList
	settings *settings
	inner    float32            // margin of the cards
	cards    [4]*fyne.Container // head, what is in the middle, history, settings
	content  *fyne.Container
	commands []*page.Command
}

func New(w *page.Frame) *Page {
	p := &Page{win: w, shown: -1}
	cancel := &page.Command{ID: "cancel", Name: language.Tr("Cancel Learning"), Keys: "Ctrl+.", Do: p.cancel, Grey: true}
	p.commands = []*page.Command{
		{ID: "learn", Name: language.Tr("Learn My Handwriting"), Keys: "Ctrl+L", Do: p.openAndStart},
		cancel,
		{ID: "back", Name: language.Tr("Go Back to the Previous Model"), Keys: "Ctrl+B", Do: p.takeBack},
	}
	p.head = newHead(p.start, cancel.Tool(theme.CancelIcon(), language.Tr("Cancel")), func() bool { return p.content.Visible() })
	p.idle = newIdle()
	p.course = newCourse()
	p.report = newReport(p)
	p.history = p.newHistory()
	p.which = widget.NewSegments([]string{language.Tr("Characters"), language.Tr("Lines")}, func(i int) {
		p.which.Choose(1 - i) // until nothing runs
		p.whenIdle(func() {
			p.picked = true
			p.turnTo(i == 1)
		})
	})
	heading := container.NewVBox(widget.NewLabel(language.Tr("Trained models"), 16, theme.ColorNameForeground).Bold(), p.which)
	history := widget.Under(4, heading, widget.Rest(p.history, p.history.Ring))
	p.settings = newSettings(w.Theme, func() { widget.Rearrange(p.content) })
	middle := container.NewStack(p.idle, p.course.content, p.report.content)
	for i, o := range []fyne.CanvasObject{p.head.content, middle, history, p.settings.content} {
		p.cards[i] = widget.NewCard(o, &p.inner)
	}
	p.content = container.New(widget.Arranged{Least: widget.PageSize, Put: p.put}, p.cards[0], p.cards[1], p.cards[2], p.cards[3])
	p.show()
	w.WhenIdle = p.whenIdle
	return p
}

func (p *Page) Tab() *page.Page {
	return &page.Page{Key: "train", Name: language.Tr("Train"), Content: p.content, Commands: p.commands, Opened: p.opened, Book: p.book, Left: p.collectionLeft, Answerer: p.answererChanged, Close: p.stop, InForce: p.refresh, Kept: func() {
		if p.content.Visible() {
			p.refresh()
		}
	}, Actions: page.Actions{
		Toast: func() widget.Area { return widget.AreaOf(p.cards[2]) },
	}}
}

func (p *Page) lines() bool { return p.which.Selected == 1 }

// base is the model that is trained, or the shipped one that it goes back to.
func (p *Page) base() string {
	if p.lines() {
		return models.Words
	}
	return p.model
}

// turnTo shows what is learned of characters, or of lines.
func (p *Page) turnTo(lines bool) {
	if lines != p.lines() {
		p.which.Choose(map[bool]int{true: 1}[lines])
		p.failed, p.shown, p.known, p.entries = nil, -1, false, nil
		p.refresh()
	}
}

// opened catches up with what happened while another page was in front.
func (p *Page) opened() {
	if p.running != nil {
		p.showProgress()
	}
	p.refresh()
}

// book begins to work with a person's samples, or says why it cannot.
func (p *Page) book() {
	if p.win.Book == nil {
		p.fail(p.win.Problem)
		return
	}
	p.refresh()
}

func (p *Page) collectionLeft() {
	p.failed, p.state, p.picked = nil, state.Readiness{}, false
	p.shown, p.known, p.entries = -1, false, nil
	p.asked++
	p.show()
}

// answererChanged looks at the history of another model, or at what is new to another one of the same. What was open belongs to the one before.
func (p *Page) answererChanged() {
	name, labels := p.win.Status.Model, p.win.Status.Labels
	if name != p.model {
		p.model, p.shown, p.known, p.entries = name, -1, false, nil
		if p.win.Book != nil { // else it says why there are no samples
			p.failed = nil
		}
	} else if slices.Equal(labels, p.labels) {
		return
	}
	p.labels = labels
	p.refresh()
}

func (p *Page) refresh() {
	t, base, labels := p.win.Book, p.base(), p.labels
	if t == nil || base == "" {
		p.show()
		return
	}
	p.asked++
	mine, lines, picked := p.asked, p.lines(), p.picked
	other := map[bool]string{true: p.model, false: models.Words}[lines]
	var ready, instead state.Readiness
	var entries []state.Training
	p.win.Save(func() (err error) {
		if ready, entries, err = t.Readiness(base, labels); err == nil && !picked {
			instead, _, err = t.Readiness(other, labels)
		}
		return err
	}, func() {
		if mine != p.asked {
			return
		}
		// What the paper in front is for comes first, unless only the other has enough to learn from.
		enough, better := ready.Missing() == 0, instead.Missing() == 0
		if !picked && (better && !enough || better == enough && lines != setting.LineMode.Get(p.win.App.Preferences())) {
			p.turnTo(!lines)
			return
		}
		p.state, p.entries, p.known = ready, entries, true
		if p.shown < 0 && ready.Active != 0 {
			p.shown = ready.Active
		}
		p.show()
		if p.wanted {
			p.wanted = false
			p.start()
		}
	}, p.fail)
}

func (p *Page) fail(err error) {
	p.failed = err
	p.show()
}

// entry gives the entry of that id; nil when the history has none.
func (p *Page) entry(id int64) *state.Training {
	i := slices.IndexFunc(p.entries, func(e state.Training) bool { return e.ID == id })
	if i < 0 {
		return nil
	}
	return &p.entries[i]
}

func (p *Page) show() {
	if cancel := p.commands[1]; cancel.Grey != (p.running == nil) {
		cancel.Grey = p.running == nil
		p.win.Menu()
	}
	p.head.show(p)
	p.history.Refresh()
	p.history.UnselectAll()
	p.choose(p.shown)
	e := p.entry(p.shown)
	opened := p.running == nil && e != nil && e.ID != 0
	if opened {
		p.report.show(e)
	}
	p.course.measures(!p.lines())
	widget.Show(p.course.content, p.running != nil)
	widget.Show(p.report.content, opened)
	widget.Show(p.idle, p.running == nil && !opened)
}

// use puts a model of the history in force and in use.
func (p *Page) use(id int64) {
	if p.win.Book != nil {
		p.whenIdle(func() {
			p.failed = nil
			text := language.Tr("The shipped model is in use.")
			if !models.Ships(p.base()) {
				text = language.Tr("{{.Name}} is in use.", map[string]any{"Name": language.ModelName(p.base())})
			}
			if e := p.entry(id); e != nil && id != 0 {
				text = language.Tr("The model of {{.Time}} is in use.", map[string]any{"Time": language.Day(e.Time)})
			}
			p.win.Perform(p.win.Using(text, p.base(), id, p.state.Active))
		})
	}
}

// takeBack puts the model in force that the one in force was trained from.
func (p *Page) takeBack() {
	if e := p.entry(p.state.Active); e != nil && e.ID != 0 {
		p.use(e.Parent)
	}
}

// remove deletes a model, which can be undone.
func (p *Page) remove(id int64) {
	text := language.Tr("The model of {{.Time}} is deleted.", map[string]any{"Time": language.Day(p.entry(id).Time)})
	p.win.Perform(page.Action{Text: text, Command: p.win.Book.DeleteTrained(id), Shown: func(done bool) {
		if done && p.shown == id {
			p.shown = -1
			p.refresh()
		}
	}})
}

// put has two densities as Draw has: what is done and what came of it left, history and settings right.
func (p *Page) put(size fyne.Size) {
	d, left := widget.DensityOf(size)
	p.report.compact, p.head.compact, p.inner = d.Compact, d.Compact, d.Inner
	right := left.Right(d.Of(widget.Floor(min(max(size.Width*0.27, 330), 420)), 282), d.Gap)
	left.Top(p.head.height()+2*d.Inner, d.Gap).Put(p.cards[0])
	left.Put(p.cards[1])
	right.Bottom(min(p.settings.height()+2*d.Inner, right.Size.Height-d.Gap-150), d.Gap).Put(p.cards[3])
	right.Put(p.cards[2])
}

func (p *Page) newHistory() *widget.RingedList {
	return widget.NewRingedList(
		func() int { return len(p.entries) },
		func() fyne.CanvasObject { return widget.NewListCard("", 6, 4, 3) },
		func(i int, o fyne.CanvasObject) { p.fill(o.(*widget.ListCard), p.entries[i]) },
		func(i int) {
			if i < len(p.entries) && p.entries[i].ID != p.shown {
				p.shown = p.entries[i].ID
				p.show()
			}
		})
}

func (p *Page) choose(id int64) {
	if i := slices.IndexFunc(p.entries, func(e state.Training) bool { return e.ID == id }); i >= 0 {
		p.history.Select(i)
	}
}

// fill shows on a card when a model was trained, what that did, and whether it is in use.
func (p *Page) fill(row *widget.ListCard, e state.Training) {
	title, what, facts, origin, role := language.Tr("Shipped model"), language.Tr("as it came with Inkshade"), "", "", ""
	switch {
	case !models.Ships(p.base()) && e.ID == 0:
		title, what = language.ModelName(p.base()), language.Tr("opened by you")
	case e.ID != 0:
		title, what, facts, origin = titleOf(e), learnedWords(e.Report, p.lines()), trainingFacts(e), p.origin(e)
	}
	if e.Active {
		role = language.Tr("in use")
	}
	row.Chosen = func() { p.choose(e.ID) }
	row.Set(title, role, what, facts, origin)
}

func learnedWords(r state.Report, lines bool) string {
	c := r.HeldOut
	values := map[string]any{"Drawings": language.DrawingCount(r.Learned), "Samples": c.Samples, "Before": c.Before, "After": c.After}
	if lines {
		values["Drawings"] = lineCount(r.Learned)
	}
	switch {
	case c.Samples == 0:
		return language.Tr("{{.Drawings}} learned, not measured", values)
	case lines:
		return language.Tr("of {{.Samples}} characters kept: {{.Before}} wrong before, {{.After}} after", values)
	}
	return language.Tr("{{.Samples}} kept for testing: {{.Before}} wrong before, {{.After}} after", values)
}

func (p *Page) origin(e state.Training) string {
	parent := p.entry(e.Parent)
	switch {
	case parent != nil && e.Parent != 0:
		return language.Tr("from that of {{.Time}}", map[string]any{"Time": titleOf(*parent)})
	case !models.Ships(p.base()):
		return language.Tr("from {{.Name}}", map[string]any{"Name": language.ModelName(p.base())})
	}
	return language.Tr("from the shipped model")
}

// titleOf is what a person called a trained model, or when it was trained.
func titleOf(e state.Training) string { return cmp.Or(e.Title, language.Day(e.Time)) }

// trainingFacts say how a model was trained, and where that is known on what.
func trainingFacts(e state.Training) string {
	values := map[string]any{"Steps": e.Report.Steps, "Seconds": language.Number("%.1f", e.Report.Seconds), "Device": deviceName(e.Report.Device)}
	if e.Report.Device == string(glcompute.Auto) {
		return language.Tr("{{.Steps}} steps, {{.Seconds}} s", values)
	}
	return language.Tr("{{.Steps}} steps, {{.Seconds}} s, {{.Device}}", values)
}
