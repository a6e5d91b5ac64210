package glcompute

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"inkshade/glcompute/cpu"
	"inkshade/glcompute/internal/program"
	"inkshade/glcompute/message"
)

// ErrDiffers is the error of a replay whose results are not those of the processor, even operation by operation. The device has
// the parameters of before; other programs may be right.
var ErrDiffers = message.Errorf("the shaders and the processor disagree")

// glDevice is what both OpenGL executors offer.
type glDevice interface {
	Device
	choosing
	CompileAs(p *Program, apart bool) (Run, error) // apart: operations one by one
	Note(sentence *message.Message, detail string) // of what is not used; see Info.Differs
	exchanging
}

// exchanging is a device that gives and takes values of a parameter that are not its Data.
type exchanging interface {
	Fetch(par *Parameter, into []float32) error
	Store(par *Parameter, from []float32) error
}

// checked is an OpenGL device of which each compiled program has its first replay compared with the processor's, and the second of
// one that only answers, since the first may be of an empty drawing.
type checked struct {
	glDevice
	trust *atomic.Int32 // suspect once a program has differed, none once one has even operation by operation
}

const (
	suspect = 1
	none    = 2
)

// onSuspicion is the number of replays that are compared on a driver that has differed: what Zink of Mesa 22.3 gets wrong it
// does not get wrong each time.
const onSuspicion = 32

func (d checked) Compile(p *Program) (Run, error) {
	if d.trust.Load() == none {
		return nil, message.Errorf("%s has computed wrongly before: %w", d.Info().Name, ErrDiffers)
	}
	run, err := d.glDevice.Compile(p)
	if err != nil {
		return nil, err
	}
	r := &checkedRun{dev: d, program: p, writes: p.Written(), inputs: map[*Tensor]bool{}, allowed: oneIn}
	for _, op := range p.Ops() {
		if o, ok := op.(*program.Reduce); ok && o.Index != nil && o.Table == nil {
			r.allowed = choicesIn
		}
	}
	left := int32(1)
	if r.writes == nil {
		left = 2
	}
	if d.trust.Load() == suspect {
		left = onSuspicion
	}
	r.left.Store(left)
	r.run.Store(&run)
	return r, nil
}

type checkedRun struct {
	dev     checked
	program *Program
	writes  []*Tensor // variables
	allowed int       // one value in so many may differ
	run     atomic.Pointer[Run]
	left    atomic.Int32 // replays to be compared

	mu        sync.Mutex // held by a replay that is compared
	inputs    map[*Tensor]bool
	apart     bool // operations are made one by one
	processor Device
	same      Run // on the processor
}

func (r *checkedRun) Do(bindings ...Binding) error {
	if r.left.Load() == 0 {
		return (*r.run.Load()).Do(bindings...)
	}
	return r.compared(nil, bindings)
}

func (r *checkedRun) Measure(bindings ...Binding) (t Timing, err error) {
	err = r.compared(&t, bindings)
	return t, err
}

func (r *checkedRun) Info() Info { return r.dev.Info() }

func (r *checkedRun) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left.Store(0)
	return errors.Join((*r.run.Load()).Close(), r.leave())
}

// leave ends the comparisons.
func (r *checkedRun) leave() error {
	if r.processor == nil {
		return nil
	}
	err := r.processor.Close()
	r.processor, r.same = nil, nil
	return err
}

