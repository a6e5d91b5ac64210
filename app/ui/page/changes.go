package page

import (
	"cmp"
	"time"

	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
)

// Action is a change of what is kept, with what the window needs to show it.
type Action struct {
	Text    string // what was done, for the person
	Back    string // that it was taken back; empty says so of the text
	Command state.Command
	Shown   func(done bool) // shows it where it was done or, not done, taken back; nil for nothing more than all pages show
	About   any             // what it is about; nil for nothing in particular
}

// Perform does a change, shows what came of it, and keeps the way back.
func (f *Frame) Perform(a Action) { f.State.Give(a.Command, a) }

// Did keeps an action that was done for the first time, whose command takes it back.
func (f *Frame) Did(a Action) { f.State.Given(a.Command, a) }

// Changed answers and shows in the light of what is kept now; pages that are not in front wait.
func (f *Frame) Changed() {
	if f.Book != nil {
		f.MemoryChanged()
	}
	f.Each(func(p *Page) func() { return p.Kept })
}

// hear shows what came of an action.
func (f *Frame) hear(e state.Event) {
	a := e.Step.About.(Action)
	switch {
	case e.Err != nil:
		f.Tell(e.Err)
		f.Changed()
		return
	case e.Given:
		for _, p := range f.papers {
			if e.New {
				p.History.Future = nil
			}
		}
		f.Toast.offer(a.Text, f.UndoLast)
	default:
		f.Toast.Say(cmp.Or(a.Back, language.Tr("Undone: {{.What}}", map[string]any{"What": a.Text})))
	}
	f.Changed()
	if a.Shown != nil {
		a.Shown(e.Given)
	}
}

// UndoLast takes the newest action back, redoLast does again what was undone last: once everything that was asked for is on disk.
func (f *Frame) UndoLast() {
	f.State.Undo(func() { f.Toast.Say(language.Tr("There is nothing to undo.")) })
}

func (f *Frame) RedoLast() {
	f.State.Redo(func() { f.Toast.Say(language.Tr("There is nothing to redo.")) })
}

// Redoes lets new work on a paper end what could be redone of actions, and new actions what could be redone there.
func (f *Frame) Redoes(p *widget.Pad) {
	f.papers = append(f.papers, p)
	p.OnWork = f.State.EndRedo
}

// UndoOn takes back what was done last, an action or what was drawn on a paper; redoOn does again
// what was undone last of both.
func (f *Frame) UndoOn(p *widget.Pad) func() {
	return f.newest(p, f.State.Past, p.History.Changed, p.Undo, f.UndoLast)
}

func (f *Frame) RedoOn(p *widget.Pad) func() {
	return f.newest(p, f.State.Undone, p.History.Undone, p.Redo, f.RedoLast)
}

func (f *Frame) newest(p *widget.Pad, kept func() []state.Step, drawn func() time.Time, ofPaper, ofKept func()) func() {
	return func() {
		p.End()
		if !f.State.Pending() && widget.Last(kept()).At.Before(drawn()) {
			ofPaper()
		} else {
			ofKept()
		}
	}
}

// About is what the newest action that is not undone is about, of those that fit; nil for none.
func (f *Frame) About(fits func(about any) bool) any {
	past := f.State.Past()
	for i := len(past) - 1; i >= 0; i-- {
		if a := past[i].About.(Action).About; a != nil && fits(a) {
			return a
		}
	}
	return nil
}
