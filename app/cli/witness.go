package cli

import (
	"errors"

	"inkshade/glcompute"
)

// witness is a device that remembers what was compiled on it, and so can tell which device
// Auto chose for the work.
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

// last describes the device that did the program compiled last. Where Auto has not decided
// yet, several took part, and it is described as Auto.
func (w *witness) last() glcompute.Info {
	info := w.Info()
	if len(w.runs) == 0 {
		return info
	}
	choice, ok := glcompute.Chosen(w.runs[len(w.runs)-1])
	if !ok || !choice.Decided {
		return info
	}
	choice.Device.Fallback = info.Fallback
	return choice.Device
}
