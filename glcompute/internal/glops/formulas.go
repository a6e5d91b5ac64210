package glops

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
)

// Formulas are what becomes of each element of a result, as a shader has them:
//
//	void formulas(int row, int at, VALUE sum)
//
// leaves the element (row, at) of each result in result0, result1, ... Operand number Sum is what
// the shader hands over: the sum of a product or of a reduction.
type Formulas[T any] struct {
	Exprs []*expr.Expr
	Outs  []gldevice.Matrix[T] // as they lie
	args  arguments[T]
}

// NewFormulas binds those of an operation; sum is the number of the operand that the shader hands
// over, -1 for none. While variants are tried, what is updated is something else.
func NewFormulas[T any](b *gldevice.Builder[T], o *program.Elementwise, sum int) *Formulas[T] {
	rows, cols := o.Shape()
	f := &Formulas[T]{Exprs: o.Exprs, args: bind(b, "X", o.Args, rows, cols)}
	f.args.sum = sum
	for k, t := range o.Outs {
		out := b.InPlace(numbered("result ", k), b.Of(t).Lying())
		f.Outs = append(f.Outs, out)
		for i, a := range o.Args {
			if a.Tensor == t {
				f.args.all[i].Matrix, f.args.all[i].replaced = out, k+1
			}
		}
	}
	return f
}

// plainSum are those of an operation that leaves the sum as it is.
func plainSum[T any](outs ...gldevice.Matrix[T]) *Formulas[T] {
	f := &Formulas[T]{Outs: outs}
	for i := range outs {
		f.Exprs = append(f.Exprs, expr.Arg(i))
	}
	return f
}

// after are the formulas of an epilogue, or those that leave the results as they are where it is nil.
func after[T any](b *gldevice.Builder[T], e *program.Epilogue, outs ...gldevice.Matrix[T]) *Formulas[T] {
	if e == nil {
		return plainSum(outs...)
	}
	return NewFormulas(b, e.Elementwise, e.Sum)
}

// OfSums is the number of results that are made of what the shader hands over.
func (f *Formulas[T]) OfSums() int {
	n := 0
	for _, e := range f.Exprs {
		if f.args.sum >= 0 && e.Uses(f.args.sum) {
			n++
		}
	}
	return n
}

// Only is the formula of result k alone, which reads the earlier results that it needs.
func (f *Formulas[T]) Only(k int) *Formulas[T] {
	one := &Formulas[T]{Outs: f.Outs[k : k+1], args: f.args}
	one.args.all = append([]argument[T]{}, f.args.all...)
	one.Exprs = []*expr.Expr{f.Exprs[k].Map(func(x *expr.Expr) *expr.Expr {
		if x.Kind != expr.LeafResult {
			return x
		}
		one.args.all = append(one.args.all, argument[T]{Matrix: f.Outs[x.Index], name: numbered("New", x.Index)})
		return expr.Arg(len(one.args.all) - 1)
	})}
	return one
}

// ReadsOld reports whether a result after number k reads what the matrix of result k held before.
func (f *Formulas[T]) ReadsOld(k int) bool {
	for _, e := range f.Exprs[k+1:] {
		for i, a := range f.args.all {
			if a.replaced == k+1 && e.Uses(i) {
				return true
			}
		}
	}
	return false
}

// rounds reports whether what compilers may round otherwise counts.
func (f *Formulas[T]) rounds() bool { return slices.ContainsFunc(f.Exprs, (*expr.Expr).Rounds) }

