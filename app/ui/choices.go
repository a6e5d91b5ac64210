package ui

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/recognizer/nn"
)

const (
	modelPreference   = "model"
	classesPreference = "classes"
	ownPreference     = "classes.own"
)

// chosenClasses is the set that was chosen last time.
func (w *Window) chosenClasses() classSet {
	sets := append(classSets(), ownSet(w.opts.chosen[ownPreference]))
	key := w.opts.chosen[classesPreference]
	return sets[max(slices.IndexFunc(sets, func(s classSet) bool { return s.key == key }), 0)]
}

// restrict lets only the classes of a set be answered.
func (w *Window) restrict(s classSet) {
	w.choice(classesPreference, s.key)
	w.classes = s
	w.choicesChanged()
	w.Worker.Change(func() {
		if err := w.opts.Engine.Restrict(s.has); err != nil {
			w.Post(func() {
				w.Tell(err)
				w.restrict(classSets()[0])
			})
		}
	})
}

// choose lets another model answer.
func (w *Window) choose(name string) {
	if name != w.Status.Model {
		w.WhenIdle(func() { w.answerBy(name) })
	}
}

// modelChanged makes the choices fit the model: a set that it has nothing of is left.
func (w *Window) modelChanged() {
	w.draw.setMany(len(w.Status.Labels) >= worker.ManyLabels)
	if labels := w.Status.Labels; len(labels) > 0 && !w.classes.useful(labels) {
		w.restrict(classSets()[0])
		return
	}
	w.choicesChanged()
}

func (w *Window) choicesChanged() {
	classes := w.classes.name
	if w.classes.key == "own" {
		classes = language.Few(splitLabels(w.opts.chosen[ownPreference]))
	}
	w.draw.choice.Rename(theme.MenuDropDownIcon(), w.modelName(w.Status.Model)+" · "+classes)
	w.draw.pad.View.Hint.Set(drawHint(w.Status.Labels, w.classes))
	widget.Rearrange(w.draw.content)
	w.Menu()
}

// choiceItems are the models and the sets of classes, as a menu has them.
func (w *Window) choiceItems() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, name := range w.opts.Models {
		items = append(items, ticked(fyne.NewMenuItem(w.modelName(name), func() { w.choose(name) }), name == w.Status.Model))
	}
	if len(items) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
	}
	for _, s := range append(classSets(), ownSet(w.opts.chosen[ownPreference])) {
		do := func() { w.restrict(s) }
		if s.key == "own" {
			do = w.askOwnSet
		}
		item := withKey(s.name, s.keep, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift, do)
		item.Checked = s.key == w.classes.key
		items = append(items, greyed(item, s.key != "own" && !s.useful(w.Status.Labels)))
	}
	return items
}

// showChoices opens the choices as a menu under the button that names them.
func (w *Window) showChoices() { w.DropDown(w.draw.choice, w.choiceItems()) }

// askOwnSet asks for the labels of a set of one's own.
func (w *Window) askOwnSet() {
	entry := widget.NewLabelEntry("0 1 2 + - =", nil, nil)
	entry.SetText(w.opts.chosen[ownPreference])
	entry.Validator = w.knownLabels
	item := toolkit.NewFormItem(language.Tr("Labels"), entry)
	item.HintText = language.Tr("Only these are answered. Put spaces between them.")
	w.Ask(language.Tr("Own set"), language.Tr("Use"), 400, entry, func() {
		w.choice(ownPreference, entry.Text)
		w.restrict(ownSet(entry.Text))
	}, item)
}

// someLabels refuses a text without any label.
func someLabels(text string) error {
	if len(splitLabels(text)) == 0 {
		return errors.New(language.Tr("Type at least one."))
	}
	return nil
}

