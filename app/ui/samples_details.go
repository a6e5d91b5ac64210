package ui

import (
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/recognizer/samples"
)

// sampleDetails tells what is known of the samples that are chosen, and changes them.
type sampleDetails struct {
	view    *inkView
	title   *label
	facts   [mostFacts]*label
	doubt   *label
	accept  *button // gives a contradicted sample the label of its neighbours
	entry   *labelEntry
	remove  *button
	hold    *button
	legend  [markCount]*markLine
	content *fyne.Container

	chosen []samples.Sample
	likely string
	holds  bool // what pressing hold does
}

func newSampleDetails(p *samplesPage) *sampleDetails {
	d := &sampleDetails{
		view:  newInkView(120),
		title: newLabel("", 17, theme.ColorNameForeground).bold(),
		doubt: newLabel("", 13, theme.ColorNameWarning).wrapped(3),
	}
	d.entry = newLabelEntry(tr("New label"), p.relabel, func() { p.win.win.Canvas().Focus(p.grid) })
	d.accept = newToolButton(theme.ConfirmIcon(), "", "", func() { p.relabel(d.likely) })
	d.remove = newToolButton(theme.DeleteIcon(), tr("Delete"), keyName("Del"), p.remove)
	d.hold = newToolButton(theme.VisibilityOffIcon(), "", "", func() { p.hold(d.holds) })
	facts, legend := container.New(rows{gap: 3}), container.New(rows{gap: 8})
	for i := range d.facts {
		d.facts[i] = newLabel("", 13, colorMuted).wrapped(3)
		facts.Add(d.facts[i])
	}
	for i := range d.legend {
		d.legend[i] = newMarkLine(i)
		legend.Add(d.legend[i])
	}
	about := container.New(rows{gap: 8}, d.title, facts, legend, d.doubt, d.accept)
	change := container.New(rows{gap: 8}, d.entry, d.hold, d.remove)
	d.content = container.New(arranged{atLeast(180, 300), func(size fyne.Size) {
		y, under := float32(0), change.MinSize().Height
		if d.view.Visible() {
			// What is known of a drawing needs so much beside its picture.
			side := max(min(size.Width, size.Height-under-190, 220), 40)
			place(d.view, floor((size.Width-side)/2), 0, side, side)
			y = side + 8
		}
		place(about, 0, y, size.Width, size.Height-y-under-8)
		place(change, 0, size.Height-under, size.Width, under)
	}}, d.view, about, change)
	d.show(nil, nil)
	return d
}

// show takes what is chosen, and the doubts about samples by id.
func (d *sampleDetails) show(chosen []samples.Sample, doubts map[int64]samples.Suspicion) {
	d.chosen, d.likely = chosen, ""
	d.view.Hidden, d.entry.Hidden = len(chosen) != 1, len(chosen) == 0
	d.remove.Hidden, d.hold.Hidden = len(chosen) == 0, len(chosen) == 0
	for _, m := range d.legend {
		m.Hidden = len(chosen) != 0
	}
	switch len(chosen) {
	case 0:
		d.title.set(tr("Nothing is selected"))
		d.tell(tr("Click a drawing to see more about it. Ctrl and Shift select several, Ctrl+A all."))
	case 1:
		d.one(chosen[0], doubts)
	default:
		d.title.set(tr("{{.Count}} selected", map[string]any{"Count": len(chosen)}))
		d.tell(tr("A new label, deleting and keeping for testing work on all of them."))
	}
	d.offerHold()
	d.accept.Hidden, d.doubt.Hidden = d.likely == "", d.likely == ""
	d.content.Refresh()
}

func (d *sampleDetails) one(s samples.Sample, doubts map[int64]samples.Suspicion) {
	d.view.show(s.Ink, s.ID)
	d.title.set(s.Label)
	d.tell(facts(s)...)
	if x, ok := doubts[s.ID]; ok && x.Sample.Label == s.Label {
		d.likely = x.Likely
		d.doubt.set(tr("The drawings most like this one are labelled {{.Label}}.", map[string]any{"Label": x.Likely}))
		d.accept.rename(theme.ConfirmIcon(), tr("Relabel as {{.Label}}", map[string]any{"Label": x.Likely}))
	}
}

