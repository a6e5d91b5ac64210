package cli

import "inkshade/glcompute"

// witness is a device that remembers what was compiled on it, and so can tell which device
// Auto chose for the work.
type witness struct {
	glcompute.Device
	runs []glcompute.Run
}

// Compile implements glcompute.Device.
func (w *witness) Compile(p *glcompute.Program) (glcompute.Run, error) {
	run, err := w.Device.Compile(p)
	if err == nil {
		w.runs = append(w.runs, run)
	}
	return run, err
}

// first describes the device that did the program compiled first, last that of the last
// one. Where Auto has not decided yet, several took part, and it is described as Auto.
func (w *witness) first() glcompute.Info { return w.of(0) }
func (w *witness) last() glcompute.Info  { return w.of(len(w.runs) - 1) }

func (w *witness) of(i int) glcompute.Info {
	info := w.Info()
	if i < 0 || i >= len(w.runs) {
		return info
	}
	choice, ok := glcompute.Chosen(w.runs[i])
	if !ok || !choice.Decided {
		return info
	}
	choice.Device.Fallback = info.Fallback
	return choice.Device
}
