package cli

import (
	"fmt"
	"time"

	"inkshade/glcompute"
	"inkshade/recognizer/nn"
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

func reportSharing(s nn.Sharing) *sharingReport {
	r := &sharingReport{
		Words: s.String(), Used: s.Shared(), Lost: s.Lost,
		TogetherMS: inMilliseconds(s.Together), MeasuredMS: inMilliseconds(s.Measuring),
	}
	for i, share := range s.Shares() {
		d := sharedDevice{Device: s.Devices[i].Kind, Name: s.Devices[i].Name, Share: share}
		if i < len(s.Alone) {
			d.AloneMS = inMilliseconds(s.Alone[i])
		}
		r.Devices = append(r.Devices, d)
	}
	return r
}

func inMilliseconds(d time.Duration) float64 { return 1e3 * d.Seconds() }

// ranOn says which device did the steps of a training, and what sharing them cost.
func ranOn(r *train.Result) string {
	text := fmt.Sprintf("trained on the %s device: %s", r.Device.Kind, r.Device.Name)
	if r.SharedSteps > 0 && r.SharedSteps < r.Steps {
		text = fmt.Sprintf("trained on two devices for %d of %d steps, then on the %s device: %s", r.SharedSteps, r.Steps, r.Device.Kind, r.Device.Name)
	}
	if t := r.Time.Mixed; t.Steps > 0 {
		text += fmt.Sprintf("; a shared step took %.1f ms, %.1f of them for carrying gradients and weights, and the update",
			inMilliseconds((t.Weights+t.Gradients+t.Update)/time.Duration(t.Steps)), inMilliseconds(t.Carrying()))
	}
	if d := r.Sharing.Measuring; d > 0 {
		text += fmt.Sprintf("; finding out who is faster took %.1f s", d.Seconds())
	}
	return text
}
