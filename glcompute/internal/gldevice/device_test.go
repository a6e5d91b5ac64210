package gldevice

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/glcontext"
	"inkshade/glcompute/internal/check"
	"inkshade/glcompute/internal/program"
)

// memory is the tensor of an executor in plain Go, which is enough to test what stands
// around executors. It doubles what is copied.
type memory struct{ values []float32 }

type plain struct {
	gl     *GL
	reads  int
	fail   error // of the next tensor
	broken func()
}

func (e *plain) NewTensor(rows, cols int) *memory {
	if e.fail != nil {
		Fail(e.fail)
	}
	e.gl.Hold(int64(bytesPerValue * rows * cols))
	return &memory{make([]float32, rows*cols)}
}

func (e *plain) Free(m *memory)                  { e.gl.Hold(-int64(bytesPerValue * len(m.values))) }
func (e *plain) Write(m *memory, data []float32) { copy(m.values, data) }
func (e *plain) Read(m *memory, data []float32)  { e.reads++; copy(data, m.values) }
func (e *plain) StagedBytes(m *memory) int       { return bytesPerValue * len(m.values) }
func (e *plain) Close()                          {}

func (e *plain) Alias(m *memory, _, _ int) (*memory, bool) { return m, false }

func (e *plain) Stage(m *memory, buffer uint32) {
	gl.BindBuffer(gl.COPY_WRITE_BUFFER, buffer)
	gl.BufferSubData(gl.COPY_WRITE_BUFFER, 0, e.StagedBytes(m), unsafe.Pointer(&m.values[0]))
}

func (e *plain) Unstage(_ *memory, staged, data []float32) { copy(data, staged) }

func (e *plain) Operations() Operations[*memory] {
	all := Operations[*memory]{}
	Add(all, func(b *Builder[*memory], o *program.Elementwise) Step {
		x, out := b.Of(o.Args[0].Tensor).Memory.values, b.Of(o.Outs[0]).Memory.values
		return func() {
			if e.broken != nil {
				e.broken()
			}
			for i, v := range x {
				out[i] = 2 * v
			}
		}
	})
	Add(all, func(b *Builder[*memory], o *program.Reduce) Step {
		b.Table(o.Table)
		return func() {}
	})
	return all
}

func (e *plain) Plan(*Builder[*memory], *Kernel[*memory]) Step { panic("no kernels here") }

func open(t *testing.T) (*Device[*memory], *plain) {
	t.Helper()
	e := &plain{}
	return openWith(t, Options{}, e, func(g *GL) { e.gl = g }), e
}

// openWith opens a device on an executor, which is told of the OpenGL that it is on.
func openWith(t *testing.T, o Options, e Executor[*memory], start func(*GL)) *Device[*memory] {
	t.Helper()
	d, err := Open(program.Fragment, glcontext.Version{Major: 3, Minor: 3}, glcontext.Version{Major: 3, ES: true}, o, func(g *GL) Executor[*memory] {
		start(g)
		return e
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d.(*Device[*memory])
}

// withFunctions has OpenGL's functions looked up anew, on the GL thread, through look until the test ends.
func withFunctions(t *testing.T, d *Device[*memory], look func(name string) unsafe.Pointer) {
	t.Helper()
	reload := func(look func(string) unsafe.Pointer) error {
		return d.thread.Do(func() error {
			clear(functions.found)
			return loadFunctions(look)
		})
	}
	if err := reload(look); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := reload(d.thread.ProcAddr); err != nil {
			t.Fatal(err)
		}
	})
}

// A function that the driver lacks does nothing, and is told of once; a context that has it brings it.
func TestMissingFunction(t *testing.T) {
	d, _ := open(t)
	lacking := true
	look := func(name string) unsafe.Pointer {
		if lacking && name == "glBindBuffer" {
			return nil
		}
		return d.thread.ProcAddr(name)
	}
	withFunctions(t, d, look)
	var buffer uint32
	bind := func() (bound int32, err error) {
		err = d.do(func() {
			gl.BindBuffer(gl.COPY_READ_BUFFER, buffer)
			gl.GetIntegerv(gl.COPY_READ_BUFFER_BINDING, &bound)
			d.gl.Check("a test")
		})
		return bound, err
	}
	if err := d.do(func() { gl.GenBuffers(1, &buffer); d.gl.Check("a test") }); err != nil {
		t.Fatal(err)
	}
	if bound, err := bind(); err == nil || !strings.Contains(err.Error(), "lacks a function that was called during a test") || bound != 0 {
		t.Errorf("bound %d, error %v", bound, err)
	}
	if err := d.do(func() { d.gl.Check("a test") }); err != nil {
		t.Errorf("told again: %v", err)
	}
	lacking = false
	if err := d.thread.Do(func() error { return loadFunctions(look) }); err != nil {
		t.Fatal(err)
	}
	if bound, err := bind(); err != nil || bound != int32(buffer) {
		t.Errorf("bound %d, error %v", bound, err)
	}
}

