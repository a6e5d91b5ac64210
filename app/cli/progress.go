package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"inkshade/glcompute"
	"inkshade/recognizer/train"
)

// plainInterval is the time between two lines within an epoch where there is no bar.
const plainInterval = 10 * time.Second

// progress shows how training goes: a line for each epoch, and between them a bar on a
// terminal, a line now and then elsewhere.
type progress struct {
	lines    io.Writer
	terminal *os.File // nil where there is none
	bar      *progressbar.ProgressBar
	told     time.Duration // when the last line was written
	mixed    bool          // devices may share the steps
	said     string        // of the device, last

	// Of the events of this epoch, each weighed by its steps.
	loss, accuracy float64
	before, last   int // steps before the epoch, and at the last event
}

// newProgress writes lines to lines, and a bar to bar when it is a terminal.
func newProgress(lines, bar io.Writer) *progress {
	p := &progress{lines: lines}
	if o, ok := bar.(*output); ok {
		bar = o.w // a bar moves the cursor
	}
	if f, ok := bar.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.terminal = f
	}
	return p
}

func (p *progress) event(e train.Event) {
	p.device(e.Device, false)
	steps := float64(e.Step - p.last)
	p.loss, p.accuracy, p.last = p.loss+steps*e.Loss, p.accuracy+steps*e.Accuracy, e.Step
	if p.terminal != nil && p.bar == nil {
		p.bar = progressbar.NewOptions(e.Steps, progressbar.OptionSetItsString("steps"), progressbar.OptionShowIts(),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetWriter(p.terminal), progressbar.OptionFullWidth(),
			progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
	}
	if p.bar != nil {
		p.bar.Describe(fmt.Sprintf("epoch %d, loss %.4f", e.Epoch, e.Loss))
		_ = p.bar.Set(e.Step) // fails with its terminal alone, without which nobody looks
	}
	switch {
	case e.EpochDone:
		p.clear()
		fmt.Fprintln(p.lines, p.epoch(e))
		p.loss, p.accuracy, p.before = 0, 0, e.Step
	case p.bar == nil && e.Elapsed-p.told >= plainInterval:
		fmt.Fprintf(p.lines, "epoch %d of %d, step %d of %d: loss %.4f, %s left\n",
			e.Epoch, e.Epochs, e.Step, e.Steps, e.Loss, e.Remaining.Round(time.Second))
	default:
		return
	}
	p.told = e.Elapsed
}

// device says between the lines what does the steps and why, where that is new, and at last also
// that it is not known.
func (p *progress) device(info glcompute.Info, atLast bool) {
	fallback := info.Fallback.String()
	words := fallback
	if c := info.Choice; p.mixed && c != nil && (c.Decided || atLast) {
		words = c.String()
	}
	if words == "" || words == p.said {
		return
	}
	p.said = words
	if words == fallback {
		words = "the CPU goes on from the state at the end of the last epoch: " + words
	}
	p.clear()
	fmt.Fprintln(p.lines, words)
}

// epoch is the line of an epoch that is done.
func (p *progress) epoch(e train.Event) string {
	steps := float64(max(1, p.last-p.before))
	line := fmt.Sprintf("epoch %*d of %d: loss %.4f, %5.2f %% wrong in training", len(fmt.Sprint(e.Epochs)), e.Epoch, e.Epochs,
		p.loss/steps, 100*(1-p.accuracy/steps))
	if e.HoldOut != nil {
		line += fmt.Sprintf(", %5.2f %% of what is kept for testing", 100*e.HoldOut.ErrorRate())
	}
	if e.Best {
		line += ", best so far"
	}
	return fmt.Sprintf("%s (%s, %s left)", line, e.Elapsed.Round(time.Second), e.Remaining.Round(time.Second))
}

// clear makes room for a line.
func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
