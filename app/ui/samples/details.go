package samples

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/samples"
)

// sampleDetails tells what is known of the samples that are chosen, and changes them.
type sampleDetails struct {
	view    *widget.InkView
	title   *widget.Label
	facts   [mostFacts]*widget.Label
	doubt   *widget.Label
	accept  *widget.Button // gives a contradicted sample the label of its neighbours
	confirm *widget.Button // says that the label is right all the same
	entry   *widget.Entry
	remove  *widget.Button
	hold    *widget.Button
	legend  []*markLine
	content *fyne.Container

	typed  func(label string) string // is what is typed into other programs for it; empty for the label itself
	chosen []samples.Sample
	likely string
	holds  bool // what pressing hold does
}

func newSampleDetails(p *Page) *sampleDetails {
	d := &sampleDetails{
		typed: p.typedFor,
		view:  widget.NewInkView(120),
		title: widget.NewLabel("", 17, theme.ColorNameForeground).Bold(),
		doubt: widget.NewLabel("", 13, theme.ColorNameWarning).Wrapped(3),
	}
	d.entry = widget.NewLabelEntry(language.Tr("New label"), p.relabel, func() { p.win.Win.Canvas().Focus(p.grid) })
	d.entry.Most = widget.Pasted
	d.accept = widget.NewToolButton(theme.DocumentCreateIcon(), "", "", func() { p.relabel(d.likely) })
	d.confirm = widget.NewToolButton(theme.ConfirmIcon(), language.Tr("The label is right"), "", p.confirm)
	d.remove = widget.NewToolButton(theme.DeleteIcon(), language.Tr("Delete"), page.KeyName("Del"), p.remove)
	d.hold = widget.NewToolButton(theme.VisibilityOffIcon(), "", "", func() { p.hold(d.holds) })
	facts, legend := widget.Under(3), widget.Under(8)
	for i := range d.facts {
		d.facts[i] = widget.NewLabel("", 13, widget.ColorMuted).Wrapped(4)
		facts.Add(d.facts[i])
	}
	for _, m := range marks() {
		d.legend = append(d.legend, newMarkLine(m))
		legend.Add(widget.Last(d.legend))
	}
	about := widget.Under(8, d.title, facts, legend, d.doubt, d.accept, d.confirm)
	change := widget.Under(8, d.entry, d.hold, d.remove)
	d.content = container.New(widget.Arranged{Least: widget.AtLeast(180, 300), Put: func(size fyne.Size) {
		a := widget.Whole(size)
		a.Bottom(change.MinSize().Height, 8).Put(change)
		if d.view.Visible() {
			known := float32(182) // what is known of a drawing needs so much under its picture
			if d.confirm.Visible() {
				known += 2 * (d.confirm.MinSize().Height + 8)
			}
			side := max(min(size.Width, a.Size.Height-known, 220), 40)
			view := a.Top(side, 8)
			view.Left(widget.Floor((size.Width-side)/2), 0)
			view.Left(side, 0).Put(d.view)
		}
		a.Put(about)
	}}, d.view, about, change)
	d.show(nil, nil)
	return d
}

// show takes what is chosen, and what tells how a sample is likelier labelled.
func (d *sampleDetails) show(chosen []samples.Sample, likely func(*samples.Sample) string) {
	d.chosen, d.likely = chosen, ""
	d.view.Hidden, d.entry.Hidden = len(chosen) != 1, len(chosen) == 0
	d.remove.Hidden, d.hold.Hidden = len(chosen) == 0, len(chosen) == 0
	for _, m := range d.legend {
		m.Hidden = len(chosen) != 0
	}
	switch len(chosen) {
	case 0:
		d.title.Set(language.Tr("Nothing is selected"))
		d.tell(language.Tr("Click a drawing to see more about it. Ctrl and Shift select several, Ctrl+A all."))
	case 1:
		d.one(chosen[0], likely)
	default:
		d.title.Set(language.Tr("{{.Count}} selected", map[string]any{"Count": len(chosen)}))
		d.tell(language.Tr("A new label, deleting and keeping for testing work on all of them."))
	}
	d.offerHold()
	for _, o := range []fyne.CanvasObject{d.doubt, d.accept, d.confirm} {
		widget.Show(o, d.likely != "")
	}
	d.content.Refresh()
}

