// Package models is the page with all models, in which one of them can be looked into.
package models

import (
	"cmp"
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/state"
	"inkshade/app/state/device"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/glcompute"
	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/bench"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

// Page is the tab with all models, in which one of them can be looked into.
type Page struct {
	win     *page.Frame
	entries []*modelEntry
	model   string                                     // that answers
	open    string                                     // the name of the entry that is looked into; empty for the one in use
	asked   uint64                                     // counts refreshes, so that a late one shows nothing
	wanted  []*modelEntry                              // whose cards are seen, from the top, and which were not read yet
	reading bool                                       // a model is read
	Measure func(*nn.Model) (recognizer.Timing, error) // of one drawing on the CPU

	count          *widget.Label
	fetch, measure *widget.Press
	list           *widget.RingedList
	head           *modelHead
	inside         *insideView
	bar            *fyne.Container    // these three
	right          *fyne.Container    // head and inside
	inner          float32            // margin of the cards
	cards          [2]*fyne.Container // list, and what is open
	content        *fyne.Container
}

// modelEntry is a model with what is known of it, which the entry of the next refresh shares.
type modelEntry struct {
	*state.Model
	*known
}

// known is what was found out about a model. It is read when its card is seen, and not kept.
type known struct {
	facts   *state.Facts // nil where there is a problem, and while it was not read
	problem error
	time    time.Duration // of one drawing on the CPU; 0 while it is not known
	gpu     time.Duration // of one on the GPU, where the model has answered there
	score   *score        // on the person's own samples; nil while it was not measured
}

func New(w *page.Frame) *Page {
	p := &Page{win: w, Measure: timed, count: widget.NewLabel("", 13, widget.ColorMuted)}
	p.fetch = widget.NewPressWithIcon(language.Tr("Open…"), theme.FolderOpenIcon(), p.Choose)
	p.measure = widget.NewPressWithIcon(language.Tr("Measure all"), theme.MediaPlayIcon(), p.measureAll)
	p.list = widget.NewRingedList(func() int { return len(p.entries) },
		func() fyne.CanvasObject { return widget.NewListCard(widget.ColorCard, 8, 8, 5) },
		func(i int, o fyne.CanvasObject) { p.fill(o.(*widget.ListCard), p.entries[i]) },
		func(i int) {
			if e := p.entries[i]; e != p.entry() { // somebody chose it
				p.show(e.Name)
			}
		})
	p.head = newModelHead(p)
	p.inside = newInsideView(w)
	p.right = container.New(widget.Arranged{Least: widget.AtLeast(0, 0), Put: func(size fyne.Size) {
		a := widget.Whole(size)
		p.head.content.Resize(size) // by which it finds its words
		a.Top(p.head.height(size.Width), 8).Put(p.head.content)
		a.Put(p.inside.content)
	}}, p.head.content, p.inside.content)
	p.cards[0], p.cards[1] = widget.NewCard(container.NewStack(p.list, p.list.Ring), &p.inner), widget.NewCard(p.right, &p.inner)
	p.bar = widget.Beside(6, p.count, p.fetch, p.measure)
	p.content = container.New(widget.Arranged{Least: widget.PageSize, Put: p.put}, p.bar, p.cards[0], p.cards[1])
	return p
}

func (p *Page) Tab() *page.Page {
	return &page.Page{
		Key: "models", Name: language.Tr("Models"), Content: p.content, Opened: p.opened, Book: p.refresh, Kept: p.refresh, Left: p.collectionLeft, Measured: p.setTimes, Answerer: p.answererChanged,
		Set: func() { p.win.SetPen(p.inside.pad) }, Close: func() { p.win.AtEnd(p.inside.engine.close) }, Actions: page.Actions{
			Undo:  p.win.UndoOn(p.inside.pad),
			Redo:  p.win.RedoOn(p.inside.pad),
			Clear: p.inside.pad.Clear,
			Pen:   p.inside.pad.KeyPen,
			Key: func(k fyne.KeyName) {
				if k == fyne.KeyDelete || k == fyne.KeyBackspace || k == fyne.KeyEscape {
					p.inside.pad.Clear()
				}
			},
			Toast: func() widget.Area { return widget.AreaOf(p.count).Above(-page.ToastHeight/2 - 6) }, // where nothing else is to be read
		},
	}
}

// answererChanged reads anew what there is where another model answers.
func (p *Page) answererChanged() {
	if p.model != p.win.Status.Model {
		p.model = p.win.Status.Model
		p.refresh()
	}
}

func (p *Page) opened() {
	p.inside.opened()
	p.showAll() // what is in use now, before all is read anew
	p.refresh()
}

// collectionLeft forgets what belongs to a collection.
func (p *Page) collectionLeft() {
	p.entries, p.wanted, p.open = nil, nil, ""
	p.asked++
	p.showAll()
}

func (p *Page) store() state.Models {
	if p.win.Book != nil {
		return p.win.Book.Models
	}
	return p.win.Collection.Store
}

// refresh finds out anew which models there are, where they are seen.
func (p *Page) refresh() {
	if p.content.Visible() {
		p.Refresh()
	}
}

// Refresh finds out anew which models there are, and reads none.
func (p *Page) Refresh() {
	p.asked++
	mine, w, inUse := p.asked, p.win, p.win.Status.Model
	store := p.store()
	page.Away(w, func() ([]*state.Model, error) {
		items, err := store.List()
		stands := func(it *state.Model) bool { return it.Base == inUse }
		if err == nil && inUse != "" && !slices.ContainsFunc(items, stands) {
			if it, err := store.Find(inUse); err == nil {
				items = append(items, it)
			}
		}
		return items, err
	}, func(items []*state.Model, err error) {
		switch {
		case mine != p.asked:
		case err != nil:
			w.Tell(err)
		default:
			p.showModels(items)
		}
	})
}

// among finds a model as it was known before, under another name as well; nil where it was not, or has changed.
func (e *modelEntry) among(known []*modelEntry) *modelEntry {
	var renamed *modelEntry
	for _, k := range known {
		switch {
		case !k.Time.Equal(e.Time):
		case k.Name == e.Name:
			return k
		case k.Kind == state.Imported && e.Kind == state.Imported:
			renamed = k
		}
	}
	return renamed
}

func (p *Page) showModels(items []*state.Model) {
	before := p.entries
	p.entries, p.wanted = nil, nil
	for _, it := range items {
		e := &modelEntry{it, &known{}}
		if k := e.among(before); k != nil {
			if e.known = k.known; e.facts == nil {
				e.problem = nil // it is read again
			}
		}
		p.entries = append(p.entries, e)
	}
	for _, e := range p.entries {
		changed := func(b *modelEntry) bool { return b.Base == e.Base && b.ID == e.ID && !b.Time.Equal(e.Time) }
		if p.inUse(e) && slices.ContainsFunc(before, changed) { // it is fed otherwise now
			p.win.Use(e.Base, nil)
		}
	}
	p.offer()
	p.showAll()
}

// offer lets people choose, on other pages too, among the models that do not read lines.
func (p *Page) offer() {
	var names []string
	for _, e := range p.entries {
		if (e.Kind == state.Shipped || e.Kind == state.Imported) && !e.lines() {
			names = append(names, e.Base)
		}
	}
	if w := p.win; !slices.Equal(names, w.Collection.Models) {
		w.Collection.Models = names
		w.Each(func(p *page.Page) func() { return p.Models })
	}
}

// timings is how often a drawing is timed for a model; the median is shown.
const timings = 9

// want reads a model whose card is seen, once.
func (p *Page) want(e *modelEntry) {
	if e.facts == nil && e.problem == nil && !slices.Contains(p.wanted, e) {
		p.wanted = append(p.wanted, e)
		p.read()
	}
}

// read reads in the background, while the page is seen, the model that is open, to look into it, or one that is wanted: what its file
// says, and how long it takes for one drawing.
func (p *Page) read() {
	e := p.entry()
	p.wanted = slices.DeleteFunc(p.wanted, func(e *modelEntry) bool { return e.facts != nil || e.problem != nil })
	switch n := len(p.wanted); {
	case p.reading || !p.content.Visible():
		return
	case e != nil && e.known != p.inside.of && (e.facts != nil || e.problem == nil):
	case n > 0:
		e, p.wanted = p.wanted[0], p.wanted[1:]
	default:
		return
	}
	p.reading = true
	k, timed, w := e.known, e.time != 0, p.win
	w.Off(func() {
		m, facts, err := e.Read(w.Background)
		if w.Background.Err() != nil {
			return
		}
		w.Post(func() {
			if !slices.ContainsFunc(p.entries, func(now *modelEntry) bool { return now.known == k && now.Name == e.Name }) {
				return // it was renamed meanwhile, or removed
			}
			if k.facts, k.problem = facts, cmp.Or(k.problem, err); k.facts != nil {
				p.offer()
			}
			if now := p.entry(); now != nil && now.known == k {
				p.inside.show(m, k)
			}
			p.showAll()
		})
		if err == nil && !timed {
			t, err := p.Measure(m)
			w.Post(func() {
				k.time, k.problem = t.Total(), err
				p.showAll()
			})
		}
		w.Post(func() {
			p.reading = false
			p.read()
		})
	})
}

// setTimes takes what was measured of the model in use.
func (p *Page) setTimes(t worker.Times) {
	if i := slices.IndexFunc(p.entries, p.answers); i >= 0 && t.Side == device.GPU && t.Err == nil {
		p.entries[i].gpu = t.Timing.Total()
		p.head.show(p.entry())
	}
}

// timed measures how long a model takes for a drawing on the processor.
func timed(m *nn.Model) (recognizer.Timing, error) {
	dev, err := glcompute.Open(glcompute.CPU)
	if err != nil {
		return recognizer.Timing{}, err
	}
	defer dev.Close()
	rec, err := recognizer.New(m, dev)
	if err != nil {
		return recognizer.Timing{}, err
	}
	defer rec.Close()
	if !rec.ReadsLines() {
		return rec.Measure(bench.Seven, timings)
	}
	all := make([]recognizer.Timing, timings)
	for i := range all {
		if all[i], err = rec.MeasureLine(context.Background(), bench.Seven, line.Options{}); err != nil {
			return recognizer.Timing{}, err
		}
	}
	slices.SortFunc(all, func(a, b recognizer.Timing) int { return cmp.Compare(a.Total(), b.Total()) })
	return all[timings/2], nil
}

func (p *Page) answers(e *modelEntry) bool { return e.Base == p.win.Status.Model && p.inUse(e) }

// inUse tells whether a model is the one that answers, or that reads lines.
func (p *Page) inUse(e *modelEntry) bool {
	switch {
	case e.Base != p.win.Status.Model && e.Base != models.Words:
		return false
	case e.ID != 0:
		return e.Active
	}
	return !slices.ContainsFunc(p.entries, func(t *modelEntry) bool { return t.Base == e.Base && t.Active })
}

// lines tells whether it reads lines of writing instead of single characters.
func (e *modelEntry) lines() bool {
	return e.Base == models.Words || e.facts != nil && e.facts.Preprocessing == nn.LineMaps
}

// entry is what is looked into; nil while nothing is known.
func (p *Page) entry() *modelEntry {
	for _, is := range []func(*modelEntry) bool{func(e *modelEntry) bool { return e.Name == p.open }, p.answers} {
		if i := slices.IndexFunc(p.entries, is); i >= 0 {
			return p.entries[i]
		}
	}
	return nil
}

func (p *Page) show(name string) {
	if name != p.open {
		p.open = name
		p.showAll()
	}
}

func (p *Page) showAll() {
	p.count.Set(language.Tr("Models: {{.Count}}", language.Counted(len(p.entries))))
	widget.Enable(p.measure, p.win.Book != nil && len(p.entries) > 0)
	e := p.entry()
	p.wanted = nil // of all that is seen what was not read is wanted again
	p.list.Refresh()
	if i := slices.Index(p.entries, e); i >= 0 {
		p.list.Select(i)
	}
	p.head.show(e)
	if e == nil || e.problem != nil && e.facts == nil {
		p.inside.show(nil, nil)
	}
	p.read()
}

// put has two densities as Draw has: what can be done on top, the models left, what is open right.
func (p *Page) put(size fyne.Size) {
	d, a := widget.DensityOf(size)
	p.inner, p.inside.compact = d.Of(14, 9), d.Compact
	a.Top(p.bar.MinSize().Height, d.Gap).Put(p.bar)
	a.Left(d.Of(290, 228), d.Gap).Put(p.cards[0])
	a.Put(p.cards[1])
}
