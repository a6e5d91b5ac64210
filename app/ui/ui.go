// Package ui is Inkshade's window. It is handed a fyne.App and an Engine, so that its
// tests need neither a display nor a GPU; it holds no recognition of its own.
package ui

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/state"
	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui/draw"
	"inkshade/app/ui/language"
	"inkshade/app/ui/latency"
	"inkshade/app/ui/models"
	"inkshade/app/ui/page"
	"inkshade/app/ui/samples"
	"inkshade/app/ui/settings"
	"inkshade/app/ui/train"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/assets"
	"inkshade/glcompute/message"
)

// Options say how the window opens.
type Options struct {
	Engine worker.Engine
	// Collection is the collection of samples that is open at first.
	page.Collection
	// Usual is the model that answers in a collection for which none was chosen, unless one was trained from Former there.
	Usual, Former string
	// Appearance is System, Light or Dark; empty takes what was chosen last time.
	Appearance widget.Appearance
	// Trace, when not nil, receives one line of JSON per event: see Event.
	Trace io.Writer
	// Size is the window's size in units as long as none is remembered; zero means 1280 x 800.
	Size fyne.Size
	// Files are paths that are taken as if they had been dropped onto the window, once the samples are open.
	Files []string
	// Choice says who answers at first; empty leaves it to the engine.
	Choice device.Choice
	// Version and Licence, the licence's whole text, are shown in the About box.
	Version, Licence string
	// Panel starts the panel that writes into other programs, with what the window has; nil where there is none.
	Panel func(collection string, look widget.Appearance, by device.Choice) error

	// post runs a function on the window's goroutine; nil means fyne.Do.
	post func(func())
	// settle is how long the pen rests before times are measured; zero means 150 ms.
	settle time.Duration
}

// Window is the main window with its pages.
type Window struct {
	*page.Frame
	opts    Options
	header  *header
	body    fyne.CanvasObject // all that is in the window
	draw    *draw.Page
	samples *samples.Page
	train   *train.Page
	models  *models.Page
	latency *latency.Page

	closing sync.Once
	problem error // of closing

	kept *state.Collection // that is open; touched by the save queue, and when that has ended

	resizing page.Alarm       // of a size that rests
	look     *widget.DropDown // of the settings that were opened last; nil for none

	collections []string // their names, once they were read
}

// New makes the window and starts to prepare the devices in the background. Call Close when the app's loop has ended.
func New(a fyne.App, opts Options) *Window {
	if opts.Engine == nil {
		panic("ui: Options.Engine is nil")
	}
	if opts.post == nil {
		opts.post = fyne.Do
	}
	opts.Size = cmp.Or(opts.Size, fyne.NewSize(1280, 800))
	opts.settle = cmp.Or(opts.settle, 150*time.Millisecond)
	if opts.Chosen == nil {
		opts.Chosen = page.FirstChoices(a)
	}
	language.Speak(a)
	settings.Enlarge(a)
	w := &Window{Frame: page.NewFrame(a, widget.Chosen(a.Preferences(), opts.Appearance), opts.Trace, opts.post), opts: opts}
	w.Collection, w.Usual, w.Former, w.Keeps = opts.Collection, opts.Usual, opts.Former, opts.Open != nil
	w.resizing.Post = w.Post
	w.Trace.Write(page.Event{Event: "start"})
	w.makePages()
	w.Opened = func(i int) {
		if s, larger := w.Win.Content().(*container.Scroll); larger {
			s.ScrollToOffset(fyne.Position{})
		}
		for j, t := range w.header.tabs {
			t.Selected = i == j
			t.Refresh()
		}
	}
	w.Menu = func() { w.Win.SetMainMenu(w.menu()) }
	w.Worker = worker.New(opts.Engine, w.Post, opts.settle, w.Events(w.showStatus))

	w.Win.SetOnDropped(func(_ fyne.Position, files []fyne.URI) { w.take(widget.Map(files, fyne.URI.Path)) })

	w.Win.SetPadded(false)
	w.showPages()
	w.Win.Resize(rememberedSize(a, opts.Size))
	w.Win.SetMaster()
	a.Lifecycle().SetOnEnteredForeground(w.returned)
	w.Win.SetCloseIntercept(func() { w.leave(w.Win.Close) })
	if opts.Choice != "" {
		w.Worker.Choose(opts.Choice)
	}
	w.Worker.Start()
	w.openBook()
	return w
}