// throughMemory are kernels in which what is rounded goes through memory, one result after another: OpenGL 3.3
// has no word against compilers that take (w + step) - w for step, and there none can see it.
func (f *Formulas[T]) throughMemory(b *gldevice.Builder[T], op string) (kernels []*gldevice.Kernel[T]) {
	var rounded []string // keys of what there is in memory
	for k, out := range f.Outs {
		one := f.Only(k)
		expr.Walk(func(x *expr.Expr) {
			if x.Kind != expr.OpRound {
				return
			}
			i := slices.Index(rounded, x.Key())
			known := i >= 0
			if !known {
				i, rounded = len(rounded), append(rounded, x.Key())
			}
			memory := b.Scratch(numbered("what is rounded ", i), out.Rows, out.Cols)
			if !known {
				kernels = append(kernels, ElementsKernel(op, &Formulas[T]{Exprs: x.Args, Outs: []gldevice.Matrix[T]{memory}, args: one.args}))
			}
			one.args.all = append(one.args.all, argument[T]{Matrix: memory, name: numbered("Rounded", i)})
			one.Exprs[0] = one.Exprs[0].Replace(x, expr.Arg(len(one.args.all)-1))
		}, one.Exprs...)
		kernels = append(kernels, ElementsKernel(op, one))
	}
	return kernels
}

// AddTo makes the results those of a kernel, which it gives back.
func (f *Formulas[T]) AddTo(k *gldevice.Kernel[T]) *gldevice.Kernel[T] {
	k.Out = f.Outs[0]
	for i, out := range f.Outs[1:] {
		k.Also = append(k.Also, gldevice.Operand[T]{Name: numbered("Out", i+1), Matrix: out})
	}
	w := writer{names: map[string]string{}, leaf: f.args.element, precise: f.rounds()}
	for i, e := range f.Exprs {
		value := w.value(e)
		fmt.Fprintf(&w.lines, "\tresult%d = %s;\n", i, value)
	}
	text := "#include \"primitives.glsl\"\n\n"
	for i := range f.Exprs {
		text += fmt.Sprintf("VALUE result%d;\n", i)
	}
	text += "\nvoid formulas(int row, int at, VALUE sum) {\n" + w.lines.String() + "}\n"
	for i := range f.Exprs {
		k.ReadsOld = k.ReadsOld || f.ReadsOld(i)
	}
	k.Source.File("formulas.glsl", text)
	k.Reads = append(k.Reads, f.args.used(f.Exprs...)...)
	k.Work += workOf(w.count)
	return k
}

// ElementsKernel is the kernel of formulas alone.
func ElementsKernel[T any](op string, f *Formulas[T]) *gldevice.Kernel[T] {
	return f.AddTo(&gldevice.Kernel[T]{Op: op, File: "elements.glsl", Short: true})
}

// workOf is the number of floating-point operations of so many primitives for a texel, some of
// them exponentials.
func workOf(primitives int) int { return 4 * gldevice.TexelValues * (1 + primitives) }

// argument is an operand of a formula.
type argument[T any] struct {
	gldevice.Matrix[T]
	name   string // of the matrix in the shader
	spread program.Spread
	column int // of a single value

	replaced int // one more than the number of the result that takes its place; 0 for none
}

// arguments are the operands of formulas over a shape.
type arguments[T any] struct {
	all    []argument[T]
	sum    int
	column bool // the shape is a column, which lies as a row
}

// bind names the matrices of operands: the prefix with a number.
func bind[T any](b *gldevice.Builder[T], prefix string, args []program.Operand, rows, cols int) arguments[T] {
	o := arguments[T]{sum: -1, column: cols == 1 && rows > 1}
	numbers := map[*program.Tensor]int{}
	for _, a := range args {
		n, ok := numbers[a.Tensor]
		if !ok {
			n = len(numbers)
			numbers[a.Tensor] = n
		}
		x := argument[T]{Matrix: b.Of(a.Tensor), name: numbered(prefix, n), spread: a.Spread(rows, cols), column: a.Column}
		if x.spread == program.SpreadNone {
			x.Matrix = x.Lying()
		}
		o.all = append(o.all, x)
	}
	return o
}

