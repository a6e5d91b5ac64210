package gldevice

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/clock"
	"inkshade/glcompute/glcontext"
	"inkshade/glcompute/internal/cache"
	"inkshade/glcompute/internal/check"
	"inkshade/glcompute/internal/program"
	"inkshade/glcompute/message"
)

// Device is a program.Device on an OpenGL context of its own.
type Device[T any] struct {
	*program.Kept[T]
	thread *glcontext.Thread
	gl     *GL
	exec   Executor[T]
	// The rest is touched on the GL thread only.
	tables map[[sha256.Size]byte]*Table
	lost   bool

	notes struct {
		sync.Mutex
		all []*message.Message
	}
}

// Options are those of every executor. They change how a device works, not what it computes.
type Options struct {
	// Cache keeps linked programs for the next start; nil keeps nothing.
	Cache *cache.Folder
	// Debug is how much the device writes to standard error, a level of package check.
	Debug int
	// Verify compares a training step with the reference before the device is trusted; see Open.
	Verify bool
	// Variants gives operations (see Tunable) by their names the number of the variant that
	// is always taken. The others take the one that suits the shape, which is measured when
	// there is a Cache to keep the times.
	Variants map[string]int
	// TrialTime is how long variants may be measured while one program is compiled; 0 stands
	// for half a second.
	TrialTime time.Duration
	// PieceWork is the number of floating-point operations after which a long operation is
	// cut into another dispatch or draw; 0 stands for a value that suits the device, by measurement.
	PieceWork int
	// Reads says how shaders read tensors, as far as there is a choice; ReadsAuto suits the renderer.
	Reads Reads
	// Unpacked has fragment shaders put one value into a texel instead of four. It exists to be compared.
	Unpacked bool
	// Progress is told of the driver when the context is there and for every shader that is linked; nil is nobody.
	Progress func(program.Info)
	// Limits lowers integers of the implementation, by their OpenGL names, for tests.
	Limits map[uint32]int32
	// ES opens OpenGL ES alone, as on a machine that has nothing else, for tests.
	ES bool
	// AsGPU has compute shaders share out work and move values on a software renderer as on a GPU, for tests.
	AsGPU bool
	// Edit changes the source of an operation's shader before it is compiled, for tests; nil changes nothing.
	Edit func(op, text string) string
}

// Reads is a way for shaders to read a tensor.
type Reads uint8

const (
	ReadsAuto   Reads = iota
	ReadsMemory       // from the texture or storage buffer that holds it
	ReadsView         // from a buffer texture: for compute shaders on the same memory, for products of fragment shaders a copy
)

// Open makes the context, of the OpenGL version or, where that cannot be had, of that of OpenGL ES, and has start make the executor
// on its thread. With Options.Verify, a
// driver that computes wrongly is an error (see Device.verify); one that was right is not asked
// again by the same shaders.
func Open[T any](kind program.DeviceKind, level, es glcontext.Version, o Options, start func(*GL) Executor[T]) (program.Device, error) {
	versions := []glcontext.Version{level, es}
	if o.ES {
		versions = versions[1:]
	}
	thread, err := glcontext.Open(versions...)
	if err != nil {
		return nil, err
	}
	d := &Device[T]{thread: thread, tables: map[[sha256.Size]byte]*Table{}}
	err = thread.Do(func() error {
		if err := loadFunctions(thread.ProcAddr); err != nil {
			return err
		}
		return attempt(func() {
			d.gl = newGL(kind, thread.Version(), o)
			d.gl.progress()
			d.exec = start(d.gl)
			d.Kept = d.keep()
			d.gl.Check("the start")
		})
	})
	if err != nil {
		err = message.Errorf("%s: %w", thread.Describe(), err)
		return nil, errors.Join(err, thread.Close())
	}
	d.gl.logf(check.Device, "%s, %s, %s, by %s, software %t, largest texture %d, largest buffer %d",
		d.gl.Info.Name, d.gl.Info.Vendor, d.gl.Info.Version, thread.Describe(), d.gl.Info.Software,
		d.gl.Info.MaxTexture, d.gl.Info.MaxBuffer)
	if o.Verify {
		if err := d.verified(); err != nil {
			return nil, errors.Join(err, d.Close())
		}
	}
	if notes, ok := d.gl.options.Cache.Get(d.notesKey()); ok {
		_ = json.Unmarshal(notes, &d.notes.all) // what is damaged will be found out again
	}
	return d, nil
}

// keep says how the device holds parameters.
func (d *Device[T]) keep() *program.Kept[T] {
	do := func(f func() error) error {
		return d.do(func() {
			if err := f(); err != nil {
				Fail(err)
			}
		})
	}
	checked := func(transfer func(T, []float32)) func(T, []float32) {
		return func(m T, values []float32) {
			transfer(m, values)
			d.gl.Check("the transfer of a parameter")
		}
	}
	return program.NewKept(do, program.Memory[T]{Free: d.exec.Free, Write: checked(d.exec.Write), Read: checked(d.exec.Read), New: func(par *program.Parameter) T {
		m := d.exec.NewTensor(par.Rows, par.Cols)
		d.exec.Write(m, par.Data)
		return m
	}})
}

// worked is when a device of the process last did something for its caller, in nanoseconds.
var worked atomic.Int64

