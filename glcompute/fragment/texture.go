package fragment

import (
	"fmt"
	"math/bits"
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
func (e *executor) NewTensor(rows, cols int) *texture {
	lies := matrix{Rows: rows, Cols: cols}.Lying()
	rows, cols = lies.Rows, lies.Cols
	folded := !e.planes || e.mirrors && rows*cols <= smallTexels*gldevice.TexelValues
	l, err := newLayout(rows, cols, e.values, e.maxSide, e.maxLayers, !folded)
	if err != nil {
		gldevice.Fail(err)
	}
	if e.mirrors {
		l.cut(e.maxSide)
	}
	t := &texture{layout: l, cols: cols}
	gl.GenTextures(1, &t.id)
	gl.BindTexture(gl.TEXTURE_2D_ARRAY, t.id)
	gl.TexParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MAX_LEVEL, 0)
	gl.TexImage3D(gl.TEXTURE_2D_ARRAY, 0, int32(internalFormat[t.values]), int32(l.width), int32(l.top+l.height), int32(l.layers), 0, format[t.values], gl.FLOAT, nil)
	what := fmt.Sprintf("making a matrix of %d x %d (a texture of %d x %d x %d, %d bytes)",
		rows, cols, l.width, l.top+l.height, l.layers, t.bytes())
	e.gl.Hold(t.bytes())
	if err = e.gl.Noted(what); err == nil {
		if err = t.attach(e.gl); err == nil {
			return t
		}
		err = message.Errorf("%s: %w", what, err)
	}
	e.Free(t)
	gldevice.Fail(err)
	return nil
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
	if t.mirror.view != 0 {
		gl.DeleteTextures(1, &t.mirror.view)
		gl.DeleteBuffers(1, &t.mirror.buffer)
		e.gl.Hold(-t.mirrorBytes())
	}
}

// Alias implements gldevice.Executor: folded rows of whole texels lie as those of any other length, and where rows begin a
// shader is told with each operation. The rows that it may read beyond the last must be there too.
func (e *executor) Alias(t *texture, rows, cols int) (*texture, bool) {
	lies := matrix{Rows: rows, Cols: cols}.Lying()
	a, err := newLayout(lies.Rows, lies.Cols, t.values, e.maxSide, e.maxLayers, false)
	whole := t.cols%t.values == 0 && lies.Cols%t.values == 0
	return t, err == nil && t.folded && whole && a.shiftX == t.shiftX && a.shiftY == t.shiftY && a.texels() <= t.texels()
}

// internalFormat and format are how OpenGL calls texels of so many values.
var (
	internalFormat = map[int]uint32{1: gl.R32F, gldevice.TexelValues: gl.RGBA32F}
	format         = map[int]uint32{1: gl.RED, gldevice.TexelValues: gl.RGBA}
)

func (t *texture) bytes() int64 {
	return int64(t.width*(t.top+t.height)*t.layers*t.values) * bytesPerValue
}

func (e *executor) Write(t *texture, data []float32) {
	staged := e.gl.Room(t.texels() * t.values)
	clear(staged)
	for r := range t.rows {
		copy(staged[t.offset(r)*t.values:], data[r*t.cols:(r+1)*t.cols])
	}
	gl.ActiveTexture(gl.TEXTURE0)
	gl.BindTexture(gl.TEXTURE_2D_ARRAY, t.id)
	gl.TexSubImage3D(gl.TEXTURE_2D_ARRAY, 0, 0, int32(t.top), 0, int32(t.width), int32(t.height), int32(t.layers),
		format[t.values], gl.FLOAT, unsafe.Pointer(&staged[0]))
	t.mirror.stale = true
}

func (e *executor) Read(t *texture, data []float32) {
	staged := e.gl.Room(t.texels() * t.values)
	if e.gl.Level.ES || t.top > 0 {
		t.packAll(0, unsafe.Pointer(&staged[0]))
	} else {
		gl.ActiveTexture(gl.TEXTURE0)
		gl.BindTexture(gl.TEXTURE_2D_ARRAY, t.id)
		gl.GetTexImage(gl.TEXTURE_2D_ARRAY, 0, format[t.values], gl.FLOAT, unsafe.Pointer(&staged[0]))
	}
	e.Unstage(t, staged, data)
}

func (e *executor) StagedBytes(t *texture) int { return t.texels() * t.values * bytesPerValue }

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
	gl.TexBuffer(gl.TEXTURE_BUFFER, internalFormat[t.values], t.mirror.buffer)
	t.mirror.stale = true
	e.gl.Hold(t.mirrorBytes())
	return true
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
		gl.ReadPixels(int32(column), int32(t.top), int32(columns), int32(t.height), format[t.values], gl.FLOAT, to)
	}
	gl.PixelStorei(skip, 0)
	gl.PixelStorei(gl.PACK_ROW_LENGTH, 0)
	gl.BindBuffer(gl.PIXEL_PACK_BUFFER, 0)
}

// planeLayers is the number of layers over which the rows of a matrix are dealt out: as
// many as every desktop OpenGL has render targets, so that one fragment computes eight
// neighbouring rows, and a block of 8 x 4 of a product is read once for all of them.
const planeLayers = 8

