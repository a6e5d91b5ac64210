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
	terminal io.Writer // nil where there is none
	bar      *progressbar.ProgressBar
	told     time.Duration // when the last line was written
	mixed    bool          // devices may share the steps
	said     string        // of the device, last

	epoch epochMean
}

// epochMean is the mean over the events of an epoch, each weighed by its steps.
type epochMean struct {
	loss, accuracy float64 // sums
	steps, before  int     // steps summed up; steps done before the last event
}

func (m *epochMean) add(e train.Event) {
	n := e.Step - m.before
	m.loss += e.Loss * float64(n)
	m.accuracy += e.Accuracy * float64(n)
	m.steps += n
	m.before = e.Step
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
	p.epoch.add(e)
	if p.terminal != nil {
		p.show(e)
	}
	switch {
	case e.EpochDone:
		p.clear()
		fmt.Fprintln(p.lines, epochLine(e, p.epoch))
		p.epoch = epochMean{before: e.Step}
	case p.terminal == nil && e.Elapsed-p.told >= plainInterval:
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

func epochLine(e train.Event, m epochMean) string {
	steps := float64(max(1, m.steps))
	line := fmt.Sprintf("epoch %*d of %d: loss %.4f, %5.2f %% wrong in training", len(fmt.Sprint(e.Epochs)), e.Epoch, e.Epochs,
		m.loss/steps, 100*(1-m.accuracy/steps))
	if e.HoldOut != nil {
		line += fmt.Sprintf(", %5.2f %% of what is kept for testing", 100*e.HoldOut.ErrorRate())
	}
	if e.Best {
		line += ", best so far"
	}
	return fmt.Sprintf("%s (%s, %s left)", line, e.Elapsed.Round(time.Second), e.Remaining.Round(time.Second))
}

func (p *progress) show(e train.Event) {
	if p.bar == nil {
		p.bar = progressbar.NewOptions(e.Steps, progressbar.OptionSetItsString("steps"), progressbar.OptionShowIts(),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetWriter(p.terminal), progressbar.OptionFullWidth(),
			progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
	}
	p.bar.Describe(fmt.Sprintf("epoch %d, loss %.4f", e.Epoch, e.Loss))
	// The bar's only failure is that of its terminal, without which nobody looks.
	_ = p.bar.Set(e.Step)
}

// clear makes room for a line.
func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// sharingReport is the JSON of what --device mixed measured and decided.
type sharingReport struct {
	Words      string         `json:"words"`
	Used       bool           `json:"used"`
	Devices    []sharedDevice `json:"devices"`
	TogetherMS float64        `json:"together_ms,omitempty" help:"of the batch measured"`
	Lost       string         `json:"lost,omitempty"`
	MeasuredMS float64        `json:"measured_ms,omitempty"`
}

type sharedDevice struct {
	Device  glcompute.DeviceKind `json:"device"`
	Name    string               `json:"name"`
	Share   float64              `json:"share"`
	AloneMS float64              `json:"alone_ms,omitempty"`
}

// reportSharing tells of a choice that sharing was among; it is nil where there was none.
func reportSharing(c *glcompute.Choice) *sharingReport {
	if c == nil {
		return nil
	}
	r := &sharingReport{
		Words: c.String(), Used: c.Shared(), Lost: c.Lost.String(),
		TogetherMS: inMilliseconds(c.Together), MeasuredMS: inMilliseconds(c.Measuring),
	}
	for i, share := range c.Shares {
		r.Devices = append(r.Devices, sharedDevice{c.Devices[i].Kind, c.Devices[i].Name, share, inMilliseconds(c.Alone[i])})
	}
	return r
}

func inMilliseconds(d time.Duration) float64 { return 1e3 * d.Seconds() }

// ranOn says which device did the steps of a training, and what sharing them cost.
func ranOn(r *train.Result) string {
	text := fmt.Sprintf("trained on the %s device: %s", r.Device.Kind, r.Device.Name)
	if n := r.SharedSteps(); n > 0 {
		text = fmt.Sprintf("trained on two devices for %d of %d steps, then on the %s device: %s", n, r.Steps, r.Device.Kind, r.Device.Name)
	}
	c := r.Device.Choice
	if c == nil {
		return text
	}
	if c.Shared() || r.SharedSteps() > 0 {
		text += fmt.Sprintf("; a shared step took %.1f ms, %.1f of them for carrying gradients and weights, and the update",
			inMilliseconds(c.Joint.Mean), inMilliseconds(c.Joint.Carrying))
	}
	if c.Measuring > 0 {
		text += fmt.Sprintf("; finding out who is faster took %.1f s", c.Measuring.Seconds())
	}
	return text
}
