package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2/theme"

	"inkshade/recognizer"
	"inkshade/recognizer/bench"
	"inkshade/recognizer/ink"
)

// latencyRun is one run of the measurements.
type latencyRun struct {
	cancel context.CancelFunc

	pace
	report bench.Report // as far as it has come
	event  bench.Event
}

func (p *latencyPage) startOrCancel() {
	if p.running == nil {
		p.begin()
	} else {
		p.cancel()
	}
}

// begin starts to measure away from the window.
func (p *latencyPage) begin() {
	if p.running != nil {
		return
	}
	w := p.win
	ctx, cancel := context.WithCancel(w.background)
	quick := p.pace.selected == 0
	run := &latencyRun{cancel: cancel, report: bench.Report{Quick: quick}}
	p.running, p.chosen = run, false
	p.progress.show()
	p.report = &bench.Report{Quick: quick}
	p.start.key = "Esc"
	p.start.rename(theme.MediaStopIcon(), tr("Cancel"))
	p.status.set(tr("Opening the devices…"))
	p.detail.set("")
	p.show()
	drawing, model := w.draw.pad.drawing(), w.header.status.Model
	if p.began = 0; drawing.Points() > 0 {
		p.began = w.worker.sequence()
	}
	w.off(func() {
		defer cancel()
		report, err := p.measure(ctx, latencyOptions(quick, drawing, model), func(e bench.Event) {
			if run.follow(e) {
				w.opts.post(func() { p.showProgress(run) })
			}
		})
		w.opts.post(func() { p.finished(run, report, err) })
	})
}

// latencyOptions measure with the drawing and the model of the window where there are such.
func latencyOptions(quick bool, drawing ink.Ink, name string) bench.Options {
	o := bench.Options{Quick: quick, Experiments: append(bench.Experiments(), bench.PrototypeStep)}
	if drawing.Points() > 0 {
		o.Drawing = drawing
	}
	// A model that is no file of its own is measured by the standard network.
	if m, err := recognizer.LoadModel(name); err == nil {
		o.Model = m
	}
	return o
}

// cancel asks the run to end; what it measured stays.
func (p *latencyPage) cancel() {
	if p.running != nil {
		p.running.cancel()
		p.status.set(tr("Cancelling…"))
	}
}

// follow takes an event and tells whether it is time to show it.
func (r *latencyRun) follow(e bench.Event) bool {
	return r.due(func() {
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
	r.shown(func() {
		s, e = r.report, r.event
		s.Devices, s.Readings, s.Drawings = slices.Clone(s.Devices), slices.Clone(s.Readings), slices.Clone(s.Drawings)
	})
	s.Crossovers = bench.Compare(&s)
	return s, e
}

// showProgress follows a run; a page that is not in front waits until it is.
func (p *latencyPage) showProgress(run *latencyRun) {
	if p.running != run {
		return
	}
	report, e := run.snapshot()
	p.report = &report
	if e.Total > 0 {
		p.progress.show(span{0, float64(e.Done) / float64(e.Total), theme.ColorNamePrimary})
	}
	if i := slices.Index(charted, e.Experiment); i >= 0 && !p.chosen {
		p.experiment.choose(i)
	}
	if e.Experiment != "" && !p.cancelling() {
		p.status.set(tr("Measuring: {{.What}}, {{.Size}}", map[string]any{"What": benchWords().Experiment(e.Experiment), "Size": e.Size}))
		p.detail.set(tr("{{.Done}} of {{.All}}", map[string]any{"Done": e.Done, "All": e.Total}))
	}
	if p.content.Visible() {
		p.show()
	}
}

func (p *latencyPage) cancelling() bool { return p.status.text == tr("Cancelling…") }

// finished shows the report, or as much of it as there is.
func (p *latencyPage) finished(run *latencyRun, report *bench.Report, err error) {
	if p.running != run {
		return
	}
	p.running = nil
	p.start.key = "Enter"
	p.start.rename(theme.MediaPlayIcon(), tr("Start"))
	if report != nil {
		p.report = report
	}
	took := map[string]any{"Time": fmt.Sprintf("%.1f s", p.report.Elapsed.Seconds())}
	switch {
	case errors.Is(err, context.Canceled):
		p.status.set(tr("Cancelled after {{.Time}}", took))
	case err != nil:
		p.status.set(tr("Nothing could be measured"))
	default:
		p.status.set(tr("Measured in {{.Time}}", took))
	}
	p.detail.set(machineWords(p.report.Machine))
	if err != nil && !errors.Is(err, context.Canceled) {
		p.detail.set(said(err.Error()))
	}
	if !p.chosen {
		p.experiment.choose(0)
	}
	p.show()
}

// machineWords name the machine.
func machineWords(m bench.Machine) string {
	words := []string{tr("{{.Count}} cores", counted(m.Cores)), m.System}
	if m.Processor != "" {
		words = append([]string{m.Processor}, words...)
	}
	return strings.Join(words, tr(", "))
}
