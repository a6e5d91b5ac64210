// Package nntest has what tests of several packages need: a device of a fixed speed, a model of lines.
package nntest

import (
	"testing"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/cpu"
	"inkshade/glcompute/message"
	"inkshade/recognizer/nn"
)

// Device computes on the processor, and then sleeps as long as a device of its speed would
// have taken. In a bubble of testing/synctest that takes no time. Set the fields before the
// first use.
type Device struct {
	glcompute.Device
	Kind   glcompute.DeviceKind
	Row    time.Duration // for a row of the first tensor that is bound in a replay
	Carry  time.Duration // for a parameter, either way
	Turn   chan struct{} // held while it works, by all devices that are one processor; nil for one of its own
	FailAt int           // the replay that fails with glcompute.ErrLost, counted from 1; 0 for none
	Stands bool          // instead of that, another device stands in from then on

	Replays, Rows int // done so far
}

// Lines is an untrained model that reads lines of writing, of the characters a, b and 1.
func Lines() *nn.Model {
	labels := []string{"a", "b", "1"}
	net := glcompute.Must(glcompute.Must(nn.LoadArchitecture("words")).Network(nn.Vector(0), len(labels)))
	return &nn.Model{Network: glcompute.Must(net, net.Initialise(3)), Labels: labels, Preprocessing: nn.LineMaps}
}

// CPU opens the processor, and closes it with the test.
func CPU(t testing.TB) glcompute.Device {
	t.Helper()
	dev, err := cpu.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return dev
}

// Open gives a device that is closed with the test.
func Open(t testing.TB, kind glcompute.DeviceKind, row time.Duration) *Device {
	t.Helper()
	return &Device{Device: CPU(t), Kind: kind, Row: row}
}

func (d *Device) Info() glcompute.Info {
	info := glcompute.Info{Kind: d.Kind, Name: "a stand-in for " + string(d.Kind)}
	if d.Stands && d.FailAt > 0 && d.Replays >= d.FailAt {
		info.Fallback = message.Text("%s", "it stopped working")
	}
	return info
}

func (d *Device) work(times int, each time.Duration) {
	if d.Turn != nil {
		d.Turn <- struct{}{}
		defer func() { <-d.Turn }()
	}
	time.Sleep(time.Duration(times) * each)
}

func (d *Device) Compile(p *glcompute.Program) (glcompute.Run, error) {
	r, err := d.Device.Compile(p)
	return run{r, d}, err
}

func (d *Device) Upload(par *glcompute.Parameter) error {
	d.work(1, d.Carry)
	return d.Device.Upload(par)
}

func (d *Device) Download(par *glcompute.Parameter) error {
	d.work(1, d.Carry)
	return d.Device.Download(par)
}

type run struct {
	glcompute.Run
	dev *Device
}

func (r run) Do(b ...glcompute.Binding) error {
	d := r.dev
	d.Replays++
	if d.Replays == d.FailAt && !d.Stands {
		return glcompute.ErrLost
	}
	d.Rows += b[0].Tensor.Rows
	d.work(b[0].Tensor.Rows, d.Row)
	return r.Run.Do(b...)
}

func (r run) Info() glcompute.Info { return r.dev.Info() }