// Idle is how long no device of the process has done anything for its caller.
func Idle() time.Duration { return clock.Since(time.Unix(0, worked.Load())) }

// do runs f on the GL thread, unless the context is known to be lost, and notes a loss.
func (d *Device[T]) do(f func()) error {
	return d.thread.Do(func() error {
		if d.lost {
			return program.ErrLost
		}
		err := attempt(f)
		worked.Store(clock.Now().UnixNano())
		d.lost = d.lost || errors.Is(err, program.ErrLost)
		return err
	})
}

// Info describes the device.
func (d *Device[T]) Info() program.Info {
	info := d.gl.Info
	d.notes.Lock()
	defer d.notes.Unlock()
	info.Differs = message.List(d.notes.all)
	return info
}

// mostNotes is enough to know a driver by.
const mostNotes = 8

// Note says a sentence about work that the device does wrongly and that is therefore done in another way, and keeps it for Info, also
// of processes that start later. The detail is said alone.
func (d *Device[T]) Note(sentence *message.Message, detail string) {
	d.notes.Lock()
	defer d.notes.Unlock()
	known := func(m *message.Message) bool { return m.String() == sentence.String() }
	if slices.ContainsFunc(d.notes.all, known) || len(d.notes.all) == mostNotes {
		return
	}
	d.notes.all = append(d.notes.all, sentence)
	d.gl.logf(0, "%s (%s)", sentence, detail)
	if data, err := json.Marshal(d.notes.all); err == nil {
		d.gl.options.Cache.Put(d.notesKey(), data)
	}
}

func (d *Device[T]) notesKey() string {
	key := "differs\x00" + d.gl.driver() + "\x00" + string(d.gl.Kind)
	if d.gl.tuner != nil {
		key += "\x00" + d.gl.tuner.key // which knows the shaders
	}
	return key
}

// Wait returns when everything sent to the device is done: Run.Do without outputs only sends.
func (d *Device[T]) Wait() error {
	return d.do(func() {
		gl.Finish()
		d.gl.Check("waiting for replays")
	})
}

// Memory is the number of bytes of tensors and parameters on the device, with padding.
func (d *Device[T]) Memory() int64 { return d.gl.held.Load() }

// Compile links the shaders and makes the buffers of p.
func (d *Device[T]) Compile(p *program.Program) (program.Run, error) { return d.CompileAs(p, false) }

// CompileAs is Compile that makes operations one, or leaves them apart.
func (d *Device[T]) CompileAs(p *program.Program, apart bool) (program.Run, error) {
	operations := d.exec.Operations()
	if err := p.Supported(d.gl.Kind, func(op reflect.Type) bool { return operations[op] != nil }); err != nil {
		return nil, err
	}
	var r *Run[T]
	if err := d.do(func() { r = d.compile(p, apart) }); err != nil {
		return nil, err
	}
	return r, nil
}

func (d *Device[T]) compile(p *program.Program, apart bool) *Run[T] {
	start, before, restored := clock.Now(), d.gl.compiled, d.gl.restored
	d.gl.tuner.begin()
	r := &Run[T]{dev: d, program: p, aliased: map[*program.Tensor]bool{}}
	r.replay = r.replayBindings
	err := attempt(func() {
		r.build(apart)
		d.gl.Check("compiling a program")
	})
	if err != nil {
		r.free()
		Fail(err)
	}
	r.compile = clock.Since(start)
	d.gl.logf(check.Times, "compiled %d operations in %v: %d shaders from source, %d from the cache",
		len(p.Ops()), r.compile, d.gl.compiled-before, d.gl.restored-restored)
	return r
}

// build makes memory for every tensor and plans every operation.
func (r *Run[T]) build(apart bool) {
	sources := r.program.Renamed()
	for _, t := range r.program.Tensors() {
		if err := attempt(func() { r.tensors = append(r.tensors, r.memory(t, sources[t])) }); err != nil {
			Fail(message.Errorf("%s: %w", t, err))
		}
	}
	r.builder = &Builder[T]{run: r, shared: map[string]Matrix[T]{}}
	// Operations are looked at one by one where each is inspected.
	r.passes = r.builder.plan(!apart && r.dev.gl.Debug < check.Broken)
}

// memory gives t memory: its parameter's, that of what it is a reshape of, or its own.
func (r *Run[T]) memory(t, reshaped *program.Tensor) T {
	if t.Kind == program.Variable {
		memory, err := r.dev.Use(t.Parameter)
		if err != nil {
			Fail(err)
		}
		r.params = append(r.params, t.Parameter)
		return memory
	}
	if reshaped != nil {
		if memory, ok := r.dev.exec.Alias(r.tensors[reshaped.ID], t.Rows, t.Cols); ok {
			r.aliased[t] = true
			return memory
		}
	}
	return r.own(t.Rows, t.Cols)
}

// Close frees everything and ends the GL thread.
func (d *Device[T]) Close() error {
	err := d.thread.Do(func() error {
		d.Clear()
		for _, u := range d.tables {
			d.gl.freeTable(u)
		}
		d.tables = nil
		d.exec.Close()
		d.gl.close()
		return nil
	})
	d.gl.held.Store(0)
	if errors.Is(err, program.ErrClosed) {
		err = nil
	}
	defer trim()
	return errors.Join(err, d.thread.Close())
}
