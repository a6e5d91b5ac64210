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
