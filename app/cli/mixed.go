package cli

import (
	"fmt"
	"time"

	"inkshade/glcompute"
	"inkshade/recognizer/train"
)

// sharingReport is the JSON of what --device mixed measured and decided.
type sharingReport struct {
	Words      string         `json:"words"`
	Used       bool           `json:"used"`
	Devices    []sharedDevice `json:"devices"`
	TogetherMS float64        `json:"together_ms,omitempty"`
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
