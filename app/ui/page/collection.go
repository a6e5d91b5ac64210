package page

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"inkshade/app/state"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/models"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/samples"
)

// Keys of what is chosen for a collection, in its file and, for a first one of version 0.1, in the preferences.
const (
	ModelChoice   = "model"
	ClassesChoice = "classes"
	OwnChoice     = "classes.own"
)

// Collection is what belongs to a collection of samples, and changes with it.
type Collection struct {
	Folder  *state.Folder // has all collections; nil for a window that has only one
	Name    string
	Open    func() (*state.Collection, error) // opens its samples, on a goroutine of its own; nil for a window that keeps nothing
	Store   state.Models                      // the models that the person opened in it
	Models  []string                          // the names of those that can be chosen
	Chosen  map[string]string                 // model, classes and own set, by the keys of the preferences
	Problem error                             // of what was chosen or imported and cannot be read; the window tells it
}

// OpenCollection finds a collection. An empty name is that of the one open last time, or of the first where that is gone.
func OpenCollection(a fyne.App, f state.Folder, name string) (Collection, error) {
	found, dir, err := f.Find(cmp.Or(name, setting.Collection.Get(a.Preferences())))
	if err != nil && name == "" {
		found, dir, err = f.Find(state.First)
	}
	if err != nil {
		return Collection{}, err
	}
	f.Who = func() string { return setting.Writer.Get(a.Preferences()) }
	c := Collection{Folder: &f, Name: found, Open: func() (*state.Collection, error) { return f.Open(found) }}
	if c.Chosen, c.Problem = f.Choices(found); c.Chosen == nil {
		c.Chosen = map[string]string{}
		if found == state.First {
			c.Chosen = FirstChoices(a)
		}
	}
	if c.Store, err = state.OpenModels(dir); err != nil {
		return c, err
	}
	imported, problem := c.Store.Imported()
	c.Problem = errors.Join(c.Problem, problem)
	c.Models = models.Names()
	for _, name := range imported {
		path, _, _ := c.Store.Path(name)
		c.Models = append(c.Models, path)
	}
	return c, nil
}

// FirstChoices are those of the first collection as version 0.1 kept them; they count until something else is chosen.
func FirstChoices(a fyne.App) map[string]string {
	chosen := map[string]string{}
	for _, key := range []string{ModelChoice, ClassesChoice, OwnChoice} {
		chosen[key] = a.Preferences().StringWithFallback(key, "")
	}
	return chosen
}

// Model is the model that was chosen last time for the collection, or else the one given.
func (c *Collection) Model(otherwise string) string {
	if name, err := c.Store.Resolve(c.Chosen[ModelChoice]); err == nil && slices.Contains(c.Models, name) {
		return name
	}
	return otherwise
}

// Remember keeps what was chosen for the collection.
func (f *Frame) Remember(key, value string) {
	c := f.Collection
	if c.Chosen[key] == value {
		return
	}
	c.Chosen[key] = value
	if c.Folder == nil {
		f.App.Preferences().SetString(key, value)
		return
	}
	chosen := maps.Clone(c.Chosen)
	f.Save(func() error { return c.Folder.Choose(c.Name, chosen) }, nil, func(err error) {
		if f.Book != nil { // else opening the samples tells
			f.Warn(err)
		}
	})
}

// SomeLabels refuses a text without any label.
func SomeLabels(text string) error {
	if len(SplitLabels(text)) == 0 {
		return errors.New(language.Tr("Type at least one."))
	}
	return nil
}

// ClassSet is a choice of the classes that may be answered.
type ClassSet struct {
	Key    string // in the preferences
	Name   string
	Has    func(label string) bool // nil for every class
	Letter fyne.KeyName            // chooses it, with Ctrl+Shift
}

// Command is the ID of the command that chooses it.
func (s ClassSet) Command() string { return "classes-" + s.Key }

// In tells whether a label is one of some characters.
func In(set, label string) bool { return len(label) == 1 && strings.Contains(set, label) }

// IsOwn accepts labels that are in none of the sets with a name: a person's own symbols.
func IsOwn(label string) bool { return !In(nn.Digits+nn.Capitals+nn.Small+nn.Signs, label) }

// ClassSets are the sets with a name. A person's own symbols belong to each: who invents a symbol wants it answered.
func ClassSets() []ClassSet {
	and := func(set string) func(string) bool {
		return func(label string) bool { return In(set, label) || IsOwn(label) }
	}
	return []ClassSet{
		{"all", language.Tr("All Classes"), nil, fyne.KeyA},
		{"digits", language.Tr("Digits Only"), and(nn.Digits), fyne.KeyD},
		{"capitals", language.Tr("Capitals"), and(nn.Capitals), fyne.KeyC},
		{"small", language.Tr("Small Letters"), and(nn.Small), fyne.KeyL},
		{"signs", language.Tr("Signs"), and(nn.Signs), fyne.KeyS},
	}
}

