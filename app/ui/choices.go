package ui

import (
	"errors"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/recognizer/nn"
)

// chosenClasses is the set that was chosen last time.
func (w *Window) chosenClasses() page.ClassSet {
	sets := append(page.ClassSets(), page.OwnSet(w.Collection.Chosen[page.OwnChoice]))
	key := w.Collection.Chosen[page.ClassesChoice]
	return sets[max(slices.IndexFunc(sets, func(s page.ClassSet) bool { return s.Key == key }), 0)]
}

// restrict lets only the classes of a set be answered.
func (w *Window) restrict(s page.ClassSet) {
	w.Remember(page.ClassesChoice, s.Key)
	w.classes = s
	w.choicesChanged()
	w.Worker.Restrict(s.Has, func(err error) {
		w.Tell(err)
		w.restrict(page.ClassSets()[0])
	})
}

// choose lets another model answer.
func (w *Window) choose(name string) {
	if name != w.Status.Model {
		w.WhenIdle(func() { w.AnswerBy(name) })
	}
}

// modelChanged makes the choices fit the model: a set that it has nothing of is left.
func (w *Window) modelChanged() {
	w.draw.setMany(len(w.Status.Labels) >= worker.ManyLabels)
	widget.Show(w.draw.many.unicode, w.hasSymbols())
	widget.Rearrange(w.draw.many.content)
	if labels := w.Status.Labels; len(labels) > 0 && !w.classes.Useful(labels) {
		w.restrict(page.ClassSets()[0])
		return
	}
	w.choicesChanged()
}

func (w *Window) choicesChanged() {
	classes := w.classes.Name
	if w.classes.Key == "own" {
		classes = language.Few(page.SplitLabels(w.Collection.Chosen[page.OwnChoice]))
	}
	w.draw.choice.Rename(theme.MenuDropDownIcon(), w.ModelName(w.Status.Model)+" · "+classes)
	w.draw.pad.View.Hint.Set(drawHint(w.Status.Labels, w.classes))
	widget.Rearrange(w.draw.content)
	w.Menu()
}

// choiceItems are the models and the sets of classes, as a menu has them.
func (w *Window) choiceItems() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, name := range w.Collection.Models {
		items = append(items, page.Ticked(fyne.NewMenuItem(w.ModelName(name), func() { w.choose(name) }), name == w.Status.Model))
	}
	if len(items) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
	}
	for _, s := range append(page.ClassSets(), page.OwnSet(w.Collection.Chosen[page.OwnChoice])) {
		do := func() { w.restrict(s) }
		if s.Key == "own" {
			do = w.askOwnSet
		}
		item := page.WithKey(s.Name, s.Letter, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift, do)
		item.Checked = s.Key == w.classes.Key
		items = append(items, page.Greyed(item, s.Key != "own" && !s.Useful(w.Status.Labels)))
	}
	return items
}

// showChoices opens the choices as a menu under the button that names them.
func (w *Window) showChoices() { w.DropDown(w.draw.choice, w.choiceItems()) }

// askOwnSet asks for the labels of a set of one's own.
func (w *Window) askOwnSet() {
	entry := widget.NewLabelEntry("0 1 2 + - =", nil, nil)
	entry.SetText(w.Collection.Chosen[page.OwnChoice])
	entry.Validator = w.knownLabels
	item := toolkit.NewFormItem(language.Tr("Labels"), entry)
	item.HintText = language.Tr("Only these are answered. Put spaces between them.")
	w.Ask(language.Tr("Own set"), language.Tr("Use"), 400, entry, func() {
		w.Remember(page.OwnChoice, entry.Text)
		w.restrict(page.OwnSet(entry.Text))
	}, item)
}

// knownLabels refuses labels that nothing can answer: neither the model in use nor a drawing that was taught.
func (w *Window) knownLabels(text string) error {
	if err := page.SomeLabels(text); err != nil {
		return err
	}
	known := w.Status.Labels
	if w.Book != nil {
		known = append(slices.Clone(known), w.Book.Memory.Labels()...)
	}
	unknown := slices.DeleteFunc(page.SplitLabels(text), func(l string) bool { return slices.Contains(known, l) })
	if len(unknown) > 0 {
		return errors.New(language.Tr("Not known yet: {{.Labels}}", map[string]any{"Labels": language.Few(unknown)}))
	}
	return nil
}

// drawHint asks for what can be answered.
func drawHint(labels []string, s page.ClassSet) string {
	if slices.ContainsFunc(labels, func(l string) bool { return s.Allows(l) && !page.In(nn.Digits, l) }) {
		return language.Tr("Draw a character here")
	}
	return language.Tr("Draw a digit here")
}
