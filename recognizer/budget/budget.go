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

	// A large file may take this many times its own size: its weights are widened, put into another order, and narrowed.
	perByte = 8
)

// Budget is what a file may still make. It is not safe for use by several goroutines at once.
type Budget struct {
	ctx          context.Context
	most         int // bytes
	bytes, steps int // that are left
	files        int // bytes that were read
}

// New gives the budget of one file, whose reading ends with ctx.
func New(ctx context.Context) *Budget {
	return &Budget{ctx: ctx, most: Bytes, bytes: Bytes, steps: Steps}
}

// Read counts bytes that the file has, or another that belongs to it.
func (b *Budget) Read(bytes int) {
	b.files += bytes
	if more := perByte*b.files - b.most; more > 0 {
		b.most, b.bytes = b.most+more, b.bytes+more
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
		return message.Errorf("with it the file needs more than %d MB of memory, the most that it may take", b.most>>20)
	case b.steps < 0:
		return message.Errorf("with it the file needs more than %d million steps of computing, the most that it may take", Steps/1_000_000)
	}
	return nil
}

// Left is the number of bytes that may still be allocated; after Restore it is that again, since what was made meanwhile is dropped.
func (b *Budget) Left() int { return b.bytes }

// Restore gives back the bytes that were spent since they were left.
func (b *Budget) Restore(left int) { b.bytes = left }
