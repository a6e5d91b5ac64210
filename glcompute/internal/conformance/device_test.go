package conformance

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"inkshade/glcompute/clock"
	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

func checkInfo(t *testing.T, dev program.Device) {
	info := dev.Info()
	if info.Kind == "" || info.Name == "" || info.Version == "" {
		t.Errorf("kind, name or version is missing: %+v", info)
	}
	if info.Kind == program.Fragment && info.MaxTexture <= 0 {
		t.Errorf("largest texture %d", info.MaxTexture)
	}
	if info.Kind == program.Compute && info.MaxBuffer <= 0 {
		t.Errorf("largest buffer %d", info.MaxBuffer)
	}
	t.Logf("%+v", info)
}

func checkDevice(t *testing.T, dev program.Device) {
	t.Run("a parameter is shared by programs", func(t *testing.T) { checkSharing(t, dev) })
	t.Run("upload download forget", func(t *testing.T) { checkParameters(t, dev) })
	t.Run("bindings", func(t *testing.T) { checkBindings(t, dev) })
	t.Run("unsupported", func(t *testing.T) { checkUnsupported(t, dev) })
	t.Run("measure", func(t *testing.T) { checkMeasure(t, dev) })
	t.Run("readbacks", func(t *testing.T) { checkReadbacks(t, dev) })
	t.Run("measured readback", func(t *testing.T) { checkMeasuredReadback(t, dev) })
	t.Run("goroutines", func(t *testing.T) { checkGoroutines(t, dev) })
}

// summer is a small program with everything a test of behaviour needs.
type summer struct {
	*recorder
	x, out *program.Tensor
	par    *program.Parameter
	run    program.Run
}

// newSummer compiles out[1][3] = x[1][2] · par[2][3].
func newSummer(t *testing.T, dev program.Device, par *program.Parameter) *summer {
	t.Helper()
	d := &summer{recorder: newRecorder("summer"), par: par}
	d.params = append(d.params, par)
	d.x = d.Input(1, 2)
	d.out = d.Layer(d.x, d.Variable(par), nil, expr.Identity)
	run, err := dev.Compile(d.Program)
	must(t, err)
	d.run = run
	return d
}

