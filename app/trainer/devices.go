package trainer

import (
	"cmp"
	"errors"

	"inkshade/glcompute"
	"inkshade/recognizer/nn"
)

// devices are what a training works on.
type devices struct {
	dev    glcompute.Device
	beside glcompute.Device // shares with it; nil for none
	why    string           // there is none to share with; empty otherwise
}

// devices opens the device asked for, or for nn.MixedKind the processor and OpenGL.
func (t *Trainer) devices(kind glcompute.DeviceKind) devices {
	if kind == nn.MixedKind {
		cpu, gl, why := t.OpenMixed()
		return devices{cpu, gl, why}
	}
	return devices{dev: t.Open(kind)}
}

// fallback is why another device stood in for one that was asked for; empty where none did.
func (d devices) fallback() string {
	why := cmp.Or(d.dev.Info().Fallback, d.why)
	if why == "" && d.beside != nil {
		return d.beside.Info().Fallback
	}
	return why
}

func (d devices) close() error {
	err := d.dev.Close()
	if d.beside != nil {
		err = errors.Join(err, d.beside.Close())
	}
	return err
}
