// Package compute is the executor on the compute shaders of OpenGL 4.3 or OpenGL ES 3.1. A matrix is a storage
// buffer of texels (vec4), four neighbouring columns in each, row after row.
package compute

import (
	"embed"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/glcontext"
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/internal/program"
	"inkshade/glcompute/message"
)

// mostBuffers are used by a shader, as many as every OpenGL 4.3 lets it.
const mostBuffers = 8

//go:embed shaders
var shaderFiles embed.FS

// Common are the options of both OpenGL devices.
type Common = gldevice.Options

// Options change how the device works, not what it computes.
type Options struct {
	// Fetch says how shaders read tensors; FetchAuto suits the renderer.
	Fetch Fetch
	Common
}

// Fetch is a way for shaders to read a tensor.
type Fetch uint8

const (
	FetchAuto    Fetch = iota
	FetchBuffer        // as elements of the storage buffer
	FetchTexture       // as texels of a buffer texture on the same memory
)

// executor is the gldevice.Executor of storage buffers.
type executor struct {
	gl        *gldevice.GL
	library   gldevice.Library
	viaView   bool          // read through buffer textures
	maxTexels int           // of a buffer texture
	maxBytes  int64         // of a storage buffer
	local     int           // threads of a workgroup
	minItems  int           // threads worth having before each does more
	blocks    []glops.Block // of products
	staging   []float32
	software  bool

	operations gldevice.Operations[*buffer]
}

// OpenWith makes a device on the best context there is. The error lists what was tried.
func OpenWith(o Options) (program.Device, error) {
	start := func(g *gldevice.GL) (gldevice.Executor[*buffer], error) { return newExecutor(g, o) }
	return gldevice.Open(program.Compute, glcontext.Version{Major: 4, Minor: 3}, glcontext.Version{Major: 3, Minor: 1, ES: true}, o.Common, start)
}

func newExecutor(g *gldevice.GL, o Options) (*executor, error) {
	e := &executor{
		gl: g, library: gldevice.Library{shaderFiles, glops.Files},
		operations: glops.Shared[*buffer](),
	}
	gldevice.Add(e.operations, e.planElementwise)
	gldevice.Add(e.operations, planReduce)
	gldevice.Add(e.operations, e.planProduct)
	if g.Level.ES {
		// Which has no "precise", may have no buffer textures, and promises four buffers to a shader.
		if n := g.Limit(gl.MAX_COMPUTE_SHADER_STORAGE_BLOCKS); n < mostBuffers {
			return nil, message.Errorf("its compute shaders may use %d buffers, and %d are needed", n, mostBuffers)
		}
		gldevice.Add(e.operations, glops.PlanTwoFloats[*buffer])
	} else {
		e.maxTexels = int(g.Limit(gl.MAX_TEXTURE_BUFFER_SIZE))
		gldevice.Add(e.operations, e.planTwoFloats)
	}
	e.software = g.Info.Software
	g.SetChooser(e.library.Digest(), Choosable()...)
	gl.GetInteger64v(gl.MAX_SHADER_STORAGE_BLOCK_SIZE, &e.maxBytes)
	if most, ok := o.Limits[gl.MAX_SHADER_STORAGE_BLOCK_SIZE]; ok {
		e.maxBytes = min(e.maxBytes, int64(most))
	}
	g.Info.MaxBuffer = e.maxBytes
	// llvmpipe gathers texels with vector instructions and reads storage buffers lane by
	// lane: products are 2.5 times as fast through a view. A workgroup is one job there,
	// so small ones keep all cores busy.
	e.viaView, e.local, e.minItems, e.blocks = false, 64, 16384, blocksInRegisters
	if g.Info.Software {
		e.viaView, e.local, e.minItems, e.blocks = true, 16, 64, blocksInCache
	}
	switch o.Fetch {
	case FetchBuffer:
		e.viaView = false
	case FetchTexture:
		e.viaView = true
	}
	return e, e.probe()
}

// probe computes known values: a driver may offer compute shaders and get them wrong.
func (e *executor) probe() error {
	in := make([]float32, 15)
	for i := range in {
		in[i] = float32(i) - 7.125
	}
	return glops.Probe(e.gl, e, 3, in, expr.Add(expr.Scale(2, expr.Arg(0)), expr.Scale(0.5, expr.Arg(0))), 2.5)
}

// Close implements gldevice.Executor; nothing is held beyond tensors and programs.
func (e *executor) Close() {}

type (
	builder = gldevice.Builder[*buffer]
	matrix  = gldevice.Matrix[*buffer]
)

func (e *executor) Operations() gldevice.Operations[*buffer] { return e.operations }
