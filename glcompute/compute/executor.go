// Package compute is the executor on the compute shaders of OpenGL 4.3 or OpenGL ES 3.1. A matrix is a storage
// buffer of texels (vec4), four neighbouring columns in each, row after row.
package compute

import (
	"embed"
	"fmt"
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"

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

// Options are those of every OpenGL device.
type Options = gldevice.Options

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
	software  bool
	between   staging // on the way to and from a GPU

	operations gldevice.Operations[*buffer]
}

// OpenWith makes a device on the best context there is. The error lists what was tried.
func OpenWith(o Options) (program.Device, error) {
	start := func(g *gldevice.GL) gldevice.Executor[*buffer] { return newExecutor(g, o) }
	return gldevice.Open(program.Compute, glcontext.Version{Major: 4, Minor: 3}, glcontext.Version{Major: 3, Minor: 1, ES: true}, o, start)
}

func newExecutor(g *gldevice.GL, o Options) *executor {
	e := &executor{
		gl: g, library: gldevice.Library{shaderFiles, glops.Files},
		operations: glops.Shared(atOnce, !g.Level.ES), maxTexels: g.BufferTexels(),
	}
	gldevice.Add(e.operations, e.planProduct)
	if g.Level.ES {
		// Which has no "precise", and promises four buffers to a shader.
		if n := g.Limit(gl.MAX_COMPUTE_SHADER_STORAGE_BLOCKS); n < mostBuffers {
			gldevice.Fail(message.Errorf("its compute shaders may use %d buffers, and %d are needed", n, mostBuffers))
		}
	}
	e.software = g.Info.Software && !o.AsGPU
	g.SetAutotuner(e.library.Digest(), Tunables()...)
	gl.GetInteger64v(gl.MAX_SHADER_STORAGE_BLOCK_SIZE, &e.maxBytes)
	if most, ok := o.Limits[gl.MAX_SHADER_STORAGE_BLOCK_SIZE]; ok {
		e.maxBytes = min(e.maxBytes, int64(most))
	}
	g.Info.MaxBuffer = e.maxBytes
	// llvmpipe gathers texels with vector instructions and reads storage buffers lane by
	// lane: products are 2.5 times as fast through a view. A workgroup is one job there,
	// so small ones keep all cores busy.
	e.viaView, e.local, e.minItems, e.blocks = false, 64, 16384, blocksInRegisters
	if e.software {
		e.viaView, e.local, e.minItems, e.blocks = true, 16, 64, blocksInCache
	}
	if o.Reads != gldevice.ReadsAuto {
		e.viaView = o.Reads == gldevice.ReadsView
	}
	glops.Probe(g, e)
	return e
}

// Close implements gldevice.Executor.
func (e *executor) Close() { e.between.free() }

type (
	builder = gldevice.Builder[*buffer]
	matrix  = gldevice.Matrix[*buffer]
)

func (e *executor) Operations() gldevice.Operations[*buffer] { return e.operations }

const (
	bytesPerValue = 4
	texelValues   = 4
	texelBytes    = texelValues * bytesPerValue
	rowBlock      = 4 // rows are allocated up to a multiple of this
)

// buffer is the memory of a matrix [rows][cols], a column being a row.
type buffer struct {
	id, view   uint32 // storage buffer, and buffer texture on it (0: none)
	rows, cols int
	stride     int // texels of a row
}

func (b *buffer) bytes() int64 {
	rows := (b.rows + rowBlock - 1) / rowBlock * rowBlock
	return int64(rows) * int64(b.stride) * texelBytes
}

// packed reports whether the matrix has no padding between its rows.
func (b *buffer) packed() bool { return b.cols%texelValues == 0 }

