package trainer

import (
	"errors"
	"testing"

	"inkshade/glcompute"
	"inkshade/recognizer/nn"
)

// closing notes that a device was closed.
type closing struct {
	glcompute.Device
	closed bool
}

func (d *closing) Close() error {
	d.closed = true
	return d.Device.Close()
}

// A mixed training has both devices and closes both; without OpenGL it has the processor and
// the report says why.
func TestMixedTrainingHasBothDevices(t *testing.T) {
	for _, why := range []string{"", "no OpenGL here"} {
		f := open(t, 30)
		cpu, gl := &closing{Device: openCPU(glcompute.CPU)}, &closing{Device: openCPU(glcompute.Compute)}
		f.Open = func(kind glcompute.DeviceKind) glcompute.Device {
			t.Errorf("%q was opened", kind)
			return openCPU(kind)
		}
		f.OpenMixed = func() (glcompute.Device, glcompute.Device, string) {
			if why != "" {
				return cpu, nil, why
			}
			return cpu, gl, ""
		}
		o := Defaults()
		o.Device = nn.MixedKind
		e, err := f.Train(t.Context(), base, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		if shared := f.fake.task.Beside != nil; shared != (why == "") || e.Report.Fallback != why || e.Options.Device != nn.MixedKind {
			t.Errorf("shared %t, report %q, options %+v", shared, e.Report.Fallback, e.Options)
		}
		if s := e.Report.Sharing; s.Shared() != (why == "") || why == "" && (s.Win() < 1.4 || s.Devices[1].Kind != glcompute.Compute) {
			t.Errorf("the report says of the sharing: %+v", s)
		}
		if !cpu.closed || gl.closed != (why == "") {
			t.Errorf("closed: processor %t, OpenGL %t", cpu.closed, gl.closed)
		}
		f.fake.err = errors.New("it failed")
		if _, err := f.Train(t.Context(), base, o, nil); !errors.Is(err, f.fake.err) {
			t.Errorf("the second training: %v", err)
		}
	}
}
