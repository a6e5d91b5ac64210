package glcompute

import (
	"sync"
	"testing"
	"time"

	"inkshade/glcompute/internal/program"
)

// plain is a device that replays the plain references, and takes as long as a device of its
// speed would. In a bubble of testing/synctest that takes no time.
type plain struct {
	kind   DeviceKind
	row    time.Duration // for a row of the first tensor that is bound in a replay
	carry  time.Duration // for a parameter, either way
	turn   chan struct{} // held while it works, by all devices that are one processor; nil for one of its own
	failAt int           // the replay that fails with ErrLost, and every call after it; 0 for none

	mu      sync.Mutex
	replays int
	runs    int // open
	params  map[*Parameter][]float64
}

type plainRun struct {
	dev     *plain
	program *Program
	inputs  program.Values
}

func newPlain(kind DeviceKind, row time.Duration) *plain {
	return &plain{kind: kind, row: row, params: map[*Parameter][]float64{}}
}

func (d *plain) Info() Info  { return Info{Kind: d.kind, Name: "plain " + string(d.kind)} }
func (d *plain) Wait() error { return d.lost() }

func (d *plain) lost() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failAt > 0 && d.replays >= d.failAt {
		return ErrLost
	}
	return nil
}

func (d *plain) work(t time.Duration) error {
	if d.turn != nil {
		d.turn <- struct{}{}
		defer func() { <-d.turn }()
	}
	time.Sleep(t)
	return d.lost()
}

func (d *plain) Compile(p *Program) (Run, error) {
	if err := d.lost(); err != nil {
		return nil, err
	}
	d.runs++
	for _, par := range p.Parameters() {
		if d.params[par] == nil {
			d.params[par] = widened(par.Data)
		}
	}
	return &plainRun{d, p, program.Values{}}, nil
}

func widened(x []float32) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

func narrow(to []float32, from []float64) {
	for i, v := range from {
		to[i] = float32(v)
	}
}

func (d *plain) Upload(par *Parameter) error {
	err := d.work(d.carry)
	if err == nil {
		d.params[par] = widened(par.Data)
	}
	return err
}

func (d *plain) Download(par *Parameter) error {
	err := d.work(d.carry)
	if err == nil {
		narrow(par.Data, d.params[par])
	}
	return err
}

func (d *plain) Forget(par *Parameter) { delete(d.params, par) }
func (d *plain) Memory() int64         { return int64(len(d.params) + d.runs) }
func (d *plain) Close() error          { return nil }

func (r *plainRun) Info() Info { return r.dev.Info() }

func (r *plainRun) Do(bindings ...Binding) error {
	d := r.dev
	d.mu.Lock()
	d.replays++
	d.mu.Unlock()
	if err := d.work(time.Duration(bindings[0].Tensor.Rows) * d.row); err != nil {
		return err
	}
	if err := r.program.Check(bindings); err != nil {
		return err
	}
	for _, b := range bindings {
		if !b.Output {
			r.inputs[b.Tensor] = widened(b.Data)
		}
	}
	v := program.Values{}
	for _, t := range r.program.Tensors() {
		switch t.Kind {
		case program.Input:
			v[t] = r.inputs.Of(t)
		case program.Variable:
			v[t] = d.params[t.Parameter]
		}
	}
	r.program.RunReference(v)
	for _, par := range r.program.Parameters() { // kept in float32, as devices do
		rounded := make([]float32, len(d.params[par]))
		narrow(rounded, d.params[par])
		d.params[par] = widened(rounded)
	}
	for _, b := range bindings {
		if b.Output {
			narrow(b.Data, v.Of(b.Tensor))
		}
	}
	return nil
}

func (r *plainRun) Measure(bindings ...Binding) (Timing, error) {
	begin := time.Now()
	err := r.Do(bindings...)
	return Timing{Compute: time.Since(begin), Passes: []program.Pass{{Name: "all"}}}, err
}

func (r *plainRun) Close() error {
	r.dev.runs--
	return nil
}

// nothingLeft fails where a device still holds something.
func nothingLeft(t *testing.T, devices ...*plain) {
	t.Helper()
	for _, d := range devices {
		if d.Memory() != 0 {
			t.Errorf("%s: %d parameters and %d runs are left", d.kind, len(d.params), d.runs)
		}
	}
}
