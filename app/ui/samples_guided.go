package ui

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/recognizer/samples"
)

// penRests is how long a finished drawing waits for another stroke before it is taken.
const penRests = 1200 * time.Millisecond

// largestAsked is the size of a short label that is asked for.
const largestAsked = 120

// guidedView asks for one character after the other and stores what is written.
type guidedView struct {
	page    *samplesPage
	series  *dictation
	session string
	pad     *pad
	rest    time.Duration
	resting alarm // begins anew with every change of the drawing

	ask, glyph, round, next, count *label
	bar                            *bar
	alone                          *widget.Check // go on by itself
	back, clear, skip, take, end   *button
	asked                          *fyne.Container // the glyph, smaller where its label is long
	inner                          float32         // margin of the card
	ground, tools, content         *fyne.Container
}

func newGuidedView(p *samplesPage) *guidedView {
	g := &guidedView{
		page: p, pad: newPad(), rest: penRests, resting: alarm{post: p.win.opts.post},
		ask:   newLabel(tr("Please write"), 16, colorMuted).aligned(fyne.TextAlignCenter),
		glyph: newLabel("", largestAsked, theme.ColorNamePrimary).bold().aligned(fyne.TextAlignCenter),
		round: newLabel("", 14, colorMuted).aligned(fyne.TextAlignCenter),
		next:  newLabel("", 14, colorMuted).aligned(fyne.TextAlignCenter).wrapped(2),
		count: newLabel("", 14, theme.ColorNameForeground).aligned(fyne.TextAlignCenter),
		bar:   newBar(),
	}
	g.pad.view.hint.set(tr("Write it here, as you always do"))
	g.pad.OnInk = g.inked
	g.alone = widget.NewCheck(tr("Go on when the pen rests"), nil)
	g.alone.SetChecked(true)
	g.back = newToolButton(theme.NavigateBackIcon(), tr("Back"), "←", g.goBack)
	g.clear = newToolButton(theme.DeleteIcon(), tr("Clear"), keyName("Del"), g.pad.clear)
	g.skip = newToolButton(theme.MediaSkipNextIcon(), tr("Skip"), "→", g.goOn)
	g.take = newToolButton(theme.ConfirmIcon(), tr("Take it"), "Enter", g.accept)
	g.end = newToolButton(theme.LogoutIcon(), tr("Finish"), "Esc", g.finish)
	g.tools = container.New(evenColumns{gap: 8}, g.back, g.clear, g.skip, g.take, g.end)
	g.asked = container.New(arranged{atLeast(0, g.glyph.lineHeight()), func(size fyne.Size) {
		g.glyph.resizeWithin(largestAsked, size.Width)
		middle(g.glyph, 0, 0, size.Width, size.Height, g.glyph.lineHeight())
	}}, g.glyph)
	g.inner = 16
	top := container.New(rows{gap: 6}, newLabel("", 40, colorMuted), g.ask, g.asked, g.round, newLabel("", 8, colorMuted), g.next)
	bottom := container.New(rows{gap: 8}, g.bar, g.count, g.alone, newLabel("", 30, colorMuted))
	side := container.NewBorder(nil, bottom, nil, nil, top)
	g.ground = newCard(side, &g.inner)
	g.content = container.New(arranged{pageSize, g.put}, g.pad, g.tools, g.ground)
	return g
}

// begin starts a series in a sitting of its own.
func (g *guidedView) begin(labels []string, times int) {
	g.series = newDictation(labels, times)
	g.session = samples.NewSession(time.Now())
	g.page.win.toast.hide()
	g.page.browse.Hide()
	g.content.Show()
	g.page.win.win.Canvas().Unfocus()
	g.show()
}

func (g *guidedView) show() {
	at, all := g.series.progress()
	s := g.series.current()
	if s == nil {
		g.finish()
		return
	}
	g.pad.forget()
	g.glyph.set(s.label)
	rearrange(g.asked)
	times := g.series.slots[all-1].round
	g.round.set(tr("{{.Round}} of {{.Times}} times", map[string]any{"Round": s.round, "Times": times}))
	g.next.set(tr("then {{.Labels}}", map[string]any{"Labels": strings.Join(g.series.upcoming(6), "  ")}))
	if at == all-1 {
		g.next.set(tr("the last one"))
	}
	g.bar.show(span{0, float64(at) / float64(all), theme.ColorNamePrimary})
	g.count.set(tr("{{.Done}} of {{.Count}}", map[string]any{"Done": at, "Count": all}))
	g.back.allow(at > 0, tr("This is the first one."))
	g.offer(false)
}

// inked waits until the pen rests.
func (g *guidedView) inked(c inkChange) {
	g.resting.stop()
	g.offer(len(c.Ink) > 0)
	if c.PenDown || len(c.Ink) == 0 || !g.alone.Checked {
		return
	}
	g.resting.after(g.rest, func() {
		if g.alone.Checked && g.content.Visible() {
			g.accept()
		}
	})
}

// offer lets a drawing be taken or cleared.
func (g *guidedView) offer(written bool) {
	for _, b := range []*button{g.take, g.clear} {
		b.allow(written, tr("The paper is empty."))
	}
}

