package cli

import (
	"errors"

	"inkshade/glcompute"
)

// witness is a device that remembers what was compiled on it, and so can tell which device
// did the work that was given to Auto.
type witness struct {
	glcompute.Device
	beside glcompute.Device // shares with it; nil for none
	runs   []glcompute.Run
}

// Close implements glcompute.Device.
func (w *witness) Close() error {
	err := w.Device.Close()
	if w.beside != nil {
		err = errors.Join(err, w.beside.Close())
	}
	return err
}

// Compile implements glcompute.Device.
func (w *witness) Compile(p *glcompute.Program) (glcompute.Run, error) {
	run, err := w.Device.Compile(p)
	if err == nil {
		w.runs = append(w.runs, run)
	}
	return run, err
}

// last describes the device that did the program compiled last.
func (w *witness) last() glcompute.Info {
	if len(w.runs) == 0 {
		return w.Info()
	}
	return w.runs[len(w.runs)-1].Info()
}

// answered describes the device that did the last replay of a recognizer's program for n
// drawings at once. The one for a single drawing is compiled first, when the recognizer is made.
func (w *witness) answered(n int) glcompute.Info {
	if n == 1 && len(w.runs) > 0 {
		return w.runs[0].Info()
	}
	return w.last()
}
