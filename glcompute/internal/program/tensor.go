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

	"inkshade/glcompute/message"
)

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
	Parameter  *Parameter // set when Kind is Variable
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