// makePages makes the pages, and the header above them.
func (w *Window) makePages() {
	w.draw = draw.New(w.Frame)
	w.train = train.New(w.Frame)
	w.samples = samples.New(w.Frame)
	w.samples.Collections = w.collectionItems
	w.latency = latency.New(w.Frame)
	w.models = models.New(w.Frame)
	w.Add(w.draw.Tab(), w.samples.Tab(), w.train.Tab(), w.models.Tab(), w.latency.Tab())
	w.Commands = append(w.Commands, w.commands()...)
	panel := w.Command("panel").Tool(theme.NewThemedResource(theme.DocumentCreateIcon()), language.Tr("Write Anywhere"))
	panel.Key = ""
	panel.Hidden = w.opts.Panel == nil
	w.header = newHeader(w.Pages, w.OpenPage, panel, w.showDevices)
	w.draw.Reader = w.showAnswerer
}

// showPages shows the pages that were made.
func (w *Window) showPages() {
	w.OpenPage(w.Remembered())
	w.draw.Start()
	w.ConnectKeys()
	w.body = w.LayOut(w.header, w.resized)
	w.Win.SetContent(w.scrolled(w.body))
	w.Each(func(p *page.Page) func() { return p.Set })
}

// setLanguage has the window say all in another language, or the next start while something is under way. What is on the papers stays.
func (w *Window) setLanguage(code string) {
	setting.Language.Set(w.App.Preferences(), code)
	w.afterWork(func() {
		papers, measured, asked := w.draw.Papers(), w.latency, w.Win.Canvas().Overlays().Top() != nil
		if w.Modal != nil { // else another page was opened meanwhile
			w.Modal.Hide()
		}
		w.Each(func(p *page.Page) func() { return p.Left })
		w.Each(func(p *page.Page) func() { return p.Close })
		w.State.Forget() // what is undone is shown on pages that are gone
		language.Speak(w.App)
		w.Empty()
		w.makePages()
		w.latency.Continue(measured)
		w.showPages()
		w.showStatus(w.Status)
		w.Each(func(p *page.Page) func() { return p.Models })
		w.Each(func(p *page.Page) func() { return p.Book })
		w.collectionsChanged()
		w.Menu()
		for i, pad := range w.draw.Papers() {
			if len(papers[i].Drawing()) > 0 {
				pad.Continue(papers[i])
			}
		}
		if asked {
			w.Run(w.Command("settings"))
		}
	})
}

// leave ends the window, once the person has agreed to lose what is under way.
func (w *Window) leave(end func()) {
	w.WhenIdle(func() {
		if w.Jobs == 0 {
			end()
			return
		}
		w.Confirm(language.Tr("Something is not finished"), language.Tr("What is being imported, exported or measured is lost when you close the window."),
			language.Tr("Close the window"), language.Tr("Back"), end)
	})
}

// Run opens the window and stays until it is closed. It returns an error when something went wrong with the devices' end.
func Run(a fyne.App, opts Options) error {
	w := New(a, opts)
	ending, over := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(ending, os.Interrupt, syscall.SIGTERM)
	w.Win.SetOnClosed(func() { ending <- nil })
	go w.endAnyway(ending, over)
	w.Win.ShowAndRun()
	close(over)
	return w.Close()
}

// endPatience is how long Fyne's loop may take to end.
const endPatience = 5 * time.Second

// endAnyway ends the process where Fyne's loop does not: Fyne 2.7 closes the queue of the main goroutine when its end looks empty, though
// something may be on its way there, and waits for that for ever (runGL, Lifecycle.WaitForEvents).
func (w *Window) endAnyway(ending <-chan os.Signal, over <-chan struct{}) {
	select {
	case <-over:
		return
	case <-ending:
		w.Ending()
	}
	select {
	case <-over:
	case <-time.After(endPatience):
		status := 0
		if err := w.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "inkshade:", err)
			status = 1
		}
		os.Exit(status)
	}
}

