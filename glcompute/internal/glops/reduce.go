package glops

import (
	"math"
	"slices"
	"strings"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
)

// reduction is a program.Reduce along rows or columns as it lies in memory: a matrix of one
// column is a row, so that what runs along its rows runs along columns.
type reduction[T any] struct {
	*program.Reduce
	columns    bool // along them
	rows, cols int
	args       arguments[T]
	finish     *Formulas[T]
}

// divideSum makes a mean of what the shader hands over.
func (f *Formulas[T]) divideSum(n int) {
	mean := make([]*expr.Expr, len(f.Exprs))
	for i, e := range f.Exprs {
		mean[i] = e.Map(func(x *expr.Expr) *expr.Expr {
			if x.Kind == expr.LeafOperand && x.Index == max(f.args.sum, 0) {
				return expr.Div(x, expr.Const(float32(n)))
			}
			return x
		})
	}
	f.Exprs = mean
}

// pass is a kernel that reduces what an earlier one has left in from, the terms where there is
// none, to so many rows or parts of rows in a scratch matrix, or to the results.
func (r *reduction[T]) pass(file string, from *gldevice.Matrix[T], to gldevice.Matrix[T], last bool) *gldevice.Kernel[T] {
	k, indexed := &gldevice.Kernel[T]{Op: r.Name(), File: file}, r.Index != nil
	rows, cols := r.rows, r.cols
	k.Define("SINGLE", r.columns && rows == 1).Define("KIND", int(r.Kind)).Define("INDEXED", indexed).Define("FIRST", from == nil).Define("LAST", last).
		Define("MASKED", from == nil && r.masked())
	of := 1
	if from == nil {
		of = addTerm(k, r.Term, &r.args)
	} else {
		addTerm(k, expr.Arg(0), &arguments[T]{sum: -1, all: []argument[T]{{Matrix: *from, name: "A"}}})
		if rows, cols = from.Rows, from.Cols; indexed {
			cols /= 2
		}
	}
	if last {
		r.finish.AddTo(k)
	} else {
		plainSum(to).AddTo(k)
	}
	if r.columns {
		k.Work += workOf(of) * (rows/k.Out.Rows + 1)
	} else {
		k.Work += workOf(of) * (k.Out.RowsOfTexel()*cols/gldevice.TexelValues/max(k.Out.Stride(), 1) + 1)
	}
	return k.Int("rows", rows).Int("cols", cols)
}

// masked reports whether the columns past the last, which hold zeros, would change the result.
func (r *reduction[T]) masked() bool {
	if r.cols%gldevice.TexelValues == 0 {
		return false
	}
	padded := r.Term.Map(func(x *expr.Expr) *expr.Expr {
		if x.Kind == expr.LeafOperand && r.args.all[x.Index].spread <= program.SpreadRow {
			return expr.Const(0)
		}
		return x
	})
	return r.Kind == program.ReduceMax || r.Kind == program.ReduceMin || padded.Kind != expr.LeafConstant || padded.Value != 0
}

// addTerm makes the term that of a kernel and gives the number of its primitives. Where the rows
// of its operands begin is found before a loop.
func addTerm[T any](k *gldevice.Kernel[T], term *expr.Expr, args *arguments[T]) int {
	reads := args.used(term)
	k.Reads = append(k.Reads, reads...)
	var declare, begin, next strings.Builder
	for _, a := range reads {
		n := a.Name
		declare.WriteString("int start" + n + ", apart" + n + ";\n")
		begin.WriteString("\tstart" + n + " = " + n + "_row(row);\n\tapart" + n + " = " + n + "_row(step);\n")
		next.WriteString("\tstart" + n + " += apart" + n + ";\n")
	}
	w := writer{names: map[string]string{}, leaf: func(x *expr.Expr) string {
		return args.read(x, func(name string) string { return "start" + name })
	}}
	value := w.value(term)
	k.Source.File("term.glsl", declare.String()+
		"\n// begin goes to a row, from which next goes on so many.\n"+
		"void begin(int row, int step) {\n"+begin.String()+"}\n\nvoid next() {\n"+next.String()+"}\n\n"+
		"VALUE term(int at) {\n"+w.lines.String()+"\treturn "+value+";\n}\n")
	return w.count
}

