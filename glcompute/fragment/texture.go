package fragment

import (
	"fmt"
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/message"
)

const bytesPerValue = 4

// texture is the memory of a matrix.
type texture struct {
	layout
	surface
	cols   int
	mirror mirror
}

// surface is a texture array and the framebuffers that draw into it: one for all layers
// in planes, one for each layer of a folded matrix.
type surface struct {
	id           uint32
	framebuffers []uint32
}

// NewTensor makes a matrix of zeros.
func (e *executor) NewTensor(rows, cols int) (*texture, error) {
	lies := matrix{Rows: rows, Cols: cols}.Lying()
	rows, cols = lies.Rows, lies.Cols
	l, err := newLayout(rows, cols, e.values, e.maxSide, e.maxLayers, e.planes)
	if err != nil {
		return nil, err
	}
	t := &texture{layout: l, cols: cols}
	gl.GenTextures(1, &t.id)
	gl.BindTexture(gl.TEXTURE_2D_ARRAY, t.id)
	gl.TexParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MAX_LEVEL, 0)
	gl.TexImage3D(gl.TEXTURE_2D_ARRAY, 0, t.internalFormat(), int32(l.width), int32(l.height), int32(l.layers), 0, t.format(), gl.FLOAT, nil)
	what := fmt.Sprintf("making a matrix of %d x %d (a texture of %d x %d x %d, %d bytes)",
		rows, cols, l.width, l.height, l.layers, t.bytes())
	e.gl.Hold(t.bytes())
	if err := e.gl.Check(what); err != nil {
		e.Free(t)
		return nil, err
	}
	if err := t.attach(e.gl); err != nil {
		e.Free(t)
		return nil, message.Errorf("%s: %w", what, err)
	}
	return t, nil
}

// attach makes the framebuffers and clears the layers.
func (t *texture) attach(g *gldevice.GL) error {
	targets := t.targets()
	t.framebuffers = make([]uint32, t.layers/targets)
	gl.GenFramebuffers(int32(len(t.framebuffers)), &t.framebuffers[0])
	for n, f := range t.framebuffers {
		gl.BindFramebuffer(gl.FRAMEBUFFER, f)
		for i, b := range attachments[:targets] {
			gl.FramebufferTextureLayer(gl.FRAMEBUFFER, b, t.id, 0, int32(n*targets+i))
		}
		gl.DrawBuffers(int32(targets), &attachments[0])
		if status := gl.CheckFramebufferStatus(gl.FRAMEBUFFER); status != gl.FRAMEBUFFER_COMPLETE {
			return message.Errorf("the driver cannot draw into float textures (framebuffer status %#x)", status)
		}
		gl.Clear(gl.COLOR_BUFFER_BIT)
		g.EndScene()
	}
	return nil
}

func (e *executor) Free(t *texture) {
	if len(t.framebuffers) > 0 {
		gl.DeleteFramebuffers(int32(len(t.framebuffers)), &t.framebuffers[0])
	}
	gl.DeleteTextures(1, &t.id)
	e.gl.Hold(-t.bytes())
	e.freeMirror(t)
}

// Alias implements gldevice.Executor: where a texel lies depends on the shape.
func (e *executor) Alias(t *texture, _, _ int) (*texture, bool) { return t, false }

// internalFormat and format are how OpenGL calls texels of so many values.
func (l *layout) internalFormat() int32 {
	if l.values == 1 {
		return gl.R32F
	}
	return gl.RGBA32F
}

func (l *layout) format() uint32 {
	if l.values == 1 {
		return gl.RED
	}
	return gl.RGBA
}

func (t *texture) bytes() int64 { return int64(t.texels()*t.values) * bytesPerValue }

// stage gives room for all texels of t, layer after layer.
func (e *executor) stage(t *texture) []float32 {
	n := t.texels() * t.values
	if cap(e.staging) < n {
		e.staging = make([]float32, n)
	}
	return e.staging[:n]
}

func (e *executor) Write(t *texture, data []float32) {
	staged := e.stage(t)
	clear(staged)
	for r := range t.rows {
		copy(staged[t.offset(r)*t.values:], data[r*t.cols:(r+1)*t.cols])
	}
	gl.ActiveTexture(gl.TEXTURE0)
	gl.BindTexture(gl.TEXTURE_2D_ARRAY, t.id)
	gl.TexSubImage3D(gl.TEXTURE_2D_ARRAY, 0, 0, 0, 0, int32(t.width), int32(t.height), int32(t.layers),
		t.format(), gl.FLOAT, unsafe.Pointer(&staged[0]))
	t.mirror.stale = true
}

func (e *executor) Read(t *texture, data []float32) {
	staged := e.stage(t)
	if e.gl.Level.ES {
		t.packAll(0, unsafe.Pointer(&staged[0]))
	} else {
		gl.ActiveTexture(gl.TEXTURE0)
		gl.BindTexture(gl.TEXTURE_2D_ARRAY, t.id)
		gl.GetTexImage(gl.TEXTURE_2D_ARRAY, 0, t.format(), gl.FLOAT, unsafe.Pointer(&staged[0]))
	}
	e.Unstage(t, staged, data)
}

