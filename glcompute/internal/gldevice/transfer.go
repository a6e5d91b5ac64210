package gldevice

import (
	"slices"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/internal/program"
)

// patience is how long a fence is waited for between two looks at the state of the context.
const patience = time.Second

// staging is a buffer through which values pass on their way to the host.
type staging struct {
	buffer uint32
	bytes  int
}

// transfer is a tensor copied into a staging buffer behind the operations
// of its replay, and a fence after that. All but done is touched on the GL thread only, or
// after done.
type transfer[T any] struct {
	run    *Run[T]
	tensor T
	staging
	fence uintptr
	data  []float32
	done  atomic.Bool // data has the values, or err says why it never will
	err   error
}

// send begins to bring a tensor to the host, without waiting.
func (r *Run[T]) send(tensor T, data []float32) {
	x := &transfer[T]{run: r, tensor: tensor, data: data, staging: r.stage(r.dev.exec.StagedBytes(tensor))}
	r.dev.exec.Stage(tensor, x.buffer)
	x.fence = gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
	// The fence may be deleted as soon as it is signalled, see scenes.
	r.dev.gl.EndScene()
	r.moving = append(r.moving, x)
}

// stage gives a buffer that no transfer has.
func (r *Run[T]) stage(bytes int) staging {
	if i := slices.IndexFunc(r.spare, func(s staging) bool { return s.bytes == bytes }); i >= 0 {
		s := r.spare[i]
		r.spare = slices.Delete(r.spare, i, i+1)
		return s
	}
	r.dev.gl.Hold(int64(bytes))
	return staging{StagingBuffer(bytes), bytes}
}

// StagingBuffer makes a buffer of so many bytes for values on their way to the host.
func StagingBuffer(bytes int) (buffer uint32) {
	gl.GenBuffers(1, &buffer)
	gl.BindBuffer(gl.COPY_WRITE_BUFFER, buffer)
	gl.BufferData(gl.COPY_WRITE_BUFFER, bytes, nil, gl.STREAM_READ)
	return buffer
}

// fetch is what program.Readback.Begin is given.
func (x *transfer[T]) fetch(wait bool) (bool, error) {
	if !x.done.Load() {
		err := x.run.dev.do(func() {
			if x.finish(wait); x.err != nil {
				Fail(x.err)
			}
		})
		if err != nil {
			return true, err
		}
	}
	return x.done.Load(), x.err
}

// finish takes the values if the fence is signalled, having waited for it where it should.
func (x *transfer[T]) finish(wait bool) {
	if x.done.Load() {
		return
	}
	dev, arrived := x.run.dev, false
	err := attempt(func() {
		if arrived = x.arrived(wait); arrived {
			dev.gl.ReadBuffer(x.buffer, x.bytes, func(values []float32) { dev.exec.Unstage(x.tensor, values, x.data) })
			dev.gl.Check("reading what came back")
		}
	})
	if arrived || err != nil {
		x.leave(err)
	}
}

func (x *transfer[T]) arrived(wait bool) bool {
	var timeout time.Duration
	if wait {
		timeout = patience
	}
	for {
		state := gl.ClientWaitSync(x.fence, gl.SYNC_FLUSH_COMMANDS_BIT, uint64(timeout))
		x.run.dev.gl.Check("a readback")
		if signaled := state == gl.ALREADY_SIGNALED || state == gl.CONDITION_SATISFIED; signaled || !wait {
			return signaled
		}
	}
}

// ReadBuffer waits for what writes a buffer and hands take what its first bytes hold. Whether it could Check tells.
func (g *GL) ReadBuffer(buffer uint32, bytes int, take func([]float32)) {
	gl.BindBuffer(gl.COPY_WRITE_BUFFER, buffer)
	if values := gl.MapBufferRange(gl.COPY_WRITE_BUFFER, 0, bytes, gl.MAP_READ_BIT); values != nil {
		take(unsafe.Slice((*float32)(values), bytes/bytesPerValue))
		g.taken = !gl.UnmapBuffer(gl.COPY_WRITE_BUFFER)
	}
}

// leave ends the transfer; its buffer is for the next.
func (x *transfer[T]) leave(err error) {
	r := x.run
	gl.DeleteSync(x.fence)
	r.spare = append(r.spare, x.staging)
	r.moving = slices.DeleteFunc(r.moving, func(y *transfer[T]) bool { return x == y })
	x.err = err
	x.done.Store(true)
}

// endTransfers waits for what is on its way, unless the context is lost, and frees the buffers.
func (r *Run[T]) endTransfers() {
	for len(r.moving) > 0 {
		if r.dev.lost {
			r.moving[0].leave(program.ErrLost)
		} else {
			r.moving[0].finish(true)
		}
	}
	for i := range r.spare {
		gl.DeleteBuffers(1, &r.spare[i].buffer)
		r.dev.gl.Hold(-int64(r.spare[i].bytes))
	}
	r.spare = nil
}
