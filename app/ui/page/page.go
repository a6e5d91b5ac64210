// Package page is what the window gives its pages, and what a page gives the window.
package page

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
)

// Page is one tab: what it is called, its content, what keys and menus do there, and what it does when something happens that it
// shows; nil does nothing.
type Page struct {
	Key     string // in the preferences
	Name    string
	Content fyne.CanvasObject
	Actions Actions
	// Commands are what can be done with it.
	Commands []*Command

	Opened   func()             // it comes to the front
	Answerer func()             // who answers has changed, or by which model
	Awaiting func(model string) // another model is being made ready, which answers then
	Answer   func(worker.Reply) // to what was drawn last
	Measured func(worker.Times) // of that
	Offered  func(worker.Offer) // a drawing of one character is rather something else
	Book     func()             // the samples are open, or cannot be opened
	Kept     func()             // what is kept has changed
	Models   func()             // the models to choose from have changed
	InForce  func()             // another model of the history of one was put in force
	Leaving  func()             // the collection is about to be left for another: what is under way in it ends
	Left     func()             // it was left
	Set      func()             // a setting has changed
	Close    func()             // the window closes

	look widget.Appearance // that it was shown in last
}

// Actions are what keys and menus do on a page; nil does nothing.
type Actions struct {
	Undo, Redo, Clear, SelectAll func()
	Typed                        func(rune)
	Key                          func(fyne.KeyName)
	Pen                          func(down bool)    // the key that is held to draw
	Toast                        func() widget.Area // where a toast may float
}

// ShownCandidates is how many candidates of an answer are shown at once.
const ShownCandidates = 5

// Add gives the window its pages. What is undone is what is kept, on a page that says nothing else.
func (f *Frame) Add(pages ...*Page) {
	for _, p := range pages {
		if p.Actions.Undo == nil {
			p.Actions.Undo, p.Actions.Redo = f.UndoLast, f.RedoLast
		}
		p.look = f.Theme.Appearance
		f.Pages = append(f.Pages, p)
		f.Commands = append(f.Commands, p.Commands...)
		f.Stack.Add(p.Content)
	}
}

// Each has all pages do what they do when something happens.
func (f *Frame) Each(does func(*Page) func()) {
	for _, p := range f.Pages {
		widget.Run(does(p))
	}
}

// Events are what the window does with what the worker finds out: it tells the pages.
func (f *Frame) Events(status func(device.Status)) worker.Events {
	return worker.Events{
		Status:   status,
		Answer:   tell(f, func(p *Page) func(worker.Reply) { return p.Answer }),
		Measured: tell(f, func(p *Page) func(worker.Times) { return p.Measured }),
		Offered:  tell(f, func(p *Page) func(worker.Offer) { return p.Offered }),
	}
}

// tell has all pages do what they do with something.
func tell[T any](f *Frame, does func(*Page) func(T)) func(T) {
	return func(about T) {
		for _, p := range f.Pages {
			if do := does(p); do != nil {
				do(about)
			}
		}
	}
}

// Remembered is the page that was in front last time, or else the first.
func (f *Frame) Remembered() int {
	key := setting.Page.Get(f.App.Preferences())
	return max(slices.IndexFunc(f.Pages, func(p *Page) bool { return p.Key == key }), 0)
}

// InFront is the page in front.
func (f *Frame) InFront() *Page { return f.Pages[f.Front] }

// Open brings the page with that key to the front.
func (f *Frame) Open(key string) {
	f.OpenPage(slices.IndexFunc(f.Pages, func(p *Page) bool { return p.Key == key }))
}

// On does something with the page with that key in front.
func (f *Frame) On(key string, do func()) func() {
	return func() {
		if f.InFront().Key != key {
			f.Open(key)
		}
		do()
	}
}

// OpenPage brings a page to the front. What another page said and offered goes with it,
// and so do the keys: what is hidden takes none.
func (f *Frame) OpenPage(i int) {
	if i != f.Front {
		if f.Modal != nil {
			f.Modal.Hide()
			f.Modal = nil
		}
		f.Toast.Close()
		f.Win.Canvas().Unfocus()
	}
	for j, p := range f.Pages {
		widget.Show(p.Content, j == i)
	}
	f.Front = i
	p := f.InFront()
	setting.Page.Set(f.App.Preferences(), p.Key)
	if f.Opened != nil {
		f.Opened(i)
	}
	if p.look != f.Theme.Appearance {
		f.Restyle()
	}
	widget.Run(p.Opened)
}

// Restyle shows the page in front in the look that was chosen. The toolkit measures and lays out anew all that
// the window holds, seen or not; the other pages are left out, and follow when they come to the front.
func (f *Frame) Restyle() {
	all := f.Stack.Objects
	f.Stack.Objects = []fyne.CanvasObject{f.InFront().Content}
	f.App.Settings().SetTheme(f.Theme)
	f.Stack.Objects = all
	f.InFront().look = f.Theme.Appearance
}

// Actions are those of the page in front; none while something lies over it.
func (f *Frame) Actions() Actions {
	if f.Win.Canvas().Overlays().Top() != nil {
		return Actions{}
	}
	return f.InFront().Actions
}

// toastArea is where a toast may float: where the page in front says, or over all of it.
func (f *Frame) toastArea() widget.Area {
	if p := f.InFront(); p.Actions.Toast != nil {
		return p.Actions.Toast()
	}
	return widget.AreaOf(f.InFront().Content)
}

// LayOut fills the window: the header on top, the notice under it while there is one, the pages in the rest, and the
// toast over all. It tells of every new size.
func (f *Frame) LayOut(header fyne.CanvasObject, sized func()) *fyne.Container {
	var last fyne.Size
	return container.New(widget.Arranged{
		Least: func() fyne.Size {
			return widget.Smallest.Max(f.Stack.MinSize().AddWidthHeight(0, header.MinSize().Height))
		},
		Put: func(size fyne.Size) {
			y := widget.HeaderHeight(size.Height)
			widget.Place(header, 0, 0, size.Width, y)
			strip := f.Notice.Height(size.Width)
			widget.Place(f.Notice, 0, y, size.Width, strip)
			if strip > 0 {
				y += strip + 10
			}
			widget.Place(f.Stack, 0, y, size.Width, size.Height-y)
			widget.Place(f.Toast.Layer, 0, 0, size.Width, size.Height)
			if last != size {
				last = size
				sized()
			}
		},
	}, header, f.Stack, f.Notice, f.Toast.Layer, f.Trace.FirstFrame())
}
