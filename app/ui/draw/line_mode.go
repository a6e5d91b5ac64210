package draw

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/state/setting"
	"inkshade/app/ui/glyph"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/models"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

// lineMode is Draw for many characters: wide paper, and what was read on it.
type lineMode struct {
	page               *Page
	win                *page.Frame
	pad                *widget.Pad
	strip              *lineStrip
	text               *lineText
	card               *fyne.Container
	language           *widget.Segments
	split, join, copy  *widget.Button
	splitting, joining *page.Command // by the first two, or a key

	all     []line.Character // what was read, as it is shown
	drawing uint64           // that it belongs to
	chosen  *line.Part       // of the chosen character; nil for none
	telling uint64           // the drawing that a text is being given to; 0 for none
	toldOf  []line.Part      // the word of it that is learned; nil for all
	typed   string           // what the entry had then
	erasing uint64           // the drawing whose last character goes; 0 for none
	resting page.Alarm       // begins anew with every change
	late    page.Alarm       // rings when a reading takes long
}

func newLineMode(d *Page) *lineMode {
	l := &lineMode{page: d, win: d.win, resting: page.Alarm{Post: d.win.Post}, late: page.Alarm{Post: d.win.Post}, pad: widget.NewPaper(true)}
	l.text = newLineText(func(text string) { l.tell(text, "", nil) })
	l.pad.OnInk, l.pad.OnHistory = l.inked, d.historyChanged
	l.strip = newLineStrip(l.pad, l.choose, l.divide, l.space)
	l.language = widget.NewSegments([]string{language.Tr("Anything"), language.Tr("Numbers"), language.Tr("English"), language.Tr("Digits Only")}, l.setLanguage)
	l.language.Choose(language.Written(setting.LineOf.Get(d.win.App.Preferences()), lang.SystemLocale().String()))
	l.splitting = &page.Command{ID: "split", Name: language.Tr("Split the Character"), Keys: "Ctrl+K", Do: l.splitChosen, Here: d.onLine, Why: l.lacks(1)}
	l.joining = &page.Command{ID: "join", Name: language.Tr("Join with the Next"), Keys: "Ctrl+J", Do: l.joinChosen, Here: d.onLine, Why: l.lacks(2)}
	l.split, l.join = l.splitting.Tool(theme.ContentCutIcon(), language.Tr("Split")), l.joining.Tool(theme.ContentAddIcon(), language.Tr("Join"))
	l.copy = widget.NewToolButton(theme.ContentCopyIcon(), language.Tr("Copy"), page.KeyName("Ctrl+C"), l.copyText)
	return l
}

func (l *lineMode) setLanguage(i int) {
	l.language.Choose(i)
	setting.LineOf.Set(l.win.App.Preferences(), string(line.Languages[i]))
	l.page.choicesChanged()
	l.page.times.forget()
	l.ask(false)
}

func (l *lineMode) writtenIn() line.Language { return line.Languages[l.language.Selected] }

// soon is how long a reading may take before what stands there is told to be of less ink.
const soon = 400 * time.Millisecond

func (l *lineMode) ask(penDown bool) {
	if l.late.Stop(); len(l.pad.Drawing()) > 0 {
		l.late.After(soon, l.text.waits)
	}
	l.win.Worker.Submit(worker.Task{Ink: l.pad.Drawing(), Line: &line.Options{Language: l.writtenIn(), Fixed: l.pad.History.Fixed}}, penDown)
}

// inked is called by the paper on every change. The last stroke may be a gesture.
func (l *lineMode) inked(c widget.InkChange) {
	if c.Lifted && len(c.Ink) > 1 {
		switch l.pad.Gesture() {
		case line.StrokeLeft:
			l.erasing = l.win.Worker.Sequence()
			return
		case line.StrokeRight:
			l.resting.Stop()
			l.pad.Space()
			return
		case line.ScratchOut:
			return
		}
	}
	l.ask(c.PenDown)
	if c.Lifted {
		l.win.Trace.Write(page.Event{Event: "pen-up", Drawing: l.win.Worker.Sequence()})
	}
	if len(c.Ink) == 0 {
		l.all, l.chosen = nil, nil
		l.text.nothing()
		l.page.times.forget()
		l.pad.ScrollTo(0)
		l.show()
	}
	// The paper never moves under the pen.
	l.resting.Stop()
	switch {
	case c.PenDown:
	case c.Lifted:
		l.resting.After(widget.PenRests, l.pad.MakeRoom)
	default: // there may be less ink
		l.resting.After(widget.PenRests, func() { l.pad.ScrollTo(l.pad.Scroll) })
	}
}

