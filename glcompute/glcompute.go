// Package glcompute runs tensor programs, mostly neural networks and their training, on OpenGL
// shaders or on the processor: any GPU, and no library but the driver's. A program is recorded once, compiled
// on a device, and replayed:
//
//	p := glcompute.NewProgram()
//	x := p.Input(batch, 784)
//	h := p.Layer(x, p.Variable(w1), p.Variable(b1), glcompute.ReLU)
//	y := p.Softmax(p.Product(glcompute.Plain(h), glcompute.Plain(p.Variable(w2))))
//	run, err := dev.Compile(p)
//	if err != nil {
//		return err
//	}
//	defer run.Close()
//	return run.Do(glcompute.In(x, pixels), glcompute.Out(y, probabilities))
//
// The device dev is from OpenOrCPU. The examples (example_test.go) run as they are.
//
// # Programs
//
// A tensor is a row-major float32 matrix with the samples of a mini-batch in rows; images are
// [images · positions][channels]. An Input is uploaded with a replay and stays as it is until it is uploaded again, an intermediate tensor is
// the result of an operation, and a Variable stands for a Parameter, which stays on the
// device from replay to replay and is shared by all programs that name it: Device.Upload and
// Device.Download bring its values from and to Parameter.Data. Any tensor can be read back.
//
// The operations are methods of Program. Those used most, with the shapes of what they make:
//
//	Product(a, b View) *Tensor                                                     // [rows of a][columns of b]; views are Plain or Transposed
//	Layer(x, w, bias *Tensor, f expr.Activation) *Tensor                           // x[batch][in], w[in][out], bias[1][out] or nil: [batch][out]
//	Convolution(x, w *Tensor, window Window, groups int) *Tensor                   // x[images·pixels][channels], w[taps·channels/groups][filters]: [images·positions][filters]
//	Distances(x, y *Tensor) *Tensor                                                // squared, of rows: [rows of x][rows of y]
//	Elementwise(label string, e *expr.Expr, args ...*Tensor) *Tensor               // the shape of the largest; the others are spread
//	Apply(f expr.Activation, x *Tensor) *Tensor                                    // the shape of x
//	Reduce(kind ReduceKind, along Along, term *expr.Expr, args ...*Tensor) *Tensor // of a formula: [rows][1] or [1][cols]
//	Sum(along Along, x *Tensor) *Tensor                                            // [rows][1] or [1][cols]
//	Extreme(kind ReduceKind, along Along, x *Tensor) (value, index *Tensor)        // both [rows][1] or [1][cols]
//	Pool(kind ReduceKind, x *Tensor, window Window) *Tensor                        // [images·positions][channels]
//	Gather(x, index *Tensor) *Tensor                                               // index[n][1] names rows: [n][columns of x]
//	Concat(xs ...*Tensor) *Tensor                                                  // columns side by side
//	Slice(x *Tensor, from, cols int) *Tensor                                       // [rows][cols]
//	Reshape(x *Tensor, rows, cols int) *Tensor                                     // [rows][cols]
//	Transpose(x *Tensor) *Tensor                                                   // [cols][rows]
//	Softmax(x *Tensor) *Tensor                                                     // of each row: the shape of x
//	CrossEntropy(prob, target *Tensor) *Tensor                                     // both [rows][classes]: [rows][1]
//	SGD(w, v, dw, anchor, settings *Tensor)                                        // a step, in place; all have the shape of w, settings is [1][3]
//
// Reduce is of a formula, in which Arg(0) is the first tensor. These are the sum of each row of z, and that of its squares:
//
//	sums := p.Sum(glcompute.AlongRows, z)
//	squares := p.Reduce(glcompute.ReduceSum, glcompute.AlongRows, glcompute.Square(glcompute.Arg(0)), z)
//
// A formula is a tree of package expr, so a nonlinearity of your own is a line of Go that runs on every device. Gradients
// records the backward pass of all of them.
//
// Most types here are names of types in internal packages, where their methods are documented. These commands print all
// operations, what one of them does, what a run can do, and the options of fragment.OpenWith and compute.OpenWith:
//
//	go doc inkshade/glcompute/internal/program Program
//	go doc inkshade/glcompute/internal/program Program.Product
//	go doc inkshade/glcompute/internal/program Run
//	go doc -all inkshade/glcompute/internal/gldevice Options
//
// Shapes are checked when an operation is recorded: a wrong one is a mistake in the calling code and
// panics. What depends on the machine, a device that cannot be had or is lost, is an error.
//
// # Devices
//
// CPU is the processor, Fragment OpenGL 3.3 or ES 3.0, Compute OpenGL 4.3 or ES 3.1; they replay the same programs
// and agree within float32 rounding. Auto tries a program on the processor and the best OpenGL
// device with its first replays and stays with the faster one. Mixed may also deal the samples of a mini-batch
// (Program.Batch) out to both. Run.Info says who did the last replay, and its Choice why. A device
// from OpenOrCPU is never missing: where one cannot be opened, or is lost, the processor stands in,
// and Info().Fallback says so.
//
// Options open devices in another way than the environment says: with a cache in another folder or none, with
// more or less on standard error, without OpenGL.
//
// A replay without outputs is only sent to the device; OutAsync reads back without waiting.
package glcompute

