package cpu

import (
	"reflect"

	"inkshade/glcompute/internal/program"
)

// kernels holds what this executor can do, by the type of the operation.
var kernels = map[reflect.Type]func(*builder, program.Op) func(){}

// register adds an operation: make binds the operands once and gives the function that
// a replay calls. Each operation's file registers its own.
func register[O program.Op](make func(*builder, O) func()) {
	kernels[reflect.TypeFor[O]()] = func(b *builder, op program.Op) func() { return make(b, op.(O)) }
}

// builder hands kernels the memory of a run while it is compiled.
type builder struct {
	values  [][]float32                       // by tensor ID
	params  map[*program.Parameter]*parameter // of the device
	bytes   int64                             // allocated for this run
	threads int
}

// Of gives the values of t, and nil for a nil tensor.
func (b *builder) Of(t *program.Tensor) []float32 {
	if t == nil {
		return nil
	}
	return b.values[t.ID]
}

// Scratch gives n values of the run's own memory, and some that may be read behind them.
func (b *builder) Scratch(n int) []float32 {
	b.bytes += bytesPerValue * int64(n)
	return room(n)
}

func room(n int) []float32 { return make([]float32, n+readBeyond)[:n] }

// threadScratch gives as much for each thread.
func (b *builder) threadScratch(n int) [][]float32 {
	all := make([][]float32, b.threads)
	for i := range all {
		all[i] = b.Scratch(n)
	}
	return all
}