// Close finishes what is to be saved, stops the background work and closes the engine, after the app's loop has ended: Fyne does not run
// its own stop hooks reliably. Called again it waits for the first, whose error it gives.
func (w *Window) Close() error {
	w.closing.Do(func() {
		w.Frame.Close()
		w.Worker.Stop()
		if err := w.opts.Engine.Close(); err != nil {
			w.problem = fmt.Errorf("closing the devices: %w", err)
		}
		if w.kept != nil {
			w.problem = errors.Join(w.problem, w.kept.Close())
		}
	})
	return w.problem
}

func (w *Window) showStatus(s device.Status) {
	chosen, model := w.Status.Choice != s.Choice, w.Status.Model != s.Model
	w.Status = s
	w.showAnswerer()
	if chosen {
		w.Menu()
	}
	w.UseTrained()
	w.Each(func(p *page.Page) func() { return p.Answerer })
	if model && s.Fed != nil {
		w.Toast.Say(language.About(s.Model, language.Said(s.Fed)))
	}
	if s.Settled() {
		w.Trace.Write(page.Event{Event: "ready", Device: string(s.Answering), Reason: message.List(s.Reasons).String()})
	}
}

// showAnswerer says on top who answers what is written now.
func (w *Window) showAnswerer() {
	s := w.Status
	if w.draw.ReadsWords() {
		s.Answering = device.CPU
	}
	w.header.setStatus(s)
}

// header is the strip on top: the name, the pages, what opens the panel, and who answers.
type header struct {
	widget.Composed
	tabs []*widget.Button
	who  *widget.Button // who answers; opens what is known of the devices
	dot  *widget.Fill
}

func newHeader(pages []*page.Page, open func(int), panel *widget.Button, devices func()) *header {
	const margin, iconSize, dot, whoText, narrow, named = 20, 28, 8, 13, 44, 1100 // from there on the panel's button has its name
	h := &header{who: widget.NewQuietButton(whoText, devices), dot: widget.NewFill(theme.ColorNamePrimary, dot/2)}
	icon, name := newIcon(), widget.NewLabel("Inkshade", 19, theme.ColorNameForeground).Bold()
	tabs := widget.Beside(0)
	for i, p := range pages {
		h.tabs = append(h.tabs, widget.NewTab(p.Name, func() { open(i) }))
		tabs.Add(h.tabs[i])
	}
	h.Compose(h, container.New(widget.Arranged{Least: widget.AtLeast(400, widget.HeaderHeight(0)), Put: func(size fyne.Size) {
		a := widget.Area{Pos: fyne.NewPos(margin, 0), Size: size.SubtractWidthHeight(2*margin-widget.QuietInset, 0)}
		a.Left(iconSize, 10).Put(icon)
		h.who.Words.SetSize(whoText)
		who, pages := h.who.MinSize(), tabs.MinSize().Width
		room := a.Size.Width - pages - who.Width - dot - 8
		if !panel.Hidden {
			room -= narrow
		}
		a.Left(max(min(130, room), name.Width(name.Text)+2), 0).Put(name)
		a.Left(pages, 0).Put(tabs)
		if !panel.Hidden {
			width := panel.MinSize().Width
			if size.Width < named || a.Size.Width < width+10+dot+4+who.Width {
				width = narrow
			}
			p := a.Right(width, 10)
			widget.Middle(panel, p.Pos.X-widget.QuietInset, 0, width, size.Height, 36)
		}
		right := a.Right(min(who.Width, a.Size.Width-dot-4), dot+2)
		h.who.Words.SetSizeWithin(whoText, right.Size.Width-2*widget.QuietInset-1)
		widget.Middle(h.who, right.Pos.X, 0, right.Size.Width, size.Height, who.Height)
		widget.Middle(h.dot, right.Pos.X-dot-2, 0, dot, size.Height, dot)
	}}, icon, name, tabs, h.dot, h.who, panel))
	return h
}

func (h *header) setStatus(s device.Status) {
	text, c := summary(s)
	h.who.Rename(nil, text)
	h.dot.Recolor(c)
	widget.Rearrange(h.Content)
}

