package models

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/recognizer"
	"inkshade/recognizer/bench"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/inputformat"
	"inkshade/recognizer/nn"
)

// usualScales are those that are offered: what the file says or a trial finds, and the common ones.
var usualScales = []string{"", "0..1", "0..255", "-1..1", "0.1307,0.3081"}

// feedDialog asks how a model from elsewhere is fed, and shows what it is given of the drawing, or of a seven, and what it answers.
type feedDialog struct {
	page                 *Page
	path                 string
	jobs                 page.Latest
	model                *nn.Model // as it would be kept; nil where it cannot be
	name, labels         *widget.Entry
	scale, layout        *widget.DropDown
	inverted, transposed *widget.CheckBox
	seen                 *mosaic
	answer, span, words  *widget.Label
	shown                *fyne.Container // these four
	keep                 *widget.Press   // grey while it cannot be
	stop                 func()          // ends the opening that goes on
	say                  func()          // says what the last trial came to, for the name as it is now; nil before
}

// openFile asks how the model of a file is fed, and keeps it.
func (p *Page) openFile(path string) *feedDialog {
	return p.feed(path, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), func(name string, m *nn.Model) page.Action {
		return page.Action{Text: language.Tr("{{.Name}} opened.", map[string]any{"Name": name}), Command: p.store().AddModel(name, m), Shown: func(done bool) {
			if !done && p.win.Asked() == p.fileOf(name) { // its file has gone
				p.win.AnswerBy(p.win.Usual)
			}
		}}
	})
}

// feedAgain asks how an imported model is fed.
func (p *Page) feedAgain(e *modelEntry) {
	p.feed(e.Base, e.Name, func(_ string, m *nn.Model) page.Action {
		return page.Action{Text: language.Tr("The input of {{.Name}} is changed.", map[string]any{"Name": e.Name}), Command: p.store().Replace(e.Name, m)}
	}).name.Disable()
}

// feed opens the dialog; keep makes of what is kept what can be undone.
func (p *Page) feed(path, name string, keep func(name string, m *nn.Model) page.Action) *feedDialog {
	d := &feedDialog{
		page: p, path: path, jobs: page.Latest{On: p.win},
		name: widget.NewLabelEntry("", nil, nil), labels: widget.NewLabelEntry(language.Tr("those of the file"), nil, nil),
		seen: newMosaic(), answer: widget.NewLabel("", 20, theme.ColorNamePrimary).Bold(),
		span: widget.NewLabel("", 12, widget.ColorMuted).Wrapped(3), words: widget.NewLabel("", 12, widget.ColorMuted).Wrapped(6),
	}
	d.labels.Most = 0 // of several thousand classes
	d.name.SetText(name)
	d.name.OnChanged = func(string) { widget.Run(d.say) }
	d.labels.OnChanged = func(string) { d.try() }
	offered := slices.Clone(usualScales)
	offered[0] = language.Tr("as the file says, or by trying")
	d.scale = widget.NewDropDown(offered, 0, func(int) { d.try() })
	d.layout = widget.NewDropDown(append([]string{language.Tr("as the file says")}, inputformat.Layouts...), 0, func(int) { d.try() })
	d.inverted = widget.NewCheckBox(language.Tr("paper and ink exchanged"), func(bool) { d.try() })
	d.transposed = widget.NewCheckBox(language.Tr("rows are columns (EMNIST)"), func(bool) { d.try() })
	form := toolkit.NewForm(toolkit.NewFormItem(language.Tr("Name"), d.name), toolkit.NewFormItem(language.Tr("Pixels"), d.scale),
		toolkit.NewFormItem("", d.inverted), toolkit.NewFormItem("", d.transposed),
		toolkit.NewFormItem(language.Tr("Layout"), d.layout), toolkit.NewFormItem(language.Tr("Labels"), d.labels))
	const side, inset = 6 * ink.Side, 16
	d.shown = container.New(widget.Arranged{Least: widget.AtLeast(side+70, side+150), Put: func(size fyne.Size) {
		a := widget.Whole(size)
		a.Left(inset, 0)
		if d.model == nil { // why, alone
			a.Top(d.words.Most(), 0).Put(d.words)
			return
		}
		picture := a.Top(side, 6)
		picture.Left(side, 0).Put(d.seen)
		a.Top(d.answer.LineHeight(), 0).Put(d.answer)
		span := a.Top(d.span.Height(a.Size.Width), 6)
		widget.Place(d.span, span.Pos.X, span.Pos.Y, span.Size.Width, d.span.Most())
		a.Top(d.words.Most(), 0).Put(d.words)
	}}, d.seen, d.answer, d.span, d.words)
	content := container.NewBorder(nil, nil, nil, d.shown, form)
	d.keep = p.win.ChooseAnswer(language.Tr("What does this model take as input?"), content, page.Answer{Text: language.Tr("Cancel"), Do: func() { widget.Run(d.stop) }}, page.Answer{Text: language.Tr("Keep"), Do: func() {
		p.open = strings.TrimSpace(d.name.Text)
		p.win.Perform(keep(p.open, d.model))
	}})
	for _, e := range []*widget.Entry{d.name, d.labels} {
		e.OnSubmitted = func(string) { d.keep.Tapped(nil) }
	}
	d.keep.Disable()
	p.win.Modal.Resize(fyne.NewSize(min(700, p.win.Win.Canvas().Size().Width-40), 420))
	d.try()
	return d
}

