package draw

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/glyph"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/models"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

func (d *Page) chosenClasses() page.ClassSet {
	sets := append(page.ClassSets(), page.OwnSet(d.win.Collection.Chosen[page.OwnChoice]))
	key := d.win.Collection.Chosen[page.ClassesChoice]
	return sets[max(slices.IndexFunc(sets, func(s page.ClassSet) bool { return s.Key == key }), 0)]
}

// Restrict lets only the classes that are chosen be answered, while the model has none of them all.
func (d *Page) Restrict() { d.answerOf(d.fitting()) }

// fitting is the set that is chosen or, for a model that has nothing of it, that of all classes.
func (d *Page) fitting() page.ClassSet {
	s, labels := d.chosenClasses(), d.win.Status.Labels
	if len(labels) > 0 && !s.Useful(labels) {
		return page.ClassSets()[0]
	}
	return s
}

// restrict chooses a set of classes, of which alone is answered.
func (d *Page) restrict(s page.ClassSet) {
	d.win.Remember(page.ClassesChoice, s.Key)
	d.answerOf(s)
}

func (d *Page) answerOf(s page.ClassSet) {
	d.classes = s
	d.choicesChanged()
	d.win.Worker.Engine(func(e worker.Engine) error { return e.Restrict(s.Has) }, func(err error) {
		d.win.Tell(err)
		d.answerOf(page.ClassSets()[0])
	})
}

func (d *Page) choose(name string) {
	if name != d.win.Status.Model {
		d.win.WhenIdle(func() { d.win.AnswerBy(name) })
	}
}

// modelChanged makes the choices fit the model.
func (d *Page) modelChanged() {
	d.setMany(len(d.win.Status.Labels) >= worker.ManyLabels)
	widget.Show(d.many.unicode, glyph.HasSymbols(d.win.Status.Labels))
	widget.Rearrange(d.many.content)
	if s := d.fitting(); s.Key != d.classes.Key {
		d.answerOf(s)
		return
	}
	d.choicesChanged()
}

// ReadsWords tells whether lines are read whole, by the processor.
func (d *Page) ReadsWords() bool {
	return d.inLine && d.win.Status.Words && line.Languages[d.line.language.Selected] != line.Digits
}

// reader is the model that answers what is written.
func (d *Page) reader() string {
	if d.ReadsWords() {
		return models.Words
	}
	return d.win.Status.Model
}

func (d *Page) choicesChanged() {
	widget.Run(d.Reader)
	classes := d.classes.Name
	if d.classes.Key == "own" {
		classes = language.Few(page.SplitLabels(d.win.Collection.Chosen[page.OwnChoice]))
	}
	d.choice.Rename(theme.MenuDropDownIcon(), language.ModelName(d.reader())+" · "+classes)
	hint := language.Tr("Draw a digit here")
	if slices.ContainsFunc(d.win.Status.Labels, func(l string) bool { return d.classes.Allows(l) && !page.In(nn.Digits, l) }) {
		hint = language.Tr("Draw a character here")
	}
	d.pad.View.Hint.Set(hint)
	widget.Rearrange(d.content)
	d.win.Menu()
}

// ChoiceItems are the models and the sets of classes, as a menu has them.
func (d *Page) ChoiceItems() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, name := range d.win.Collection.Models {
		items = append(items, d.win.Item(&page.Command{Name: language.ModelName(name), Do: func() { d.choose(name) }, On: func() bool { return name == d.win.Status.Model }}))
	}
	if len(items) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
	}
	for _, s := range append(page.ClassSets(), page.OwnSet("")) {
		c := d.win.Command(s.Command())
		c.Grey = s.Key != "own" && !s.Useful(d.win.Status.Labels)
		items = append(items, d.win.Item(c))
	}
	return items
}

func (d *Page) askOwnSet() {
	own := d.win.Collection.Chosen[page.OwnChoice]
	d.win.AskText(language.Tr("Own set"), language.Tr("Use"), language.Tr("Labels"), "0 1 2 + - =", own, language.Tr("Only these are answered. Put spaces between them."), d.knownLabels, func(text string) {
		d.win.Remember(page.OwnChoice, text)
		d.restrict(page.OwnSet(text))
	})
}

// known are the classes of the model in use and those that were taught.
func (d *Page) known() []string {
	if d.win.Book == nil {
		return d.win.Status.Labels
	}
	return slices.Concat(d.win.Status.Labels, d.win.Book.Memory.Labels())
}

// knownLabels refuses labels that nothing can answer: neither the model in use nor a drawing that was taught.
func (d *Page) knownLabels(text string) error {
	if err := page.SomeLabels(text); err != nil {
		return err
	}
	known := d.known()
	unknown := slices.DeleteFunc(page.SplitLabels(text), func(l string) bool { return slices.Contains(known, l) })
	if len(unknown) > 0 {
		return errors.New(language.Tr("Not known yet: {{.Labels}}", map[string]any{"Labels": language.Few(unknown)}))
	}
	return nil
}