// OwnSet is a set of a person's own choice: labels with spaces between.
func OwnSet(labels string) ClassSet {
	set := map[string]bool{}
	for _, l := range SplitLabels(labels) {
		set[l] = true
	}
	return ClassSet{"own", language.Tr("Own Set…"), func(l string) bool { return set[l] }, fyne.KeyE}
}

// SplitLabels reads labels as people type them: with spaces between, or, where there is none, every character by itself. A space behind
// a single label keeps it whole.
func SplitLabels(text string) []string {
	words := strings.Fields(text)
	if len(words) == 1 && !strings.HasSuffix(text, " ") {
		words = strings.Split(words[0], "")
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(words, func(w string) bool {
		again := seen[w]
		seen[w] = true
		return again
	})
}

// JoinLabels is what SplitLabels reads as these labels.
func JoinLabels(labels ...string) string {
	if len(labels) == 1 && utf8.RuneCountInString(labels[0]) > 1 {
		return labels[0] + " "
	}
	return strings.Join(labels, " ")
}

// Allows tells whether the set lets a label be answered.
func (s ClassSet) Allows(label string) bool { return s.Has == nil || s.Has(label) }

// Useful tells whether the set lets any of the labels of a model be answered.
func (s ClassSet) Useful(labels []string) bool {
	return s.Has == nil || slices.ContainsFunc(labels, func(l string) bool { return s.Has(l) && !IsOwn(l) }) ||
		s.Key == "own" && slices.ContainsFunc(labels, s.Has)
}

// MemoryChanged answers anew in the light of what is remembered now.
func (f *Frame) MemoryChanged() {
	memory := f.Book.Memory
	f.Worker.Engine(func(e worker.Engine) error { e.Remember(memory); return nil }, f.Warn)
	f.drawSigns()
}

// mostDrawn labels at most are looked at for signs that no font has.
const mostDrawn = 1000

// drawSigns has a drawing of the person's stand for each label with signs that no font has.
func (f *Frame) drawSigns() {
	store, labels := f.Book.Samples(), slices.DeleteFunc(f.Book.Memory.Labels(), func(l string) bool { return !IsOwn(l) })
	lacking := slices.DeleteFunc(labels[:min(len(labels), mostDrawn)], func(l string) bool { return !widget.Lacking(l, fyne.TextStyle{}) })
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

// UseTrained puts what was trained from the model in use in force, when both model and samples are there for the first time.
func (f *Frame) UseTrained() {
	if name := f.Status.Model; f.Book != nil && name != "" && !f.Trained {
		f.UseInForce(name, false)
	}
}

// UseInForce puts the trained successor of a model in use or, where there is none and shipped is set, itself. Where nobody chose one,
// what was trained from the former usual one comes before the usual one as it ships.
func (f *Frame) UseInForce(name string, shipped bool) {
	f.Trained = true
	names := []string{name}
	if f.Former != "" && name == f.Usual && f.Collection.Chosen[ModelChoice] == "" {
		names = append(names, f.Former)
	}
	f.inForce(names, func(from string, m *nn.Model) {
		if m != nil || shipped {
			f.Use(from, m)
		}
	})
}

// UseWordsInForce lets whole words be read by what the person trained for them or, where nothing was and shipped is set, by what ships.
func (f *Frame) UseWordsInForce(shipped bool) {
	f.inForce([]string{models.Words}, func(_ string, m *nn.Model) {
		if m != f.usedWords && (m != nil || shipped && f.Book != nil) {
			f.usedWords = m
			f.Worker.Engine(func(e worker.Engine) error { return e.UseWords(m) }, f.Warn)
		}
	})
}

// UseOthers puts in use what another window has put in force of the models in use.
func (f *Frame) UseOthers() {
	used := f.used
	f.inForce([]string{f.Asked()}, func(name string, m *nn.Model) {
		if m != f.successor && used == f.used {
			f.Use(name, m)
		}
	})
	f.UseWordsInForce(true)
}

// inForce finds what is in force of the first of some models that something was trained from; nil, and the first model, for nothing.
func (f *Frame) inForce(names []string, then func(from string, m *nn.Model)) {
	t, from := f.Book, names[0]
	Fetch(f, func() (m *nn.Model, err error) {
		for i := 0; t != nil && m == nil && err == nil && i < len(names); i++ {
			if m, _, err = t.ActiveModel(names[i], nil); m != nil {
				from = names[i]
			}
		}
		return m, err
	}, func(m *nn.Model) { then(from, m) }, f.Warn)
}

// Using is the action of putting a model of the history of base in force, 0 for the one that ships, in place of the one before, and in use.
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
	f.Remember(ModelChoice, f.Collection.Store.NameOf(name))
	f.UseInForce(name, true)
}

// Asked is the model that was put in use last, ready or not.
func (f *Frame) Asked() string { return cmp.Or(f.used, f.Status.Model) }

// Use puts a model in use; a nil m is the one that ships under the name.
func (f *Frame) Use(name string, m *nn.Model) {
	if name != f.Status.Model {
		tell(f, func(p *Page) func(string) { return p.Awaiting })(name)
	}
	f.used, f.successor = name, m
	f.Worker.Engine(func(e worker.Engine) error { return e.Use(name, m) }, f.Warn)
}
