package nn

import (
	"inkshade/glcompute"
	"inkshade/glcompute/message"
)

// lineBatch is how many lines are computed at once where there are several.
const lineBatch = 16

// ColumnClass is the number of columns that lines of so many are computed with: few programs serve all, and few columns are
// computed for nothing.
func ColumnClass(columns int) int {
	step := 4
	for columns > 8*step {
		step *= 2
	}
	return (columns + step - 1) / step * step
}

// Lines runs a network that reads lines on a device. It compiles a program for each class of widths on first use and
// keeps it. It is not safe for use by several goroutines at once.
type Lines struct {
	dev    glcompute.Device
	params *Parameters
	owned  bool
	runs   map[[2]int]*inferenceRun // by lines at once and columns
}

// NewLines brings a copy of the network's parameters onto the device.
func NewLines(dev glcompute.Device, net Network) (*Lines, error) {
	if err := net.Check(); err != nil {
		return nil, err
	}
	l := LinesOf(dev, NewParameters(net.Folded()))
	l.owned = true
	return l, nil
}

// LinesOf runs on parameters that others may be training on the same device. Close leaves them there.
func LinesOf(dev glcompute.Device, params *Parameters) *Lines {
	return &Lines{dev: dev, params: params, runs: map[[2]int]*inferenceRun{}}
}

func (l *Lines) compiled(batch, columns int) (*inferenceRun, error) {
	key := [2]int{batch, columns}
	if r, ok := l.runs[key]; ok {
		return r, nil
	}
	params, err := l.params.Wide(columns)
	if err != nil {
		return nil, err
	}
	r, err := compileInference(l.dev, params, batch)
	if err == nil {
		l.runs[key] = r
	}
	return r, err
}

// Logits computes lines of one class of columns, each given by fill, which writes the values of all inputs one after another for so
// many columns. yield is given the logits [columns][classes] of each, which the next call reuses.
func (l *Lines) Logits(lines, columns int, fill func(i int, row []float32), yield func(i int, logits []float32)) error {
	batch := lineBatch
	if lines == 1 {
		batch = 1
	}
	r, err := l.compiled(batch, columns)
	if err != nil {
		return err
	}
	width := 0
	for _, buf := range r.inBufs {
		width += len(buf) / batch
	}
	rows := make([][]float32, min(batch, lines))
	for i := range rows {
		rows[i] = make([]float32, width)
	}
	for start := 0; start < lines; start += batch {
		n := min(batch, lines-start)
		for i := range n {
			fill(start+i, rows[i])
		}
		if err := r.run.Do(r.bind(batch, rows[:n]...)...); err != nil {
			return message.Errorf("running the network on the %s device: %w", l.dev.Info().Kind, err)
		}
		size := len(r.result) / batch
		for i := range n {
			yield(start+i, r.result[i*size:(i+1)*size])
		}
	}
	return nil
}

// Info describes the device.
func (l *Lines) Info() glcompute.Info { return l.dev.Info() }

// Close frees the compiled programs and, where NewLines made them, the parameters.
func (l *Lines) Close() error {
	first := closeRuns(l.runs)
	if l.owned {
		l.params.Forget(l.dev)
	}
	return first
}