func (d *sampleDetails) one(s samples.Sample, likely func(*samples.Sample) string) {
	d.view.Set(s.Ink, s.ID)
	d.title.Set(s.Label)
	known := facts(s)
	if text := d.typed(s.Label); text != "" {
		known = slices.Insert(known, 0, language.Tr("typed as {{.Text}}", map[string]any{"Text": text}))
	}
	d.tell(known...)
	if d.likely = likely(&s); d.likely != "" {
		d.doubt.Set(language.Tr("The drawings most like this one are labelled {{.Label}}.", map[string]any{"Label": d.likely}))
		d.accept.Rename(theme.DocumentCreateIcon(), language.Tr("Relabel as {{.Label}}", map[string]any{"Label": d.likely}))
	}
}

// offerHold makes the button do what makes sense for all that is chosen.
func (d *sampleDetails) offerHold() {
	d.holds = slices.ContainsFunc(d.chosen, func(s samples.Sample) bool { return !s.HoldOut })
	if d.holds {
		d.hold.Rename(theme.VisibilityOffIcon(), language.Tr("Keep for testing"))
	} else {
		d.hold.Rename(theme.VisibilityIcon(), language.Tr("Use for learning"))
	}
	learned := slices.ContainsFunc(d.chosen, func(s samples.Sample) bool { return s.Learned || s.Correction })
	d.hold.Allow(!d.holds || !learned, language.Tr("What was learned from cannot be kept for testing."))
}

// mostFacts is how many lines tell of a sample.
const mostFacts = 6

func (d *sampleDetails) tell(lines ...string) {
	for i, l := range d.facts {
		l.Hidden = i >= len(lines)
		if i < len(lines) {
			l.Set(lines[i])
		}
	}
}

// facts tells what is known of a sample, in fewer than mostFacts lines.
func facts(s samples.Sample) []string {
	lines := []string{language.Day(s.Time)}
	add := func(more string) { lines = append(lines, more) }
	if s.Writer != "" {
		add(language.Tr("writer {{.Name}}", map[string]any{"Name": s.Writer}))
	}
	switch {
	case s.Answered.Label == "":
		add(language.Tr("not asked for an answer"))
	case s.Answered.Label == s.Label:
		add(language.Tr("answered right, {{.Share}}", map[string]any{"Share": language.Percent(s.Answered.Probability)}))
	default:
		add(language.Tr("answered {{.Label}}, {{.Share}}", map[string]any{"Label": s.Answered.Label, "Share": language.Percent(s.Answered.Probability)}))
	}
	switch {
	case s.Correction:
		add(language.Tr("corrected"))
	case s.HoldOut:
		add(language.Tr("kept for testing"))
	case s.Learned:
		add(language.Tr("learned from"))
	}
	if s.Session != "" {
		add(sessionWords(s.Session))
	}
	return lines
}

// sessionWords say when a sitting with this program began or a file was imported, and else the name of the session.
func sessionWords(name string) string {
	begun, imported := strings.CutPrefix(name, "import-")
	begun, _, _ = strings.Cut(begun, "-")
	at, err := time.Parse("20060102T150405", begun)
	switch {
	case err != nil:
		return language.Tr("session {{.Name}}", map[string]any{"Name": name})
	case imported:
		return language.Tr("imported {{.Time}}", map[string]any{"Time": language.Day(at)})
	}
	return language.Tr("session {{.Name}}", map[string]any{"Name": language.Day(at)})
}

// chosen gives the ids of what is chosen; none while the store is not open.
func (p *Page) chosen() []int64 {
	if p.win.Book == nil {
		return nil
	}
	return widget.Map(p.gallery.chosen(), func(s samples.Sample) int64 { return s.ID })
}

func (p *Page) remove() {
	if ids := p.chosen(); len(ids) > 0 {
		p.win.Perform(page.Action{Text: language.Tr("{{.Count}} deleted.", language.Counted(len(ids))), Command: p.win.Book.Delete(ids...)})
	}
}

