package glcompute

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"inkshade/glcompute/cpu"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

func openCPU(t testing.TB) Device {
	dev, err := cpu.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return dev
}

// slow is a device that takes its time.
type slow struct {
	Device
	name  string
	delay time.Duration

	software bool
}

type slowRun struct {
	Run
	dev slow
}

func (d slow) Info() Info {
	info := d.Device.Info()
	info.Name, info.Software = d.name, d.software
	return info
}

func (d slow) Compile(p *Program) (Run, error) {
	run, err := d.Device.Compile(p)
	return slowRun{run, d}, err
}

func (r slowRun) Info() Info { return r.dev.Info() }

func (r slowRun) Do(bindings ...Binding) error {
	time.Sleep(r.dev.delay)
	return r.Run.Do(bindings...)
}

// hardware is a device that is tried at once, whatever draws for it.
type hardware struct{ Device }

func (d hardware) Info() Info {
	info := d.Device.Info()
	info.Software = false
	return info
}

func TestAutoChoosesTheFaster(t *testing.T) { synctest.Test(t, autoChoosesTheFaster) }

func autoChoosesTheFaster(t *testing.T) {
	for _, fast := range []int{0, 1} {
		delays := []time.Duration{20 * time.Millisecond, 20 * time.Millisecond}
		delays[fast] = time.Millisecond
		a := NewAuto(nil, slow{Device: openCPU(t), name: "first", delay: delays[0]}, slow{Device: openCPU(t), name: "second", delay: delays[1]})
		par, momentum := program.NewParameter("w", 1, 2, []float32{0, 0}), program.NewParameter("v", 1, 2, nil)
		p := program.New()
		w, dw, settings := p.Variable(par), p.Input(1, 2), p.Input(1, 3)
		p.SGD(w, p.Variable(momentum), dw, nil, settings)
		run, err := a.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		other := program.New()
		sum := other.Sum(program.AlongRows, other.Variable(par))
		reader, err := a.Compile(other)
		if err != nil {
			t.Fatal(err)
		}
		before := a.Memory()
		// Rate -1 adds the gradient once with every replay, whoever does it. The settings
		// are bound in the first replay only, the gradient in the first two.
		var got, read [2]float32
		for i := range 8 {
			bindings := []Binding{Out(w, got[:])}
			if i == 0 {
				bindings = append(bindings, In(settings, []float32{-1, 0, 0}))
			}
			if i < 2 {
				bindings = append(bindings, In(dw, []float32{1, 2}))
			}
			if err := run.Do(bindings...); err != nil {
				t.Fatal(err)
			}
			if info := run.Info(); !info.Choice.Decided && info.Name != []string{"first", "second"}[i%2] {
				t.Errorf("replay %d was done by %q", i, info.Name)
			}
			n := float32(i + 1)
			if got != [2]float32{n, 2 * n} {
				t.Fatalf("after %d steps the parameter is %v", i+1, got)
			}
			if err := reader.Do(Out(sum, read[:1])); err != nil || read[0] != 3*n {
				t.Fatalf("another program reads %v, want %v (%v)", read[0], 3*n, err)
			}
		}
		info := run.Info()
		if want := []string{"first", "second"}[fast]; !info.Choice.Decided || info.Name != want {
			t.Errorf("chosen %+v, want %s", info, want)
		}
		if times := info.Choice.Alone; len(times) != 2 || times[fast] >= times[1-fast] {
			t.Errorf("times %v", times)
		}
		if a.Memory() >= before {
			t.Errorf("%d bytes held after the decision, %d before", a.Memory(), before)
		}
		if !slices.Equal(par.Data, []float32{0, 0}) {
			t.Errorf("Data became %v without a Download", par.Data)
		}
		if err := a.Download(par); err != nil || !slices.Equal(par.Data, []float32{8, 16}) {
			t.Errorf("downloaded %v (%v)", par.Data, err)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A software renderer is not tried for little work, and goes on with the values of the processor where it wins.
func TestAutoTriesSoftwareForMuchWork(t *testing.T) { synctest.Test(t, autoTriesSoftwareForMuchWork) }

func autoTriesSoftwareForMuchWork(t *testing.T) {
	a := NewAuto(nil, slow{Device: openCPU(t), name: "first", delay: 100 * time.Millisecond}, slow{openCPU(t), "second", time.Millisecond, true})
	defer a.Close()
	par, momentum := program.NewParameter("w", 1, 2, nil), program.NewParameter("v", 1, 2, nil)
	p := program.New()
	w, dw, settings := p.Variable(par), p.Input(1, 2), p.Input(1, 3)
	p.SGD(w, p.Variable(momentum), dw, nil, settings)
	run, err := a.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	before := a.Memory()
	bindings := []Binding{In(settings, []float32{-1, 0, 0}), In(dw, []float32{1, 2})} // bound once
	for i := range 20 {
		var got [2]float32
		if err := run.Do(append(bindings, Out(w, got[:]))...); err != nil {
			t.Fatal(err)
		}
		bindings = nil
		n := float32(i + 1)
		if got != [2]float32{n, 2 * n} {
			t.Fatalf("after %d steps the parameter is %v", i+1, got)
		}
		if info := run.Info(); i < 10 && (info.Name != "first" || info.Choice.Decided) || i < 9 && a.Memory() != before {
			t.Errorf("replay %d: %+v with %d bytes, %d before", i, info, a.Memory(), before)
		}
	}
	if info := run.Info(); info.Name != "second" || !info.Choice.Decided {
		t.Errorf("chosen %+v", info)
	}
}

// counted is a device that counts replays, each of which takes as long as delay says for
// the rows of the program's first tensor.
type counted struct {
	Device
	name    string
	delay   func(rows int) time.Duration
	replays *int
}

type countedRun struct {
	Run
	dev   counted
	delay time.Duration
}

func (d counted) Info() Info {
	info := d.Device.Info()
	info.Name = d.name
	return info
}

func (d counted) Compile(p *Program) (Run, error) {
	run, err := d.Device.Compile(p)
	return countedRun{run, d, d.delay(p.Tensors()[0].Rows)}, err
}

func (r countedRun) Info() Info { return r.dev.Info() }

func (r countedRun) Do(bindings ...Binding) error {
	*r.dev.replays++
	time.Sleep(r.delay)
	return r.Run.Do(bindings...)
}

// TestAutoChoosesByBatch: the same network on another batch is another program, with a
// choice of its own, which is made after a bounded number of replays.
func TestAutoChoosesByBatch(t *testing.T) { synctest.Test(t, autoChoosesByBatch) }

func autoChoosesByBatch(t *testing.T) {
	var replays [2]int
	a := NewAuto(nil,
		counted{openCPU(t), "quick to start", func(rows int) time.Duration {
			return time.Millisecond + time.Duration(rows)*50*time.Microsecond
		}, &replays[0]},
		counted{openCPU(t), "quick with many", func(int) time.Duration { return 15 * time.Millisecond }, &replays[1]},
	)
	defer a.Close()
	for rows, want := range map[int]string{1: "quick to start", 1024: "quick with many"} {
		replays = [2]int{}
		p := program.New()
		y := p.Apply(expr.Identity, p.Input(rows, 1))
		run, err := a.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		const steps = 20
		for range steps {
			if err := run.Do(Out(y, make([]float32, rows))); err != nil {
				t.Fatal(err)
			}
		}
		if info := run.Info(); !info.Choice.Decided || info.Name != want {
			t.Errorf("%d rows: %+v, want %s", rows, info, want)
		}
		if lost := min(replays[0], replays[1]); lost > 1+trialRounds || replays[0]+replays[1] != steps {
			t.Errorf("%d rows: replays %v, want %d altogether and at most %d of the loser", rows, replays, steps, 1+trialRounds)
		}
	}
}

// TestAutoLeavesOutWhatCannotCompile: a device that cannot do the program is no candidate.
func TestAutoLeavesOutWhatCannotCompile(t *testing.T) {
	a := NewAuto(nil, openCPU(t), incapable{openCPU(t)})
	defer a.Close()
	p := program.New()
	y := p.Apply(expr.Identity, p.Input(1, 1))
	run, err := a.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Do(Out(y, make([]float32, 1))); err != nil {
		t.Error(err)
	}
	if info := run.Info(); !info.Choice.Decided || info.Kind != CPU {
		t.Errorf("%+v", info)
	}
}

// incapable compiles nothing.
type incapable struct{ Device }

func (incapable) Compile(*Program) (Run, error) {
	return nil, &UnsupportedError{Device: Fragment, Ops: []string{"map"}}
}
