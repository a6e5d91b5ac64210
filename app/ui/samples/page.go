// Package samples is the page with everything that was written.
package samples

import (
	"cmp"
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/samples"
)

// samplesPage is the tab with everything that was written.
type Page struct {
	win         *page.Frame
	Collections func() []*fyne.MenuItem // under the name of the one that is open
	gallery     *gallery

	grid    *inkGrid
	order   *widget.Button // names the order of the grid and opens the others
	writers *widget.Button // names the writer of what is in it, and opens the others
	classes *classList
	details *sampleDetails
	search  *widget.Entry
	kind    *widget.DropDown
	count   *widget.Label
	export  *widget.Press
	bar     *fyne.Container // above the gallery: these, and what adds to it
	empty   *emptyPlace
	inner   float32            // margin of the cards
	cards   [3]*fyne.Container // classes, grid, details
	browse  *fyne.Container
	guided  *guidedView
	content *fyne.Container
	tab     *page.Page

	most      int
	stale     bool // the store has changed since it was read
	reading   bool
	after     func()              // waits for the store to be read; nil for nothing
	points    map[int64][]float32 // where samples lie in the embedding, by id
	comparing context.CancelFunc  // ends the comparing of samples; nil for none
}

func New(w *page.Frame) *Page {
	p := &Page{win: w, gallery: newGallery(), most: mostShown, stale: true}
	p.gallery.right = p.right
	p.grid = newInkGrid(p.gallery)
	p.grid.selected = p.showChosen
	p.classes = newClassList(p.gallery, func(label string) { p.ask(func(q *query) { q.label = label }) },
		func() { w.DropDown(p.classes.name, p.Collections()) })
	p.details = newSampleDetails(p)
	p.bar = p.newBar()
	p.empty = newEmptyPlace(p)
	p.order = widget.NewQuietButton(13, func() { w.DropDown(p.order, p.arrangements()) })
	p.writers = widget.NewQuietButton(13, func() { w.DropDown(p.writers, p.writerItems()) })
	p.writers.Words.OfName()
	shown := container.NewBorder(container.NewHBox(p.order, p.writers), nil, nil, nil, container.NewStack(p.grid, p.empty.content))
	for i, o := range []fyne.CanvasObject{p.classes.content, shown, p.details.content} {
		p.cards[i] = widget.NewCard(o, &p.inner)
	}
	p.browse = container.New(widget.Arranged{Least: widget.PageSize, Put: p.put}, p.bar, p.cards[0], p.cards[1], p.cards[2])
	p.guided = newGuidedView(p)
	p.content = container.NewStack(p.browse, p.guided.content)
	p.tab = p.newTab()
	p.show()
	return p
}

// browsing is what keys and menus do in the gallery.
func (p *Page) browsing() page.Actions {
	return page.Actions{
		Undo: p.win.UndoLast, Redo: p.win.RedoLast, Clear: p.remove, Typed: p.typed, Key: p.key,
		SelectAll: func() {
			p.gallery.selectAll()
			p.grid.changed(false)
		},
		Toast: func() widget.Area { return widget.AreaOf(p.cards[1]) },
	}
}

// Tab is the page as the window has it.
func (p *Page) Tab() *page.Page { return p.tab }

func (p *Page) newTab() *page.Page {
	return &page.Page{
		Key: "samples", Name: language.Tr("Samples"), Content: p.content, Actions: p.browsing(), Opened: p.refresh,
		Kept: p.changed, Left: p.collectionLeft, Leaving: p.guided.leave, Book: func() {
			if p.win.Book != nil {
				p.changed()
			} else {
				p.show()
			}
		}, Set: func() {
			p.win.SetPen(p.guided.pad)
			p.guided.rest = time.Duration(setting.GuidedPause.Get(p.win.App.Preferences()) * float64(time.Second))
		},
	}
}

// Name shows what the collection is called.
func (p *Page) Name(name string) {
	p.classes.name.Rename(theme.MenuDropDownIcon(), name)
	p.classes.name.Show()
}

