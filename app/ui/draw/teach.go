package draw

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"

	"inkshade/app/state"
	"inkshade/app/ui/glyph"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

// lesson is what a person said about the drawing on the paper.
type lesson struct {
	ink    ink.Ink
	saved  samples.Sample
	before *lesson // what was said of the same drawing before; nil for nothing
	like   string  // what it was answered as before anything was said of it, where that was sure
}

// takes is the probability of an answer from which on its class may lose drawings to a new symbol that was answered so.
const takes = 0.9

// teach says what the drawing on the paper stands for: it is stored, and from then on
// drawings like it are answered so. Said twice of one drawing, the second word counts.
func (d *Page) teach(label string) {
	if d.inLine {
		d.line.teach(label)
		return
	}
	typed := label
	label, err := samples.CleanLabel(typed)
	k, drawing := d.pad.Drawing(), d.win.Worker.Sequence()
	collects := d.many.content.Visible()
	switch {
	case err != nil:
		d.refuse(typed, err)
		return
	case len(k) == 0:
		d.win.Toast.Say(language.Tr("Draw something first, then say what it is."))
		return
	case d.pad.Live != nil:
		return
	case d.win.Refuse():
		if collects {
			d.many.collect(label, drawing)
		}
		return
	}
	l := &lesson{ink: k, before: d.lastSaid(k)}
	var answered *recognizer.Answer
	if d.last.Drawing == drawing {
		answered = &d.last.Answer
	}
	l.saved = state.NewSample(label, k, d.pad.Scale(), d.pad.Started.UTC(), answered)
	if l.saved.Answered.Probability >= takes && !answered.Unknown && l.before == nil {
		l.like = l.saved.Answered.Label
	}
	d.learn(func(done bool) {
		switch {
		case collects && done:
			d.many.collect(label, drawing)
		case collects:
			d.many.drop(l)
		}
		if done {
			d.taught(l, drawing)
		}
	}, l)
	d.pad.SetDone(true) // a stroke that is drawn before it is saved begins another drawing
}

