package page

import (
	"slices"
	"strconv"

	"inkshade/app/state"
	"inkshade/app/ui/widget"
	"inkshade/models"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/samples"
)

// MemoryChanged answers anew in the light of what is remembered now.
func (f *Frame) MemoryChanged() {
	f.Worker.Remember(f.Book.Memory)
	f.drawSigns()
}

// mostDrawn labels at most are looked at for signs that no font has.
const mostDrawn = 1000

// drawSigns has a drawing of the person's stand for each label with signs that no font has.
func (f *Frame) drawSigns() {
	store, labels := f.Book.Store, slices.DeleteFunc(f.Book.Memory.Labels(), func(l string) bool { return !IsOwn(l) })
	lacking := slices.DeleteFunc(labels[:min(len(labels), mostDrawn)], func(l string) bool { return !widget.Lacking(l) })
	show := func(signs map[string]ink.Ink) {
		if widget.SetSigns(signs) {
			f.Restyle()
		}
	}
	if len(lacking) == 0 {
		show(nil)
		return
	}
	Fetch(f, func() (map[string]ink.Ink, error) {
		signs := map[string]ink.Ink{}
		for _, l := range lacking {
			found, err := store.List(samples.Filter{Label: l, Limit: 1})
			if err != nil {
				return nil, err
			}
			for _, s := range found {
				signs[l] = s.Ink
			}
		}
		return signs, nil
	}, show, f.Warn)
}

// UseTrained puts the model in force that was trained from the one in use, if any, when
// both the model and the samples are there for the first time.
func (f *Frame) UseTrained() {
	if name := f.Status.Model; f.Book != nil && name != "" && !f.Trained {
		f.UseInForce(name, false)
	}
}

// UseInForce puts the trained successor of a model that ships in use or, where there is none
// and shipped is set, the model itself. Where nobody chose one, what was trained from the former usual one comes before
// the usual one as it ships.
func (f *Frame) UseInForce(name string, shipped bool) {
	f.Trained = true
	t := f.Book
	names := []string{name}
	if f.Former != "" && name == f.Usual && f.Collection.Chosen[ModelChoice] == "" {
		names = append(names, f.Former)
	}
	Fetch(f, func() (m *nn.Model, err error) {
		if t == nil {
			return nil, nil
		}
		for _, base := range names {
			if m, _, err = t.ActiveModel(base, nil); m != nil || err != nil {
				name = base
				break
			}
		}
		return m, err
	}, func(m *nn.Model) {
		if m != nil || shipped {
			f.Use(name, m)
		}
	}, f.Warn)
}

// UseWordsInForce lets whole words be read by what the person trained for them or, where nothing was and shipped is set, by what ships.
func (f *Frame) UseWordsInForce(shipped bool) {
	t := f.Book
	if t == nil {
		return
	}
	Fetch(f, func() (*nn.Model, error) {
		m, _, err := t.ActiveModel(models.Words, nil)
		return m, err
	}, func(m *nn.Model) {
		if m != nil || shipped {
			f.Worker.UseWords(m, f.Warn)
		}
	}, f.Warn)
}

// Using is the action of putting a model of the history of base in force, 0 for the one that ships, in
// the place of the one before, and in use in the place of the one that answers now.
func (f *Frame) Using(text, base string, id, before int64) Action {
	was, command := f.Status.Model, state.All()
	if t := f.Book; t != nil {
		command = t.Activate(base, id, before)
	}
	return Action{
		Text:    text,
		Command: command,
		Shown: func(done bool) {
			switch {
			case base == models.Words:
				f.UseWordsInForce(true)
			case !done && was != base:
				f.AnswerBy(was)
			case was != base || f.Status.Model == base:
				f.AnswerBy(base)
			}
			f.Each(func(p *Page) func() { return p.InForce })
			f.Trace.Write(Event{Event: "in-force", Label: strconv.FormatInt(id, 10)})
		},
	}
}

// AnswerBy puts a model, or its trained successor, in use and remembers it.
func (f *Frame) AnswerBy(name string) {
	f.Remember(ModelChoice, f.Collection.Library.NameOf(name))
	f.UseInForce(name, true)
}

// Use puts a model in use; a nil m is the one that ships under the name.
func (f *Frame) Use(name string, m *nn.Model) {
	if name != f.Status.Model {
		for _, p := range f.Pages {
			if p.Awaiting != nil {
				p.Awaiting(name)
			}
		}
	}
	f.Worker.Use(name, m, f.Warn)
}