// planLines plans a reduction along rows or columns, of long rows and tall columns in parts first. A software renderer gains
// nothing from more threads than there are columns: there the parts are for the length of its loops alone.
func planLines[T any](b *gldevice.Builder[T], o *program.Reduce) gldevice.Step {
	r := &reduction[T]{
		Reduce: o, columns: o.Along == program.AlongColumns, rows: o.ExtentRows, cols: o.ExtentCols,
		args: bind(b, "T", o.Args, o.ExtentRows, o.ExtentCols), finish: finished(b, o, o.ExtentRows*o.ExtentCols/o.Out.Len()),
	}
	if r.args.column {
		r.columns, r.rows, r.cols = !r.columns, 1, r.rows
	}
	x := gldevice.Matrix[T]{Rows: r.rows, Cols: r.cols}
	file, purpose, whole := "reduce_rows.glsl", "parts of rows", parts(x.Stride()) == 1 || b.Software() && x.Stride() <= shortInCache
	rows, cols := r.rows, parts(x.Stride())*gldevice.TexelValues
	if r.columns {
		file, purpose, whole = "reduce_columns.glsl", "parts of columns", parts(r.rows) == 1 || b.Software() && r.rows <= LongestPart
		rows, cols = parts(r.rows), r.cols
	}
	if whole {
		return b.Plan(r.pass(file, nil, x, true))
	}
	if o.Index != nil { // whose places are in the texels behind
		cols = 2 * gldevice.Matrix[T]{Cols: cols}.Stride() * gldevice.TexelValues
	}
	sums := b.Scratch(purpose, rows, cols)
	return b.Plan(r.pass(file, nil, sums, false), r.pass(file, &sums, x, true))
}

// shortInCache is the number of texels of a row that a software renderer sums in one pass:
// another pass takes it as long as some hundred texels.
const shortInCache = 512

// parts is how many partial sums a sum of n terms is made of: one while it is short,
// and otherwise about as many as each of them has terms, so that no thread runs long and
// rounding errors stay small.
func parts(n int) int {
	const short = 128
	if n <= short {
		return 1
	}
	return squareRoot(n)
}

// squareRoot is rounded up.
func squareRoot(n int) int { return int(math.Ceil(math.Sqrt(float64(n)))) }

// Together plans formulas of several results, as far as an executor has room for them at once.
type Together[T any] func(b *gldevice.Builder[T], f *Formulas[T], plan func(*Formulas[T]) gldevice.Step) gldevice.Step

// finished are the formulas that follow a reduction of so many values to each of its results.
func finished[T any](b *gldevice.Builder[T], o *program.Reduce, values int) *Formulas[T] {
	outs := []gldevice.Matrix[T]{b.Of(o.Out).Lying()}
	if o.Index != nil {
		outs = append(outs, b.Of(o.Index).Lying())
	}
	f := after(b, o.Epilogue, outs...)
	if o.Kind == program.ReduceMean {
		f.divideSum(values)
	}
	return f
}

// planGroups is pooling and its gradients.
func planGroups[T any](b *gldevice.Builder[T], o *program.Reduce, together Together[T]) gldevice.Step {
	limit(o.Name(), o.Table.Cols, LongestPart*gldevice.TexelValues/lanes(b.Of(o.Out).Column()))
	table := b.Table(o.Table)
	images, pixels := o.Images()
	return together(b, finished(b, o, o.Table.Cols), func(f *Formulas[T]) gldevice.Step {
		k := gldevice.NewKernel(o, "groups.glsl", f.Outs[0], 2*gldevice.TexelValues*o.Table.Cols).Read("X", b.Of(o.Args[0].Tensor)).
			Int("images", images).Int("positions", o.Table.Rows).Int("pixels", pixels).
			Define("KIND", int(o.Kind)).Define("MATCH", o.Match != nil).Define("COLUMN", b.Of(o.Out).Column()).
			Define("TEXELS", (o.Table.Cols+gldevice.TexelValues-1)/gldevice.TexelValues).
			Define("FULL", o.Table.Cols%gldevice.TexelValues == 0 && !slices.Contains(o.Table.Values(), -1))
		if k.Table = table; o.Match != nil {
			k.Read("Match", b.Of(o.Match))
		}
		return b.Plan(f.AddTo(k))
	})
}