// refuse tells what is wrong with what was typed, and leaves it to be changed, unless something else was typed since.
func (d *Page) refuse(typed string, err error) {
	d.win.Tell(err)
	if typed == "" || d.entry.Text != "" {
		return
	}
	d.entry.SetText(typed)
	if d.content.Visible() {
		d.win.Win.Canvas().Focus(d.entry)
		d.entry.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}

// taught shows what a lesson did that is on disk.
func (d *Page) taught(l *lesson, drawing uint64) {
	label := l.saved.Label
	d.win.Trace.Write(page.Event{Event: "saved", Drawing: drawing, Label: label})
	allowed := d.classes.Allows(label)
	if d.lesson == l && !allowed {
		d.win.Toast.Reword(language.Tr("Saved as “{{.Label}}”, a class that is switched off now.", map[string]any{"Label": label}))
	}
	d.effect = d.lesson == l && l.saved.Correction && allowed
}

// farBelow is the probability under which a candidate is clicked by mistake more often than not.
const farBelow = 0.01

// pick teaches a candidate that was clicked, and asks first where hardly anything in the only drawing speaks for it.
func (d *Page) pick(c recognizer.Candidate) {
	if c.Probability >= farBelow || d.inLine || d.win.Book == nil {
		d.teach(c.Label)
		return
	}
	label := map[string]any{"Label": c.Label}
	d.win.Confirm(language.Tr("Is it “{{.Label}}”?", label), language.Tr("Hardly anything in the drawing speaks for it."),
		language.Tr("Yes, learn “{{.Label}}”", label), language.Tr("No"), func() { d.teach(c.Label) })
}

// correctionTip says how an answer is corrected, where a correction can be kept.
func (d *Page) correctionTip(r worker.Reply) string {
	switch {
	case d.win.Book == nil:
		return ""
	case r.Answer.Unknown:
		return language.Tr("Type what it is and press Enter, or click the right one in the list.")
	case d.isMany && glyph.HasSymbols(d.win.Status.Labels):
		return language.Tr("Enter confirms it. Wrong? Click the right one, or type its command.")
	case d.isMany:
		return language.Tr("Enter confirms it. Wrong? Click the right one, or type it or its pinyin.")
	}
	return language.Tr("Wrong? Type the right one and press Enter, or click it in the list.")
}

// lessonChanged shows whether something is said about the drawing on the paper.
func (d *Page) lessonChanged() {
	if l := d.lessonAbout(d.pad.Drawing()); l != d.lesson {
		d.lesson, d.effect = l, false
		d.pad.SetDone(d.said())
		if l != nil { // nothing is left to ask
			d.offer.Hide()
		}
	}
}

// said tells whether something is said about the drawing on the paper, be it saved or not yet.
func (d *Page) said() bool { return d.lastSaid(d.pad.Drawing()) != nil }

// lastSaid is what was said last of a drawing, be it saved or not yet.
func (d *Page) lastSaid(k ink.Ink) *lesson {
	for _, l := range slices.Backward(d.given) {
		if widget.SameInk(l.ink, k) {
			return l
		}
	}
	return d.lessonAbout(k)
}

// showEffect says what a correction changed in the answer to its own drawing.
func (d *Page) showEffect(r worker.Reply) {
	if !d.effect || d.lesson == nil || r.Drawing != d.win.Worker.Sequence() || !d.win.Toast.CanUndo() {
		return
	}
	d.effect = false
	label := d.lesson.saved.Label
	if best := r.Answer.Candidates[0]; best.Label == label && !r.Answer.Unknown {
		text := d.learned(label, r.Answer.Strangeness)
		if like := d.lesson.like; like != "" && !slices.Contains(d.win.Status.Labels, label) {
			words := map[string]any{"Label": label, "Best": like}
			text = language.Sentences(text, language.Tr("It looks like “{{.Best}}”: drawings of “{{.Best}}” may now be read as “{{.Label}}”.", words))
		}
		d.win.Toast.Reword(text)
	} else {
		d.win.Toast.Reword(language.Tr("Saved as “{{.Label}}”; others like it still say “{{.Best}}”.", map[string]any{"Label": label, "Best": best.Label}))
	}
}

// enough is how many times in 10 a new symbol must be known for one drawing of it to be enough.
const enough = 8

// learned says that a label is answered now, and after the first drawing of a symbol that the model lacks how sure the next one is.
func (d *Page) learned(label string, strangeness float64) string {
	sure := d.win.Book.Memory.Sureness(label, strangeness)
	times := math.Round(10 * sure)
	words := map[string]any{"Label": label, "Times": times}
	switch {
	case sure == 0 || slices.Contains(d.win.Status.Labels, label):
		return language.Tr("Saved as “{{.Label}}”, and learned.", words)
	case times < enough:
		return language.Tr("Saved as “{{.Label}}”, and learned. The next one would be known about {{.Times}} times in 10: draw it once more.", words)
	}
	return language.Tr("Saved as “{{.Label}}”, and learned. The next one will be known about {{.Times}} times in 10.", words)
}

// learn stores lessons in one step, and tells when that is done or taken back.
func (d *Page) learn(shown func(done bool), lessons ...*lesson) {
	var labels []string
	var commands []state.Command
	for _, l := range lessons {
		var before *samples.Sample
		if l.before != nil {
			before = &l.before.saved
		}
		labels = append(labels, l.saved.Label)
		commands = append(commands, d.win.Book.Restate(&l.saved, before))
	}
	d.given = append(d.given, lessons...)
	d.win.Perform(page.Action{
		Text: language.Tr("Saved as “{{.Label}}”.", map[string]any{"Label": strings.Join(labels, " / ")}), About: lessons,
		Command: state.All(commands...), Shown: shown,
	})
}

// typedRune begins a label in the entry: what is typed may be the beginning of a word. A digit takes a candidate of many, 0 the tenth.
func (d *Page) typedRune(r rune) {
	switch {
	case d.many.content.Visible() && r >= '0' && r <= '9':
		d.many.grid.PickNth((int(r-'0') + glyph.First - 1) % glyph.First)
	case unicode.IsGraphic(r) && !unicode.IsSpace(r) && !d.entry.Disabled():
		d.entry.Begin(string(r))
	}
}

// lessonAbout is what was said last of a drawing and is saved; nil for nothing.
func (d *Page) lessonAbout(k ink.Ink) (last *lesson) {
	d.win.About(func(about any) bool {
		lessons, _ := about.([]*lesson)
		for _, l := range lessons {
			if len(k) > 0 && widget.SameInk(l.ink, k) {
				last = l
			}
		}
		return last != nil
	})
	return last
}
