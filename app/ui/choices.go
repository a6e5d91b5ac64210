package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/recognizer/nn"
)

const (
	modelPreference   = "model"
	classesPreference = "classes"
	ownPreference     = "classes.own"
)

// ChosenModel is the model of those that ship that was chosen last time, or else the one
// given.
func ChosenModel(a fyne.App, shipped []string, otherwise string) string {
	if name := a.Preferences().String(modelPreference); slices.Contains(shipped, name) {
		return name
	}
	return otherwise
}

// chosenClasses is the set that was chosen last time.
func (w *Window) chosenClasses() classSet {
	key := w.app.Preferences().String(classesPreference)
	if key == "own" {
		return ownSet(w.app.Preferences().String(ownPreference))
	}
	for _, s := range classSets() {
		if s.key == key {
			return s
		}
	}
	return classSets()[0]
}

// restrict lets only the classes of a set be answered.
func (w *Window) restrict(s classSet) {
	w.app.Preferences().SetString(classesPreference, s.key)
	w.classes = s
	w.choicesChanged()
	w.worker.change(func() {
		if err := w.opts.Engine.Restrict(s.has); err != nil {
			w.opts.post(func() {
				w.toast.say(err.Error())
				w.restrict(classSets()[0])
			})
		}
	})
}

// choose puts a model that ships, or its trained successor, in use and remembers it.
func (w *Window) choose(name string) {
	if name == w.header.status.Model {
		return
	}
	w.app.Preferences().SetString(modelPreference, name)
	w.trained = name
	book := w.book
	w.clerk.do(func() func() {
		var m *nn.Model
		if book != nil {
			var err error
			if m, err = modelInForce(book.Store, name); err != nil {
				return func() { w.notice.show(err.Error()) }
			}
		}
		return func() { w.use(name, m) }
	})
}

// modelChanged makes the choices fit the model: a set that it has nothing of is left.
func (w *Window) modelChanged() {
	if labels := w.header.status.Labels; len(labels) > 0 && !w.classes.useful(labels) {
		w.restrict(classSets()[0])
		return
	}
	w.choicesChanged()
}

func (w *Window) choicesChanged() {
	w.draw.choice.show(w.header.status.Model + " · " + w.classes.name)
	w.draw.content.Layout.Layout(nil, w.draw.content.Size())
	w.win.SetMainMenu(w.menu())
}

// choiceItems are the models and the sets of classes, as a menu has them.
func (w *Window) choiceItems() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, name := range w.opts.Models {
		item := fyne.NewMenuItem(name, func() { w.choose(name) })
		item.Checked = name == w.header.status.Model
		items = append(items, item)
	}
	if len(items) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
	}
	for _, s := range append(classSets(), ownSet(w.app.Preferences().String(ownPreference))) {
		do := func() { w.restrict(s) }
		if s.key == "own" {
			do = w.askOwnSet
		}
		item := withKey(s.name, s.keep, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift, do)
		item.Checked = s.key == w.classes.key
		item.Disabled = s.key != "own" && !s.useful(w.header.status.Labels)
		items = append(items, item)
	}
	return items
}

// showChoices opens the choices as a menu under the button that names them.
func (w *Window) showChoices() {
	menu := widget.NewPopUpMenu(fyne.NewMenu("", w.choiceItems()...), w.win.Canvas())
	at := w.app.Driver().AbsolutePositionForObject(w.draw.choice)
	menu.ShowAtPosition(at.AddXY(0, w.draw.choice.Size().Height))
}

// askOwnSet asks for the labels of a set of one's own.
func (w *Window) askOwnSet() {
	entry := widget.NewEntry()
	entry.SetText(w.app.Preferences().String(ownPreference))
	entry.SetPlaceHolder("0 1 2 + - =")
	item := widget.NewFormItem(tr("Labels"), entry)
	item.HintText = tr("Only these are answered. Put spaces between them.")
	d := dialog.NewForm(tr("Own set"), tr("Use"), tr("Cancel"), []*widget.FormItem{item}, func(ok bool) {
		if ok && len(splitLabels(entry.Text)) > 0 {
			w.app.Preferences().SetString(ownPreference, entry.Text)
			w.restrict(ownSet(entry.Text))
		}
	}, w.win)
	entry.OnSubmitted = func(string) { d.Submit() }
	d.Resize(fyne.NewSize(420, 200))
	w.modal = d
	d.Show()
	w.win.Canvas().Focus(entry)
}

// quietButton is a word that opens something, in a place where it should not shout.
type quietButton struct {
	toolButton
	words *label
}

func newQuietButton(onTap func()) *quietButton {
	b := &quietButton{words: newLabel("", 12, colorMuted)}
	b.onTap = onTap
	b.ExtendBaseWidget(b)
	return b
}

func (b *quietButton) show(text string) {
	b.words.set(text + "  ▾")
	b.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (b *quietButton) CreateRenderer() fyne.WidgetRenderer { return &quietRenderer{b} }

type quietRenderer struct{ button *quietButton }

func (r *quietRenderer) MinSize() fyne.Size {
	return fyne.NewSize(r.button.words.width(r.button.words.text)+12, r.button.words.lineHeight()+12)
}

func (r *quietRenderer) Layout(size fyne.Size) {
	h := r.button.words.lineHeight()
	place(r.button.words, 6, floor((size.Height-h)/2), size.Width-6, h)
}

func (r *quietRenderer) Refresh() {
	c := fyne.ThemeColorName(colorMuted)
	if r.button.hovered || r.button.focused {
		c = theme.ColorNamePrimary
	}
	r.button.words.recolor(c)
	r.button.words.Refresh()
}

func (r *quietRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.button.words} }
func (r *quietRenderer) Destroy()                     {}
