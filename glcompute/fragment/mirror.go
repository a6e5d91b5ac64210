package fragment

import (
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"
)

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