// used are the matrices that expressions read.
func (o *arguments[T]) used(exprs ...*expr.Expr) []gldevice.Operand[T] {
	var all []gldevice.Operand[T]
	seen := map[string]bool{}
	expr.Walk(func(x *expr.Expr) {
		if x.Kind != expr.LeafOperand || x.Index == o.sum || x.Index >= len(o.all) {
			return
		}
		if a := o.all[x.Index]; !seen[a.name] {
			seen[a.name] = true
			all = append(all, gldevice.Operand[T]{Name: a.name, Matrix: a.Matrix})
		}
	}, exprs...)
	return all
}

// element reads a leaf at (row, at).
func (o *arguments[T]) element(x *expr.Expr) string {
	if x.Kind == expr.LeafOperand && len(o.all) == 0 { // of plainSum
		return [...]string{"sum", "index"}[x.Index]
	}
	if x.Kind == expr.LeafOperand && x.Index == o.sum {
		return "sum"
	}
	return o.read(x, func(name string) string { return name + "_row(row)" })
}

// read reads a leaf; start gives where the row of a matrix begins.
func (o *arguments[T]) read(x *expr.Expr, start func(name string) string) string {
	switch {
	case x.Kind == expr.LeafResult:
		return numbered("result", x.Index)
	case x.Kind == expr.LeafColumn && o.column:
		return "VALUE(0.0)"
	case x.Kind == expr.LeafColumn:
		return "columns(at)"
	}
	a := o.all[x.Index]
	switch a.spread {
	case program.SpreadRow:
		return a.name + "_value(0, at)"
	case program.SpreadColumn:
		return "VALUE(" + a.name + "_in(" + start(a.name) + ", 0).x)"
	case program.SpreadValue:
		return fmt.Sprintf("VALUE(%s_in(0, %d)[%d])", a.name, a.column/gldevice.TexelValues, a.column%gldevice.TexelValues)
	}
	return a.name + "_value(" + start(a.name) + ", at)"
}

// primitives have a line of GLSL each; what GLSL lacks is in primitives.glsl.
var primitives = map[expr.Kind]string{
	expr.OpAdd: "%s + %s", expr.OpSub: "%s - %s", expr.OpMul: "%s * %s", expr.OpDiv: "%s / %s",
	expr.OpMax: "larger(%s, %s)", expr.OpMin: "smaller(%s, %s)", expr.OpSelect: "chosen(%s, %s, %s)",
	expr.OpExp: "exp(%s)", expr.OpLog: "log(%s)", expr.OpSqrt: "sqrt(%s)",
	expr.OpTanh: "hyperbolicTangent(%s)", expr.OpSigmoid: "sigmoid(%s)", expr.OpRound: "%s", // by precise or memory
}

// writer writes expressions as lines of GLSL, a primitive each; what stands in several places is
// computed once.
type writer struct {
	lines strings.Builder
	count int               // of lines
	names map[string]string // of what has been computed, by its key
	leaf  func(*expr.Expr) string

	precise bool
}

func (w *writer) value(e *expr.Expr) string {
	if name, ok := w.names[e.Key()]; ok {
		return name
	}
	if e.Kind == expr.LeafConstant {
		return "VALUE(" + number32(e.Value) + ")"
	}
	var text string
	if e.Kind.Arity() == 0 {
		text = w.leaf(e)
	} else {
		args := make([]any, len(e.Args))
		for i, a := range e.Args {
			args[i] = w.value(a)
		}
		text = fmt.Sprintf(primitives[e.Kind], args...)
	}
	name := numbered("v", w.count)
	w.count++
	w.names[e.Key()] = name
	kind := "VALUE"
	if w.precise {
		kind = "precise VALUE"
	}
	fmt.Fprintf(&w.lines, "\t%s %s = %s;\n", kind, name, text)
	return name
}

// number32 is a literal that GLSL takes for a float.
func number32(v float32) string {
	text := strconv.FormatFloat(float64(v), 'g', -1, 32)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}