// expect replays x = [1 1], so that out is the sum of the parameter's two rows.
func (d *summer) expect(t *testing.T, want ...float64) {
	t.Helper()
	out := nans(3)
	must(t, d.run.Do(program.In(d.x, []float32{1, 1}), program.Out(d.out, out)))
	if _, err := compare.Slices(out, want, compare.Limit{}); err != nil {
		t.Error(err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func checkSharing(t *testing.T, dev program.Device) {
	par := program.NewParameter("shared", 2, 3, []float32{1, 2, 3, 4, 5, 6})
	reader := newSummer(t, dev, par)
	defer reader.free(t, dev, reader.run)
	reader.expect(t, 5, 7, 9)

	par.Data[0] = 100 // the copy on the device is the truth now
	writer := newRecorder("writer")
	momentum := program.NewParameter("momentum", 2, 3, nil)
	writer.params = append(writer.params, momentum)
	w := writer.Variable(par)
	step := writer.given(1, 3, []float32{1, 0, 0})
	dw := writer.Input(2, 3)
	writer.SGD(w, writer.Variable(momentum), dw, nil, step)
	run, err := dev.Compile(writer.Program)
	must(t, err)
	defer writer.free(t, dev, run)
	reader.expect(t, 5, 7, 9)
	read := nans(6)
	must(t, run.Do(program.In(step, writer.inputs[step]), program.In(dw, []float32{1, 1, 1, 2, 2, 2}), program.Out(w, read)))
	if want := []float32{0, 1, 2, 2, 3, 4}; !slices.Equal(read, want) {
		t.Errorf("the updated parameter reads %v, want %v", read, want)
	}
	reader.expect(t, 2, 4, 6)
}

func checkParameters(t *testing.T, dev program.Device) {
	before := dev.Memory()
	par := program.NewParameter("w", 2, 3, []float32{1, 2, 3, 4, 5, 6})
	if dev.Download(par) == nil {
		t.Error("a parameter the device has never seen can be downloaded")
	}
	dev.Forget(par)
	d := newSummer(t, dev, par)
	copy(par.Data, []float32{7, 7, 7, 7, 7, 7})
	must(t, dev.Download(par))
	if want := []float32{1, 2, 3, 4, 5, 6}; !slices.Equal(par.Data, want) {
		t.Errorf("downloaded %v, want %v", par.Data, want)
	}
	copy(par.Data, []float32{10, 20, 30, 1, 1, 1})
	must(t, dev.Upload(par))
	d.expect(t, 11, 21, 31)

	whole := par.Data
	par.Data = whole[:5]
	if dev.Upload(par) == nil || dev.Download(par) == nil {
		t.Error("data of the wrong length is accepted")
	}
	par.Data = whole

	dev.Forget(par) // in use: nothing happens
	d.expect(t, 11, 21, 31)
	must(t, d.run.Close())
	must(t, d.run.Close())
	if err := d.run.Do(); !errors.Is(err, program.ErrClosed) {
		t.Errorf("a closed run gives %v", err)
	}
	must(t, dev.Download(par)) // still there without a run
	copy(par.Data, []float32{1, 1, 1, 1, 1, 1})
	d = newSummer(t, dev, par)
	d.expect(t, 11, 21, 31)
	must(t, d.run.Close())
	dev.Forget(par)
	if dev.Download(par) == nil {
		t.Error("a forgotten parameter can be downloaded")
	}
	d = newSummer(t, dev, par)
	d.expect(t, 2, 2, 2)
	d.free(t, dev, d.run)
	if after := dev.Memory(); after != before {
		t.Errorf("memory held is %d bytes, %d before", after, before)
	}
}

func checkBindings(t *testing.T, dev program.Device) {
	d := newSummer(t, dev, program.NewParameter("w", 2, 3, []float32{1, 2, 3, 4, 5, 6}))
	defer d.free(t, dev, d.run)
	foreign := program.New().Input(1, 2)
	wrong := map[string]program.Binding{
		"short input":            program.In(d.x, []float32{1}),
		"long input":             program.In(d.x, []float32{1, 2, 3}),
		"no input":               program.In(d.x, nil),
		"short output":           program.Out(d.out, make([]float32, 2)),
		"upload of a result":     program.In(d.out, make([]float32, 3)),
		"upload of a variable":   program.In(d.Variable(d.par), make([]float32, 6)),
		"another program's":      program.In(foreign, make([]float32, 2)),
		"another program's read": program.Out(foreign, make([]float32, 2)),
		"short readback":         program.OutLater(d.out, &program.Readback{Data: make([]float32, 2)}),
		"nothing":                {},
	}
	for name, b := range wrong {
		out := []float32{-1, -1, -1}
		if d.run.Do(program.In(d.x, []float32{1, 1}), program.Out(d.out, out), b) == nil {
			t.Errorf("%s: no error", name)
		}
		if !slices.Equal(out, []float32{-1, -1, -1}) {
			t.Errorf("%s: the replay went on, output %v", name, out)
		}
		if _, err := d.run.Measure(b); err == nil {
			t.Errorf("%s: no error from Measure", name)
		}
	}
	d.expect(t, 5, 7, 9)
}

// unknown is an operation that no device has.
type unknown struct{ x *program.Tensor }

func (o unknown) Name() string                                          { return "unknown" }
func (o unknown) Reads() []*program.Tensor                              { return []*program.Tensor{o.x} }
func (o unknown) Writes() []*program.Tensor                             { return nil }
func (o unknown) Reference(program.Values)                              {}
func (o unknown) Gradient(*program.Backward)                            {}
func (o unknown) Sharding(program.Samples) program.Sharding             { return program.Unsharded }
func (o unknown) With(func(*program.Tensor) *program.Tensor) program.Op { return o }

func checkUnsupported(t *testing.T, dev program.Device) {
	before := dev.Memory()
	p := program.New()
	x := p.Input(2, 2)
	p.Record(unknown{x})
	p.Apply(expr.Tanh, x)
	p.Record(unknown{x})
	_, err := dev.Compile(p)
	var unsupported *program.UnsupportedError
	if !errors.As(err, &unsupported) {
		t.Fatalf("%v, want an UnsupportedError", err)
	}
	if unsupported.Device != dev.Info().Kind || !slices.Equal(unsupported.Ops, []string{"unknown"}) {
		t.Errorf("%+v, want device %s and one unknown", unsupported, dev.Info().Kind)
	}
	if after := dev.Memory(); after != before {
		t.Errorf("a failed compile keeps %d bytes", after-before)
	}
}

func checkMeasure(t *testing.T, dev program.Device) {
	tr := newTrainer(expr.Tanh, true)
	begin := clock.Now()
	run, err := dev.Compile(tr.Program)
	took := clock.Since(begin)
	must(t, err)
	defer tr.free(t, dev, run)
	settings := []float32{0, 0, 0} // a rate of zero changes nothing, so both replays agree
	plain, measured := nans(trainBatch), nans(trainBatch)
	bind := func(loss []float32) []program.Binding {
		return []program.Binding{
			program.In(tr.x, tr.batches[0]), program.In(tr.target, tr.targets[0]),
			program.In(tr.settings, settings), program.Out(tr.loss, loss),
		}
	}
	must(t, run.Do(bind(plain)...))
	timing, err := run.Measure(bind(measured)...)
	must(t, err)
	if !slices.Equal(plain, measured) {
		t.Errorf("measured replay gives %v, the plain one %v", measured, plain)
	}
	if timing.Compile <= 0 || timing.Compile > took {
		t.Errorf("compiling is timed %v, it took %v", timing.Compile, took)
	}
	again, err := run.Measure(bind(measured)...)
	must(t, err)
	if dev.Info().Kind != program.Auto && again.Compile != timing.Compile {
		t.Errorf("compiling is timed %v the second time, %v the first", again.Compile, timing.Compile)
	}
	if timing.Upload < 0 || timing.Compute <= 0 || timing.Readback < 0 {
		t.Errorf("times %+v", timing)
	}
	var got, want []string
	for i, pass := range timing.Passes {
		got = append(got, strings.Split(pass.Name, ", ")...)
		if pass.Time < 0 {
			t.Errorf("pass %d is %+v", i, pass)
		}
	}
	for _, op := range tr.Ops() {
		want = append(want, op.Name())
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("passes of %v, want %v", got, want)
	}
}

func checkGoroutines(t *testing.T, dev program.Device) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			d := newRecorder("goroutine")
			x := d.Input(1, 3)
			out := d.Elementwise("twice", expr.Add(expr.Arg(0), expr.Arg(1)), x, x)
			run, err := dev.Compile(d.Program)
			if err != nil {
				t.Error(err)
				return
			}
			defer run.Close()
			for i := range 20 {
				v, got := float32(i), nans(3)
				if err := run.Do(program.In(x, []float32{v, v, v}), program.Out(out, got)); err != nil {
					t.Error(err)
				} else if want := []float32{2 * v, 2 * v, 2 * v}; !slices.Equal(got, want) {
					t.Errorf("%v, want %v", got, want)
				}
				dev.Memory()
			}
		})
	}
	wg.Wait()
}

func checkClose(t *testing.T, dev program.Device) {
	par := program.NewParameter("w", 2, 3, []float32{1, 2, 3, 4, 5, 6})
	d := newSummer(t, dev, par)
	back := newReadback(d.out)
	must(t, d.run.Do(program.In(d.x, []float32{1, 1}), program.OutLater(d.out, back)))
	must(t, dev.Close())
	must(t, dev.Close())
	checkReadbackAfterClose(t, back, []float32{5, 7, 9})
	_, measured := d.run.Measure()
	_, compiled := dev.Compile(d.Program)
	for name, err := range map[string]error{
		"Do":       d.run.Do(program.In(d.x, []float32{1, 1})),
		"Measure":  measured,
		"Compile":  compiled,
		"Upload":   dev.Upload(par),
		"Download": dev.Download(par),
	} {
		if !errors.Is(err, program.ErrClosed) {
			t.Errorf("%s after Close gives %v, want ErrClosed", name, err)
		}
	}
	dev.Forget(par)
	if held := dev.Memory(); held != 0 {
		t.Errorf("%d bytes held after Close", held)
	}
	if dev.Info().Kind == "" {
		t.Error("Info is gone after Close")
	}
	must(t, d.run.Close())
}
