package ui

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/app/library"
	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/samples"
	"inkshade/recognizer/train"
)

// modelEndings are those of files of models.
var modelEndings = []string{".onnx"}

// use puts a model in force and in use, and remembers it.
func (p *modelsPage) use(e *modelEntry) {
	p.win.train.whenIdle(func() {
		before := int64(0)
		for _, other := range p.entries {
			if other.Base == e.Base && other.InForce {
				before = other.ID
			}
		}
		p.win.changes.perform(p.win.using(tr("{{.Name}} is in use.", map[string]any{"Name": p.win.modelTitle(e)}), e.Base, e.ID, before))
	})
}

// busy says that a model is in use and must stay as it is, if it must.
func (p *modelsPage) busy(e *modelEntry) bool {
	if p.inUse(e) {
		p.win.toast.say(tr("This model is in use; choose another one first."))
	}
	return p.inUse(e)
}

// remove takes a model away, which can be undone.
func (p *modelsPage) remove(e *modelEntry) {
	if !p.busy(e) {
		p.win.changes.perform(reversible(tr("{{.Name}} removed.", map[string]any{"Name": p.win.modelTitle(e)}), e.Remove))
	}
}

// askName asks for another name of an imported or a trained model.
func (p *modelsPage) askName(e *modelEntry) {
	name, rename := e.Name, p.rename
	if e.Kind == library.Trained {
		name, rename = e.Title, p.retitle
	} else if p.busy(e) {
		return
	}
	entry := newLabelEntry(p.win.modelTitle(e), nil, nil)
	if e.Kind != library.Trained {
		entry.Validator = func(text string) error { return p.win.opts.Library.Check(strings.TrimSpace(text)) }
	}
	entry.SetText(name)
	p.win.ask(tr("Rename"), tr("Rename"), 400, entry, func() { rename(e, strings.TrimSpace(entry.Text)) },
		widget.NewFormItem(tr("Name"), entry))
}

// rename gives an imported model another name.
func (p *modelsPage) rename(e *modelEntry, name string) {
	shelf := p.shelf()
	p.win.changes.perform(action{
		text: tr("{{.Name}} is now called {{.New}}.", map[string]any{"Name": e.Name, "New": name}),
		do:   func() error { return shelf.Rename(e.Name, name) },
		undo: func() error { return shelf.Rename(name, e.Name) },
	})
	p.open = name
}

// retitle gives a trained model a name, or takes it away.
func (p *modelsPage) retitle(e *modelEntry, title string) {
	before, store := e.Title, p.win.book.Store
	p.win.changes.perform(action{
		text: tr("{{.Name}} is now called {{.New}}.", map[string]any{"Name": p.win.modelTitle(e), "New": cmp.Or(title, e.Name)}),
		do:   func() error { return store.RenameModel(e.ID, title) },
		undo: func() error { return store.RenameModel(e.ID, before) },
	})
}

// chooseTarget asks where the file of a model goes.
func (p *modelsPage) chooseTarget(e *modelEntry) {
	name := strings.ReplaceAll(p.win.modelTitle(e), " ", "-") + modelEndings[0]
	p.win.chooseTarget(tr("Export"), name, func(path string) { p.export(e, path) })
}

// export writes the file of a model.
func (p *modelsPage) export(e *modelEntry, path string) {
	w := p.win
	w.save(func() error {
		data, err := e.File()
		if err != nil {
			return err
		}
		return samples.WriteShared(path, func(out io.Writer) error {
			_, err := out.Write(data)
			return err
		})
	}, func() {
		w.toast.say(tr("Exported to {{.Path}}.", map[string]any{"Path": path}))
	}, w.tell)
}

// chooseModel asks for a file to open, from any page.
func (w *Window) chooseModel() { w.chooseFile(tr("Open a model"), modelEndings, w.openModel) }

