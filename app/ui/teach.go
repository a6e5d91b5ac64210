package ui

import (
	"errors"
	"time"
	"unicode"

	"inkshade/app/notebook"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

// lesson is what a person said about the drawing on the paper.
type lesson struct {
	ink    ink.Ink
	saved  samples.Sample
	before *lesson // what was said of the same drawing before; nil for nothing

	replaced, removed func() error // brings back that, and this one when it was taken back
}

// keep stores a lesson in the place of the one before, if that is still there, or stores it again.
func (l *lesson) keep(book *notebook.Notebook) (err error) {
	if l.removed != nil {
		err = l.removed()
	} else {
		l.saved, err = book.Keep(l.saved)
	}
	if err != nil || l.before == nil {
		return err
	}
	restore, err := book.Delete(l.before.saved.ID)
	switch {
	case err == nil:
		l.replaced = restore
	case errors.Is(err, samples.ErrNotFound):
		return nil
	}
	return err
}

// takeBack takes a lesson out of the store, and brings the one before back.
func (l *lesson) takeBack(book *notebook.Notebook) (err error) {
	restore, err := book.Delete(l.saved.ID)
	if err != nil {
		return err
	}
	if l.removed = restore; l.replaced != nil {
		err = l.replaced()
	}
	return err
}

// newSample is a drawing as it is stored: what it stands for, and what was answered (nil
// when there was no answer). It is a correction when the answer was another, or none.
func newSample(label string, k ink.Ink, scale float64, drawn time.Time, answered *reply) samples.Sample {
	s := samples.Sample{Label: label, Ink: k, DeviceScale: scale, Time: drawn}
	if answered == nil || answered.err != nil || len(answered.answer.Candidates) == 0 {
		return s
	}
	best := answered.answer.Candidates[0]
	s.Answered = samples.Answer{Label: best.Label, Probability: min(best.Probability, 1)}
	s.Correction = best.Label != label || answered.answer.Unknown
	return s
}

// teach says what the drawing on the paper stands for: it is stored, and from then on
// drawings like it are answered so. Said twice of one drawing, the second word counts.
func (w *Window) teach(label string) {
	if w.draw.inLine {
		w.draw.line.teach(label)
		return
	}
	label, err := samples.CleanLabel(label)
	k, drawing := w.draw.pad.drawing(), w.worker.sequence()
	collects := w.draw.many.content.Visible()
	switch {
	case err != nil:
		w.tell(err)
		return
	case len(k) == 0:
		w.toast.say(tr("Draw something first, then say what it is."))
		return
	case w.draw.pad.live != nil:
		return
	case w.book == nil:
		if collects {
			w.draw.many.collect(label, drawing)
		}
		w.toast.say(tr("Nothing can be saved: your samples are not open."))
		return
	}
	l := &lesson{ink: k, before: w.lesson}
	var answered *reply
	if w.last.drawing == drawing {
		answered = &w.last
	}
	l.saved = newSample(label, k, w.draw.pad.scale(), w.draw.pad.started.UTC(), answered)
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
	w.trace.write(Event{Event: "saved", Drawing: drawing, Label: label})
	allowed := w.classes.allows(label)
	if w.lesson == l && !allowed {
		w.toast.reword(tr("Saved as {{.Label}}, a class that is switched off now.", map[string]any{"Label": label}))
	}
	w.effect = w.lesson == l && l.saved.Correction && allowed
}

// farBelow is the probability under which a candidate is clicked by mistake more often than not.
const farBelow = 0.01

// pick teaches a candidate that was clicked, and asks first where hardly anything speaks for it.
func (w *Window) pick(c recognizer.Candidate) {
	if c.Probability >= farBelow || w.book == nil {
		w.teach(c.Label)
		return
	}
	label := map[string]any{"Label": c.Label}
	w.confirm(tr("Is it {{.Label}}?", label), tr("Hardly anything in the drawing speaks for it."),
		tr("Yes, learn {{.Label}}", label), tr("No"), func() { w.teach(c.Label) })
}

// correctionTip says how an answer is corrected, where a correction can be kept.
func (w *Window) correctionTip(r reply) string {
	switch {
	case w.book == nil:
		return ""
	case r.answer.Unknown:
		return tr("Type what it is and press Enter, or click the right one in the list.")
	case w.draw.isMany:
		return tr("Enter confirms it. Wrong? Click the right one, or type it or its pinyin.")
	}
	return tr("Wrong? Type the right one and press Enter, or click it in the list.")
}

// lessonChanged shows whether something is said about the drawing on the paper.
func (w *Window) lessonChanged() {
	if l := w.changes.lessonAbout(w.draw.pad.drawing()); l != w.lesson {
		w.lesson, w.effect = l, false
		w.draw.pad.setDone(l != nil)
	}
}

// showEffect says what a correction changed in the answer to its own drawing.
func (w *Window) showEffect(r reply) {
	if !w.effect || w.lesson == nil || r.drawing != w.worker.sequence() || !w.toast.canUndo() {
		return
	}
	w.effect = false
	label := w.lesson.saved.Label
	if best := r.answer.Candidates[0]; best.Label == label && !r.answer.Unknown {
		w.toast.reword(tr("Saved as {{.Label}}, and learned.", map[string]any{"Label": label}))
	} else {
		w.toast.reword(tr("Saved as {{.Label}}; others like it still say {{.Best}}.", map[string]any{"Label": label, "Best": best.Label}))
	}
}

// learn stores a lesson, and tells when that is done or taken back. What was answered before the first
// lesson about a drawing counts for those that follow.
func (w *Window) learn(l *lesson, shown func(done bool)) {
	label, book := l.saved.Label, w.book
	if l.before != nil {
		l.saved.Answered = l.before.saved.Answered
		l.saved.Correction = l.saved.Answered.Label != label
	}
	w.changes.perform(action{
		text:   tr("Saved as {{.Label}}.", map[string]any{"Label": label}),
		lesson: l,
		do: func() error {
			if l.before != nil && l.removed == nil {
				switch now, err := book.Store.Get(l.before.saved.ID); {
				case err != nil:
					return err
				case !now.Deleted && now.Label == label:
					return errors.New(tr("This drawing is saved as {{.Label}} already.", map[string]any{"Label": label}))
				}
			}
			return l.keep(book)
		},
		undo:  func() error { return l.takeBack(book) },
		shown: shown,
	})
}

// typedRune begins a label of the drawing in the entry, where Enter gives it: what is typed may be
// the beginning of a word.
func (w *Window) typedRune(r rune) {
	if !w.manyRune(r) && unicode.IsGraphic(r) && !unicode.IsSpace(r) && !w.draw.entry.Disabled() {
		w.draw.entry.begin(string(r))
	}
}