// Search leads to the entry for what is searched.
func (p *Page) Search() { p.win.Win.Canvas().Focus(p.search) }

// changed is called when the store has changed; a page that is not in front waits.
func (p *Page) changed() {
	p.stale = true
	if p.content.Visible() {
		p.refresh()
	}
}

func (p *Page) collectionLeft() {
	if p.comparing != nil {
		p.comparing()
	}
	p.after, p.points, p.gallery.doubts, p.gallery.places = nil, nil, nil, nil
	p.search.SetText("")
	p.kind.SetSelectedIndex(0)
	p.gallery.selectNone()
	p.gallery.query = query{}
	p.gallery.set(nil, nil)
	p.show()
}

// refresh reads the store where that is needed.
func (p *Page) refresh() {
	book := p.win.Book
	if book == nil || !p.stale || p.reading {
		return
	}
	p.stale, p.reading = false, true
	var all []samples.Sample
	var classes []samples.Class
	asked, _ := p.gallery.filter()
	p.win.Save(func() (err error) {
		if classes, err = book.Samples().Classes(); err == nil {
			f := samples.Filter{}
			if total(classes) > p.most {
				f = asked
			}
			f.Newest, f.Limit = true, p.most
			all, err = book.Samples().List(f)
		}
		return err
	}, func() {
		p.reading = false
		p.gallery.set(all, classes)
		now, _ := p.gallery.filter()
		p.stale = p.stale || total(classes) > p.most && now != asked
		p.show()
		p.compare()
		if p.stale {
			p.refresh()
			return
		}
		then := p.after
		p.after = nil
		widget.Run(then)
	}, func(err error) {
		p.reading = false
		p.show()
		p.win.Tell(err)
	})
}

// whenRead does something when the page shows what the store has.
func (p *Page) whenRead(f func()) {
	if p.win.Book == nil || !p.stale && !p.reading {
		f()
		return
	}
	p.after = f
	p.refresh()
}

func (p *Page) ask(change func(*query)) {
	q := p.gallery.query
	change(&q)
	p.gallery.ask(q)
	if total(p.gallery.classes) > p.most {
		p.changed()
	}
	p.show()
	p.grid.ScrollToTop()
}

func (p *Page) show() {
	p.classes.refresh()
	opening := p.win.Book == nil && p.win.Keeps && p.win.Problem == nil
	p.empty.show(opening || p.reading, total(p.gallery.classes) > 0, len(p.gallery.shown) > 0)
	p.grid.Hidden = len(p.gallery.shown) == 0
	p.grid.Refresh()
	p.order.Hidden = len(p.gallery.shown) == 0
	p.order.Rename(theme.MenuDropDownIcon(), arrangement(p.gallery.alike))
	p.writers.Hidden = len(p.gallery.writers()) == 0 && p.gallery.query.writer == ""
	p.writers.Rename(theme.MenuDropDownIcon(), cmp.Or(p.gallery.query.writer, language.Tr("All writers")))
	p.showChosen()
}

func (p *Page) showChosen() {
	p.details.show(p.gallery.chosen(), p.gallery.likely)
	switch shown, all := len(p.gallery.shown), total(p.gallery.classes); {
	case all == 0:
		p.count.Set("")
	case shown == all:
		p.count.Set(language.Tr("Samples: {{.Count}}", language.Counted(all)))
	default:
		p.count.Set(language.Tr("{{.Shown}} of {{.Count}}", map[string]any{"Shown": shown, "Count": all}))
	}
	widget.Enable(p.export, total(p.gallery.classes) > 0)
}

// typed begins a new label for what is chosen.
func (p *Page) typed(r rune) {
	if len(p.gallery.selected) > 0 && r != ' ' {
		p.details.entry.Begin(string(r))
	}
}