// openModel opens a model on its page.
func (w *Window) openModel(path string) {
	w.openContent(w.models.content)
	w.models.openFile(path)
}

// score is how a model did on the person's samples kept for testing.
type score struct {
	samples, wrong int // of its classes
	others         int // of other classes, which were left out
}

func (s *score) share() string {
	if s.samples == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(s.wrong)/float64(s.samples))
}

func (s *score) words() string {
	return tr("{{.Wrong}} of {{.Count}} of your samples kept for testing wrong", map[string]any{"Wrong": s.wrong, "Count": s.samples})
}

// measureAll answers the samples kept for testing with every model, without what is remembered of the person,
// and shows a table.
func (p *modelsPage) measureAll() {
	w, entries, book := p.win, p.entries, p.win.book
	var held []samples.Sample
	scores := map[string]*score{} // by the name of the model
	measuring := tr("Measuring the models")
	w.job(measuring, tr("Your samples kept for testing"), measuring, tr("Cancelled; nothing was measured."), func(ctx context.Context, tell func(done, all int)) (err error) {
		held, err = book.Store.List(samples.Filter{Part: samples.HeldOut})
		for i, e := range entries {
			if err != nil || len(held) == 0 || ctx.Err() != nil {
				break
			}
			if e.facts != nil {
				scores[e.Name], err = measured(ctx, e.facts.Model, held)
			}
			tell(i+1, len(entries))
		}
		return cmp.Or(ctx.Err(), err)
	}, func() {
		if len(held) == 0 {
			w.toast.say(tr("No sample is kept for testing. Learn once, or keep some for testing on the Samples page."))
			return
		}
		for _, e := range p.entries {
			e.score = scores[e.Name]
		}
		p.showAll()
		p.showScores()
	})
}

// measured answers samples with a model on the processor.
func measured(ctx context.Context, m *nn.Model, held []samples.Sample) (*score, error) {
	var known []dataset.Sample
	for _, x := range held {
		if m.Class(x.Label) >= 0 {
			known = append(known, dataset.Sample{Label: x.Label, Ink: x.Ink})
		}
	}
	dev, err := glcompute.Open(glcompute.CPU)
	if err != nil {
		return nil, err
	}
	defer dev.Close()
	if err := dataset.Draw(ctx, known); err != nil {
		return nil, err
	}
	e, err := train.Evaluate(ctx, dev, m, known, nil)
	if err != nil {
		return nil, err
	}
	return &score{samples: e.Samples, wrong: e.Errors, others: len(held) - len(known)}, nil
}

// scoreTable is what was measured of all models, a row for each.
func (p *modelsPage) scoreTable() [][]string {
	table := [][]string{{tr("Model"), tr("Samples"), tr("Wrong"), tr("Share"), tr("Other classes"), tr("One drawing")}}
	for _, e := range p.entries {
		if s := e.score; s != nil {
			table = append(table, []string{
				p.win.modelTitle(e), fmt.Sprint(s.samples), fmt.Sprint(s.wrong), s.share(), fmt.Sprint(s.others), duration(e.time),
			})
		}
	}
	return table
}

// showScores shows the table.
func (p *modelsPage) showScores() {
	table := p.scoreTable()
	grid := container.New(layout.NewGridLayoutWithColumns(len(table[0])))
	for i, row := range table {
		for j, text := range row {
			l := newLabel(text, 13, theme.ColorNameForeground).natural()
			if j > 0 {
				l.aligned(fyne.TextAlignTrailing)
			}
			if i == 0 {
				l.bold()
			}
			grid.Add(l)
		}
	}
	words := newLabel(tr("Each model alone, without what is remembered of your writing, on the CPU. Samples of classes that a model does not have are not counted."),
		12, colorMuted).wrapped(2)
	p.win.open(tr("Your samples kept for testing"), container.NewBorder(nil, words, nil, nil, container.NewVScroll(container.NewVBox(grid))),
		fyne.NewSize(760, 420))
}
