// Package program is the vocabulary of glcompute: tensors, the operations between
// them with their shape rules, the program that records them, and the interface of
// the devices that replay it. It knows no device and no OpenGL; executors stand on it.
//
// One alphabet of shapes is used throughout: a tensor is a row-major float32 matrix
// [rows][cols] with the mini-batch in rows. A gradient is "d" plus the name of what it
// belongs to. Shapes are checked when an operation is recorded: a wrong shape is a
// mistake of the calling code and panics with the shapes in the message.
package program

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"inkshade/glcompute/message"
)

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
	// Sharding says how the results hang on the samples of a mini-batch.
	Sharding(s Samples) Sharding
	// With is the operation on other tensors, of the same columns and the rows of as many
	// samples. What it divides by stays that of the whole batch, so that totals add up.
	With(f func(*Tensor) *Tensor) Op
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

// Parameters lists those of its variables.
func (p *Program) Parameters() (all []*Parameter) {
	for _, t := range p.tensors {
		if t.Kind == Variable {
			all = append(all, t.Parameter)
		}
	}
	return all
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

// made records an operation and gives its first result.
func (p *Program) made(op Op) *Tensor {
	p.Record(op)
	return op.Writes()[0]
}

// Written are the variables that operations change, each once.
func (p *Program) Written() (all []*Tensor) {
	for _, op := range p.ops {
		for _, t := range op.Writes() {
			if t.Kind == Variable && !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
	}
	return all
}

// Renamed gives the tensors that are another in a new shape, for as long as nothing changes either: results of Reshape.
func (p *Program) Renamed() map[*Tensor]*Tensor {
	written := map[*Tensor]int{}
	for _, op := range p.ops {
		for _, t := range op.Writes() {
			written[t]++
		}
	}
	same := map[*Tensor]*Tensor{}
	for _, op := range p.ops {
		if o, ok := op.(*Reshape); ok && o.X.Kind != Variable && written[o.X] <= 1 && written[o.Out] == 1 {
			same[o.Out] = o.X
		}
	}
	return same
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

func (p *Program) result(rows, cols int) *Tensor { return p.tensor(rows, cols, Intermediate) }

// requireShape panics unless t is [rows][cols].
func requireShape(op, role string, t *Tensor, rows, cols int) {
	if t.Rows != rows || t.Cols != cols {
		panic(fmt.Sprintf("program: %s: %s is %s, want [%d][%d]", op, role, t, rows, cols))
	}
}

// ErrClosed is returned by a device or run that has been closed.
var ErrClosed = message.Errorf("the device or the run is closed")

// ErrLost is returned once a GL context is lost (driver reset, GPU removed); the device
// can only be closed then, and the caller goes on with another.
var ErrLost = message.Errorf("the OpenGL context was lost")

// Supported gives an *UnsupportedError of the device where p has operations that are not among its own.
func (p *Program) Supported(device DeviceKind, has func(op reflect.Type) bool) error {
	var missing []string
	for _, op := range p.ops {
		if !has(reflect.TypeOf(op)) && !slices.Contains(missing, op.Name()) {
			missing = append(missing, op.Name())
		}
	}
	if missing != nil {
		return &UnsupportedError{Device: device, Ops: missing}
	}
	return nil
}

// UnsupportedError lists operations of a program that a device cannot do.
type UnsupportedError struct {
	Device DeviceKind
	Ops    []string
}

func (e *UnsupportedError) Error() string { return e.Message().String() }

// Message is what a person is told.
func (e *UnsupportedError) Message() *message.Message {
	return message.Text("the %s device has no %s", e.Device, strings.Join(e.Ops, ", "))
}

// Kind says where the values of a tensor come from and how long they live.
type Kind uint8

const (
	// Intermediate tensors are results of an operation; they live within one replay
	// unless they are bound as an output.
	Intermediate Kind = iota
	// Input tensors are uploaded by the caller on each replay (see In).
	Input
	// Variable tensors stay on the device between replays and are shared by all
	// programs that name the same Parameter.
	Variable
)

// Tensor is a symbolic handle on a matrix of Rows x Cols float32 within one Program.
type Tensor struct {
	ID         int // position within the program's list of tensors
	Rows, Cols int
	Kind       Kind
	Parameter  *Parameter `json:"-"` // set when Kind is Variable
	owner      *Program
}

// Len is the number of elements, Rows*Cols.
func (t *Tensor) Len() int { return t.Rows * t.Cols }

// String gives the identity and the shape, as error messages show them: "t3[128][784]".
func (t *Tensor) String() string {
	if t == nil {
		return "none"
	}
	name := fmt.Sprintf("t%d", t.ID)
	if t.Parameter != nil && t.Parameter.Name != "" {
		name = t.Parameter.Name
	}
	return fmt.Sprintf("%s[%d][%d]", name, t.Rows, t.Cols)
}

// Parameter is a matrix that outlives programs: weights, biases, momenta. A device
// makes its own copy from Data the first time it compiles a program that uses the
// parameter; from then on the copy on the device is the truth, and Data only changes
// when the caller downloads into it (Device.Download).
type Parameter struct {
	Name       string
	Rows, Cols int
	Data       []float32 // row-major, len Rows*Cols
}

// NewParameter makes a parameter around data, which is kept, not copied. A nil data
// stands for zeros. It panics when the length does not fit the shape.
func NewParameter(name string, rows, cols int, data []float32) *Parameter {
	if rows <= 0 || cols <= 0 {
		panic(fmt.Sprintf("program: parameter %s has shape [%d][%d]; both must be positive", name, rows, cols))
	}
	if data == nil {
		data = make([]float32, rows*cols)
	}
	if len(data) != rows*cols {
		panic(fmt.Sprintf("program: parameter %s[%d][%d] needs %d values, got %d", name, rows, cols, rows*cols, len(data)))
	}
	return &Parameter{Name: name, Rows: rows, Cols: cols, Data: data}
}

// Check reports Data of the wrong length, which the caller may have exchanged.
func (p *Parameter) Check() error {
	if len(p.Data) != p.Rows*p.Cols {
		return message.Errorf("parameter %s[%d][%d] needs %d values, has %d", p.Name, p.Rows, p.Cols, p.Rows*p.Cols, len(p.Data))
	}
	return nil
}

// Absent is the error of a device that has no copy of the parameter.
func (p *Parameter) Absent() error {
	return message.Errorf("parameter %s[%d][%d] is not on the device; compile a program that uses it first", p.Name, p.Rows, p.Cols)
}
