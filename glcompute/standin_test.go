package glcompute

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// fragile is a device whose context is lost after some calls.
type fragile struct {
	Device
	calls *int // left
}

type fragileRun struct {
	Run
	dev fragile
}

func newFragile(t *testing.T, calls int) fragile { return fragile{openCPU(t), &calls} }

func (d fragile) lost() error {
	if *d.calls--; *d.calls < 0 {
		return fmt.Errorf("replay: %w", ErrLost)
	}
	return nil
}

func (d fragile) Info() Info { return Info{Kind: Fragment, Name: "fragile"} }

func (d fragile) Compile(p *Program) (Run, error) {
	if err := d.lost(); err != nil {
		return nil, err
	}
	run, err := d.Device.Compile(p)
	return fragileRun{run, d}, err
}

func (d fragile) Upload(par *Parameter) error {
	if err := d.lost(); err != nil {
		return err
	}
	return d.Device.Upload(par)
}

func (d fragile) Download(par *Parameter) error {
	if err := d.lost(); err != nil {
		return err
	}
	return d.Device.Download(par)
}

func (r fragileRun) Do(bindings ...Binding) error {
	if err := r.dev.lost(); err != nil {
		return err
	}
	return r.Run.Do(bindings...)
}

func (r fragileRun) Measure(bindings ...Binding) (Timing, error) {
	if err := r.dev.lost(); err != nil {
		return Timing{}, err
	}
	return r.Run.Measure(bindings...)
}

// TestLostContext loses the context at every possible call: what the caller sees is the
// same, on the processor, and the reason.
func TestLostContext(t *testing.T) {
	const calls = 7
	for n := range calls + 1 {
		d := NewStandIn(openCPU(t), newFragile(t, n), nil)
		idle := program.NewParameter("idle", 1, 1, []float32{5})
		par := program.NewParameter("w", 2, 1, []float32{1, 2})
		must := func(what string, err error) {
			if err != nil {
				t.Fatalf("lost after %d calls: %s: %v", n, what, err)
			}
		}
		q := program.New()
		q.Variable(idle)
		unused, err := d.Compile(q)
		must("compile", err)
		must("close", unused.Close())
		p := program.New()
		x := p.Input(1, 2)
		y := p.Layer(x, p.Variable(par), nil, expr.Identity)
		run, err := d.Compile(p)
		must("compile", err)
		var got [1]float32
		expect := func(want float32) {
			if got[0] != want {
				t.Errorf("lost after %d calls: %v, want %v", n, got[0], want)
			}
			got[0] = -1
		}
		must("do", run.Do(In(x, []float32{1, 1}), Out(y, got[:])))
		expect(3)
		copy(par.Data, []float32{10, 20})
		must("upload", d.Upload(par))
		_, err = run.Measure(In(x, []float32{1, 1}), Out(y, got[:]))
		must("measure", err)
		expect(30)
		must("download", d.Download(par))
		must("download of an idle parameter", d.Download(idle))
		if !slices.Equal(par.Data, []float32{10, 20}) || idle.Data[0] != 5 {
			t.Errorf("lost after %d calls: downloaded %v and %v", n, par.Data, idle.Data)
		}
		info := d.Info()
		if lost := n < calls; lost != (info.Kind == CPU) || lost != strings.Contains(info.Fallback.String(), "fragile stopped working") {
			t.Errorf("lost after %d calls: %+v", n, info)
		}
		must("close", run.Close())
		d.Forget(par)
		d.Forget(idle)
		if held := d.Memory(); held != 0 {
			t.Errorf("lost after %d calls: %d bytes held at the end", n, held)
		}
		must("close", d.Close())
	}
}

func TestOtherErrorsStayErrors(t *testing.T) {
	d := NewStandIn(openCPU(t), newFragile(t, 100), nil)
	defer d.Close()
	p := program.New()
	x := p.Input(1, 2)
	run, err := d.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	if run.Do(In(x, nil)) == nil || d.Info().Kind != Fragment {
		t.Error("a wrong binding moved the device")
	}
}

func TestCPUStandsInForWhatCannotBeOpened(t *testing.T) {
	d := NewStandIn(openCPU(t), nil, errors.New("no display, no OpenGL"))
	defer d.Close()
	if info := d.Info(); info.Kind != CPU || info.Fallback.String() != "no display, no OpenGL" {
		t.Errorf("%+v", info)
	}
}
