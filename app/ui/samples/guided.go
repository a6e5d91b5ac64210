package samples

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/samples"
)

// largestAsked is the size of a short label that is asked for.
const largestAsked = 120

// guidedView asks for one character after the other and stores what is written.
type guidedView struct {
	page    *Page
	series  *dictation
	session string
	pad     *widget.Pad
	rest    time.Duration
	resting page.Alarm // begins anew with every change of the drawing

	glyph, round, next, count *widget.Label
	bar                       *widget.Bar
	alone                     *widget.CheckBox // go on by itself
	back, clear, skip, take   *widget.Button
	asked                     *fyne.Container // the glyph, smaller where its label is long
	inner                     float32         // margin of the card
	content                   *fyne.Container
}

func newGuidedView(p *Page) *guidedView {
	label := func(text string, size float32, c fyne.ThemeColorName) *widget.Label {
		return widget.NewLabel(text, size, c).Aligned(fyne.TextAlignCenter)
	}
	g := &guidedView{
		page: p, pad: widget.NewPad(), rest: widget.PenRests, resting: page.Alarm{Post: p.win.Post}, bar: widget.NewBar(), inner: 16,
		glyph: label("", largestAsked, theme.ColorNamePrimary).Bold(), round: label("", 14, widget.ColorMuted),
		next: label("", 14, widget.ColorMuted).Wrapped(2), count: label("", 14, theme.ColorNameForeground),
	}
	g.pad.View.Hint.Set(language.Tr("Write it here, as you always do"))
	g.pad.OnInk = g.inked
	g.alone = widget.NewCheckBox(language.Tr("Go on when the pen rests"), nil)
	g.alone.SetChecked(true)
	g.back = widget.NewToolButton(theme.NavigateBackIcon(), language.Tr("Back"), "←", g.goBack)
	g.clear = widget.NewToolButton(theme.DeleteIcon(), language.Tr("Clear"), page.KeyName("Del"), g.pad.Clear)
	g.take = widget.NewToolButton(theme.ConfirmIcon(), language.Tr("Take it"), page.KeyName("Enter"), g.accept)
	g.skip = widget.NewToolButton(theme.MediaSkipNextIcon(), language.Tr("Skip"), "→", g.goOn)
	end := widget.NewToolButton(theme.LogoutIcon(), language.Tr("Finish"), page.KeyName("Esc"), g.finish)
	tools := widget.Evenly(8, g.back, g.clear, g.skip, g.take, end)
	g.asked = container.New(widget.Arranged{Least: widget.AtLeast(0, g.glyph.LineHeight()), Put: func(size fyne.Size) {
		g.glyph.SetSizeWithin(largestAsked, size.Width)
		widget.Place(g.glyph, 0, 0, size.Width, size.Height)
	}}, g.glyph)
	side := widget.Under(6, widget.Under(6, label("", 40, widget.ColorMuted), label(language.Tr("Please write"), 16, widget.ColorMuted), g.asked, g.round, label("", 8, widget.ColorMuted), g.next),
		layout.NewSpacer(), widget.Under(8, g.bar, g.count, g.alone, label("", 30, widget.ColorMuted)))
	card := widget.NewCard(side, &g.inner)
	g.content = container.New(widget.Arranged{Least: widget.PageSize, Put: func(size fyne.Size) {
		d, left := widget.DensityOf(size)
		left.Right(d.Of(320, 260), d.Gap).Put(card)
		left.Bottom(widget.ToolHeight, d.Gap).Put(tools)
		left.Put(g.pad)
	}}, g.pad, tools, card)
	g.content.Hide()
	return g
}

// begin starts a series in a sitting of its own.
func (g *guidedView) begin(labels []string, times int) {
	g.series = newDictation(labels, times)
	g.session = samples.NewSession(time.Now())
	g.page.win.Toast.Close()
	g.write(true)
	g.page.win.Win.Canvas().Unfocus()
	g.show()
}

// write shows what is written here in place of the gallery, or the gallery again; keys and menus follow.
func (g *guidedView) write(on bool) {
	widget.Show(g.content, on)
	widget.Show(g.page.browse, !on)
	g.page.tab.Actions = g.page.browsing()
	if on {
		g.page.tab.Actions = page.Actions{
			Undo: g.undo, Redo: g.pad.Redo, Clear: g.pad.Clear, Key: g.key, Pen: g.pad.KeyPen,
			Toast: func() widget.Area { return widget.AreaOf(g.pad) },
		}
	}
}

