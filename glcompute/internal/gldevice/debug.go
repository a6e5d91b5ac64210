package gldevice

import (
	"inkshade/glcompute/internal/check"
	"inkshade/glcompute/internal/program"
)

func (g *GL) log() check.Log                             { return check.Log{Kind: g.Kind, Level: g.Debug} }
func (g *GL) logf(level int, format string, args ...any) { g.log().Printf(level, format, args...) }

// read copies a tensor off the device.
func (r *Run[T]) read(t *program.Tensor) []float32 {
	data := make([]float32, t.Len())
	r.dev.exec.Read(r.tensors[t.ID], data)
	return data
}