// summary is the state of the devices in one line, and the colour of its dot.
func summary(s device.Status) (string, fyne.ThemeColorName) {
	switch {
	case s.CPU.State == device.Unavailable && s.GPU.State == device.Unavailable:
		return language.Tr("Nothing can answer: {{.Reason}}", map[string]any{"Reason": language.Said(message.List(s.CPU.Reasons))}), theme.ColorNameError
	case s.GPU.State == device.Preparing && s.Answering == device.CPU:
		return language.Tr("Preparing GPU… the CPU answers"), theme.ColorNamePrimary
	case s.GPU.State == device.Preparing:
		return language.Tr("Preparing GPU…"), theme.ColorNamePrimary
	case len(s.Reasons) > 0:
		return language.Tr("The CPU answers, because the GPU cannot"), theme.ColorNameWarning
	case s.Answering == device.CPU:
		return language.Tr("The CPU answers"), theme.ColorNameSuccess
	case s.GPU.Info.Software:
		return language.Tr("The GPU answers (software renderer)"), theme.ColorNameSuccess
	}
	return language.Tr("The GPU answers"), theme.ColorNameSuccess
}

func newIcon() *canvas.Image {
	img, err := png.Decode(bytes.NewReader(assets.Icon()))
	if err != nil {
		panic("ui: the icon inside the program is damaged: " + err.Error())
	}
	return &canvas.Image{Image: img, FillMode: canvas.ImageFillContain}
}

func (w *Window) pageIDs() []string {
	return widget.Map(w.Pages, func(p *page.Page) string { return p.Key })
}

// sizeRests is how long a size must stay before it is remembered: who drags an edge passes many.
const sizeRests = 400 * time.Millisecond

// scrolled is the content for larger texts in a window that is no larger on the screen: what has no room is scrolled to.
func (w *Window) scrolled(content fyne.CanvasObject) fyne.CanvasObject {
	larger := float32(setting.TextSize.Get(w.App.Preferences()))
	if larger <= 1 {
		return content
	}
	s := container.NewScroll(content)
	s.SetMinSize(within(widget.Smallest, larger))
	return s
}

// rememberedSize is the window's size of last time, or else the one given, which is for texts of the usual size.
func rememberedSize(a fyne.App, otherwise fyne.Size) fyne.Size {
	p := a.Preferences()
	size := fyne.NewSize(float32(setting.Width.Get(p)), float32(setting.Height.Get(p)))
	larger := float32(setting.TextSize.Get(p))
	if size.IsZero() {
		size = within(otherwise, larger)
	}
	return size.Max(within(widget.Smallest, larger))
}

// setTextSize makes texts so many times as large as usual in a window that stays as large on the screen, and remembers it.
func (w *Window) setTextSize(larger float64) {
	size, before := w.Win.Canvas().Size(), setting.TextSize.Get(w.App.Preferences())
	setting.TextSize.Set(w.App.Preferences(), larger)
	settings.Enlarge(w.App)
	w.Restyle() // with which the toolkit looks for its scale
	w.Win.SetContent(w.scrolled(w.body))
	w.Win.Resize(within(size, float32(larger/before)).Max(within(widget.Smallest, float32(larger))))
}

// within is the size for larger texts that is as large on the screen as one for usual texts.
func within(usual fyne.Size, larger float32) fyne.Size {
	return fyne.NewSize(usual.Width/larger, usual.Height/larger)
}

// resized remembers the size of the window once it rests, but that of the full screen.
func (w *Window) resized() {
	w.resizing.After(sizeRests, func() {
		if !w.Win.FullScreen() {
			size := w.Win.Canvas().Size()
			setting.Width.Set(w.App.Preferences(), float64(size.Width))
			setting.Height.Set(w.App.Preferences(), float64(size.Height))
		}
	})
}

// setAppearance switches the palette at once and remembers it.
func (w *Window) setAppearance(a widget.Appearance) {
	setting.Appearance.Set(w.App.Preferences(), string(a))
	w.Theme.Appearance = a
	w.Restyle()
	w.Menu()
	if w.look != nil {
		w.look.SetSelectedIndex(slices.Index(settings.Looks, a))
	}
}
