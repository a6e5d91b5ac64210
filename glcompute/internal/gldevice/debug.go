package gldevice

import (
	"inkshade/glcompute/internal/check"
	"inkshade/glcompute/program"
)

// The levels of INKSHADE_DEBUG that are asked for by name here.
const (
	debugDevice = check.Device
	debugTimes  = check.Times
	debugSource = check.Source
	debugNaN    = check.Broken
	debugCheck  = check.Operations
)

func (g *GL) log() check.Log                             { return check.Log{Kind: g.Kind, Level: g.Debug} }
func (g *GL) logf(level int, format string, args ...any) { g.log().Printf(level, format, args...) }

func (g *GL) logSource(op, text string) {
	if g.Debug >= debugSource {
		g.logf(debugSource, "shader of %s\n%s", op, numbered(text))
	}
}

func (g *GL) logTimes(t program.Timing, held int64, bindings []program.Binding) {
	g.log().Times(t, held, bindings)
}

// read copies a tensor off the device.
func (r *Run[T]) read(t *program.Tensor) []float32 {
	data := make([]float32, t.Len())
	r.dev.exec.Read(r.tensors[t.ID], data)
	return data
}

// inspected runs a step with what the debug level asks for before and after it, as long
// as nothing was found in this replay.
func (r *Run[T]) inspected(op program.Op, step Step, found bool) bool {
	if found {
		step()
		return true
	}
	return r.dev.gl.log().Inspect(op, r.read, step)
}