// key does what keys without a modifier do, whether the grid has the focus or nothing has.
func (p *Page) key(k fyne.KeyName) {
	switch k {
	case fyne.KeyDelete, fyne.KeyBackspace:
		p.remove()
	case fyne.KeyEscape:
		p.gallery.selectNone()
		p.grid.changed(false)
	case fyne.KeyF2, fyne.KeyReturn, fyne.KeyEnter:
		if len(p.gallery.selected) > 0 {
			p.win.Win.Canvas().Focus(p.details.entry)
		}
	case fyne.KeyLeft, fyne.KeyRight, fyne.KeyUp, fyne.KeyDown, fyne.KeyHome, fyne.KeyEnd, fyne.KeyPageUp, fyne.KeyPageDown:
		p.win.Win.Canvas().Focus(p.grid)
		p.grid.TypedKey(&fyne.KeyEvent{Name: k})
	}
}

// adding are buttons for what adds samples.
func (p *Page) adding() (write, fetch *widget.Press) {
	write = widget.NewPressWithIcon(language.Tr("Write Samples…"), theme.DocumentCreateIcon(), p.Write)
	write.Importance = toolkit.HighImportance
	return write, widget.NewPressWithIcon(language.Tr("Import…"), theme.FolderOpenIcon(), p.Import)
}

// emptyPlace says what to do where there is nothing to see.
type emptyPlace struct {
	title, words     *widget.Label
	buttons, content *fyne.Container
}

func newEmptyPlace(p *Page) *emptyPlace {
	write, fetch := p.adding()
	e := &emptyPlace{
		title:   widget.NewLabel("", 20, theme.ColorNameForeground).Bold().Aligned(fyne.TextAlignCenter),
		words:   widget.NewLabel("", 14, widget.ColorMuted).Wrapped(3).Aligned(fyne.TextAlignCenter),
		buttons: container.NewHBox(write, fetch),
	}
	e.content = container.NewCenter(widget.Sized(420, 160, widget.Under(8, e.title, e.words, container.NewCenter(e.buttons))))
	return e
}

func (e *emptyPlace) show(reading, any, some bool) {
	e.content.Hidden = some
	e.buttons.Hidden = reading || any
	title, words := language.Tr("No samples yet"), language.Tr("Write some here, import a file, or draw on the Draw page and say what it is.")
	if any {
		title, words = language.Tr("Nothing found"), language.Tr("No sample fits what you are looking for.")
	}
	if reading {
		title, words = language.Tr("Reading…"), ""
	}
	e.title.Set(title)
	e.words.Set(words)
}

func (p *Page) put(size fyne.Size) {
	d, a := widget.DensityOf(size)
	p.inner = d.Of(14, 9)
	a.Top(p.bar.MinSize().Height, d.Gap).Put(p.bar)
	a.Left(d.Of(190, 161), d.Gap).Put(p.cards[0])
	// The grid takes whole columns, and the details what is left over.
	around := 2*p.inner + widget.ScrollWidth - theme.Padding()
	columns := widget.Floor((a.Size.Width - d.Of(290, 214) - d.Gap - around) / (cellSide + theme.Padding()))
	a.Left(columns*(cellSide+theme.Padding())+around, d.Gap).Put(p.cards[1])
	a.Put(p.cards[2])
}

func (p *Page) newBar() *fyne.Container {
	write, fetch := p.adding()
	p.search, p.count = widget.NewEntry(language.Tr("Search")), widget.NewLabel("", 13, widget.ColorMuted)
	p.search.OnChanged = func(text string) { p.ask(func(q *query) { q.text = text }) }
	p.kind = widget.NewDropDown([]string{language.Tr("All samples"), language.Tr("Corrections"), language.Tr("Kept for testing"), language.Tr("Doubtful label")}, 0,
		func(i int) { p.ask(func(q *query) { q.kind = kind(i) }) })
	p.kind.PlaceHolder = slices.MaxFunc(p.kind.Options, func(a, b string) int { return cmp.Compare(p.count.Width(a), p.count.Width(b)) }) // it is as wide
	p.export = widget.NewPressWithIcon(language.Tr("Export…"), theme.DocumentSaveIcon(), p.Export)
	return widget.Beside(theme.Padding(), widget.Sized(170, 0, p.search), p.kind, p.count, write, fetch, p.export)
}
