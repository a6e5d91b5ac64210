package panel

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"inkshade/app/state"
	"inkshade/app/state/setting"
	"inkshade/app/ui/glyph"
	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/samples"
)

// inked is called by the paper on every change; a finished stroke may be a gesture.
func (w *Window) inked(c widget.InkChange) {
	w.resting.Stop()
	if c.Lifted && w.gesture() {
		return
	}
	if c.PenDown && w.chosen != nil {
		w.chosen = nil
		w.show()
	}
	if !c.PenDown {
		w.ask()
		w.rest()
	}
}

// rest types what was written when the pen rests, and makes room for more.
func (w *Window) rest() {
	types, pause := w.types(), widget.PenRests
	if types == afterPause {
		pause = time.Duration(setting.PanelPause.Get(w.app.Preferences()) * float64(time.Second))
	}
	w.resting.After(pause, func() {
		w.paper.MakeRoom()
		if types == afterPause {
			w.write()
		}
	})
}

// Places in setting.TypingTimes.
const (
	atOnce = iota
	afterPause
	atEnter
)

func (w *Window) types() int { return max(w.typing.SelectedIndex(), atOnce) }

func (w *Window) gesture() bool {
	switch w.paper.Gesture() {
	case line.NoGesture:
		return false
	case line.StrokeLeft:
		w.backspace()
	case line.StrokeRight:
		w.finish(" ")
	}
	return true
}

// ask has the paper read; half a stroke is not, since what it looks like would be typed.
func (w *Window) ask() {
	if w.paper.Live != nil {
		return
	}
	k := w.paper.Drawing()
	how := line.Options{Language: line.Languages[max(w.language.SelectedIndex(), 0)], Fixed: w.paper.History.Fixed, Separate: w.squares}
	if len(k) > 0 && len(w.asked) == 0 {
		w.catchUp()
	}
	w.asked = k
	w.worker.Submit(worker.Task{Ink: k, Line: &how}, false)
	if len(k) == 0 {
		w.result, w.chosen = nil, nil
		if !w.problem {
			w.advise()
		}
		w.written()
	}
}

// read shows what was read of the newest writing.
func (w *Window) read(r worker.Reply) {
	if r.Drawing != w.worker.Sequence() {
		return
	}
	w.shown = r.Drawing
	ends := w.ends
	w.ends = nil
	defer w.leaveIdle()
	if w.result, w.ink, w.typed = r.Line, w.asked, *w.reader.typed.Load(); r.Err != nil {
		w.tell(r.Err)
		return
	}
	w.advise()
	w.written()
	for _, with := range ends {
		w.finish(with)
	}
}

// written types what was read where that is not to wait, and shows it.
func (w *Window) written() {
	if w.types() == atOnce || w.chosen != nil && w.types() == afterPause {
		w.write()
	}
	w.show()
}

// write lets the other program have what was read, nothing for empty paper.
func (w *Window) write() {
	w.due = w.typist == nil
	if w.typist != nil && (w.result != nil || len(w.paper.Drawing()) == 0) {
		w.typist.Show(w.content()...)
	}
}

// content is what the other program gets of what was read. What is unknown is typed as what it is most like.
func (w *Window) content() (text []Piece) {
	if w.result == nil {
		return nil
	}
	for i, c := range w.result.Characters {
		sign := ""
		if w.signs.SelectedIndex() == 1 {
			sign = glyph.SymbolOf(c.Label).Sign
		}
		p := Piece{Text: cmp.Or(w.typed[state.TypedKey(c.Label)], sign, glyph.Collected(c.Label))}
		if c.Space || i > 0 && c.Line != w.result.Characters[i-1].Line {
			p.Text = " " + p.Text
		}
		for _, of := range c.Parts {
			p.Ink = append(p.Ink, &w.ink[of.Stroke][0])
		}
		text = append(text, p)
	}
	return text
}

// finish types what was written and something behind it; the paper is empty for what comes next.
func (w *Window) finish(with string) {
	if len(w.paper.Drawing()) > 0 && w.shown != w.worker.Sequence() {
		w.ends = append(w.ends, with)
		return
	}
	w.resting.Stop()
	text := textOf(w.content()) + with
	switch {
	case w.typist != nil:
		w.write()
		w.typist.Finish(with)
	case w.none && text == "":
	case w.none:
		w.app.Clipboard().SetContent(strings.TrimSuffix(text, "\n"))
		defer w.say(language.Tr("Copied: paste it where you want it")) // on empty paper
	default: // the keyboard is still being looked for
		w.due = true
		return
	}
	w.lessons = nil
	w.paper.ScrollTo(0)
	w.paper.Forget() // not Clear: what was typed would stand there as new text after undo
}

// backspace takes off what was written last or, where the paper is empty, what stands before the other program's cursor.
func (w *Window) backspace() {
	switch {
	case w.result != nil && len(w.result.Characters) > 0:
		w.paper.EraseLast(w.result.Characters)
	case w.typist != nil && len(w.paper.Drawing()) == 0:
		w.typist.Back()
	}
}