func (p *Page) relabel(label string) {
	label, err := samples.CleanLine(label) // the store refuses one that is too long for a character
	if err != nil {
		p.win.Tell(err)
		return
	}
	labels := map[int64]string{}
	for _, id := range p.chosen() {
		labels[id] = label
	}
	if n := len(labels); n > 0 {
		p.win.Perform(page.Action{
			Text:    language.Tr("{{.Count}} relabelled as {{.Label}}.", map[string]any{"Count": n, "Label": label}),
			Command: p.win.Book.Relabel(labels), Shown: p.takesText(label),
		})
	}
}

// typedFor is the text that is typed into other programs for a label; empty where that is the label.
func (p *Page) typedFor(label string) string { return p.win.Collection.Chosen[state.TypedKey(label)] }

// takesText has a label take over the text to type of a class all of whose drawings are given to it, and give it back; nil where there is none.
func (p *Page) takesText(label string) func(done bool) {
	taken := map[string]int{}
	for _, s := range p.gallery.chosen() {
		taken[s.Label]++
	}
	for _, c := range p.gallery.classes {
		if text := p.typedFor(c.Label); text != "" && taken[c.Label] == c.Samples && p.typedFor(label) == "" {
			return func(done bool) {
				from, to := c.Label, label
				if !done {
					from, to = to, from
				}
				p.win.Remember(state.TypedKey(from), "")
				p.win.Remember(state.TypedKey(to), text)
			}
		}
	}
	return nil
}

// rightKey is the key, among what was chosen for the collection, of the label that a drawing was confirmed to have. An id would not
// outlast the way into another collection.
func rightKey(s *samples.Sample) string {
	sum := fnv.New64a()
	fmt.Fprint(sum, s.Ink)
	return fmt.Sprintf("right.%x", sum.Sum64())
}

func (p *Page) right(s *samples.Sample) bool { return p.win.Collection.Chosen[rightKey(s)] == s.Label }

// confirm keeps that the label of the sample chosen is right, whatever those like it are labelled.
func (p *Page) confirm() {
	s := p.details.chosen[0]
	text := language.Tr("The label {{.Label}} is right.", map[string]any{"Label": s.Label})
	p.win.Perform(page.Action{Text: text, Command: state.All(), Shown: func(done bool) {
		p.win.Remember(rightKey(&s), map[bool]string{true: s.Label}[done])
		p.gallery.apply()
		p.show()
	}})
}

// AskTyped asks for the text that is typed into other programs for the class that is chosen in the list.
func (p *Page) AskTyped() {
	label := p.gallery.query.label
	if label == "" {
		p.win.Toast.Say(language.Tr("Choose a class in the list first."))
		return
	}
	p.win.AskText(language.Tr("Text to Type"), language.Tr("Use"), label, label, p.typedFor(label),
		language.Tr("Write Anywhere types this in place of the name."), nil, func(text string) {
			p.win.Remember(state.TypedKey(label), text)
			p.showChosen()
		})
}

// hold holds what is chosen out of learning, or releases it.
func (p *Page) hold(holdOut bool) {
	book := p.win.Book
	var change []int64
	for _, s := range p.gallery.chosen() {
		if s.HoldOut != holdOut {
			change = append(change, s.ID)
		}
	}
	if book == nil || len(change) == 0 {
		return
	}
	text := language.Tr("{{.Count}} will be learned from.", language.Counted(len(change)))
	if holdOut {
		text = language.Tr("{{.Count}} kept for testing.", language.Counted(len(change)))
	}
	p.win.Perform(page.Action{Text: text, Command: book.HoldOut(holdOut, change...)})
}

// Credit says who drew what is chosen: the person, or others.
func (p *Page) Credit(mine bool) {
	book, chosen, writers := p.win.Book, p.gallery.chosen(), map[int64]string{}
	if len(chosen) == 0 {
		p.win.Toast.Say(language.Tr("Choose drawings on the Samples page first."))
	}
	for _, s := range chosen {
		if (s.Writer == "") != mine {
			writers[s.ID] = map[bool]string{false: "others"}[mine]
		}
	}
	if book == nil || len(writers) == 0 {
		return
	}
	text := language.Tr("{{.Count}} count as drawn by others.", language.Counted(len(writers)))
	if mine {
		text = language.Tr("{{.Count}} count as drawn by you.", language.Counted(len(writers)))
	}
	p.win.Perform(page.Action{Text: text, Command: book.SetWriters(writers)})
}