// doubling compiles a program with one copy of a parameter.
func doubling(t *testing.T, d *Device[*memory], par *program.Parameter) (program.Run, *program.Tensor) {
	t.Helper()
	p := program.New()
	out := p.Apply(expr.Identity, p.Variable(par))
	run, err := d.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	return run, out
}

func TestParametersAndMemory(t *testing.T) {
	d, _ := open(t)
	par := program.NewParameter("w", 1, 3, []float32{1, 2, 3})
	a, out := doubling(t, d, par)
	b, _ := doubling(t, d, par)
	if got := d.Memory(); got != 3*3*bytesPerValue {
		t.Errorf("%d bytes held, want one parameter and two results", got)
	}
	par.Data = []float32{4, 5, 6}
	got := make([]float32, 3)
	read := func(want ...float32) {
		t.Helper()
		if err := a.Do(program.Out(out, got)); err != nil || !slices.Equal(got, want) {
			t.Errorf("got %v, error %v, want %v", got, err, want)
		}
	}
	read(2, 4, 6) // Data is not looked at again
	if err := d.Upload(par); err != nil {
		t.Error(err)
	}
	read(8, 10, 12)
	d.Forget(par) // in use: stays
	read(8, 10, 12)
	a.Close()
	a.Close()
	b.Close()
	d.Forget(par)
	if got := d.Memory(); got != 0 {
		t.Errorf("%d bytes held after everything is freed", got)
	}
	if err := d.Download(par); err == nil {
		t.Error("a forgotten parameter can be downloaded")
	}
	if err := a.Do(); err != program.ErrClosed {
		t.Errorf("a closed run gives %v", err)
	}
}

// A compilation that fails halfway holds nothing afterwards, and parameters can be
// forgotten.
func TestFailedCompilation(t *testing.T) {
	d, e := open(t)
	e.fail = errors.New("no room")
	p := program.New()
	p.Apply(expr.Identity, p.Input(5, 7))
	if _, err := d.Compile(p); !errors.Is(err, e.fail) || !strings.Contains(err.Error(), "[5][7]") {
		t.Errorf("got %v, want the failure with the shape", err)
	}
	e.fail = nil
	if d.Memory() != 0 {
		t.Errorf("%d bytes held", d.Memory())
	}
	p = program.New()
	p.Transpose(p.Softmax(p.Input(2, 2)))
	p.Transpose(p.Input(2, 2))
	_, err := d.Compile(p)
	var missing *program.UnsupportedError
	if !errors.As(err, &missing) || !slices.Equal(missing.Ops, []string{"softmax", "transpose"}) {
		t.Errorf("got %v, want both missing operations", err)
	}
}

// After a loss everything fails with ErrLost, and closing still works.
func TestLostContext(t *testing.T) {
	d, _ := open(t)
	par := program.NewParameter("w", 1, 1, nil)
	run, _ := doubling(t, d, par)
	if err := d.do(func() { Fail(program.ErrLost) }); !errors.Is(err, program.ErrLost) {
		t.Fatal(err)
	}
	p := program.New()
	p.Apply(expr.Identity, p.Input(1, 1))
	_, compile := d.Compile(p)
	for what, err := range map[string]error{"do": run.Do(), "upload": d.Upload(par), "compile": compile} {
		if !errors.Is(err, program.ErrLost) {
			t.Errorf("%s after the loss: %v", what, err)
		}
	}
	if err := errors.Join(run.Close(), d.Close(), d.Close()); err != nil {
		t.Error(err)
	}
	if err := run.Do(); err != program.ErrClosed {
		t.Errorf("after Close: %v", err)
	}
}

// What OpenGL complains of during a replay is the replay's error, once.
func TestOpenGLErrorIsReported(t *testing.T) {
	d, e := open(t)
	run, _ := doubling(t, d, program.NewParameter("w", 1, 1, nil))
	e.broken = func() { gl.Disable(0xFFFF) }
	if err := run.Do(); err == nil || !strings.Contains(err.Error(), "invalid enumerant") {
		t.Errorf("got %v", err)
	}
	e.broken = nil
	if err := run.Do(); err != nil {
		t.Errorf("the error came again: %v", err)
	}
	e.broken = func() { panic("a mistake") }
	if err := run.Do(); err == nil || !strings.Contains(err.Error(), "a mistake") {
		t.Errorf("a panic gave %v", err)
	}
}

