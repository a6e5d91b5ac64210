// Package glops formulates the operations for both OpenGL executors: which shader runs
// over which matrices, in how many stages. The shader files beside it are the same text
// at every GL level; an executor puts its own frame around them (see gldevice.Kernel).
package glops

import (
	"embed"

	"inkshade/glcompute/internal/gldevice"
)

// Files holds the shaders.
//
//go:embed shaders
var Files embed.FS

// Shared gives the plans of the operations that need nothing of an executor's own. Products and
// formulas are planned by the executors, which choose how much of them a thread computes.
func Shared[T any]() gldevice.Operations[T] {
	all := gldevice.Operations[T]{}
	gldevice.Add(all, planTranspose[T])
	gldevice.Add(all, planSoftmax[T])
	gldevice.Add(all, planCrossEntropy[T])
	gldevice.Add(all, planCTC[T])
	gldevice.Add(all, planWarp[T])
	gldevice.Add(all, planReshape[T])
	gldevice.Add(all, planConcat[T])
	gldevice.Add(all, planSlice[T])
	gldevice.Add(all, planNearest[T])
	gldevice.Add(all, planGather[T])
	gldevice.Add(all, planScatterAdd[T])
	return all
}
