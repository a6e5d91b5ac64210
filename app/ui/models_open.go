package ui

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/app/library"
	"inkshade/recognizer"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/foreign"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// usualScales are those that are offered: what the file says or a trial finds, and the common ones.
var usualScales = []string{"", "0..1", "0..255", "-1..1", "0.1307,0.3081"}

// feedDialog asks how a model from elsewhere is fed. While that is changed it shows what the network
// is given of the drawing on the paper, or of a seven, and what it answers.
type feedDialog struct {
	page                 *modelsPage
	path                 string
	jobs                 latest
	model                *nn.Model // as it would be kept; nil where it cannot be
	name, labels         *labelEntry
	scale, layout        *dropDown
	inverted, transposed *checkBox
	seen                 *mosaic
	answer, span, words  *label
	shown                *fyne.Container // these four
	keep                 *press          // grey while it cannot be
	say                  func()          // says what the last trial came to, for the name as it is now; nil before
}

// openFile asks how the model of a file is fed, and keeps it.
func (p *modelsPage) openFile(path string) *feedDialog {
	return p.feed(path, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), func(l library.Library, name string, m *nn.Model) action {
		return action{
			text: tr("{{.Name}} opened.", map[string]any{"Name": name}),
			do:   func() error { return l.Add(name, m) },
			undo: func() error { _, err := l.Remove(name); return err },
		}
	})
}

// feedAgain asks how an imported model is fed.
func (p *modelsPage) feedAgain(e *modelEntry) {
	p.feed(e.Base, e.Name, func(l library.Library, _ string, m *nn.Model) action {
		return reversible(tr("The input of {{.Name}} is changed.", map[string]any{"Name": e.Name}),
			func() (func() error, error) { return l.Replace(e.Name, m) })
	}).name.Disable()
}

// feed opens the dialog; keep makes of what is kept what can be undone.
func (p *modelsPage) feed(path, name string, keep func(library.Library, string, *nn.Model) action) *feedDialog {
	d := &feedDialog{
		page: p, path: path, jobs: latest{win: p.win},
		name: newLabelEntry("", nil, nil), labels: newLabelEntry(tr("those of the file"), nil, nil),
		seen: newMosaic(), answer: newLabel("", 20, theme.ColorNamePrimary).bold(),
		span: newLabel("", 12, colorMuted).wrapped(3), words: newLabel("", 12, colorMuted).wrapped(6),
	}
	d.name.SetText(name)
	d.name.OnChanged = func(string) { run(d.say) }
	d.labels.OnChanged = func(string) { d.try() }
	offered := slices.Clone(usualScales)
	offered[0] = tr("as the file says, or by trying")
	d.scale = newDropDown(offered, 0, func(int) { d.try() })
	d.layout = newDropDown(append([]string{tr("as the file says")}, foreign.Layouts...), 0, func(int) { d.try() })
	d.inverted = newCheckBox(tr("paper and ink exchanged"), func(bool) { d.try() })
	d.transposed = newCheckBox(tr("rows are columns (EMNIST)"), func(bool) { d.try() })
	form := widget.NewForm(widget.NewFormItem(tr("Name"), d.name), widget.NewFormItem(tr("Pixels"), d.scale),
		widget.NewFormItem("", d.inverted), widget.NewFormItem("", d.transposed),
		widget.NewFormItem(tr("Layout"), d.layout), widget.NewFormItem(tr("Labels"), d.labels))
	const side, inset = 6 * ink.Side, 16
	d.shown = container.New(arranged{atLeast(side+70, side+150), func(size fyne.Size) {
		width := size.Width - inset
		place(d.seen, inset, 0, side, side)
		place(d.answer, inset, side+6, width, d.answer.lineHeight())
		place(d.span, inset, side+34, width, d.span.most())
		place(d.words, inset, side+40+d.span.height(width), width, d.words.most())
		if d.model == nil { // why, alone
			place(d.words, inset, 0, width, d.words.most())
		}
	}}, d.seen, d.answer, d.span, d.words)
	content := container.NewBorder(nil, nil, nil, d.shown, form)
	d.keep = p.win.chooseAnswer(tr("What does this model take as input?"), content, answer{tr("Cancel"), nil}, answer{tr("Keep"), func() {
		p.open = strings.TrimSpace(d.name.Text)
		p.win.changes.perform(keep(p.win.opts.Library, p.open, d.model))
	}})
	for _, e := range []*labelEntry{d.name, d.labels} {
		e.OnSubmitted = func(string) { d.keep.Tapped(nil) }
	}
	d.keep.Disable()
	p.win.modal.Resize(fyne.NewSize(min(700, p.win.win.Canvas().Size().Width-40), 420))
	d.try()
	return d
}

// feeding is what is chosen in the dialog.
func (d *feedDialog) feeding() foreign.Feeding {
	f := foreign.Feeding{Inverted: d.inverted.Checked, Transposed: d.transposed.Checked}
	if i := d.scale.SelectedIndex(); i > 0 {
		f.Scale, _ = feature.ParseScale(usualScales[i])
	}
	if i := d.layout.SelectedIndex(); i > 0 {
		f.Layout = foreign.Layouts[i-1]
	}
	if labels := splitLabels(d.labels.Text); len(labels) > 0 {
		f.Labels = labels
	}
	return f
}

// try feeds the model as it is chosen now, in the background.
func (d *feedDialog) try() {
	f, k := d.feeding(), d.page.win.draw.pad.drawing()
	if len(k) == 0 {
		k = sampleSeven
	}
	d.jobs.do(func() func() {
		m, trial, err := recognizer.OpenModel(d.path, f)
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
					problem = d.page.win.opts.Library.Check(strings.TrimSpace(d.name.Text))
				}
				d.show(m, trial, seen, problem)
			}
			d.say()
		}
	})
}

func (d *feedDialog) show(m *nn.Model, trial *foreign.Trial, v *look, err error) {
	d.model = m
	defer func() { rearrange(d.shown) }()
	if enable(d.keep, err == nil); err != nil {
		d.model = nil
		if why := errors.Unwrap(err); why != nil { // the file is known
			err = why
		}
		d.seen.show(nil)
		d.answer.set("")
		d.span.set("")
		d.words.show(sentence(said(err.Error())), theme.ColorNameError)
		return
	}
	d.seen.show(inputPatches(m, v.View))
	var best []string
	for _, c := range v.Candidates[:min(3, len(v.Candidates))] {
		best = append(best, c.Label+tr(": ")+percent(c.Probability))
	}
	d.answer.set(best[0])
	low, high := float64(slices.Min(v.Input)), float64(slices.Max(v.Input))
	if s := foreign.Scale(m); s != (feature.Scale{}) { // of the file, whose weights may have been multiplied by it
		low, high = min(s.Paper, s.Ink), max(s.Paper, s.Ink)
	}
	d.span.set(sentences(tr("The network is given values from {{.Low}} to {{.High}}.", map[string]any{
		"Low": fmt.Sprintf("%.3g", low), "High": fmt.Sprintf("%.3g", high),
	}), tr("Next: {{.Labels}}", map[string]any{"Labels": strings.Join(best[1:], ", ")})))
	text := seesWords(m)
	if trial != nil {
		text = said(trial.Reason)
	}
	d.words.show(sentence(text), colorMuted)
}
