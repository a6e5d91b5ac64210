package ui

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/app/library"
	"inkshade/glcompute"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// modelsPage is the tab with all models, in which one of them can be looked into.
type modelsPage struct {
	win     *Window
	entries []*modelEntry
	open    string // the name of the entry that is looked into; empty for the one in use
	asked   uint64 // counts refreshes, so that a late one shows nothing

	count          *label
	fetch, measure *widget.Button
	list           *ringedList
	head           *modelHead
	inside         *insideView
	inner          float32            // margin of the cards
	right          *fyne.Container    // what is open
	cards          [2]*fyne.Container // list, and what is open
	content        *fyne.Container
}

// modelEntry is a model with what is known of it.
type modelEntry struct {
	*library.Item
	facts   *library.Facts // nil where there is a problem
	problem error
	time    time.Duration // of one drawing on the CPU; 0 while it is not known
	gpu     time.Duration // of one on the GPU, where the model has answered there
	score   *score        // on the person's own samples; nil while it was not measured
}

func newModelsPage(w *Window) *modelsPage {
	p := &modelsPage{win: w, count: newLabel("", 13, colorMuted)}
	p.fetch = widget.NewButtonWithIcon(tr("Open…"), theme.FolderOpenIcon(), w.chooseModel)
	p.measure = widget.NewButtonWithIcon(tr("Measure all"), theme.MediaPlayIcon(), p.measureAll)
	p.list = &ringedList{ring: newFill("", 8)}
	p.list.Length = func() int { return len(p.entries) }
	p.list.CreateItem = func() fyne.CanvasObject { return newListCard(colorCard, 8, 8, 4) }
	p.list.UpdateItem = func(i widget.ListItemID, o fyne.CanvasObject) { p.fill(o.(*listCard), p.entries[i]) }
	p.list.HideSeparators = true
	p.list.ExtendBaseWidget(p.list)
	p.list.OnSelected = func(i widget.ListItemID) {
		if e := p.entries[i]; e != p.entry() { // somebody chose it
			p.show(e.Name)
		}
	}
	p.head = newModelHead(p)
	p.inside = newInsideView(w)
	p.right = container.New(arranged{atLeast(500, 400), func(size fyne.Size) {
		h := p.head.height()
		place(p.head.content, 0, 0, size.Width, h)
		place(p.inside.content, 0, h+8, size.Width, size.Height-h-8)
	}}, p.head.content, p.inside.content)
	p.cards[0], p.cards[1] = newCard(container.NewStack(p.list, p.list.ring), &p.inner), newCard(p.right, &p.inner)
	p.content = container.New(arranged{pageSize, p.put}, p.count, p.fetch, p.measure, p.cards[0], p.cards[1])
	return p
}

func (p *modelsPage) page() page {
	return page{key: "models", name: tr("Models"), content: p.content, opened: p.opened, actions: actions{
		undo:  p.win.changes.undoOn(p.inside.pad),
		redo:  p.win.changes.redoOn(p.inside.pad),
		clear: p.inside.pad.clear,
		pen:   p.inside.pad.keyPen,
		key: func(k fyne.KeyName) {
			if k == fyne.KeyDelete || k == fyne.KeyBackspace || k == fyne.KeyEscape {
				p.inside.pad.clear()
			}
		},
		toast: func() area { return areaOf(p.cards[1]) },
	}}
}

func (p *modelsPage) opened() {
	p.inside.opened()
	p.refresh()
}

// collectionLeft forgets what belongs to a collection.
func (p *modelsPage) collectionLeft() {
	p.entries, p.open = nil, ""
	p.asked++
	p.showAll()
}

// shelf has all models.
func (p *modelsPage) shelf() library.Shelf {
	s := library.Shelf{Library: p.win.opts.Library}
	if p.win.book != nil {
		s.Store = p.win.book.Store
	}
	return s
}

// refresh reads anew which models there are; those that were read before are not read again.
func (p *modelsPage) refresh() {
	if !p.content.Visible() {
		return
	}
	p.asked++
	mine, w, known, inUse := p.asked, p.win, p.entries, p.win.header.status.Model
	shelf := p.shelf()
	away(w, func() ([]*modelEntry, error) {
		items, err := shelf.List()
		stands := func(it *library.Item) bool { return it.Base == inUse }
		if err == nil && inUse != "" && !slices.ContainsFunc(items, stands) {
			if it, err := shelf.Find(inUse); err == nil {
				items = append(items, it)
			}
		}
		var entries []*modelEntry
		for _, it := range items {
			e := &modelEntry{Item: it}
			if k := e.among(known); k != nil && k.facts != nil {
				e.facts = k.facts
			} else {
				e.facts, e.problem = it.Facts()
			}
			entries = append(entries, e)
		}
		return entries, err
	}, func(entries []*modelEntry, err error) {
		switch {
		case mine != p.asked:
		case err != nil:
			w.tell(err)
		default:
			p.take(entries)
		}
	})
}