// compared makes a replay and the same on the processor. Where they differ it is made again operation by operation, and where that
// differs too the parameters are as before.
func (r *checkedRun) compared(t *Timing, bindings []Binding) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	again := len(r.inputs) > 0
	if err := r.program.Check(bindings); err != nil {
		return err
	}
	var inputs, outputs []Binding
	for i, b := range bindings {
		if b.Output {
			bindings = slices.Clone(bindings)
			bindings[i].Later = nil // it is there when the replay returns
			outputs = append(outputs, bindings[i])
		} else {
			inputs = append(inputs, b)
		}
	}
	if r.left.Load() == 0 || again && len(inputs) < len(r.inputs) {
		return program.Replay(*r.run.Load(), t, bindings) // what is not bound now is what it was before
	}
	before := map[*Parameter][]float32{}
	for _, par := range r.program.Parameters() {
		before[par] = make([]float32, par.Rows*par.Cols)
		if err := r.dev.Fetch(par, before[par]); err != nil {
			return err
		}
	}
	changed := len(outputs)
	for _, t := range r.writes {
		outputs = append(outputs, Out(t, make([]float32, t.Len())))
	}
	expected, err := r.onProcessor(before, inputs, outputs)
	if err != nil {
		return err
	}
	for {
		if err := program.Replay(*r.run.Load(), t, append(slices.Clone(bindings), outputs[changed:]...)); err != nil {
			return err
		}
		differs := ""
		for i, b := range outputs {
			was := []float32(nil)
			if i >= changed {
				was = before[b.Tensor.Parameter]
			}
			if why := differing(b.Data, expected[i].Data, was, r.allowed); why != "" {
				differs = fmt.Sprintf("%s, %s", b.Tensor, why)
				break
			}
		}
		if differs == "" {
			break
		}
		for _, t := range r.writes {
			if err := r.dev.Store(t.Parameter, before[t.Parameter]); err != nil {
				return err
			}
		}
		info, n := r.dev.Info(), len(r.program.Ops())
		if r.apart {
			r.dev.trust.Store(none)
			r.dev.Note(message.Text("the processor does a program of %d operations, since %s computes it wrongly with %s shaders", n, info.Name, info.Kind), differs)
			return message.Errorf("%s computes wrongly (%s): %w", info.Name, differs, ErrDiffers)
		}
		r.dev.Note(message.Text("a program of %d operations is done one by one, since %s computes them wrongly when %s shaders do several at once", n, info.Name, info.Kind), differs)
		run, err := r.dev.CompileAs(r.program, true)
		if err != nil {
			return err
		}
		r.dev.trust.Store(suspect)
		r.left.Store(onSuspicion)
		old := r.run.Swap(&run)
		r.apart = true
		if err := (*old).Close(); err != nil {
			return err
		}
	}
	for _, b := range inputs {
		r.inputs[b.Tensor] = true
	}
	if r.left.Add(-1) == 0 {
		return r.leave()
	}
	return nil
}

// onProcessor makes the replay on a processor that has the device's parameters, and gives the outputs.
func (r *checkedRun) onProcessor(parameters map[*Parameter][]float32, inputs, outputs []Binding) (expected []Binding, err error) {
	if r.processor == nil {
		if r.processor, err = cpu.OpenWith(0); err == nil {
			r.same, err = r.processor.Compile(r.program)
		}
		if err != nil {
			return nil, err
		}
	}
	for par, values := range parameters {
		if err := r.processor.(exchanging).Store(par, values); err != nil {
			return nil, err
		}
	}
	for _, b := range outputs {
		expected = append(expected, Out(b.Tensor, make([]float32, len(b.Data))))
	}
	return expected, r.same.Do(append(slices.Clone(inputs), expected...)...)
}

// What roundings may do. A value may differ by a part of itself and of what is usual in its tensor, and by what is left where numbers about 1
// are subtracted, as in the loss of what is learned; where many are compared, a few
// may be another choice between equals. What a parameter has changed by may differ in a few rows for the same reason, and by what a sum
// of float32 loses.
const (
	ofItself   = 1e-2
	ofUsual    = 1e-3
	oneIn      = 100
	choicesIn  = 4 // where rows choose the nearest of many, as in clustering: each other choice changes several values
	ofChange   = 0.2
	ofRounding = 1e-6
)

// differing says how values differ from those of the processor, beyond roundings and one in so many; before is what a parameter was,
// nil for others.
func differing(got, want, before []float32, in int) string {
	wrong, first := 0, -1
	var square, change, difference float64
	for _, v := range want {
		if x := float64(v); !math.IsNaN(x) && !math.IsInf(x, 0) {
			square += x * x
		}
	}
	usual := math.Sqrt(square / float64(max(len(want), 1)))
	for i := range want {
		g, w := float64(got[i]), float64(want[i])
		d := math.Abs(g - w)
		same := got[i] == want[i] || math.IsNaN(g) && math.IsNaN(w)
		switch {
		case same:
			d = 0
		case math.IsNaN(d) || math.IsInf(d, 0):
			return fmt.Sprintf("value %d is %g, where the processor has %g", i, g, w)
		}
		if before != nil {
			c := w - float64(before[i])
			difference += d * d
			if !math.IsNaN(c) {
				change += c * c
			}
			continue
		}
		if d > ofItself*math.Abs(w)+ofUsual*usual+ofRounding {
			if wrong++; first < 0 {
				first = i
			}
		}
	}
	switch {
	case before != nil && math.Sqrt(difference) > ofChange*math.Sqrt(change)+ofRounding*math.Sqrt(float64(len(want))):
		return fmt.Sprintf("changed by %.3g in all, and differs by %.3g from what it is on the processor", math.Sqrt(change), math.Sqrt(difference))
	case wrong > len(want)/in:
		return fmt.Sprintf("%d of %d values; value %d is %g, where the processor has %g", wrong, len(want), first, got[first], want[first])
	}
	return ""
}
