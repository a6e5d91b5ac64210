package ui

import (
	"errors"
	"unicode"

	"inkshade/app/state"
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
}

// teach says what the drawing on the paper stands for: it is stored, and from then on
// drawings like it are answered so. Said twice of one drawing, the second word counts.
func (w *Window) teach(label string) {
	if w.draw.inLine {
		w.draw.line.teach(label)
		return
	}
	label, err := samples.CleanLabel(label)
	k, drawing := w.draw.pad.Drawing(), w.Worker.Sequence()
	collects := w.draw.many.content.Visible()
	switch {
	case err != nil:
		w.Tell(err)
		return
	case len(k) == 0:
		w.Toast.Say(language.Tr("Draw something first, then say what it is."))
		return
	case w.draw.pad.Live != nil:
		return
	case w.Book == nil:
		if collects {
			w.draw.many.collect(label, drawing)
		}
		w.Toast.Say(language.Tr("Nothing can be saved: your samples are not open."))
		return
	}
	l := &lesson{ink: k, before: w.lesson}
	var answered *worker.Reply
	if w.last.Drawing == drawing {
		answered = &w.last
	}
	l.saved = page.NewSample(label, k, w.draw.pad.Scale(), w.draw.pad.Started.UTC(), answered)
	w.learn(l, func(done bool) {
		switch {
		case collects && done:
			w.draw.many.collect(label, drawing)
		case collects:
			w.draw.many.drop(l)
		}
		if done {
			w.taught(l, drawing)
		}
	})
}

// taught shows what a lesson did that is on disk.
func (w *Window) taught(l *lesson, drawing uint64) {
	label := l.saved.Label
	w.Trace.Write(page.Event{Event: "saved", Drawing: drawing, Label: label})
	allowed := w.classes.Allows(label)
	if w.lesson == l && !allowed {
		w.Toast.Reword(language.Tr("Saved as {{.Label}}, a class that is switched off now.", map[string]any{"Label": label}))
	}
	w.effect = w.lesson == l && l.saved.Correction && allowed
}

// farBelow is the probability under which a candidate is clicked by mistake more often than not.
const farBelow = 0.01

// pick teaches a candidate that was clicked, and asks first where hardly anything speaks for it.
func (w *Window) pick(c recognizer.Candidate) {
	if c.Probability >= farBelow || w.Book == nil {
		w.teach(c.Label)
		return
	}
	label := map[string]any{"Label": c.Label}
	w.Confirm(language.Tr("Is it {{.Label}}?", label), language.Tr("Hardly anything in the drawing speaks for it."),
		language.Tr("Yes, learn {{.Label}}", label), language.Tr("No"), func() { w.teach(c.Label) })
}

// correctionTip says how an answer is corrected, where a correction can be kept.
func (w *Window) correctionTip(r worker.Reply) string {
	switch {
	case w.Book == nil:
		return ""
	case r.Answer.Unknown:
		return language.Tr("Type what it is and press Enter, or click the right one in the list.")
	case w.draw.isMany && w.hasSymbols():
		return language.Tr("Enter confirms it. Wrong? Click the right one, or type its command.")
	case w.draw.isMany:
		return language.Tr("Enter confirms it. Wrong? Click the right one, or type it or its pinyin.")
	}
	return language.Tr("Wrong? Type the right one and press Enter, or click it in the list.")
}

// lessonChanged shows whether something is said about the drawing on the paper.
func (w *Window) lessonChanged() {
	if l := w.lessonAbout(w.draw.pad.Drawing()); l != w.lesson {
		w.lesson, w.effect = l, false
		w.draw.pad.SetDone(l != nil)
	}
}

// showEffect says what a correction changed in the answer to its own drawing.
func (w *Window) showEffect(r worker.Reply) {
	if !w.effect || w.lesson == nil || r.Drawing != w.Worker.Sequence() || !w.Toast.CanUndo() {
		return
	}
	w.effect = false
	label := w.lesson.saved.Label
	if best := r.Answer.Candidates[0]; best.Label == label && !r.Answer.Unknown {
		w.Toast.Reword(language.Tr("Saved as {{.Label}}, and learned.", map[string]any{"Label": label}))
	} else {
		w.Toast.Reword(language.Tr("Saved as {{.Label}}; others like it still say {{.Best}}.", map[string]any{"Label": label, "Best": best.Label}))
	}
}

// learn stores a lesson, and tells when that is done or taken back. What was answered before the first
// lesson about a drawing counts for those that follow.
func (w *Window) learn(l *lesson, shown func(done bool)) {
	label, book := l.saved.Label, w.Book
	if l.before != nil {
		l.saved.Answered = l.before.saved.Answered
		l.saved.Correction = l.saved.Answered.Label != label
	}
	command := book.Keep(&l.saved)
	if l.before != nil {
		command = func() (state.Command, error) {
			keep := book.Keep(&l.saved)
			switch before, err := book.Store.Get(l.before.saved.ID); {
			case err != nil:
				return nil, err
			case before.Deleted:
				return keep()
			case before.Label == label:
				return nil, errors.New(language.Tr("This drawing is saved as {{.Label}} already.", map[string]any{"Label": label}))
			default:
				return state.All(keep, book.Delete(before.ID))()
			}
		}
	}
	w.Perform(page.Action{Text: language.Tr("Saved as {{.Label}}.", map[string]any{"Label": label}), About: l, Command: command, Shown: shown})
}

// typedRune begins a label of the drawing in the entry, where Enter gives it: what is typed may be
// the beginning of a word.
func (w *Window) typedRune(r rune) {
	if !w.manyRune(r) && unicode.IsGraphic(r) && !unicode.IsSpace(r) && !w.draw.entry.Disabled() {
		w.draw.entry.Begin(string(r))
	}
}

// lessonAbout is what was said last of a drawing; nil for nothing.
func (w *Window) lessonAbout(k ink.Ink) *lesson {
	l, _ := w.About(func(about any) bool {
		l, ok := about.(*lesson)
		return ok && len(k) > 0 && widget.SameInk(l.ink, k)
	}).(*lesson)
	return l
}