// fewestInPlanes is the number of rows from which a matrix lies in planes: a product then reads
// a block of its other factor once for all of them, which pays before all layers are filled.
const fewestInPlanes = 4

// smallTexels is the size up to which software renderers have a matrix folded, which then is as it lies what reshapes make of it:
// a pass takes them some 50 microseconds, and eight rows read together pay in larger ones.
const smallTexels = 256

// rowBlock is the number of rows of which a folded matrix has a multiple.
const rowBlock = 4

// tallest is the height that a folded matrix may reach before its lines grow.
const tallest = 2048

// layout is where the texels of a matrix lie in a texture array. A matrix of four rows or
// more lies in planes: texel q of row r at x = q, y = r/8 in layer r%8. One that is taller
// than the largest texture goes on beside itself, in strips of planes whose height is a power of
// two. A matrix with fewer rows, or one wider than the largest texture, is folded: its texels,
// row after row, fill the layers line by line, whose width and height are powers of two.
type layout struct {
	rows, stride          int // of the matrix; stride in texels
	values                int // neighbouring columns in a texel: four, or one when unpacked
	folded                bool
	strips                int // of planes, beside one another
	width, height, layers int
	shiftX, shiftY        int // logarithms of the sides of a folded layer, shiftY that of strips' height
	top                   int // lines that stay free before the first
}

// tile is the side of the squares that software renderers deal out to threads, and tileBlock that of the squares of fragments
// which they compute at once.
const (
	tile      = 64
	tileBlock = 4
)

// cut moves a matrix of up to two tiles down so far that the border of tiles cuts it in half, for two threads: from the top it
// would be one tile or little more, which one thread computes.
func (l *layout) cut(maxSide int) {
	lines := l.lines()
	top := tile - (lines/2+tileBlock-1)/tileBlock*tileBlock
	if l.layers == l.targets() && l.strips == 1 && lines >= 2*tileBlock && lines <= 2*tile && top+l.height <= maxSide {
		l.top = top
	}
}

// newLayout fails when the texels do not fit the largest texture array. Without planes every matrix is folded.
func newLayout(rows, cols, values, maxSide, maxLayers int, planes bool) (layout, error) {
	l := layout{rows: rows, stride: (cols + values - 1) / values, values: values}
	largest := bits.Len(uint(maxSide)) - 1
	l.height, l.strips = (rows+planeLayers-1)/planeLayers, 1
	if l.height > maxSide {
		l.strips, l.shiftY = (l.height+1<<largest-1)>>largest, largest
		l.height = 1 << largest
	}
	if l.width = l.stride * l.strips; planes && rows >= fewestInPlanes && l.width <= maxSide {
		l.layers = planeLayers
		return l, nil
	}
	l.folded, l.strips = true, 1
	texels := l.paddedRows() * l.stride
	if rows*l.stride <= smallTexels {
		texels = rowBlock * rows * l.stride // enough for a reshape to one row
	}
	// Lines are four texels while the texture is not too tall for that: renderers work on
	// squares of 2 x 2 or 4 x 4 fragments, which are neighbours in the matrix then and read
	// neighbouring texels.
	l.shiftX = min(2, largest)
	for l.shiftX < largest && texels > min(maxSide, tallest)<<l.shiftX {
		l.shiftX++
	}
	l.width = 1 << l.shiftX
	lines := (texels + l.width - 1) / l.width
	if lines <= maxSide {
		// One layer, whose height need not be a power: no index reaches a second.
		l.height, l.layers, l.shiftY = lines, 1, 30-l.shiftX
		return l, nil
	}
	l.shiftY = largest
	l.height = 1 << largest
	l.layers = (lines + l.height - 1) / l.height
	if l.layers > maxLayers {
		return l, message.Errorf("a matrix of %d x %d takes %d texels, and the largest texture has %d layers of %d x %d; use a smaller batch or layer, or the CPU",
			rows, cols, texels, maxLayers, l.width, l.height)
	}
	return l, nil
}

// paddedRows is the number of rows that can be read; those past the last are zero.
func (l *layout) paddedRows() int {
	if l.folded {
		return (l.rows + rowBlock - 1) / rowBlock * rowBlock
	}
	return l.strips * l.height * planeLayers
}

// targets is the number of layers that one fragment writes.
func (l *layout) targets() int {
	if l.folded {
		return 1
	}
	return planeLayers
}

// lines is the number of lines of the layers, from the first on, that hold the matrix.
func (l *layout) lines() int {
	if l.folded {
		return (l.rows*l.stride + l.width - 1) / l.width
	}
	return l.height
}

func (l *layout) texels() int { return l.width * l.height * l.layers }

// fragments is the number of those that write the matrix.
func (l *layout) fragments() int { return l.texels() / l.targets() }

// offset is the place of the first texel of row r when the layers follow one another,
// as they are uploaded and read back. In both layouts the row's other texels follow it.
func (l *layout) offset(r int) int {
	if l.folded {
		return r * l.stride
	}
	line := r / planeLayers
	return (r%planeLayers*l.height+line%l.height)*l.width + line/l.height*l.stride
}
