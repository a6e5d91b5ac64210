package glops

import (
	"inkshade/glcompute/internal/gldevice"
)

// ElementsKernel is the kernel of formulas alone.
func ElementsKernel[T any](op string, f *Formulas[T]) gldevice.Kernel[T] {
	k := gldevice.Kernel[T]{Op: op, File: "elements.glsl"}
	f.AddTo(&k)
	return k
}