func (e *executor) StagedBytes(t *texture) int { return int(t.bytes()) }

func (e *executor) Stage(t *texture, buffer uint32) {
	t.packAll(buffer, nil)
}

func (e *executor) Unstage(t *texture, staged, data []float32) {
	for r := range t.rows {
		copy(data[r*t.cols:(r+1)*t.cols], staged[t.offset(r)*t.values:])
	}
}

// mirror is a copy of a matrix in a buffer texture, row after row of texels, for shaders
// that read it many times: llvmpipe fetches from a buffer twice as fast as from any other
// texture. It is made anew when the matrix has changed and it is about to be read.
type mirror struct {
	buffer, view uint32 // 0: none
	stale        bool
}

// lineTexels is the number of texels in a line of a processor's cache.
const lineTexels = 4

// mirrorStride is the number of texels from one row of a mirror to the next. Long rows are
// an odd number of cache lines apart: the same columns of many rows would otherwise share
// a few sets of the cache, and products of 1,024 columns took half as long again.
func (l *layout) mirrorStride() int {
	if l.folded || l.stride < 8*lineTexels {
		return l.stride
	}
	lines := (l.stride + lineTexels - 1) / lineTexels
	return (lines | 1) * lineTexels
}

// mirrorTexels is the size of a mirror.
func (t *texture) mirrorTexels() int {
	if t.folded {
		return t.texels()
	}
	return t.paddedRows() * t.mirrorStride()
}

func (t *texture) mirrorBytes() int64 { return int64(t.mirrorTexels()*t.values) * bytesPerValue }

// mirrored makes a mirror for t where one that large is possible, and reports whether t
// has one.
func (e *executor) mirrored(t *texture) bool {
	if t.mirror.view != 0 {
		return true
	}
	if t.mirrorTexels() > e.maxTexels {
		return false
	}
	gl.GenBuffers(1, &t.mirror.buffer)
	gl.BindBuffer(gl.TEXTURE_BUFFER, t.mirror.buffer)
	gl.BufferData(gl.TEXTURE_BUFFER, int(t.mirrorBytes()), nil, gl.DYNAMIC_COPY)
	gl.GenTextures(1, &t.mirror.view)
	gl.BindTexture(gl.TEXTURE_BUFFER, t.mirror.view)
	gl.TexBuffer(gl.TEXTURE_BUFFER, uint32(t.internalFormat()), t.mirror.buffer)
	t.mirror.stale = true
	e.gl.Hold(t.mirrorBytes())
	return true
}

func (e *executor) freeMirror(t *texture) {
	if t.mirror.view == 0 {
		return
	}
	gl.DeleteTextures(1, &t.mirror.view)
	gl.DeleteBuffers(1, &t.mirror.buffer)
	e.gl.Hold(-t.mirrorBytes())
}

// refresh copies the matrix into its mirror, without leaving the device.
func (t *texture) refresh() {
	if !t.mirror.stale {
		return
	}
	t.mirror.stale = false
	if t.folded {
		t.packAll(t.mirror.buffer, nil)
		return
	}
	// A layer of planes is every eighth row of the mirror, a strip goes on after the one before it.
	for strip := range t.strips {
		t.pack(t.mirror.buffer, nil, strip*t.stride, t.stride, planeLayers*t.mirrorStride(), gl.PACK_SKIP_PIXELS, func(layer int) int {
			return (strip*t.height*planeLayers + layer) * t.mirrorStride()
		})
	}
}

// packAll copies all layers, one after the other, into a buffer, or to that place in memory where there is no buffer.
func (t *texture) packAll(buffer uint32, to unsafe.Pointer) {
	t.pack(buffer, to, 0, t.width, t.width, gl.PACK_SKIP_ROWS, func(layer int) int { return layer * t.height })
}

// pack copies so many columns of all layers into a buffer whose rows have so many texels. Where a
// layer lies in it is said by rows or pixels to skip.
func (t *texture) pack(buffer uint32, to unsafe.Pointer, column, columns, length int, skip uint32, skipped func(layer int) int) {
	gl.BindBuffer(gl.PIXEL_PACK_BUFFER, buffer)
	gl.PixelStorei(gl.PACK_ROW_LENGTH, int32(length))
	for layer := range t.layers {
		gl.PixelStorei(skip, int32(skipped(layer)))
		if layer%t.targets() == 0 {
			gl.BindFramebuffer(gl.READ_FRAMEBUFFER, t.framebuffers[layer/t.targets()])
		}
		gl.ReadBuffer(gl.COLOR_ATTACHMENT0 + uint32(layer%t.targets()))
		gl.ReadPixels(int32(column), 0, int32(columns), int32(t.height), t.format(), gl.FLOAT, to)
	}
	gl.PixelStorei(skip, 0)
	gl.PixelStorei(gl.PACK_ROW_LENGTH, 0)
	gl.BindBuffer(gl.PIXEL_PACK_BUFFER, 0)
}