func (g *guidedView) show() {
	s := g.series.current()
	if s == nil {
		g.finish()
		return
	}
	at, all := g.series.at, len(g.series.slots)
	g.pad.Forget()
	g.glyph.Set(s.label)
	widget.Rearrange(g.asked)
	g.round.Set(language.Tr("{{.Round}} of {{.Times}} times", map[string]any{"Round": s.round, "Times": g.series.slots[all-1].round}))
	g.next.Set(language.Tr("then: {{.Labels}}", map[string]any{"Labels": strings.Join(g.series.upcoming(6), "  ")}))
	if at == all-1 {
		g.next.Set(language.Tr("the last one"))
	}
	g.bar.Set(widget.Span{From: 0, To: float64(at) / float64(all), Color: theme.ColorNamePrimary})
	g.count.Set(language.Tr("{{.Done}} of {{.Count}}", map[string]any{"Done": at, "Count": all}))
	g.back.Allow(at > 0, language.Tr("This is the first one."))
	g.offer(false)
}

// inked waits until the pen rests.
func (g *guidedView) inked(c widget.InkChange) {
	g.resting.Stop()
	g.offer(len(c.Ink) > 0)
	if c.PenDown || len(c.Ink) == 0 || !g.alone.Checked {
		return
	}
	g.resting.After(g.rest, func() {
		if g.alone.Checked && g.content.Visible() {
			g.accept()
		}
	})
}

// offer lets a drawing be taken or cleared.
func (g *guidedView) offer(written bool) {
	for _, b := range []*widget.Button{g.take, g.clear} {
		b.Allow(written, language.Tr("The paper is empty."))
	}
}

// accept stores the drawing and goes on. When it cannot be stored the character is asked for again.
func (g *guidedView) accept() {
	k := g.pad.Drawing()
	if len(k) == 0 || g.pad.Live != nil {
		return
	}
	s, series, w := g.series.take(), g.series, g.page.win
	x := state.NewSample(s.label, k, g.pad.Scale(), g.pad.Started.UTC(), nil)
	x.Session = g.session
	book := w.Book
	w.Save(func() error {
		err := book.Keep(&x).Do()
		s.id = x.ID
		return err
	}, func() {
		w.Trace.Write(page.Event{Event: "saved", Label: s.label})
		if g.series == series {
			g.page.stale = true
		}
	}, func(err error) {
		s.drawn = false
		w.Warn(err)
	})
	g.show()
}

func (g *guidedView) goOn() {
	g.series.skip()
	g.show()
}

// goBack returns to the character before; what was written for it is taken back.
func (g *guidedView) goBack() {
	if s, w := g.series.back(), g.page.win; s != nil {
		book := w.Book
		w.Save(func() (err error) {
			if s.id != 0 {
				err = book.Delete(s.id).Do()
				s.id = 0
			}
			return err
		}, nil, w.Tell)
	}
	g.show()
}

// undo takes a stroke back or, on an empty paper, the drawing before.
func (g *guidedView) undo() {
	if len(g.pad.History.Past) > 0 {
		g.pad.Undo()
	} else if g.series.at > 0 {
		g.goBack()
	}
}

// finish goes back to the gallery, with all that was written so far.
func (g *guidedView) finish() {
	g.resting.Stop()
	series := g.series
	g.write(false)
	w := g.page.win
	page.Fetch(w, func() ([]int64, error) { return series.written(), nil }, func(ids []int64) { // behind the last drawing
		w.Changed()
		if len(ids) > 0 {
			w.Did(page.Action{Text: language.Tr("{{.Count}} saved, and learned from already.", language.Counted(len(ids))), Command: w.Book.Delete(ids...)})
		}
	}, nil)
}

func (g *guidedView) leave() {
	if g.content.Visible() {
		g.finish()
	}
}

func (g *guidedView) key(k fyne.KeyName) {
	switch k {
	case fyne.KeyReturn, fyne.KeyEnter:
		g.accept()
	case fyne.KeyRight:
		g.goOn()
	case fyne.KeyLeft:
		g.goBack()
	case fyne.KeyDelete, fyne.KeyBackspace:
		g.pad.Clear()
	case fyne.KeyEscape:
		g.finish()
	}
}

