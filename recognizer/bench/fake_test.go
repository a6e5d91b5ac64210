package bench

import (
	"sync"
	"time"

	"inkshade/glcompute"
)

// workshop is a clock and devices that make it move.
type workshop struct {
	mu   sync.Mutex // devices may work at the same time
	now  time.Time
	open int // devices and runs that are open
}

func newWorkshop() *workshop { return &workshop{now: time.Unix(1_000_000, 0)} }

func (w *workshop) clock() time.Time { w.mu.Lock(); defer w.mu.Unlock(); return w.now }

func (w *workshop) pass(d time.Duration) { w.mu.Lock(); defer w.mu.Unlock(); w.now = w.now.Add(d) }

// fake takes a fixed time for each replay, and a time for each floating-point operation of
// its products and element of its outputs.
type fake struct {
	*workshop
	info         glcompute.Info
	fixed        time.Duration
	perOperation float64           // nanoseconds
	jitter       func(n int) int   // percent added to the nth replay; nil for none
	fails        func(n int) error // of the nth replay; nil for none
	replays      int               // all that were made
	known        map[*glcompute.Parameter]bool
}

func (w *workshop) contestant(f *fake) Contestant {
	f.workshop = w
	f.known = map[*glcompute.Parameter]bool{}
	return Contestant{Name: f.info.Name, Open: func() (glcompute.Device, error) { w.open++; return f, nil }}
}

func (f *fake) Info() glcompute.Info                { return f.info }
func (f *fake) Upload(*glcompute.Parameter) error   { return nil }
func (f *fake) Download(*glcompute.Parameter) error { return nil }
func (f *fake) Forget(p *glcompute.Parameter)       { delete(f.known, p) }
func (f *fake) Memory() int64                       { return int64(len(f.known)) }
func (f *fake) Wait() error                         { return nil }
func (f *fake) Close() error                        { f.open--; return nil }

// compileTime is what every program takes.
const compileTime = time.Millisecond

// product is a matrix product, by whose work replays take their time.
type product interface {
	Dims() (rows, cols, inner int)
}

func (f *fake) Compile(p *glcompute.Program) (glcompute.Run, error) {
	f.pass(compileTime)
	f.open++
	work := 0.0
	for _, op := range p.Ops() {
		if m, ok := op.(product); ok {
			rows, cols, inner := m.Dims()
			work += 2 * float64(rows) * float64(cols) * float64(inner)
		}
	}
	for _, par := range p.Parameters() {
		f.known[par] = true
	}
	return &fakeRun{f, f.fixed + time.Duration(work*f.perOperation), len(p.Ops())}, nil
}

type fakeRun struct {
	dev  *fake
	cost time.Duration
	ops  int
}

func (r *fakeRun) Do(...glcompute.Binding) error {
	f := r.dev
	f.replays++
	if f.fails != nil {
		if err := f.fails(f.replays); err != nil {
			return err
		}
	}
	cost := r.cost
	if f.jitter != nil {
		cost += cost * time.Duration(f.jitter(f.replays)) / 100
	}
	f.pass(cost)
	return nil
}

// Measure spends a tenth of the time on each transfer.
func (r *fakeRun) Measure(b ...glcompute.Binding) (glcompute.Timing, error) {
	before := r.dev.clock()
	if err := r.Do(b...); err != nil {
		return glcompute.Timing{}, err
	}
	all := r.dev.clock().Sub(before)
	t := glcompute.Timing{Compile: compileTime, Upload: all / 10, Compute: all - 2*(all/10), Readback: all / 10}
	for range r.ops {
		t.Passes = append(t.Passes, glcompute.Pass{Name: "pass", Time: t.Compute / time.Duration(r.ops)})
	}
	return t, nil
}

func (r *fakeRun) Info() glcompute.Info { return r.dev.info }
func (r *fakeRun) Close() error         { r.dev.open--; return nil }

// cpu starts at once and computes slowly; gpu takes its time to start and computes fast.
func cpu() *fake {
	return &fake{info: glcompute.Info{Kind: glcompute.CPU, Name: "cpu"}, fixed: 10 * time.Microsecond, perOperation: 0.02}
}

func gpu() *fake {
	return &fake{info: glcompute.Info{Kind: glcompute.Compute, Name: "compute", Software: true}, fixed: time.Millisecond, perOperation: 0.002}
}