// commands are what can be done with what is on the paper.
func (d *Page) commands() []*page.Command {
	l := d.line
	const step = 12
	all := []*page.Command{
		{ID: "picture", Name: language.Tr("Read a Picture…"), Keys: "Ctrl+R", Do: func() {
			d.win.ChooseFile(language.Tr("Read a picture"), dataset.PictureEndings, d.ReadPicture)
		}},
		{ID: "copy", Name: language.Tr("Copy Answer"), Keys: "Ctrl+C", Do: d.copyAnswer},
		{ID: "paste", Name: language.Tr("Paste a Picture"), Keys: "Ctrl+V", Do: d.paste},
		{ID: "crop", Name: language.Tr("Crop the Picture"), Keys: "Ctrl+Shift+R", Do: d.startCrop},
		{ID: "turn", Name: language.Tr("Turn by a Quarter"), Do: d.turn},
		d.toolCommand("erase", language.Tr("Erase Strokes"), "Ctrl+D", widget.Erases, language.Tr("Touch a stroke, and it goes; the right button does so at any time. Escape ends it.")),
		d.toolCommand("select", language.Tr("Select Strokes"), "Ctrl+Shift+M", widget.Selects,
			language.Tr("Draw around strokes, then drag them, or press Delete. Escape ends it.")),
		{ID: "line", Name: language.Tr("Write a Line"), Keys: "Ctrl+T", Do: func() {
			d.win.OpenPage(0)
			d.setLine(!d.inLine)
		}, On: func() bool { return d.inLine }},
		l.splitting, l.joining,
		{ID: "space", Name: language.Tr("Space Behind the Character"), Keys: "Ctrl+H", Do: func() { l.space(l.current()) }, Here: d.onLine, Why: l.lacks(2)},
		{ID: "left", Name: language.Tr("Border to the Left"), Keys: "Alt+←", Do: func() { l.shift(-step) }, Here: d.onLine},
		{ID: "right", Name: language.Tr("Border to the Right"), Keys: "Alt+→", Do: func() { l.shift(step) }, Here: d.onLine},
	}
	for i, key := range []string{"X", "N", "W", "G"} {
		all = append(all, &page.Command{
			ID: fmt.Sprint("language", i), Name: l.language.Names[i].Text, Keys: "Ctrl+Shift+" + key, Do: func() { l.setLanguage(i) },
			Here: d.onLine, On: func() bool { return l.language.Selected == i },
		})
	}
	for _, s := range append(page.ClassSets(), page.OwnSet("")) {
		do := func() { d.restrict(s) }
		if s.Key == "own" {
			do = d.askOwnSet
		}
		all = append(all, &page.Command{ID: s.Command(), Name: s.Name, Keys: "Ctrl+Shift+" + string(s.Letter), Do: do, On: func() bool { return s.Key == d.classes.Key }})
	}
	for n := range page.ShownCandidates {
		all = append(all, &page.Command{ID: fmt.Sprint("take", n+1), Keys: fmt.Sprint("Alt+", n+1), Do: func() {
			if c := d.candidates.rows[n].Candidate; c != nil && l.index() >= 0 {
				d.pick(*c)
			}
		}, Here: d.onLine})
	}
	return all
}

// toolCommand takes a tool into the hand, or lays it down.
func (d *Page) toolCommand(id, name, keys string, tool widget.Tool, tip string) *page.Command {
	on := func() bool { return d.pad.Tool == tool }
	return &page.Command{ID: id, Name: name, Keys: keys, On: on, Do: func() {
		d.win.OpenPage(0)
		now := tool
		if on() {
			now = widget.Draws
		}
		d.take(now)
		if now == tool {
			d.win.Toast.Say(tip)
		}
	}}
}

func (d *Page) take(tool widget.Tool) {
	for _, pad := range []*widget.Pad{d.pad, d.line.pad} {
		pad.Tool = tool
		pad.Deselect()
	}
	d.win.Menu()
}

// toolKey deletes the strokes that are selected, leaves them, or lays the tool down, and tells whether the key did any of it.
func (d *Page) toolKey(k fyne.KeyName) bool {
	p := d.paper()
	switch k {
	case fyne.KeyDelete, fyne.KeyBackspace:
		return p.EraseSelected() || p.Tool == widget.Selects
	case fyne.KeyEscape:
		if p.Deselect() {
			return true
		}
		if p.Tool != widget.Draws {
			d.take(widget.Draws)
			return true
		}
	}
	return false
}

// onLine tells whether a line is written, and nothing lies over it.
func (d *Page) onLine() bool { return d.inLine && d.content.Visible() && d.win.Actions().Key != nil }

// copyAnswer copies the answer that is shown or, once that is confirmed, the characters that were.
func (d *Page) copyAnswer() {
	if d.win.ForEntry(&fyne.ShortcutCopy{Clipboard: d.win.App.Clipboard()}) {
		return
	}
	switch c := d.candidates.rows[0].Candidate; {
	case d.inLine:
		d.line.copyText()
	case d.many.content.Visible() && d.many.text.Text != "" && (c == nil || d.lesson != nil):
		d.win.CopyText(d.many.text.Text)
	case c != nil && !d.last.Answer.Unknown:
		d.win.CopyText(strings.TrimSpace(glyph.Collected(c.Label)))
	default:
		d.nothingToCopy()
	}
}

func (d *Page) nothingToCopy() {
	d.win.Toast.Say(language.Tr("There is no answer to copy."))
}
