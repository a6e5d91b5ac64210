package compute

import (
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/internal/gldevice"
)

// staging are the buffers through which values go to a GPU and come back, so that the GPU itself copies them, in the order of its work, and
// matrices stay in its memory: NVIDIA's driver 580 moves a matrix that is mapped into the memory of the host, from which shaders
// then read it, and seems to let glBufferSubData overtake shaders that were dispatched before it, while another program has the GPU.
type staging struct {
	up, down uint32 // 0 before the first use
	bytes    int    // of down
}

// fill brings values into the buffer that is bound for copies to read. It has new memory each time, so that a copy under way is
// left what it reads.
func (s *staging) fill(values []float32) {
	if s.up == 0 {
		gl.GenBuffers(1, &s.up)
	}
	gl.BindBuffer(gl.COPY_READ_BUFFER, s.up)
	gl.BufferData(gl.COPY_READ_BUFFER, len(values)*bytesPerValue, unsafe.Pointer(&values[0]), gl.STREAM_DRAW)
}

// room is a buffer for so many bytes on their way back.
func (s *staging) room(bytes int) uint32 {
	if s.bytes < bytes {
		gl.DeleteBuffers(1, &s.down)
		s.down, s.bytes = gldevice.StagingBuffer(bytes), bytes
	}
	return s.down
}

func (s *staging) free() {
	gl.DeleteBuffers(1, &s.up)
	gl.DeleteBuffers(1, &s.down)
}