func (l *lineMode) read(r worker.Reply) {
	l.late.Stop()
	switch {
	case r.Drawing == l.telling:
		l.told(r)
		return
	case r.Err != nil:
		l.all = nil
		l.text.say("!", theme.ColorNameError, "", failure(r.Err))
		l.text.by.Recolor(theme.ColorNameError)
	default:
		l.all, l.drawing = r.Line.Characters, r.Drawing
		l.text.show(r)
		l.page.times.hypotheses = r.Line.Hypotheses
		l.page.times.fill()
		if r.Drawing == l.erasing && len(l.all) > 0 {
			l.pad.EraseLast(l.all)
			return
		}
		l.win.Trace.Write(page.Event{Event: "answer", Drawing: r.Drawing, Label: textOf(l.all)})
	}
	l.show()
}

// show brings the strip, the candidates and the buttons in step with what was read and chosen.
func (l *lineMode) show() {
	d, i := l.page, l.index()
	l.strip.show(l.all, i)
	d.candidates.show(nil, false)
	tip, ask := "", language.Tr("Its text?")
	switch {
	case i >= 0:
		d.candidates.show(glyph.Listed(l.all[i]), l.all[i].Unknown)
		ask = language.Tr("What is it?")
		tip = language.Tr("Type what it is and press Enter, or click the right one in the list.")
	case l.language.Selected == 2 && !d.isMany && l.win.Status.Settled() && d.reader() != models.Words && !slices.ContainsFunc(l.win.Status.Labels, func(label string) bool { return page.In(nn.Small, label) }):
		tip = language.Tr("This model knows no letters; choose another for words.")
	case len(l.all) > 0:
		d.candidates.suggest(language.Tr("Click a character above to correct it"))
		tip = language.Tr("Enter confirms the line. Wrong? Type all of it, or choose a character below.")
	}
	d.entry.SetPlaceHolder(ask)
	l.pad.View.Tip.Set(tip)
	l.splitting.Refresh()
	l.joining.Refresh()
	l.copy.Allow(len(l.all) > 0, language.Tr("The paper is empty."))
	widget.Enable(d.entry, len(l.all) > 0)
}

// lacks says what is missing of so many characters from the chosen one on.
func (l *lineMode) lacks(count int) func() string {
	return func() string {
		if i := l.index(); i < 0 || i+count > len(l.all) {
			return language.Tr("Choose a character first: click it, or press ←.")
		}
		return ""
	}
}

// index is the chosen character's place in what was read; -1 where none is chosen.
func (l *lineMode) index() int {
	return slices.IndexFunc(l.all, func(c line.Character) bool { return l.chosen != nil && slices.ContainsFunc(c.Parts, l.chosen.Overlaps) })
}

// current is index where what was read is what stands on the paper, else -1.
func (l *lineMode) current() int {
	if l.drawing != l.win.Worker.Sequence() {
		return -1
	}
	return l.index()
}

// choose marks a character, whose candidates are shown; what was chosen already is let go.
func (l *lineMode) choose(i int) {
	c := &l.all[i]
	if i == l.index() {
		l.chosen = nil
	} else {
		l.chosen = &c.Parts[0]
		l.pad.Reveal(c.Box.MinX, c.Box.MaxX)
	}
	l.show()
}

// step chooses a neighbour of the chosen character, or the last where none is.
func (l *lineMode) step(by int) {
	i, n := l.index(), len(l.all)
	if i < 0 && by < 0 {
		i = n
	}
	if i+by >= 0 && i+by < n {
		l.choose(i + by)
	}
}

// restate says something of the ink of some characters, in place of what was said of it before.
func (l *lineMode) restate(ofParts []line.Part, now ...line.Fixed) []line.Fixed {
	fixed := slices.DeleteFunc(slices.Clone(l.pad.History.Fixed), func(f line.Fixed) bool { return about(f, ofParts) })
	return append(fixed, now...)
}

