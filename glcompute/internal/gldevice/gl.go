// Package gldevice is what the two OpenGL executors have in common: the device and the
// replay of programs on its GL thread, the cache of linked shaders, timing, debugging,
// and the formulas that are the same text at every GL level. An executor brings its
// tensors' memory and a plan for each operation (see Executor).
//
// Everything that touches OpenGL runs on the device's thread; functions that do say so
// by taking or belonging to a *GL.
package gldevice

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/glcontext"
	"inkshade/glcompute/internal/program"
	"inkshade/glcompute/message"
)

// GL is the state of one OpenGL context that executors share.
type GL struct {
	Kind     program.DeviceKind
	Level    glcontext.Version // of the shaders' #version line
	Info     program.Info
	Debug    int // see Options
	shaders  map[string]uint32
	linked   map[string]*Shader
	taken    bool    // the system has taken the memory of what was read
	robust   bool    // the driver tells of a reset
	formats  []int32 // in which the driver gives linked programs away and takes them back
	compiled int     // programs linked from their sources
	restored int     // programs taken from the cache
	tuner    *Autotuner
	options  Options
	held     atomic.Int64
	scenes   scenes
	room     []float32
}

// Room gives n values of memory on the host, whose contents last until the next call.
func (g *GL) Room(n int) []float32 {
	g.room = slices.Grow(g.room[:0], n)[:n]
	return g.room
}

// Hold counts bytes of tensors that an executor has taken, or given back when negative.
func (g *GL) Hold(bytes int64) { g.held.Add(bytes) }

// newGL reads what the driver says of itself.
func newGL(kind program.DeviceKind, level glcontext.Version, o Options) *GL {
	g := &GL{
		Kind: kind, Level: level, Debug: o.Debug,
		shaders: map[string]uint32{}, linked: map[string]*Shader{}, options: o,
	}
	g.Info = program.Info{
		Kind:       kind,
		Name:       gl.GoStr(gl.GetString(gl.RENDERER)),
		Vendor:     gl.GoStr(gl.GetString(gl.VENDOR)),
		Version:    gl.GoStr(gl.GetString(gl.VERSION)),
		Language:   "OpenGL " + level.String(),
		MaxTexture: int(g.Limit(gl.MAX_TEXTURE_SIZE)),
	}
	g.Info.Software = glcontext.IsSoftware(g.Info.Name)
	if n := g.Limit(gl.NUM_PROGRAM_BINARY_FORMATS); n > 0 {
		g.formats = make([]int32, n)
		gl.GetIntegerv(gl.PROGRAM_BINARY_FORMATS, &g.formats[0])
	}
	gl.GetError() // of a driver that gives no programs away
	major, minor := g.Limit(gl.MAJOR_VERSION), g.Limit(gl.MINOR_VERSION)
	g.robust = major > 4 || major == 4 && minor >= 5 || level.ES && major == 3 && minor >= 2
	return g
}

// progress tells who asked for it that the driver has come further.
func (g *GL) progress() {
	if g.options.Progress != nil {
		g.options.Progress(g.Info)
	}
}

// Limit reads an integer of the implementation.
func (g *GL) Limit(name uint32) int32 {
	var v int32
	gl.GetIntegerv(name, &v)
	if most, ok := g.options.Limits[name]; ok {
		v = min(v, most)
	}
	return v
}

// BufferTexels is how many texels a matrix may have that shaders read from a buffer texture. It is 0 on OpenGL ES, which may have no such
// textures, and on virgl: its renderer (virglrenderer 0.10, vrend_set_single_sampler_view) binds each new one to whatever unit is active,
// and if the table of a convolution is there, the next draw by the same shader reads other values in its place.
func (g *GL) BufferTexels() int {
	if g.Level.ES || strings.HasPrefix(g.Info.Name, "virgl") {
		return 0
	}
	return int(g.Limit(gl.MAX_TEXTURE_BUFFER_SIZE))
}

// contextLost is the error code of OpenGL 4.5 and KHR_robustness.
const contextLost = 0x0507

// failure is an error that ends what a device is doing on its thread. Plans and replays panic with it, so that none
// hands errors on; attempt makes an error of it again.
type failure struct{ error }

// Fail ends what the device is doing.
func Fail(err error) { panic(failure{err}) }

// attempt does what may Fail, and gives the error.
func attempt(do func()) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case failure:
			err = x.error
		default:
			panic(x)
		}
	}()
	do()
	return nil
}

// Check fails where OpenGL has noted errors since the last check.
func (g *GL) Check(during string) {
	if err := g.Noted(during); err != nil {
		Fail(err)
	}
}

// Noted gives the errors that OpenGL has noted since the last check, as one error:
// program.ErrLost after a reset of the GPU.
func (g *GL) Noted(during string) error {
	if missed() {
		return message.Errorf("the OpenGL of %s lacks a function that was called during %s", g.Info.Name, during)
	}
	if g.taken {
		g.taken = false
		return message.Errorf("the system took the memory of what came back")
	}
	if g.robust && gl.GetGraphicsResetStatus() != gl.NO_ERROR {
		return program.ErrLost
	}
	var names []string
	// A lost context may repeat its error for ever.
	for range 8 {
		code := gl.GetError()
		if code == gl.NO_ERROR {
			break
		}
		if code == contextLost {
			return program.ErrLost
		}
		names = append(names, cmp.Or(errorNames[code], fmt.Sprintf("error %#x", code)))
	}
	if names == nil {
		return nil
	}
	return message.Errorf("OpenGL reported %s during %s on %s", strings.Join(names, ", "), during, g.Info.Name)
}

var errorNames = map[uint32]string{
	gl.INVALID_ENUM: "an invalid enumerant", gl.INVALID_VALUE: "an invalid value", gl.INVALID_OPERATION: "an invalid operation",
	gl.INVALID_FRAMEBUFFER_OPERATION: "an incomplete framebuffer", gl.OUT_OF_MEMORY: "that it is out of memory",
}

func (g *GL) close() {
	gl.Finish()
	for _, f := range g.scenes.fences {
		if f != 0 {
			gl.DeleteSync(f)
		}
	}
	for _, s := range g.linked {
		gl.DeleteProgram(s.id)
	}
	for _, s := range g.shaders {
		gl.DeleteShader(s)
	}
}

// heldScenes is twice the number of scenes that llvmpipe has under way at most.
const heldScenes = 128

// scenes holds a fence for each of the last draws. llvmpipe rasterises draws (its scenes)
// in threads of its own. A scene that is found done is used again, and its fence is freed
// at once, though the thread that has just counted it may still be unlocking it (Mesa,
// lp_setup_get_empty_scene against lp_fence_signal): memory is written after it was freed.
// A sync object keeps the fence; when it is deleted, so many scenes have followed that the
// threads, which take scenes in order, have long left it.
type scenes struct {
	fences [heldScenes]uintptr
	next   int
}

// EndScene is called after the draws into one framebuffer, before anything flushes them.
func (g *GL) EndScene() {
	if g.Info.Software {
		s := &g.scenes
		oldest := &s.fences[s.next]
		if *oldest != 0 {
			gl.DeleteSync(*oldest)
		}
		*oldest = gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
		s.next = (s.next + 1) % heldScenes
	}
}