import (
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// What programs are recorded with.
type (
	Program   = program.Program   // a list of operations; its methods record them
	Tensor    = program.Tensor    // a matrix of float32 within a program
	Parameter = program.Parameter // a matrix that outlives programs
	Table     = program.Table     // whole numbers that never change and say where operations read
	Window    = program.Window    // of a convolution or a pooling
	Sparse    = program.Sparse    // rows most of whose values are zero
	Encoder   = program.Encoder   // makes such rows of dense ones
	View      = program.View      // how a product reads an operand: see Plain and Transposed
	Operand   = program.Operand   // how an elementwise operation reads one: see Whole and ValueOf

	ReduceKind = program.ReduceKind
	Along      = program.Along

	Values = program.Values // float64 contents of tensors for Program.RunReference
)

// What a reduction makes of many values, and of which.
const (
	ReduceSum  = program.ReduceSum
	ReduceMean = program.ReduceMean
	ReduceMax  = program.ReduceMax
	ReduceMin  = program.ReduceMin

	AlongRows    = program.AlongRows    // those of each row: [rows][1]
	AlongColumns = program.AlongColumns // those of each column: [1][cols]
)

// Farthest is the distance of Program.Nearest where there is nothing: beyond all distances, and its square is a number that
// divides to zero.
const Farthest = program.Farthest

// AdamSettings is the number of values of the settings of Program.Adam.
const AdamSettings = program.AdamSettings

// NewProgram makes an empty program.
func NewProgram() *Program { return program.New() }

// Must gives v, and panics where there is an error: for programs whose gradients are known to exist.
func Must[T any](v T, err error) T { return program.Must(v, err) }

// NewParameter makes a parameter around data, row-major, which is kept, not copied; nil stands for zeros.
func NewParameter(name string, rows, cols int, data []float32) *Parameter {
	return program.NewParameter(name, rows, cols, data)
}

// NewTable makes a table of values, row-major, which must not change any more.
func NewTable(rows, cols int, values []int32) *Table { return program.NewTable(rows, cols, values) }

// NewEncoder makes an encoder for s.
func NewEncoder(s *Sparse) *Encoder { return program.NewEncoder(s) }

// Plain and Transposed are t as a product reads it.
func Plain(t *Tensor) View      { return program.Plain(t) }
func Transposed(t *Tensor) View { return program.Transposed(t) }

// Whole is t as an operand of Program.ElementwiseOf and Program.Update.
func Whole(t *Tensor) Operand { return program.Whole(t) }

// ValueOf is one value of the row t[1][cols], spread over the whole result.
func ValueOf(t *Tensor, column int) Operand { return program.ValueOf(t, column) }

// Devices and what they say.
type (
	Device           = program.Device
	DeviceKind       = program.DeviceKind
	Run              = program.Run
	Binding          = program.Binding
	AsyncRead        = program.Readback
	Info             = program.Info
	Choice           = program.Choice
	Timing           = program.Timing
	Pass             = program.Pass
	UnsupportedError = program.UnsupportedError
)

const (
	CPU      = program.CPU      // the processor, in vectors
	Fragment = program.Fragment // fragment shaders of OpenGL 3.3 or ES 3.0
	Compute  = program.Compute  // compute shaders of OpenGL 4.3 or ES 3.1
	Auto     = program.Auto     // the fastest that can be had, by measurement
	Mixed    = program.Mixed    // the processor and OpenGL together, where that is faster
)

// SharingWins is how many times faster than the fastest device alone all of a Mixed device must be
// together to be used.
const SharingWins = program.SharingWins

// Errors to be recognised with errors.Is.
var (
	ErrClosed = program.ErrClosed
	ErrLost   = program.ErrLost
)

// In uploads data (row-major, rows*cols values) into an input tensor before a replay.
func In(t *Tensor, data []float32) Binding { return program.In(t, data) }

// Out reads t back into data (row-major, rows*cols values) after a replay.
func Out(t *Tensor, data []float32) Binding { return program.Out(t, data) }

// OutAsync is Out for which the replay does not wait; r has Data of the size of t and must not be on its way.
func OutAsync(t *Tensor, r *AsyncRead) Binding { return program.OutLater(t, r) }

// An expression says what becomes of the elements of tensors; see package expr, which takes them apart.
type (
	Expr       = expr.Expr
	Activation = expr.Activation // a nonlinearity: Tanh, ReLU or a function of one's own
	Function   = expr.Function   // an activation by its name
)

// ActivationNamed finds an activation by the name that files and flags know it by.
func ActivationNamed(name string) (Function, error) { return expr.FunctionNamed(name) }

// Leaves: operand number i of the operation, the same value everywhere, the new value of an earlier result of
// Program.Update, and the number of the column.
func Arg(i int) *Expr       { return expr.Arg(i) }
func Const(v float32) *Expr { return expr.Const(v) }
func NewValue(i int) *Expr  { return expr.NewValue(i) }
func ColumnIndex() *Expr    { return expr.ColumnIndex() }

// Arithmetic.
func Add(a, b *Expr) *Expr           { return expr.Add(a, b) }
func Sub(a, b *Expr) *Expr           { return expr.Sub(a, b) }
func Mul(a, b *Expr) *Expr           { return expr.Mul(a, b) }
func Div(a, b *Expr) *Expr           { return expr.Div(a, b) }
func Max(a, b *Expr) *Expr           { return expr.Max(a, b) }
func Min(a, b *Expr) *Expr           { return expr.Min(a, b) }
func Neg(x *Expr) *Expr              { return expr.Neg(x) }
func Abs(x *Expr) *Expr              { return expr.Abs(x) }
func Square(x *Expr) *Expr           { return expr.Square(x) }
func Sqrt(x *Expr) *Expr             { return expr.Sqrt(x) }
func Exp(x *Expr) *Expr              { return expr.Exp(x) }
func Log(x *Expr) *Expr              { return expr.Log(x) }
func Scale(s float32, x *Expr) *Expr { return expr.Scale(s, x) }

// Select is then where a > 0, and otherwise otherwise.
func Select(a, then, otherwise *Expr) *Expr { return expr.Select(a, then, otherwise) }

// Activations; ActivationNamed knows more.
func Identity(x *Expr) *Expr { return x }
func Tanh(x *Expr) *Expr     { return expr.Tanh(x) }
func Sigmoid(x *Expr) *Expr  { return expr.Sigmoid(x) }
func ReLU(x *Expr) *Expr     { return expr.ReLU(x) }
func GELU(x *Expr) *Expr     { return expr.GELU(x) }
