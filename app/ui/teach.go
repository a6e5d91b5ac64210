package ui

import (
	"time"
	"unicode"

	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

// lesson is what a person said about the drawing on the paper.
type lesson struct {
	saved    samples.Sample
	before   *lesson           // what was said of the same drawing before; nil for nothing
	replaced *samples.Deletion // of that
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
	label, err := samples.CleanLabel(label)
	k := w.draw.pad.drawing()
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
		w.toast.say(tr("Nothing can be saved: your samples are not open."))
		return
	case w.lesson != nil && w.lesson.saved.Label == label:
		w.toast.say(tr("This drawing is saved as {{.Label}} already.", map[string]any{"Label": label}))
		return
	}
	var answered *reply
	if w.last.drawing == w.worker.sequence() {
		answered = &w.last
	}
	s := newSample(label, k, w.draw.pad.scale(), w.draw.pad.started.UTC(), answered)
	before, book, drawing := w.lesson, w.book, w.worker.sequence()
	if before != nil { // judge by the answer before the first lesson
		s.Answered = before.saved.Answered
		s.Correction = s.Answered.Label != label
	}
	now := lesson{before: before}
	w.save(func() (err error) {
		if before != nil {
			d, err := book.Delete(before.saved.ID)
			if err != nil {
				return err
			}
			now.replaced = &d
		}
		now.saved, err = book.Keep(s)
		return err
	}, func() { w.taught(&now, drawing) }, w.tell)
}

// taught shows that a lesson is on disk, and answers the drawing again.
func (w *Window) taught(l *lesson, drawing uint64) {
	label := l.saved.Label
	w.trace.write(Event{Event: "saved", Drawing: drawing, Label: label})
	w.samples.changed()
	text := tr("Saved as {{.Label}}.", map[string]any{"Label": label})
	if drawing == w.worker.sequence() { // else the next drawing has begun
		w.lesson = l
		w.draw.pad.setDone(true)
		if !w.classes.allows(label) {
			text = tr("Saved as {{.Label}}, a class that is switched off now.", map[string]any{"Label": label})
		}
		w.effect = l.saved.Correction && w.classes.allows(label)
	}
	w.toast.offer(text, func() { w.unteach(l) })
	w.memoryChanged()
}

// unteach takes a lesson back.
func (w *Window) unteach(l *lesson) {
	book := w.book
	w.save(func() error {
		_, err := book.Delete(l.saved.ID)
		if err == nil && l.replaced != nil {
			err = book.Restore(*l.replaced)
		}
		return err
	}, func() {
		if w.lesson == l {
			w.lesson, w.effect = l.before, false
			w.draw.pad.setDone(w.lesson != nil)
		}
		w.samples.changed()
		w.memoryChanged()
		w.toast.say(tr("Taken back."))
	}, w.tell)
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
	}
	return tr("Wrong? Type the right one and press Enter, or click it in the list.")
}

func (w *Window) forgetLesson() {
	w.lesson, w.effect = nil, false
	w.draw.pad.setDone(false)
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

// typedRune begins a label of the drawing in the entry, where Enter gives it: what is typed may be
// the beginning of a word.
func (w *Window) typedRune(r rune) {
	if unicode.IsGraphic(r) && !unicode.IsSpace(r) && len(w.draw.pad.drawing()) > 0 {
		w.draw.entry.begin(string(r))
	}
}
