package nn

import (
	"testing"
	"time"

	"inkshade/glcompute/cpu"
	"inkshade/glcompute/program"
)

// paced is a device of a fixed speed: it computes, and then sleeps as long as a device of
// that speed would have taken. In a bubble of testing/synctest that takes no time.
type paced struct {
	program.Device
	kind   program.DeviceKind
	row    time.Duration // for a row of the first input of a program
	carry  time.Duration // for a parameter, either way
	turn   chan struct{} // held while it works, by all that are one processor; nil for one of its own
	failAt int           // the replay that fails, counted from 1; 0 for none
	stands bool          // instead of failing, another device stands in

	replays, rows *int
}

type pacedRun struct {
	program.Run
	dev paced
}

func openPaced(t testing.TB, kind program.DeviceKind, row time.Duration) paced {
	t.Helper()
	dev, err := cpu.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return paced{Device: dev, kind: kind, row: row, replays: new(int), rows: new(int)}
}

func (d paced) Info() program.Info {
	info := program.Info{Kind: d.kind, Name: "a stand-in for " + string(d.kind)}
	if d.stands && d.failAt > 0 && *d.replays >= d.failAt {
		info.Fallback = "it stopped working"
	}
	return info
}

func (d paced) work(times int, each time.Duration) {
	if d.turn != nil {
		d.turn <- struct{}{}
		defer func() { <-d.turn }()
	}
	time.Sleep(time.Duration(times) * each)
}

func (d paced) Compile(p *program.Program) (program.Run, error) {
	run, err := d.Device.Compile(p)
	return pacedRun{run, d}, err
}

func (d paced) Upload(par *program.Parameter) error {
	d.work(1, d.carry)
	return d.Device.Upload(par)
}

func (d paced) Download(par *program.Parameter) error {
	d.work(1, d.carry)
	return d.Device.Download(par)
}

func (r pacedRun) Do(b ...program.Binding) error {
	*r.dev.replays++
	if *r.dev.replays == r.dev.failAt && !r.dev.stands {
		return program.ErrLost
	}
	*r.dev.rows += b[0].Tensor.Rows
	r.dev.work(b[0].Tensor.Rows, r.dev.row)
	return r.Run.Do(b...)
}
