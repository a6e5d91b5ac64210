package gldevice

import (
	"fmt"
	"reflect"

	"inkshade/glcompute/internal/program"
)

const bytesPerValue = 4

// TexelValues is the number of neighbouring columns in a texel: a vec4 of the shaders.
const TexelValues = 4

// Executor is what one way of computing brings: the memory T of a matrix, and how a
// shader runs over it. All methods run on the GL thread.
//
// Invariant of all executors: every value in a matrix's memory that is not one of its
// own is zero. The last texel of a row may reach past the last column, and there are rows
// up to a multiple of four, so that products run over whole texels and blocks of four
// rows without looking where the matrix ends.
//
// A matrix of one column lies in memory as the row of the same values, so that a texel holds
// four of them and not one. A Matrix may name either shape for the same memory.
type Executor[T any] interface {
	// NewTensor makes a matrix of zeros and counts its bytes, padding included, by GL.Hold.
	// It fails (see Fail) when the device cannot hold it.
	NewTensor(rows, cols int) T
	Free(t T)
	// Alias gives the memory of t as that of a matrix of as many values, row after row, which is
	// not freed apart; false where values would have to move for that.
	Alias(t T, rows, cols int) (T, bool)
	// Write and Read move row-major values; Read waits for the operations before it.
	Write(t T, data []float32)
	Read(t T, data []float32)
	// Stage copies a matrix into a buffer of StagedBytes, behind the operations before it and
	// without waiting; Unstage takes the row-major values out of what that buffer then holds.
	StagedBytes(t T) int
	Stage(t T, buffer uint32)
	Unstage(t T, staged, data []float32)
	// Operations holds a plan for everything the executor can do.
	Operations() Operations[T]
	// Plan links a kernel's shader and gives the step that runs it.
	Plan(b *Builder[T], k *Kernel[T]) Step
	// Close frees what the executor itself holds.
	Close()
}

// Matrix is the memory of a matrix with its shape.
type Matrix[T any] struct {
	Rows, Cols int
	Memory     T
}

// Stride is the number of texels of a row.
func (m Matrix[T]) Stride() int { return (m.Cols + TexelValues - 1) / TexelValues }

// Column reports whether the matrix is one column of several values, which lies as a row.
func (m Matrix[T]) Column() bool { return m.Cols == 1 && m.Rows > 1 }

// RowsOfTexel is the number of rows of which a texel holds values.
func (m Matrix[T]) RowsOfTexel() int {
	if m.Column() {
		return TexelValues
	}
	return 1
}

// Lying is the matrix as it lies in memory: a column as a row.
func (m Matrix[T]) Lying() Matrix[T] {
	if m.Column() {
		m.Rows, m.Cols = 1, m.Rows
	}
	return m
}

// Operand is a matrix by the name that the shader knows it by.
type Operand[T any] struct {
	Name string
	Matrix[T]
}

// Kernel is a shader that gives every texel of Out, and of Also, results of the same shape. Its
// file defines one of two functions, before or after it includes the frame that calls it, in terms
// of the integers NAME_rows, NAME_cols and NAME_stride (texels of a row) of its operands, and:
//
//	NAME_at(row, quad)      the four columns from 4·quad of a row, NAME_in(NAME_row(row), quad)
//	NAME_in(start, quad)    the same for a row found before, outside of a loop along it
//	NAME_value(start, at)   the same as a VALUE, which is what the executor puts into a texel
//
// With "frame.glsl" that is vec4 texel(int row, int quad), which gives Out. With "results.glsl"
// it is VALUE source(int row, int at), and "formulas.glsl" (see glops.Formulas) makes all results
// of what it gives. What they give past the last column is not kept. A file whose function has
// loops defines HAS_LOOP before it includes the frame. When a result is also among the operands,
// the shader may read it at the texel that it gives, and reads the value from before.
type Kernel[T any] struct {
	Op, File string
	Source   Source
	Reads    []Operand[T]
	Out      Matrix[T]
	Also     []Operand[T]
	ReadsOld bool   // a result is made of what an earlier one takes the place of
	Table    *Table // that the file reads with "table.glsl", or nil
	Work     int    // floating-point operations of a texel, roughly
	Short    bool   // a thread has so little to do that it may do so for several rows
	Ints     []Int  // uniforms
}

// Int is a whole number by the name that the shader knows it by.
type Int struct {
	Name  string
	Value int
}

// NewKernel begins a kernel with one result.
func NewKernel[T any](op program.Op, file string, out Matrix[T], work int) *Kernel[T] {
	return &Kernel[T]{Op: op.Name(), File: file, Out: out, Work: work}
}

// Read adds an operand.
func (k *Kernel[T]) Read(name string, m Matrix[T]) *Kernel[T] {
	k.Reads = append(k.Reads, Operand[T]{name, m})
	return k
}

// Define adds a definition to the source.
func (k *Kernel[T]) Define(name string, value any) *Kernel[T] {
	k.Source.Define(name, value)
	return k
}

// Int adds a uniform, in the place of an earlier one of the name.
func (k *Kernel[T]) Int(name string, value int) *Kernel[T] {
	k.Ints = append(k.Ints, Int{name, value})
	return k
}

// Step replays one operation: shader, operands and sizes are bound when it is planned.
type Step func()

// Sequence is one step made of several.
func Sequence(steps ...Step) Step {
	if len(steps) == 1 {
		return steps[0]
	}
	return func() {
		for _, step := range steps {
			step()
		}
	}
}

// Operations maps the type of an operation to its plan, which fails (see Fail) where the device cannot do it.
type Operations[T any] map[reflect.Type]func(*Builder[T], program.Op) Step

// Add enters the plan of one operation, in the place of an earlier one.
func Add[T any, O program.Op](all Operations[T], plan func(*Builder[T], O) Step) {
	all[reflect.TypeFor[O]()] = func(b *Builder[T], op program.Op) Step { return plan(b, op.(O)) }
}

// Builder hands plans what they need while a run is compiled.
type Builder[T any] struct {
	run    *Run[T]
	shared map[string]Matrix[T] // by purpose and shape
	trying bool                 // the plan is for a trial
}

// Of gives the memory of t.
func (b *Builder[T]) Of(t *program.Tensor) Matrix[T] {
	return Matrix[T]{Rows: t.Rows, Cols: t.Cols, Memory: b.run.tensors[t.ID]}
}

// Aliased reports whether t is another name for the memory of what it was made from.
func (b *Builder[T]) Aliased(t *program.Tensor) bool { return b.run.aliased[t] }

// Software reports whether the processor draws.
func (b *Builder[T]) Software() bool { return b.run.dev.gl.Info.Software }

// Scratch gives memory that a step may use until it ends. Steps that ask for the same
// purpose and shape share it, since they follow one another.
func (b *Builder[T]) Scratch(purpose string, rows, cols int) Matrix[T] {
	key := fmt.Sprint(purpose, " ", rows, " x ", cols)
	m, ok := b.shared[key]
	if !ok {
		m = Matrix[T]{Rows: rows, Cols: cols, Memory: b.run.own(rows, cols)}
		b.shared[key] = m
	}
	return m
}

// Operation plans another operation.
func (b *Builder[T]) Operation(op program.Op) Step {
	return b.run.dev.exec.Operations()[reflect.TypeOf(op)](b, op)
}

// Plan plans kernels that run one after another as one step.
func (b *Builder[T]) Plan(kernels ...*Kernel[T]) Step {
	var steps []Step
	for _, k := range kernels {
		steps = append(steps, b.run.dev.exec.Plan(b, k))
	}
	return Sequence(steps...)
}