// Write asks what is to be written, and how often.
func (p *Page) Write() {
	if p.win.Refuse() {
		return
	}
	labels := widget.NewLabelEntry("0 1 2 3", nil, nil)
	labels.Validator, labels.Most = page.SomeLabels, 0
	presets := p.presets()
	names := widget.Map(presets, func(x preset) string { return x.name })
	labels.SetText(presets[0].labels)
	choice := widget.NewDropDown(names, 0, func(i int) {
		if i >= 0 {
			labels.SetText(presets[i].labels)
		}
	})
	choice.PlaceHolder = language.Tr("Own set")
	asked := widget.NewLabel(askedWords(labels.Text), 12, widget.ColorMuted).Wrapped(2)
	labels.OnChanged = func(text string) {
		if i := choice.SelectedIndex(); i >= 0 && text != presets[i].labels {
			choice.ClearSelected()
		}
		asked.Set(askedWords(text))
	}
	often := widget.NewDropDown([]string{"1", "2", "3", "5", "10", "20"}, 3, nil)
	which := toolkit.NewFormItem(language.Tr("Labels"), labels)
	which.HintText = language.Tr("Any symbols, your own too. Spaces between them.")
	p.win.Ask(language.Tr("Write Samples"), language.Tr("Begin"), 440, labels, func() {
		n, _ := strconv.Atoi(often.Selected)
		p.guided.begin(page.SplitLabels(labels.Text), n)
	}, toolkit.NewFormItem(language.Tr("What"), choice), which, toolkit.NewFormItem("", asked), toolkit.NewFormItem(language.Tr("Times each"), often))
}

// askedWords say what is asked for where these labels are typed.
func askedWords(typed string) string {
	labels := page.SplitLabels(typed)
	if len(labels) == 0 {
		return ""
	}
	words := language.Tr("Asked for: {{.Labels}}", map[string]any{"Labels": language.Few(labels)})
	if len(labels) > 1 && !strings.Contains(typed, " ") {
		words = language.Sentences(words+".", language.Tr("A space behind a name keeps it whole."))
	}
	return words
}

// mostAsked is how many classes are proposed at once, where those of a set are not known by heart.
const mostAsked = 100

// preset is a choice of labels to be written.
type preset struct{ name, labels string }

// presets are the sets that the model in use has something of, or what it has beside them, then the thin classes.
func (p *Page) presets() []preset {
	var all []preset
	if l := p.gallery.query.label; l != "" && l != ofLines {
		all = append(all, preset{language.Tr("More of {{.Label}}", map[string]any{"Label": l}), page.JoinLabels(l)})
	}
	add := func(name string, labels []string) {
		if len(labels) > 0 {
			all = append(all, preset{name, page.JoinLabels(labels[:min(len(labels), mostAsked)]...)})
		}
	}
	for _, s := range page.ClassSets()[1:] {
		add(s.Name, slices.DeleteFunc(slices.Clone(p.win.Status.Labels), func(l string) bool { return !s.Has(l) || page.IsOwn(l) }))
	}
	if !slices.ContainsFunc(p.win.Status.Labels, func(l string) bool { return !page.IsOwn(l) }) {
		add(language.Tr("Characters of the model"), p.win.Status.Labels)
	}
	add(language.Tr("Classes with few samples"), p.gallery.thinClasses())
	own := p.gallery.labels(func(c samples.Class) bool { return page.IsOwn(c.Label) })
	return append(all, preset{language.Tr("My own symbols"), page.JoinLabels(own[:min(len(own), mostAsked)]...)})
}

// dictation is a series of characters to be written, with what became of each.
type dictation struct {
	slots []*slot
	at    int
}

// slot is one drawing that is asked for.
type slot struct {
	label string
	round int // from 1
	drawn bool
	id    int64 // in the store; touched by the save queue alone
}

// newDictation asks for every label so many times, in rounds, so that the writing varies as it does in life.
func newDictation(labels []string, times int) *dictation {
	d := &dictation{}
	for round := range times {
		for _, l := range labels {
			d.slots = append(d.slots, &slot{label: l, round: round + 1})
		}
	}
	return d
}

// current is what to write now; nil at the end.
func (d *dictation) current() *slot {
	if d.at >= len(d.slots) {
		return nil
	}
	return d.slots[d.at]
}

// take accepts a drawing for the current slot, which it returns, and goes on.
func (d *dictation) take() *slot {
	s := d.current()
	if d.skip(); s != nil {
		s.drawn = true
	}
	return s
}

func (d *dictation) skip() { d.at = min(d.at+1, len(d.slots)) }

// back returns to the slot before and gives it when a drawing must be taken back.
func (d *dictation) back() *slot {
	if d.at == 0 {
		return nil
	}
	d.at--
	s := d.slots[d.at]
	if !s.drawn {
		return nil
	}
	s.drawn = false
	return s
}

// written gives the ids of the drawings, to the save queue.
func (d *dictation) written() (ids []int64) {
	for _, s := range d.slots {
		if s.id != 0 {
			ids = append(ids, s.id)
		}
	}
	return ids
}

// upcoming lists the labels after the current one, at most so many.
func (d *dictation) upcoming(most int) []string {
	return widget.Map(d.slots[d.at+1:min(d.at+1+most, len(d.slots))], func(s *slot) string { return s.label })
}