// offerHold makes the button do what makes sense for all that is chosen.
func (d *sampleDetails) offerHold() {
	d.holds = slices.ContainsFunc(d.chosen, func(s samples.Sample) bool { return !s.HoldOut })
	if d.holds {
		d.hold.rename(theme.VisibilityOffIcon(), tr("Keep for testing"))
	} else {
		d.hold.rename(theme.VisibilityIcon(), tr("Learn from it"))
	}
	learned := slices.ContainsFunc(d.chosen, func(s samples.Sample) bool { return s.Learned || s.Correction })
	d.hold.allow(!d.holds || !learned, tr("What was learned from cannot be kept for testing."))
}

// mostFacts is how many lines tell of a sample.
const mostFacts = 5

// tell shows lines of text.
func (d *sampleDetails) tell(lines ...string) {
	for i, l := range d.facts {
		l.Hidden = i >= len(lines)
		if i < len(lines) {
			l.set(lines[i])
		}
	}
}

// facts tells what is known of a sample, in at most mostFacts lines.
func facts(s samples.Sample) []string {
	lines := []string{s.Time.Local().Format("2006-01-02 15:04")}
	add := func(more string) { lines = append(lines, more) }
	if s.Writer != "" {
		add(tr("writer {{.Name}}", map[string]any{"Name": s.Writer}))
	}
	switch {
	case s.Answered.Label == "":
		add(tr("not asked for an answer"))
	case s.Answered.Label == s.Label:
		add(tr("answered right, {{.Share}}", map[string]any{"Share": percent(s.Answered.Probability)}))
	default:
		add(tr("answered {{.Label}}, {{.Share}}", map[string]any{"Label": s.Answered.Label, "Share": percent(s.Answered.Probability)}))
	}
	switch {
	case s.Correction:
		add(tr("corrected"))
	case s.HoldOut:
		add(tr("kept for testing"))
	case s.Learned:
		add(tr("learned from"))
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
		return tr("session {{.Name}}", map[string]any{"Name": name})
	case imported:
		return tr("imported {{.Time}}", map[string]any{"Time": day(at)})
	}
	return tr("session {{.Name}}", map[string]any{"Name": day(at)})
}

// chosen gives the ids of what is chosen; none while the store is not open.
func (p *samplesPage) chosen() []int64 {
	if p.win.book == nil {
		return nil
	}
	return p.gallery.selected.list(p.gallery.order)
}

// remove deletes what is chosen.
func (p *samplesPage) remove() {
	ids, book := p.chosen(), p.win.book
	if len(ids) == 0 {
		return
	}
	p.win.changes.perform(reversible(tr("{{.Count}} deleted.", counted(len(ids))), func() (func() error, error) { return book.Delete(ids...) }))
}

// relabel gives what is chosen another label.
func (p *samplesPage) relabel(label string) {
	ids, book := p.chosen(), p.win.book
	label, err := samples.CleanLabel(label)
	if err != nil {
		p.win.tell(err)
		return
	}
	if len(ids) == 0 {
		return
	}
	labels := make(map[int64]string, len(ids))
	for _, id := range ids {
		labels[id] = label
	}
	p.win.changes.perform(reversible(tr("{{.Count}} relabelled as {{.Label}}.", map[string]any{"Count": len(ids), "Label": label}),
		func() (func() error, error) { return book.Relabel(labels) }))
}

// hold holds what is chosen out of learning, or releases it.
func (p *samplesPage) hold(holdOut bool) {
	book := p.win.book
	var change []int64
	for _, s := range p.gallery.chosen() {
		if s.HoldOut != holdOut {
			change = append(change, s.ID)
		}
	}
	if book == nil || len(change) == 0 {
		return
	}
	text := tr("{{.Count}} will be learned from.", counted(len(change)))
	if holdOut {
		text = tr("{{.Count}} kept for testing.", counted(len(change)))
	}
	p.win.changes.perform(reversible(text, func() (func() error, error) { return book.HoldOut(holdOut, change...) }))
}

// credit says who drew what is chosen: the person, or others.
func (p *samplesPage) credit(mine bool) {
	book, chosen, writers := p.win.book, p.gallery.chosen(), map[int64]string{}
	if len(chosen) == 0 {
		p.win.toast.say(tr("Choose drawings on the Samples page first."))
	}
	for _, s := range chosen {
		if (s.Writer == "") != mine {
			writers[s.ID] = map[bool]string{false: "others"}[mine]
		}
	}
	if book == nil || len(writers) == 0 {
		return
	}
	text := tr("{{.Count}} count as drawn by others.", counted(len(writers)))
	if mine {
		text = tr("{{.Count}} count as drawn by you.", counted(len(writers)))
	}
	p.win.changes.perform(reversible(text, func() (func() error, error) { return book.SetWriters(writers) }))
}
