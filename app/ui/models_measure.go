package ui

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/samples"
)

// score is how a model did on the person's samples kept for testing.
type score struct {
	samples, wrong int // of its classes
	others         int // of other classes, which were left out
}

func (s *score) percent() string {
	if s.samples == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f", 100*float64(s.wrong)/float64(s.samples))
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
	return onCPU(m, func(rec *recognizer.Recognizer) (*score, error) {
		s := &score{}
		for part := range slices.Chunk(held, nn.LargeBatch) {
			var drawings []ink.Ink
			var labels []string
			for _, x := range part {
				if m.Class(x.Label) >= 0 {
					drawings, labels = append(drawings, x.Ink), append(labels, x.Label)
				}
			}
			s.others += len(part) - len(labels)
			answers, err := rec.RecognizeMany(drawings)
			if err != nil {
				return s, err
			}
			for i, a := range answers {
				s.samples++
				if a.Candidates[0].Label != labels[i] {
					s.wrong++
				}
			}
			if ctx.Err() != nil {
				return s, ctx.Err()
			}
		}
		return s, nil
	})
}

// scoreTable is what was measured of all models, a row for each.
func (p *modelsPage) scoreTable() [][]string {
	table := [][]string{{tr("Model"), tr("Samples"), tr("Wrong"), tr("Share"), tr("Other classes"), tr("One drawing")}}
	for _, e := range p.entries {
		if s := e.score; s != nil {
			table = append(table, []string{
				p.win.modelTitle(e), fmt.Sprint(s.samples), fmt.Sprint(s.wrong), s.percent() + " %", fmt.Sprint(s.others), duration(e.time),
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
	size := p.win.win.Canvas().Size()
	p.win.open(tr("Your samples kept for testing"), container.NewBorder(nil, words, nil, nil, container.NewVScroll(container.NewVBox(grid))),
		fyne.NewSize(min(760, size.Width-60), min(420, size.Height-80)))
}
