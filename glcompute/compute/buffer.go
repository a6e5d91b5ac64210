package compute

import (
	"fmt"
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/message"
)

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
func (e *executor) NewTensor(rows, cols int) (*buffer, error) {
	lies := matrix{Rows: rows, Cols: cols}.Lying()
	rows, cols = lies.Rows, lies.Cols
	b := &buffer{rows: rows, cols: cols, stride: lies.Stride()}
	if b.bytes() > e.maxBytes {
		return nil, message.Errorf("a matrix of %d x %d takes %d bytes, and the largest storage buffer of %s is %d bytes; use a smaller batch or layer, or the CPU",
			rows, cols, b.bytes(), e.gl.Info.Name, e.maxBytes)
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
	if err := e.gl.Check(fmt.Sprintf("making a matrix of %d x %d (%d bytes)", rows, cols, b.bytes())); err != nil {
		gl.DeleteBuffers(1, &b.id)
		return nil, err
	}
	e.gl.Hold(b.bytes())
	if int(b.bytes()/texelBytes) <= e.maxTexels {
		gl.GenTextures(1, &b.view)
		gl.BindTexture(gl.TEXTURE_BUFFER, b.view)
		gl.TexBuffer(gl.TEXTURE_BUFFER, gl.RGBA32F, b.id)
	}
	return b, nil
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

// stage gives room for the rows of b as they lie on the device.
func (e *executor) stage(b *buffer) []float32 {
	n := b.rows * b.stride * texelValues
	if cap(e.staging) < n {
		e.staging = make([]float32, n)
	}
	return e.staging[:n]
}

func (e *executor) Write(b *buffer, data []float32) {
	if !b.packed() {
		staged, width := e.stage(b), b.stride*texelValues
		for r := range b.rows {
			row := staged[r*width : (r+1)*width]
			copy(row, data[r*b.cols:(r+1)*b.cols])
			clear(row[b.cols:])
		}
		data = staged
	}
	gl.BindBuffer(gl.SHADER_STORAGE_BUFFER, b.id)
	gl.BufferSubData(gl.SHADER_STORAGE_BUFFER, 0, len(data)*bytesPerValue, unsafe.Pointer(&data[0]))
}

func (e *executor) Read(b *buffer, data []float32) {
	e.gl.ReadBuffer(b.id, e.StagedBytes(b), func(values []float32) { e.Unstage(b, values, data) })
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
