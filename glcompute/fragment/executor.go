// Package fragment is the executor on the fragment shaders of OpenGL 3.3, or of OpenGL ES 3.0 that draws into float textures,
// for every GPU that has no compute shaders, and the only one that macOS can run. A matrix is a float
// texture of texels (RGBA), four neighbouring columns in each; an operation is one
// triangle clipped by the viewport to the texture that it writes, as in claim 1 of the
// second pixel-shader patent (US 7,548,892, Microsoft): a rectangular viewport within a
// triangle, and the pixels of both are what is computed.
package fragment

import (
	"embed"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/glcontext"
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/internal/program"
)

//go:embed shaders
var shaderFiles embed.FS

// Options are those of every OpenGL device.
type Options = gldevice.Options

// ReadsMemory is for Options.Reads: the operands of products are read from the textures that hold them.
const ReadsMemory = gldevice.ReadsMemory

type (
	builder = gldevice.Builder[*texture]
	matrix  = gldevice.Matrix[*texture]
)

// executor is the gldevice.Executor of textures.
type executor struct {
	gl         *gldevice.GL
	library    gldevice.Library
	operations gldevice.Operations[*texture]
	values     int // of a texel
	maxSide    int // of a texture
	maxLayers  int
	targets    int  // that a fragment may write
	planes     bool // matrices may lie in planes
	mirrors    bool // products read from buffer textures
	maxTexels  int  // of a buffer texture
	triangle   uint32
	beside     [planeLayers + 1]uint32 // framebuffers of so many surfaces
	vertex     gldevice.Stage
}

// OpenWith makes a device on the best context there is. The error lists what was tried.
func OpenWith(o Options) (program.Device, error) {
	start := func(g *gldevice.GL) gldevice.Executor[*texture] { return newExecutor(g, o) }
	return gldevice.Open(program.Fragment, glcontext.Version{Major: 3, Minor: 3}, glcontext.Version{Major: 3, ES: true}, o, start)
}

func newExecutor(g *gldevice.GL, o Options) *executor {
	e := &executor{
		gl: g, library: gldevice.Library{shaderFiles, glops.Files},
		values: gldevice.TexelValues, maxSide: g.Info.MaxTexture, maxLayers: int(g.Limit(gl.MAX_ARRAY_TEXTURE_LAYERS)),
	}
	// OpenGL has eight, OpenGL ES may have four.
	e.targets = int(min(g.Limit(gl.MAX_DRAW_BUFFERS), g.Limit(gl.MAX_COLOR_ATTACHMENTS), planeLayers))
	e.planes = e.targets == planeLayers
	if o.Unpacked {
		e.unpack()
	}
	e.mirrors = o.Reads == gldevice.ReadsView || o.Reads == gldevice.ReadsAuto && g.Info.Software
	e.maxTexels = g.BufferTexels()
	g.SetAutotuner(e.library.Digest(), Tunables()...)
	e.operations = glops.Shared(e.inTurn, false)
	gldevice.Add(e.operations, e.planProduct)
	e.vertex = gldevice.Stage{Type: gl.VERTEX_SHADER, Text: new(gldevice.Source).Text(g, e.library, "triangle.glsl")}
	gl.GenVertexArrays(1, &e.triangle)
	gl.BindVertexArray(e.triangle)
	// Nothing of what OpenGL does for pictures may touch the numbers.
	for _, state := range []uint32{gl.DITHER, gl.BLEND, gl.DEPTH_TEST, gl.SCISSOR_TEST} {
		gl.Disable(state)
	}
	if !g.Level.ES {
		gl.Disable(gl.FRAMEBUFFER_SRGB)
	}
	gl.ClearColor(0, 0, 0, 0)
	gl.PixelStorei(gl.PACK_ALIGNMENT, bytesPerValue)
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, bytesPerValue)
	glops.Probe(g, e)
	return e
}

func (e *executor) Operations() gldevice.Operations[*texture] { return e.operations }

func (e *executor) Close() {
	gl.DeleteVertexArrays(1, &e.triangle)
	gl.DeleteFramebuffers(int32(len(e.beside)), &e.beside[0])
}