// Level 5 finds the operation that is wrong: the executor of these tests doubles what it
// should copy.
func TestDebugLadderFindsWrongOperation(t *testing.T) {
	d, _ := open(t)
	run, out := doubling(t, d, program.NewParameter("w", 1, 3, []float32{1, 2, 3}))
	for level, want := range map[int]string{check.Times: "upload", check.Operations: "identity disagrees with its reference in t1[1][3] (row 0, column 2)"} {
		d.gl.Debug = level
		said := capture(t, func() {
			if err := run.Do(program.Out(out, make([]float32, 3))); err != nil {
				t.Error(err)
			}
		})
		if !strings.Contains(said, want) {
			t.Errorf("level %d says %q, want %q in it", level, said, want)
		}
		if level == check.Times && strings.Contains(said, "disagrees") {
			t.Errorf("level %d checks: %q", level, said)
		}
	}
}

// capture gives what f writes to standard error.
func capture(t *testing.T, f func()) string {
	t.Helper()
	old := os.Stderr
	defer func() { os.Stderr = old }()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	os.Stderr = w
	f()
	w.Close()
	said, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}

func TestMeasureListsPasses(t *testing.T) {
	d, _ := open(t)
	p := program.New()
	x := p.Input(1, 1)
	p.Apply(expr.Identity, x)
	p.Apply(expr.Identity, x)
	run, err := d.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	timing, err := run.Measure()
	if err != nil || len(timing.Passes) != 2 || timing.Passes[0].Name != "identity" {
		t.Errorf("%+v, error %v", timing, err)
	}
}

func TestShaderErrorSaysEverything(t *testing.T) {
	d, _ := open(t)
	err := d.do(func() {
		d.gl.Link("an operation", Stage{gl.FRAGMENT_SHADER, "#version 330 core\nvoid main() { nonsense }\n"})
	})
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range []string{"an operation", "OpenGL 3.3", "   2  void main() { nonsense }"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is missing in: %v", part, err)
		}
	}
	if strings.Contains(err.Error(), "refused by the driver: \n") {
		t.Errorf("what the driver said is missing in: %v", err)
	}
}

func TestProgramsAreCached(t *testing.T) {
	d, _ := open(t)
	vertex := Stage{gl.VERTEX_SHADER, "#version 330 core\nvoid main() { gl_Position = vec4(0.0); }\n"}
	fragment := Stage{gl.FRAGMENT_SHADER, "#version 330 core\nout vec4 c;\nvoid main() { c = vec4(1.0); }\n"}
	err := d.do(func() {
		if d.gl.Link("one", vertex, fragment) != d.gl.Link("another", vertex, fragment) {
			t.Error("the same sources were linked twice")
		}
	})
	if err != nil {
		t.Error(err)
	}
}

// Replays allocate a fixed handful of small objects, whatever the size of the tensors.
func TestReplayAllocatesLittle(t *testing.T) {
	d, _ := open(t)
	p := program.New()
	x := p.Input(64, 64)
	y := p.Apply(expr.Identity, x)
	run, err := d.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	bindings := []program.Binding{program.In(x, make([]float32, 4096)), program.Out(y, make([]float32, 4096))}
	if n := testing.AllocsPerRun(100, func() {
		if err := run.Do(bindings...); err != nil {
			t.Fatal(err)
		}
	}); n > 2 {
		t.Errorf("%g allocations a replay", n)
	}
}

// What virgl binds to the wrong unit is not used there.
func TestBufferTexels(t *testing.T) {
	openWith(t, Options{}, &plain{}, func(g *GL) {
		was, es := g.Info.Name, g.Level.ES
		for name, want := range map[string]bool{was: !es, "virgl (LLVMPIPE (LLVM 15.0.6, 256 bits))": false, "virgl (AMD Radeon RX 6600)": false} {
			g.Info.Name = name
			if got := g.BufferTexels(); got > 0 != want {
				t.Errorf("%s: %d texels", name, got)
			}
		}
		g.Info.Name, g.Level.ES = was, true
		if got := g.BufferTexels(); got > 0 {
			t.Errorf("OpenGL ES: %d texels", got)
		}
		g.Level.ES = es
	})
}
