package glcompute

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"inkshade/glcompute/internal/program"
)

// queued is a device that does its work later, one replay after the other, as a GPU does:
// only who wants an output, a parameter or Wait waits for it.
type queued struct {
	Device
	queue *queue
	takes time.Duration // each replay
}

type queue struct {
	free  time.Time // when everything sent so far is done
	waits int
}

type queuedRun struct {
	Run
	dev queued
}

func (q *queue) send(d time.Duration) {
	if now := time.Now(); q.free.Before(now) {
		q.free = now
	}
	q.free = q.free.Add(d)
}

func (d queued) Info() Info {
	info := d.Device.Info()
	info.Name = "queued"
	return info
}

func (d queued) Compile(p *Program) (Run, error) {
	run, err := d.Device.Compile(p)
	return queuedRun{run, d}, err
}

func (d queued) Download(par *Parameter) error {
	time.Sleep(time.Until(d.queue.free))
	return d.Device.Download(par)
}

func (d queued) Wait() error {
	d.queue.waits++
	time.Sleep(time.Until(d.queue.free))
	return nil
}

func (r queuedRun) Info() Info { return r.dev.Info() }

func (r queuedRun) Do(bindings ...Binding) error {
	r.dev.queue.send(r.dev.takes)
	if slices.ContainsFunc(bindings, func(b Binding) bool { return b.Output }) {
		time.Sleep(time.Until(r.dev.queue.free))
	}
	return r.Run.Do(bindings...)
}

// TestAutoWaitsForItsTrials: a device that only takes note of a replay without outputs is
// timed until the work is done, without what others have sent to it before, and not waited
// for any more once it is chosen.
func TestAutoWaitsForItsTrials(t *testing.T) { synctest.Test(t, autoWaitsForItsTrials) }

func autoWaitsForItsTrials(t *testing.T) {
	const plain = 8 * time.Millisecond // of the device that works while it is asked
	for _, c := range []struct {
		takes, others time.Duration
		want          string
	}{
		{takes: 24 * time.Millisecond, want: "plain"},
		{takes: time.Millisecond, want: "queued"},
		{takes: time.Millisecond, others: 30 * time.Millisecond, want: "queued"},
	} {
		q := &queue{}
		a := NewAuto(nil, slow{Device: openCPU(t), name: "plain", delay: plain}, queued{openCPU(t), q, c.takes})
		par, momentum := program.NewParameter("w", 1, 2, nil), program.NewParameter("v", 1, 2, nil)
		p := program.New()
		dw, settings := p.Input(1, 2), p.Input(1, 3)
		p.SGD(p.Variable(par), p.Variable(momentum), dw, nil, settings)
		run, err := a.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		step := func() {
			if err := run.Do(In(settings, []float32{-1, 0, 0}), In(dw, []float32{1, 2})); err != nil {
				t.Fatal(err)
			}
		}
		steps := 0
		for !run.Info().Choice.Decided {
			q.send(c.others)
			step()
			if steps++; steps > 2*(1+trialRounds) {
				t.Fatalf("%v a replay: not decided after %d steps: %+v", c.takes, steps, run.Info().Choice)
			}
		}
		step()
		steps++
		info := run.Info()
		if got := info.Choice.Alone[1]; info.Name != c.want || got < c.takes || c.others > 0 && got >= c.others {
			t.Errorf("%v a replay, %v by others: chosen %s after %v, want %s", c.takes, c.others, info.Name, info.Choice.Alone, c.want)
		}
		waits := q.waits
		for range 3 {
			step()
			steps++
		}
		if q.waits != waits {
			t.Errorf("%v a replay: waited for after the decision", c.takes)
		}
		if err := a.Download(par); err != nil || !slices.Equal(par.Data, []float32{float32(steps), float32(2 * steps)}) {
			t.Errorf("after %d steps the parameter is %v (%v)", steps, par.Data, err)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestDevicesCanBeWaitedFor: without it trials would be those of sending.
func TestDevicesCanBeWaitedFor(t *testing.T) {
	for _, kind := range append(required(), Auto, Mixed) {
		dev, err := Open(kind)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(dev.Wait(), dev.Close()); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if dev.Wait() == nil {
			t.Errorf("%s: waited for after it was closed", kind)
		}
	}
}
