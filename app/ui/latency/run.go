package latency

import (
	"context"
	"errors"
	"slices"
	"strings"

	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/recognizer"
	"inkshade/recognizer/bench"
)

// latencyRun is one run of the measurements.
type latencyRun struct {
	cancel context.CancelFunc
	race   bool

	page.Pace
	report bench.Report // as far as it has come
	event  bench.Event
}

// ending says how the last run ended.
type ending struct{ status, detail string }

func (p *Page) begin() {
	if p.running != nil {
		return
	}
	w := p.win
	ctx, cancel := context.WithCancel(w.Background)
	quick := p.pace.Selected == 0 || p.racing()
	run := &latencyRun{cancel: cancel, report: bench.Report{Quick: quick}, race: p.racing()}
	p.running, p.chosen, p.race.chosen = run, false, false
	p.progress.Set()
	p.keep(run, &bench.Report{Quick: quick})
	p.start.Key = page.KeyName("Esc")
	p.start.Rename(theme.MediaStopIcon(), language.Tr("Cancel"))
	p.status.Set(language.Tr("Opening the devices…"))
	p.detail.Set("")
	p.show()
	drawing, model := w.Paper.Drawing(), w.Status.Model
	if !run.race {
		if p.began = 0; drawing.Points() > 0 {
			p.began = w.Worker.Sequence()
		}
	}
	w.Off(func() {
		defer cancel()
		o := bench.Options{Quick: quick, Experiments: append(bench.Experiments(), bench.PrototypeStep)}
		if drawing.Points() > 0 {
			o.Drawing = drawing
		}
		if m, err := recognizer.LoadModel(model); err == nil { // one that is no file of its own is measured by the standard network
			o.Model = m
		}
		if run.race {
			o.Experiments, o.Contestants = []bench.Experiment{bench.Race}, runners()
		}
		report, err := p.Measure(ctx, o, func(e bench.Event) {
			if run.follow(e) {
				w.Post(func() { p.showProgress(run) })
			}
		})
		w.Post(func() { p.finished(run, report, err) })
	})
}

func (p *Page) keep(run *latencyRun, r *bench.Report) {
	if run.race {
		p.race.take(r)
	} else {
		p.Report = r
	}
}

// stop asks the run to end, and cancel says so; what it measured stays.
func (p *Page) stop() {
	if p.running != nil {
		p.running.cancel()
	}
}

func (p *Page) cancel() {
	if p.stop(); p.running != nil {
		p.status.Set(language.Tr("Cancelling…"))
	}
}

// follow takes an event and tells whether it is time to show it.
func (r *latencyRun) follow(e bench.Event) bool {
	return r.Due(func() {
		if e.Device != nil {
			r.report.Devices = append(r.report.Devices, *e.Device)
		}
		r.report.Readings = append(r.report.Readings, e.Readings...)
		r.report.Drawings = append(r.report.Drawings, e.Drawings...)
		r.event = e
	})
}

// snapshot is the report so far, with what follows from it.
func (r *latencyRun) snapshot() (s bench.Report, e bench.Event) {
	r.Shown(func() {
		s, e = r.report, r.event
		s.Devices, s.Readings, s.Drawings = slices.Clone(s.Devices), slices.Clone(s.Readings), slices.Clone(s.Drawings)
	})
	s.Crossovers = bench.Compare(&s)
	return s, e
}

// showProgress follows a run; a page that is not in front waits until it is.
func (p *Page) showProgress(run *latencyRun) {
	if p.running != run {
		return
	}
	report, e := run.snapshot()
	p.keep(run, &report)
	if e.Total > 0 {
		p.progress.Set(widget.Span{From: 0, To: float64(e.Done) / float64(e.Total), Color: theme.ColorNamePrimary})
	}
	if i := slices.Index(charted, e.Experiment); i >= 0 && !p.chosen {
		p.experiment.Choose(i)
	}
	if e.Experiment != "" && p.status.Text != language.Tr("Cancelling…") {
		p.status.Set(language.Tr("Measuring: {{.What}}, {{.Size}}", map[string]any{"What": language.Said(e.Experiment.Name()), "Size": e.Size}))
		p.detail.Set(language.Tr("{{.Done}} of {{.All}}", map[string]any{"Done": e.Done, "All": e.Total}))
	}
	if p.content.Visible() {
		p.show()
	}
}

func (p *Page) finished(run *latencyRun, report *bench.Report, err error) {
	if p.running != run {
		return
	}
	p.running = nil
	p.start.Key = page.KeyName("Enter")
	p.start.Rename(theme.MediaPlayIcon(), language.Tr("Start"))
	if report != nil {
		p.keep(run, report)
	} else {
		report = &run.report
	}
	took := map[string]any{"Time": language.Number("%.1f s", report.Elapsed.Seconds())}
	end := ending{language.Tr("Measured in {{.Time}}", took), machineWords(report.Machine)}
	switch {
	case errors.Is(err, context.Canceled):
		end.status = language.Tr("Cancelled after {{.Time}}", took)
	case err != nil:
		end = ending{language.Tr("Nothing could be measured"), language.Said(err)}
	}
	p.ended[run.race] = end
	if !p.chosen {
		p.experiment.Choose(0)
	}
	p.show()
}

func machineWords(m bench.Machine) string {
	words := []string{language.OneOrMany(m.Cores, language.Tr("1 core"), language.Tr("{{.Count}} cores", language.Counted(m.Cores))), m.System}
	if m.Processor != "" {
		words = append([]string{m.Processor}, words...)
	}
	return strings.Join(words, language.Tr(", "))
}