// index is the place in what was read of the chosen character or, in squares, of the last one where none is chosen; -1 for none.
func (w *Window) index() int {
	switch {
	case w.result == nil:
		return -1
	case w.chosen != nil:
		return slices.IndexFunc(w.result.Characters, func(c line.Character) bool { return slices.ContainsFunc(c.Parts, w.chosen.Overlaps) })
	case w.squares:
		return len(w.result.Characters) - 1
	}
	return -1
}

// show brings the characters and their candidates in step with what was read and chosen.
func (w *Window) show() {
	w.text.RemoveAll()
	chosen := w.index()
	widget.Show(w.hint, chosen < 0 || w.problem)
	widget.Show(w.candidates.Content, chosen >= 0 && !w.problem)
	w.mark()
	if w.result != nil {
		for i, c := range w.result.Characters {
			if c.Space {
				w.text.Add(room(fyne.NewSize(20, 0)))
			}
			w.text.Add(w.character(c, i == chosen))
		}
	}
	if chosen >= 0 {
		c, seen := w.result.Characters[chosen], map[string]bool{}
		listed := slices.DeleteFunc(glyph.Listed(c), func(x recognizer.Candidate) bool { // of two packages with one command the likelier
			text := cmp.Or(w.typed[state.TypedKey(x.Label)], glyph.Collected(x.Label))
			again := seen[text]
			seen[text] = true
			return again
		})
		w.candidates.Show(listed, c.Unknown && !c.Fixed)
	}
	w.scroll.Refresh()
	if w.chosen == nil {
		w.scroll.ScrollToOffset(fyne.NewPos(w.text.MinSize().Width, 0))
	}
}

// mark shows on the paper which character is chosen.
func (w *Window) mark() {
	w.paper.View.Mark.Hide()
	if i := w.index(); i >= 0 {
		w.paper.MarkBox(w.result.Characters[i].Box)
	}
}

func (w *Window) character(c line.Character, chosen bool) *widget.Button {
	b := widget.NewQuietButton(22, func() {
		if chosen {
			w.chosen = nil
		} else {
			w.chosen = &c.Parts[0]
			w.paper.Reveal(c.Box.MinX, c.Box.MaxX)
		}
		w.advise()
		w.show()
	})
	label, style := glyph.Printed(c.Label, fyne.TextStyle{})
	b.Words.Style = style
	b.Selected = chosen
	return b.Rename(nil, label)
}

// typedRune takes a candidate by its digit, 0 being the tenth, where a click on the panel gives that the keyboard.
func (w *Window) typedRune(r rune) {
	if r >= '0' && r <= '9' && w.index() >= 0 {
		w.candidates.PickNth((int(r-'0') + glyph.First - 1) % glyph.First)
	}
}

// lesson is what a person said that a character is.
type lesson struct {
	fixed  line.Fixed
	ink    ink.Ink
	sample samples.Sample
	undo   state.Command // of the worker's goroutine alone
}

// correct says what the chosen character is: it is typed in place of what stood there, and learned.
func (w *Window) correct(label string) {
	i := w.index()
	if i < 0 {
		return
	}
	c := w.result.Characters[i]
	said := line.Fixed{Parts: c.Parts, Label: label}
	fixed := slices.DeleteFunc(slices.Clone(w.paper.History.Fixed), func(f line.Fixed) bool {
		return slices.ContainsFunc(f.Parts, func(p line.Part) bool { return slices.ContainsFunc(c.Parts, p.Overlaps) })
	})
	w.chosen = &c.Parts[0]
	w.paper.Fix(append(fixed, said))
	l := &lesson{fixed: said, ink: c.Ink, sample: state.NewSampleOf(c, label, w.paper.Scale(), w.paper.Started.UTC())}
	var before *samples.Sample
	for _, other := range w.lessons {
		if widget.SameInk(other.ink, c.Ink) {
			before = &other.sample
		}
	}
	w.lessons = append(w.lessons, l)
	w.learn(func() (err error) {
		l.undo, err = w.opts.Book.Restate(&l.sample, before)()
		return err
	})
}

// learn changes what is kept.
func (w *Window) learn(change func() error) {
	w.change(func() error {
		err := change()
		w.opts.Engine.Remember(w.opts.Book.Memory)
		return err
	})
}

// undo takes the last change back and, where that was a correction, what was learned of it.
func (w *Window) undo() {
	l := widget.Last(w.lessons)
	stands := func() bool {
		return l != nil && slices.ContainsFunc(w.paper.History.Fixed, func(f line.Fixed) bool {
			return f.Label == l.fixed.Label && slices.Equal(f.Parts, l.fixed.Parts)
		})
	}
	before := stands()
	w.chosen = nil // it may be gone, or out of sight
	if w.paper.Undo(); before && !stands() {
		widget.Pop(&w.lessons)
		w.learn(func() error {
			if l.undo == nil {
				return nil
			}
			return l.undo.Do()
		})
	}
}