// NewTensor makes a matrix of zeros.
func (e *executor) NewTensor(rows, cols int) *buffer {
	lies := matrix{Rows: rows, Cols: cols}.Lying()
	rows, cols = lies.Rows, lies.Cols
	b := &buffer{rows: rows, cols: cols, stride: lies.Stride()}
	if b.bytes() > e.maxBytes {
		gldevice.Fail(message.Errorf("a matrix of %d x %d takes %d bytes, and the largest storage buffer of %s is %d bytes; use a smaller batch or layer, or the CPU",
			rows, cols, b.bytes(), e.gl.Info.Name, e.maxBytes))
	}
	gl.GenBuffers(1, &b.id)
	gl.BindBuffer(gl.SHADER_STORAGE_BUFFER, b.id)
	if e.gl.Level.ES {
		zeros := make([]byte, b.bytes())
		gl.BufferData(gl.SHADER_STORAGE_BUFFER, len(zeros), unsafe.Pointer(&zeros[0]), gl.DYNAMIC_COPY)
	} else {
		gl.BufferData(gl.SHADER_STORAGE_BUFFER, int(b.bytes()), nil, gl.DYNAMIC_COPY)
		gl.ClearBufferData(gl.SHADER_STORAGE_BUFFER, gl.R32F, gl.RED, gl.FLOAT, nil)
	}
	if err := e.gl.Noted(fmt.Sprintf("making a matrix of %d x %d (%d bytes)", rows, cols, b.bytes())); err != nil {
		gl.DeleteBuffers(1, &b.id)
		gldevice.Fail(err)
	}
	e.gl.Hold(b.bytes())
	if int(b.bytes()/texelBytes) <= e.maxTexels {
		gl.GenTextures(1, &b.view)
		gl.BindTexture(gl.TEXTURE_BUFFER, b.view)
		gl.TexBuffer(gl.TEXTURE_BUFFER, gl.RGBA32F, b.id)
	}
	return b
}

func (e *executor) Free(b *buffer) {
	if b.view != 0 {
		gl.DeleteTextures(1, &b.view)
	}
	gl.DeleteBuffers(1, &b.id)
	e.gl.Hold(-b.bytes())
}

// Alias implements gldevice.Executor: rows without padding between them lie as those of another
// width without. The rows that shaders may read beyond the last must be there too.
func (e *executor) Alias(b *buffer, rows, cols int) (*buffer, bool) {
	lies := matrix{Rows: rows, Cols: cols}.Lying()
	a := &buffer{id: b.id, view: b.view, rows: lies.Rows, cols: lies.Cols, stride: lies.Stride()}
	return a, b.dense() && a.dense() && a.bytes() <= b.bytes()
}

func (b *buffer) dense() bool { return b.packed() || b.rows == 1 }

func (e *executor) Write(b *buffer, data []float32) {
	if !b.packed() {
		width := b.stride * texelValues // of the rows as they lie on the device
		staged := e.gl.Room(b.rows * width)
		for r := range b.rows {
			row := staged[r*width : (r+1)*width]
			copy(row, data[r*b.cols:(r+1)*b.cols])
			clear(row[b.cols:])
		}
		data = staged
	}
	bytes := len(data) * bytesPerValue
	if e.software {
		gl.BindBuffer(gl.SHADER_STORAGE_BUFFER, b.id)
		gl.BufferSubData(gl.SHADER_STORAGE_BUFFER, 0, bytes, unsafe.Pointer(&data[0]))
		return
	}
	e.between.fill(data)
	gl.BindBuffer(gl.COPY_WRITE_BUFFER, b.id)
	gl.CopyBufferSubData(gl.COPY_READ_BUFFER, gl.COPY_WRITE_BUFFER, 0, 0, bytes)
}

// Read maps the matrix itself where the processor draws, and a copy of it on a GPU.
func (e *executor) Read(b *buffer, data []float32) {
	from, bytes := b.id, e.StagedBytes(b)
	if !e.software {
		from = e.between.room(bytes)
		e.Stage(b, from)
	}
	e.gl.ReadBuffer(from, bytes, func(values []float32) { e.Unstage(b, values, data) })
}

func (e *executor) StagedBytes(b *buffer) int { return b.rows * b.stride * texelBytes }

func (e *executor) Stage(b *buffer, to uint32) {
	gl.BindBuffer(gl.COPY_READ_BUFFER, b.id)
	gl.BindBuffer(gl.COPY_WRITE_BUFFER, to)
	gl.CopyBufferSubData(gl.COPY_READ_BUFFER, gl.COPY_WRITE_BUFFER, 0, 0, e.StagedBytes(b))
}

func (e *executor) Unstage(b *buffer, staged, data []float32) {
	width := b.stride * texelValues
	for r := range b.rows {
		copy(data[r*b.cols:(r+1)*b.cols], staged[r*width:])
	}
}
