// Package budget bounds what one file may make of itself while it is read: a small one can ask for gigabytes, or for work
// without end.
package budget

import (
	"context"

	"inkshade/glcompute/message"
)

// What a file may make.
const (
	Bytes = 512 << 20
	Steps = 1 << 30 // values that are computed, moved or compared: about ten seconds

	// A large file may take this many times its own size, and steps: its weights are widened, put into another order, and narrowed.
	bytesPerByte = 8
	stepsPerByte = 16
)

// Budget is what a file may still make. It is not safe for use by several goroutines at once.
type Budget struct {
	ctx                  context.Context
	mostBytes, mostSteps int
	bytes, steps         int // that are left
	files                int // bytes that were read
}

// New gives the budget of one file, whose reading ends with ctx.
func New(ctx context.Context) *Budget {
	return &Budget{ctx: ctx, mostBytes: Bytes, mostSteps: Steps, bytes: Bytes, steps: Steps}
}

// Read counts bytes that the file has, or another that belongs to it.
func (b *Budget) Read(bytes int) {
	b.files += bytes
	if more := bytesPerByte*b.files - b.mostBytes; more > 0 {
		b.mostBytes, b.bytes = b.mostBytes+more, b.bytes+more
	}
	if more := stepsPerByte*b.files - b.mostSteps; more > 0 {
		b.mostSteps, b.steps = b.mostSteps+more, b.steps+more
	}
}

// Spend takes bytes that are about to be allocated and steps about to be made. After its first error it gives no more.
func (b *Budget) Spend(bytes, steps int) error {
	if b.ctx.Err() != nil {
		return context.Cause(b.ctx)
	}
	b.bytes, b.steps = b.bytes-bytes, b.steps-steps
	switch {
	case b.bytes < 0:
		return message.Errorf("with it the file needs more than %d MB of memory, the most that it may take", b.mostBytes>>20)
	case b.steps < 0:
		return message.Errorf("with it the file needs more than %d million steps of computing, the most that it may take", b.mostSteps/1_000_000)
	}
	return nil
}

// Left is the number of bytes that may still be allocated; after Restore it is that again, since what was made meanwhile is dropped.
func (b *Budget) Left() int { return b.bytes }

// Restore gives back the bytes that were spent since they were left.
func (b *Budget) Restore(left int) { b.bytes = left }