func about(f line.Fixed, ink []line.Part) bool { return overlap(f.Parts, ink) }

func overlap(a, b []line.Part) bool {
	return slices.ContainsFunc(a, func(p line.Part) bool { return slices.ContainsFunc(b, p.Overlaps) })
}

func (l *lineMode) splitChosen() {
	if i := l.current(); i >= 0 {
		l.divideParts(l.all[i].Parts, line.Gap(l.all[i].Ink))
	}
}

func (l *lineMode) joinChosen() {
	if i := l.current(); l.pairs(i) {
		parts := l.partsFrom(i)
		l.pad.Fix(l.restate(parts, line.Fixed{Parts: parts}))
	}
}

// pairs tells whether a character stands on the paper as it was read, and another behind it.
func (l *lineMode) pairs(i int) bool {
	return l.drawing == l.win.Worker.Sequence() && i >= 0 && i+1 < len(l.all)
}

func (l *lineMode) partsFrom(i int) []line.Part {
	return slices.Concat(l.all[i].Parts, l.all[i+1].Parts)
}

// divide parts a character from the next at x; where nothing is left of one of them they are joined.
func (l *lineMode) divide(i int, x float64) {
	if l.pairs(i) {
		l.divideParts(l.partsFrom(i), x)
	}
}

// space puts a space behind a character, or takes out the one that stands there.
func (l *lineMode) space(i int) {
	if !l.pairs(i) {
		return
	}
	c := l.all[i+1]
	now := line.Fixed{Parts: c.Parts, Space: line.OneSpace}
	if c.Space {
		now.Space = line.NoSpace
	}
	if c.Fixed {
		now.Label = c.Label
	}
	l.pad.Fix(l.restate(c.Parts, now))
}

func (l *lineMode) divideParts(parts []line.Part, x float64) {
	var now []line.Fixed
	left, right := line.Divide(l.pad.Drawing(), parts, x)
	for _, side := range [][]line.Part{left, right} {
		if len(side) > 0 {
			now = append(now, line.Fixed{Parts: side})
		}
	}
	l.pad.Fix(l.restate(parts, now...))
}

// shift moves the border to the next character, as far as it takes for some ink to change sides.
func (l *lineMode) shift(by float64) {
	i := l.current()
	if !l.pairs(i) {
		return
	}
	if x, ok := shifted(l.pad.Drawing(), l.all[i].Parts, l.all[i+1].Parts, l.strip.border(i), by); ok {
		l.divideParts(l.partsFrom(i), x)
	}
}

// shifted is the first place, in steps from x on, that leaves less ink to the left than stands there, or more where the steps go to the right.
func shifted(k ink.Ink, left, right []line.Part, x, by float64) (float64, bool) {
	length := func(parts []line.Part) (n int) { // whatever they are cut into
		for _, p := range parts {
			n += p.Last - p.First
			if len(k[p.Stroke]) == 1 {
				n++
			}
		}
		return n
	}
	before, parts := length(left), slices.Concat(left, right)
	for range 100 {
		x += by
		l, r := line.Divide(k, parts, x)
		if now := length(l); len(l) > 0 && len(r) > 0 && (by < 0 && now < before || by > 0 && now > before) {
			return x, true
		}
	}
	return 0, false
}

func (l *lineMode) copyText() {
	if len(l.all) == 0 {
		l.page.nothingToCopy()
		return
	}
	l.win.CopyText(textOf(l.all))
}

func (l *lineMode) key(k fyne.KeyName) {
	i := l.index()
	switch k {
	case fyne.KeyLeft:
		l.step(-1)
	case fyne.KeyRight:
		l.step(1)
	case fyne.KeyReturn, fyne.KeyEnter:
		if i >= 0 {
			l.teach(l.all[i].Label)
		} else {
			l.confirm()
		}
	case fyne.KeyDelete, fyne.KeyBackspace, fyne.KeyEscape:
		if k == fyne.KeyEscape && i >= 0 {
			l.choose(i)
		} else {
			l.pad.Clear()
		}
	}
}