// accept stores the drawing and goes on. When it cannot be stored the character is asked
// for again.
func (g *guidedView) accept() {
	k := g.pad.drawing()
	if len(k) == 0 || g.pad.live != nil {
		return
	}
	s, series, w := g.series.take(), g.series, g.page.win
	x := newSample(s.label, k, g.pad.scale(), g.pad.started.UTC(), nil)
	x.Session = g.session
	book := w.book
	w.save(func() error {
		kept, err := book.Keep(x)
		s.id = kept.ID
		return err
	}, func() {
		w.trace.write(Event{Event: "saved", Label: s.label})
		if g.series == series {
			g.page.stale = true
		}
	}, func(err error) {
		s.drawn = false
		w.warn(err)
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
		book := w.book
		w.save(func() (err error) {
			if s.id != 0 {
				_, err = book.Delete(s.id)
				s.id = 0
			}
			return err
		}, nil, w.tell)
	}
	g.show()
}

// undo takes a stroke back or, on an empty paper, the drawing before.
func (g *guidedView) undo() {
	if len(g.pad.history.past) > 0 {
		g.pad.undo()
	} else if at, _ := g.series.progress(); at > 0 {
		g.goBack()
	}
}

// finish goes back to the gallery, with all that was written so far.
func (g *guidedView) finish() {
	g.resting.stop()
	series := g.series
	g.content.Hide()
	g.page.browse.Show()
	w := g.page.win
	fetch(w, func() ([]int64, error) { return series.written(), nil }, func(ids []int64) { // behind the last drawing
		w.keptChanged()
		if len(ids) > 0 {
			w.changes.did(w.added(tr("{{.Count}} saved, and learned from already.", counted(len(ids))), ids))
		}
	}, nil)
}

// key does what keys without a modifier do while characters are written.
func (g *guidedView) key(k fyne.KeyName) {
	switch k {
	case fyne.KeyReturn, fyne.KeyEnter:
		g.accept()
	case fyne.KeyRight:
		g.goOn()
	case fyne.KeyLeft:
		g.goBack()
	case fyne.KeyDelete, fyne.KeyBackspace:
		g.pad.clear()
	case fyne.KeyEscape:
		g.finish()
	}
}

// put places the paper left over its tools, what to write right.
func (g *guidedView) put(size fyne.Size) {
	d := densityOf(size)
	margin, gap, panel := d.margin, d.gap, d.of(320, 260)
	left, height := size.Width-2*margin-gap-panel, size.Height-margin
	place(g.pad, margin, 0, left, height-toolHeight-gap)
	place(g.tools, margin, height-toolHeight, left, toolHeight)
	place(g.ground, margin+left+gap, 0, panel, height)
}

// chooseGuided asks what is to be written, and how often.
func (p *samplesPage) chooseGuided() {
	if p.refuse() {
		return
	}
	labels := newLabelEntry("0 1 2 3", nil, nil)
	labels.Validator = someLabels
	presets := p.presets()
	var names []string
	for _, x := range presets {
		names = append(names, x.name)
	}
	labels.SetText(presets[0].labels)
	choice := newDropDown(names, 0, func(i int) { labels.SetText(presets[i].labels) })
	often := newDropDown([]string{"1", "2", "3", "5", "10", "20"}, 3, nil)
	which := widget.NewFormItem(tr("Labels"), labels)
	which.HintText = tr("Any symbols, your own too. Spaces between them.")
	p.win.ask(tr("Write Samples"), tr("Begin"), 440, labels, func() {
		n, _ := strconv.Atoi(often.Selected)
		p.guided.begin(splitLabels(labels.Text), n)
	}, widget.NewFormItem(tr("What"), choice), which, widget.NewFormItem(tr("Times each"), often))
}

// mostAsked is how many classes are proposed at once, where those of a set are not known by heart.
const mostAsked = 100

// preset is a choice of labels to be written.
type preset struct{ name, labels string }

// presets are the sets that the model in use has something of, or what it has beside them, then the thin classes.
func (p *samplesPage) presets() []preset {
	var all []preset
	add := func(name string, labels []string) {
		if len(labels) > 0 {
			all = append(all, preset{name, strings.Join(labels[:min(len(labels), mostAsked)], " ")})
		}
	}
	for _, s := range classSets()[1:] {
		add(s.name, slices.DeleteFunc(slices.Clone(p.win.header.status.Labels), func(l string) bool { return !s.has(l) || isOwn(l) }))
	}
	if len(all) == 0 {
		add(tr("Characters of the model"), p.win.header.status.Labels)
	}
	add(tr("Classes with few samples"), p.gallery.thinClasses())
	return append(all, preset{tr("My own symbols"), ""})
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

// newDictation asks for every label so many times, in rounds, so that the writing varies as it
// does in life.
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
	if s != nil {
		s.drawn = true
		d.at++
	}
	return s
}

// skip leaves the current slot out.
func (d *dictation) skip() {
	if d.current() != nil {
		d.at++
	}
}

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

// progress counts what is done, drawn or skipped, and all.
func (d *dictation) progress() (at, all int) { return d.at, len(d.slots) }

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
	var labels []string
	for i := d.at + 1; i < len(d.slots) && len(labels) < most; i++ {
		labels = append(labels, d.slots[i].label)
	}
	return labels
}
