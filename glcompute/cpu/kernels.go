package cpu

import (
	"reflect"
	"slices"

	"inkshade/glcompute/program"
)

// kernels holds what this executor can do, by the type of the operation.
var kernels = map[reflect.Type]func(*builder, program.Op) func(){}

// register adds an operation: make binds the operands once and gives the function that
// a replay calls. Each operation's file registers its own.
func register[O program.Op](make func(*builder, O) func()) {
	kernels[reflect.TypeFor[O]()] = func(b *builder, op program.Op) func() { return make(b, op.(O)) }
}

// supports is nil when every operation of p has a kernel.
func supports(p *program.Program) error {
	var missing []string
	for _, op := range p.Ops() {
		if kernels[reflect.TypeOf(op)] == nil && !slices.Contains(missing, op.Name()) {
			missing = append(missing, op.Name())
		}
	}
	if missing != nil {
		return &program.UnsupportedError{Device: program.CPU, Ops: missing}
	}
	return nil
}

func build(b *builder, op program.Op) func() { return kernels[reflect.TypeOf(op)](b, op) }

// builder hands kernels the memory of a run while it is compiled.
type builder struct {
	values [][]float32                       // by tensor ID
	params map[*program.Parameter]*parameter // of the device
	bytes  int64                             // allocated for this run
}

// Of gives the values of t, and nil for a nil tensor.
func (b *builder) Of(t *program.Tensor) []float32 {
	if t == nil {
		return nil
	}
	return b.values[t.ID]
}

// Scratch gives n values of the run's own memory.
func (b *builder) Scratch(n int) []float32 {
	b.bytes += bytesPerValue * int64(n)
	return make([]float32, n)
}

// Changes points to the count of changes of t, which is nil when any replay may bring others.
func (b *builder) Changes(t *program.Tensor) *int {
	if t.Parameter == nil {
		return nil
	}
	return &b.params[t.Parameter].changes
}