func (d *feedDialog) feeding() inputformat.Format {
	f := inputformat.Format{Inverted: d.inverted.Checked, Transposed: d.transposed.Checked}
	if i := d.scale.SelectedIndex(); i > 0 {
		f.Scale, _ = feature.ParseScale(usualScales[i])
	}
	if i := d.layout.SelectedIndex(); i > 0 {
		f.Layout = inputformat.Layouts[i-1]
	}
	if labels := page.SplitLabels(d.labels.Text); len(labels) > 0 {
		f.Labels = labels
	}
	return f
}

// try feeds the model as it is chosen now, in the background.
func (d *feedDialog) try() {
	f, k := d.feeding(), d.page.win.Paper.Drawing()
	if len(k) == 0 {
		k = bench.Seven
	}
	widget.Run(d.stop)
	ctx, stop := context.WithCancel(d.page.win.Background)
	d.stop = stop
	d.jobs.Do(func() func() {
		m, trial, err := recognizer.OpenModel(ctx, d.path, f)
		if ctx.Err() != nil {
			return nil
		}
		var seen *look
		if err == nil {
			var engine lookEngine
			defer engine.close()
			seen, err = engine.look(m, k, k)
		}
		return func() {
			d.say = func() {
				problem := err
				if problem == nil && !d.name.Disabled() {
					problem = d.page.win.Collection.Store.Check(strings.TrimSpace(d.name.Text))
				}
				d.show(m, trial, seen, problem)
			}
			d.say()
		}
	})
}

func (d *feedDialog) show(m *nn.Model, trial *inputformat.Inferred, v *look, err error) {
	d.model = m
	defer func() { widget.Rearrange(d.shown) }()
	if widget.Enable(d.keep, err == nil); err != nil {
		d.model = nil
		if why := errors.Unwrap(err); why != nil { // the file is known
			err = why
		}
		d.seen.show(nil)
		d.answer.Set("")
		d.span.Set("")
		d.words.SetColored(language.Sentence(language.Said(err)), theme.ColorNameError)
		return
	}
	d.seen.show(inputPatches(m, v.View))
	best := widget.Map(v.Candidates[:min(3, len(v.Candidates))], func(c recognizer.Candidate) string {
		return c.Label + language.Tr(": ") + language.Percent(c.Probability)
	})
	d.answer.Set(best[0])
	low, high := float64(slices.Min(v.Input)), float64(slices.Max(v.Input))
	if s := inputformat.Scale(m); s != (feature.Scale{}) { // of the file, whose weights may have been multiplied by it
		low, high = min(s.Paper, s.Ink), max(s.Paper, s.Ink)
	}
	d.span.Set(language.Sentences(language.Tr("The network is given values from {{.Low}} to {{.High}}.", map[string]any{
		"Low": language.Number("%.3g", low), "High": language.Number("%.3g", high),
	}), language.Tr("Next: {{.Labels}}", map[string]any{"Labels": strings.Join(best[1:], ", ")})))
	text := seesWords(m.Preprocessing)
	if trial != nil {
		text = language.Said(trial.Reason)
	}
	d.words.SetColored(language.Sentence(text), widget.ColorMuted)
}
