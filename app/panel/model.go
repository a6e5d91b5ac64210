package panel

import (
	"errors"
	"slices"

	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui/glyph"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/models"
)

// use has another model read what is written from now on. One that cannot be used does not stay chosen.
func (w *Window) use(model string) {
	w.finish("")
	w.advise()
	w.choose(model)
	w.change(func() error {
		m, _, err := w.opts.Book.ActiveModel(model, nil)
		if failed := w.opts.Engine.Use(model, m); failed != nil {
			before := w.used
			w.opts.post(func() { w.stay(before, model) })
			return errors.Join(err, failed)
		}
		w.trained, w.used = m, model
		return err
	})
}

// stay chooses the model that still reads, unless another was chosen since one that cannot be used.
func (w *Window) stay(model, unusable string) {
	if w.opts.Model == unusable {
		w.choose(model)
		w.model.Selected = w.model.Options[slices.Index(w.opts.Models, model)]
		w.model.Refresh()
	}
}

func (w *Window) choose(model string) {
	w.opts.Model = model
	setting.PanelModel.Set(w.app.Preferences(), w.opts.Book.NameOf(model))
}

// catchUp lets what was learned or put in force elsewhere count.
func (w *Window) catchUp() {
	o, model := w.opts, w.opts.Model
	w.change(func() error {
		changed, err := o.Book.CatchUp()
		if !changed || err != nil {
			return err
		}
		o.Engine.Remember(o.Book.Memory)
		m, _, err := o.Book.ActiveModel(model, nil)
		if err == nil && m != w.trained {
			w.trained, err = m, o.Engine.Use(model, m)
		}
		m, _, failed := o.Book.ActiveModel(models.Words, nil)
		if failed == nil && m != w.words {
			w.words, failed = m, o.Engine.UseWords(m)
		}
		return errors.Join(err, failed)
	})
}

// change changes how the engine answers, after what is being read.
func (w *Window) change(do func() error) {
	w.worker.Engine(func(worker.Engine) error {
		w.reader.known = nil
		return do()
	}, w.tell)
}

// answering makes paper and choices fit the model that reads now: one of many characters reads them from squares. Where nothing can
// read it says why.
func (w *Window) answering(s device.Status) {
	w.broken = s.CPU.State == device.Unavailable && s.GPU.State == device.Unavailable
	switch {
	case w.broken:
		w.tell(s.CPU.Reasons[0])
		w.leaveIdle()
		return
	case s.Answering == "":
		return
	}
	if squares := len(s.Labels) >= worker.ManyLabels; squares != w.squares {
		w.squares = squares
		w.paper.SetSquares(squares)
	}
	widget.Show(w.language, !w.squares)
	widget.Show(w.signs, glyph.HasSymbols(s.Labels))
	widget.Show(w.how, w.language.Visible() || w.signs.Visible())
	w.win.Content().Refresh()
	if !w.problem {
		w.advise()
	}
	w.ask()
}