// knownLabels refuses labels that nothing can answer: neither the model in use nor a drawing that was taught.
func (w *Window) knownLabels(text string) error {
	if err := someLabels(text); err != nil {
		return err
	}
	known := w.Status.Labels
	if w.Book != nil {
		known = append(slices.Clone(known), w.Book.Memory.Labels()...)
	}
	unknown := slices.DeleteFunc(splitLabels(text), func(l string) bool { return slices.Contains(known, l) })
	if len(unknown) > 0 {
		return errors.New(language.Tr("Not known yet: {{.Labels}}", map[string]any{"Labels": language.Few(unknown)}))
	}
	return nil
}

// modelName is what people call a model: what it reads, where no other model reads the same,
// and else its name or the name of its file.
func (w *Window) modelName(name string) string {
	reads := func(model string) string { before, _, _ := strings.Cut(model, "-"); return before }
	words := map[string]string{"digits": language.Tr("Digit model"), "characters": language.Tr("Character model"), "chinese": language.Tr("Chinese")}[reads(name)]
	alike := 0
	for _, other := range w.opts.Models {
		if reads(other) == reads(name) {
			alike++
		}
	}
	if words == "" || alike != 1 || !slices.Contains(w.opts.Models, name) {
		return strings.TrimSuffix(filepath.Base(name), ".onnx")
	}
	return words
}

// drawHint asks for what can be answered.
func drawHint(labels []string, s classSet) string {
	if slices.ContainsFunc(labels, func(l string) bool { return s.allows(l) && !in(nn.Digits, l) }) {
		return language.Tr("Draw a character here")
	}
	return language.Tr("Draw a digit here")
}

// classSet is a choice of the classes that may be answered.
type classSet struct {
	key  string // in the preferences
	name string
	has  func(label string) bool // nil for every class
	keep fyne.KeyName            // chooses it, with Ctrl+Shift
}

// in tells whether a label is one of some characters.
func in(set, label string) bool { return len(label) == 1 && strings.Contains(set, label) }

// isOwn accepts labels that are in none of the sets with a name: a person's own symbols.
func isOwn(label string) bool { return !in(nn.Digits+nn.Capitals+nn.Small+nn.Signs, label) }

// classSets are the sets with a name. A person's own symbols belong to each of them: who
// invents a symbol wants it answered.
func classSets() []classSet {
	and := func(set string) func(string) bool {
		return func(label string) bool { return in(set, label) || isOwn(label) }
	}
	return []classSet{
		{"all", language.Tr("All classes"), nil, fyne.KeyA},
		{"digits", language.Tr("Digits"), and(nn.Digits), fyne.KeyD},
		{"capitals", language.Tr("Capitals"), and(nn.Capitals), fyne.KeyC},
		{"small", language.Tr("Small letters"), and(nn.Small), fyne.KeyL},
		{"signs", language.Tr("Signs"), and(nn.Signs), fyne.KeyS},
	}
}

// ownSet is a set of a person's own choice: labels with spaces between.
func ownSet(labels string) classSet {
	list := splitLabels(labels)
	return classSet{"own", language.Tr("Own set…"), func(l string) bool { return slices.Contains(list, l) }, fyne.KeyE}
}

// splitLabels reads labels as people type them: with spaces between, or, where there is
// none, every character by itself.
func splitLabels(text string) []string {
	words := strings.Fields(text)
	if len(words) == 1 {
		words = strings.Split(words[0], "")
	}
	var labels []string
	for _, w := range words {
		if !slices.Contains(labels, w) {
			labels = append(labels, w)
		}
	}
	return labels
}

// allows tells whether the set lets a label be answered.
func (s classSet) allows(label string) bool { return s.has == nil || s.has(label) }

// useful tells whether the set lets any of the labels of a model be answered.
func (s classSet) useful(labels []string) bool {
	return s.has == nil || slices.ContainsFunc(labels, func(l string) bool { return s.has(l) && !isOwn(l) }) ||
		s.key == "own" && slices.ContainsFunc(labels, s.has)
}
