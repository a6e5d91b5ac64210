package train

import (
	"errors"

	"inkshade/glcompute"
)

// plainDevice replays programs on the plain float64 references. It keeps parameters in
// float64, so that it shows what training does without rounding.
type plainDevice struct {
	params map[*glcompute.Parameter][]float64
	runs   int // open
	steps  int // replays so far
	failAt int // the replay that fails with errLost; 0 for none
}

var errLost = errors.New("lost for the test")

func newPlainDevice() *plainDevice {
	return &plainDevice{params: map[*glcompute.Parameter][]float64{}}
}

func (d *plainDevice) Info() glcompute.Info {
	return glcompute.Info{Kind: "plain", Name: "plain references"}
}

func (d *plainDevice) Compile(p *glcompute.Program) (glcompute.Run, error) {
	for _, t := range p.Tensors() {
		if par := t.Parameter; par != nil && d.params[par] == nil {
			values := make([]float64, len(par.Data))
			for i, v := range par.Data {
				values[i] = float64(v)
			}
			d.params[par] = values
		}
	}
	d.runs++
	return &plainRun{dev: d, program: p}, nil
}

func (d *plainDevice) Upload(par *glcompute.Parameter) error {
	for i, v := range par.Data {
		d.params[par][i] = float64(v)
	}
	return nil
}

func (d *plainDevice) Download(par *glcompute.Parameter) error {
	for i, v := range d.params[par] {
		par.Data[i] = float32(v)
	}
	return nil
}

func (d *plainDevice) Forget(par *glcompute.Parameter) { delete(d.params, par) }
func (d *plainDevice) Memory() int64                   { return int64(len(d.params)) }
func (d *plainDevice) Wait() error                     { return nil }
func (d *plainDevice) Close() error                    { return nil }

type plainRun struct {
	dev     *plainDevice
	program *glcompute.Program
}

func (r *plainRun) Do(bindings ...glcompute.Binding) error {
	if r.dev.steps++; r.dev.steps == r.dev.failAt {
		return errLost
	}
	v := glcompute.Values{}
	for _, t := range r.program.Tensors() {
		if t.Parameter != nil {
			v[t] = r.dev.params[t.Parameter]
		}
	}
	for _, b := range bindings {
		if b.Output {
			continue
		}
		values := make([]float64, len(b.Data))
		for i, x := range b.Data {
			values[i] = float64(x)
		}
		v[b.Tensor] = values
	}
	r.program.RunReference(v)
	for _, b := range bindings {
		if b.Output {
			for i, x := range v[b.Tensor] {
				b.Data[i] = float32(x)
			}
		}
	}
	return nil
}

func (r *plainRun) Measure(bindings ...glcompute.Binding) (glcompute.Timing, error) {
	return glcompute.Timing{}, r.Do(bindings...)
}

func (r *plainRun) Info() glcompute.Info { return r.dev.Info() }

func (r *plainRun) Close() error {
	r.dev.runs--
	return nil
}