// among finds a model as it was known before; nil where it was not, or has changed.
func (e *modelEntry) among(known []*modelEntry) *modelEntry {
	i := slices.IndexFunc(known, func(k *modelEntry) bool { return k.Name == e.Name && k.Time.Equal(e.Time) })
	if i < 0 {
		return nil
	}
	return known[i]
}

// take shows the models that there are.
func (p *modelsPage) take(entries []*modelEntry) {
	before := p.entries
	p.entries = entries
	var names []string
	for _, e := range entries {
		if k := e.among(before); k != nil {
			e.problem, e.time, e.gpu, e.score = k.problem, k.time, k.gpu, k.score
		}
		changed := func(b *modelEntry) bool { return b.Base == e.Base && b.ID == e.ID && !b.Time.Equal(e.Time) }
		if p.inUse(e) && slices.ContainsFunc(before, changed) { // it is fed otherwise now
			p.win.use(e.Base, nil)
		}
		if e.Kind == library.Shipped || e.Kind == library.Imported {
			names = append(names, e.Base)
		}
	}
	if w := p.win; !slices.Equal(names, w.opts.Models) {
		w.opts.Models = names
		w.choicesChanged()
	}
	p.showAll()
	p.timeAll()
}

// sampleSeven is the drawing that models are timed with.
var sampleSeven = ink.Ink{{{X: 0, Y: 0}, {X: 30, Y: 2}, {X: 60, Y: 0}, {X: 40, Y: 50}, {X: 25, Y: 100}}}

// timings is how often a drawing is timed for a model; the median is shown.
const timings = 9

// timeAll finds out in the background how long each model takes for one drawing.
func (p *modelsPage) timeAll() {
	entries, w := slices.Clone(p.entries), p.win
	entries = slices.DeleteFunc(entries, func(e *modelEntry) bool { return e.problem != nil || e.time != 0 })
	w.off(func() {
		for _, e := range entries {
			if w.background.Err() != nil {
				return
			}
			t, err := timed(e.facts.Model)
			w.opts.post(func() {
				e.time, e.problem = t.Total(), err
				p.showAll()
			})
		}
	})
}

// setTimes takes what was measured of the model in use.
func (p *modelsPage) setTimes(t times) {
	if i := slices.IndexFunc(p.entries, p.inUse); i >= 0 && t.side == GPU && t.err == nil {
		p.entries[i].gpu = t.timing.Total()
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
	return rec.Measure(sampleSeven, timings)
}

// inUse tells whether a model is the one that answers.
func (p *modelsPage) inUse(e *modelEntry) bool {
	if e.Base != p.win.header.status.Model || e.ID != 0 {
		return e.Base == p.win.header.status.Model && e.InForce
	}
	return !slices.ContainsFunc(p.entries, func(t *modelEntry) bool { return t.Base == e.Base && t.InForce })
}

// entry is what is looked into; nil while nothing is known.
func (p *modelsPage) entry() *modelEntry {
	i := slices.IndexFunc(p.entries, func(e *modelEntry) bool { return e.Name == p.open })
	if i < 0 {
		i = slices.IndexFunc(p.entries, p.inUse)
	}
	if i < 0 {
		return nil
	}
	return p.entries[i]
}

// show opens the model of that name.
func (p *modelsPage) show(name string) {
	if name != p.open {
		p.open = name
		p.showAll()
	}
}

func (p *modelsPage) showAll() {
	p.count.set(tr("Models: {{.Count}}", counted(len(p.entries))))
	enable(p.measure, p.win.book != nil && len(p.entries) > 0)
	e := p.entry()
	p.list.Refresh()
	if i := slices.Index(p.entries, e); i >= 0 {
		p.list.Select(i)
	}
	p.head.show(e)
	p.inside.show(e)
}

// put has two densities as Draw has: what can be done on top, the models left, what is open right.
func (p *modelsPage) put(size fyne.Size) {
	d := densityOf(size)
	p.inner, p.inside.compact = d.of(14, 9), d.compact
	top := p.fetch.MinSize().Height
	x := size.Width - d.margin
	for _, b := range []*widget.Button{p.measure, p.fetch} {
		w := b.MinSize().Width
		x -= w
		place(b, x, 0, w, top)
		x -= 6
	}
	middle(p.count, d.margin, 0, x-d.margin, top, p.count.lineHeight())
	y, left := top+d.gap, d.of(290, 218)
	place(p.cards[0], d.margin, y, left, size.Height-d.margin-y)
	place(p.cards[1], d.margin+left+d.gap, y, size.Width-2*d.margin-left-d.gap, size.Height-d.margin-y)
}
