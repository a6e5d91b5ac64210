package program

import "fmt"

// Op is one recorded operation. Each operation is a struct in a file of its own, with
// its formula, its shape rule and its link to the plain reference that defines it.
type Op interface {
	// Name is the operation's name in messages, timings and the executors' tables.
	Name() string
	// Reads lists the tensors whose values the operation needs. A tensor that is also
	// in Writes is updated in place.
	Reads() []*Tensor
	// Writes lists the tensors the operation gives new values.
	Writes() []*Tensor
	// Reference computes the operation with nested loops and float64 sums. It defines
	// what the operation means; every executor is tested against it.
	Reference(v Values)
	// Gradient records the gradients of what the operation reads from those of what it writes.
	Gradient(b *Backward)
}

// Values holds the float64 contents of tensors for a reference run.
type Values map[*Tensor][]float64

// Of gives the contents of t, made as zeros on first use, and nil for a nil tensor.
func (v Values) Of(t *Tensor) []float64 {
	if t == nil {
		return nil
	}
	x, ok := v[t]
	if !ok {
		x = make([]float64, t.Len())
		v[t] = x
	}
	return x
}

// Program is a list of operations with all shapes known. It is recorded once and then
// compiled by a device. It must not be changed after that.
type Program struct {
	tensors []*Tensor
	ops     []Op
	params  map[*Parameter]*Tensor
	samples int       // of the mini-batch; 0 where none is declared
	batch   []*Tensor // inputs that hold them
}

// New makes an empty program.
func New() *Program { return &Program{params: map[*Parameter]*Tensor{}} }

// Ops lists the recorded operations in the order of their execution.
func (p *Program) Ops() []Op { return p.ops }

// Tensors lists all tensors; the ID of each is its index.
func (p *Program) Tensors() []*Tensor { return p.tensors }

// Input declares a matrix that the caller uploads on each replay.
func (p *Program) Input(rows, cols int) *Tensor { return p.tensor(rows, cols, Input) }

// Variable brings a parameter into the program; the same parameter gives the same tensor.
func (p *Program) Variable(par *Parameter) *Tensor {
	if t, ok := p.params[par]; ok {
		return t
	}
	t := p.tensor(par.Rows, par.Cols, Variable)
	t.Parameter = par
	p.params[par] = t
	return t
}

// Record appends an operation of the caller's own. The methods named after operations
// (Product, Softmax, ...) check shapes, make the output and then call it.
func (p *Program) Record(op Op) {
	for _, t := range append(append([]*Tensor{}, op.Reads()...), op.Writes()...) {
		if t.owner != p {
			panic(fmt.Sprintf("program: %s uses %s, which belongs to another program", op.Name(), t))
		}
	}
	p.ops = append(p.ops, op)
}

// RunReference replays the program on the plain references. Inputs and variables must
// be in v; variables updated in place are changed there.
func (p *Program) RunReference(v Values) {
	for _, op := range p.ops {
		op.Reference(v)
	}
}

func (p *Program) tensor(rows, cols int, kind Kind) *Tensor {
	if rows <= 0 || cols <= 0 {
		panic(fmt.Sprintf("program: tensor shape [%d][%d]; both must be positive", rows, cols))
	}
	t := &Tensor{ID: len(p.tensors), Rows: rows, Cols: cols, Kind: kind, owner: p}
	p.tensors = append(p.tensors, t)
	return t
}

// result makes the output of an operation.
func (p *Program) result(rows, cols int) *Tensor { return p.tensor(rows, cols, Intermediate) }

// requireShape panics unless t is [rows][cols].
func requireShape(op, role string, t *Tensor, rows, cols int) {
	if t.Rows != rows || t.Cols != cols {
		panic(fmt.Sprintf("program: %s: %s is %s, want [%d][%d]", op, role, t, rows, cols))
	}
}
