package glops

import (
	"encoding/json"
	"fmt"
	"slices"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
)

// Choosable lists the operations that have numbered variants, those of the product being the
// executor's own.
func Choosable(products []Variant) []gldevice.Choosable {
	var names []string
	for _, v := range products {
		names = append(names, v.Name)
	}
	return []gldevice.Choosable{
		{Name: ProductName, Variants: names, Describe: describeProduct, Record: recordProduct}, softmaxChoosable, nearestChoosable,
	}
}

// ProductName is the name under which products are chosen.
const ProductName = "product"

// worthMeasuring is the number of multiplications below which a product takes a few
// microseconds in any way.
const worthMeasuring = 1 << 17

// Class is that of the product o: its views and what follows it, which its shaders depend on, and its
// sizes, all as it lies in memory.
func (p *Product[T]) Class(o *program.Product) gldevice.Class {
	c := gldevice.Class{
		Op:      ProductName,
		Options: []int{number(p.TransA), number(p.TransB), number(p.Distance)},
		Sizes:   []int{p.M, p.Sums.Cols, p.Inner},
	}
	if g := p.Gathered; g != nil {
		c.Options = append(c.Options, number(g.padded))
		c.Sizes = []int{g.Images, g.SourceRows, g.Rows, g.Taps, g.SourceCols, g.Channels}
	}
	if o.Epilogue != nil {
		c.Then = follow(o.Epilogue)
	}
	return c
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// following is an epilogue in the file of choices.
type following struct {
	Label    string           `json:"label"`
	Sum      int              `json:"sum"` // number of the operand that the sum is
	Operands []program.Spread `json:"operands"`
	Tensors  []int            `json:"tensors"` // the same number for the same tensor
	Columns  []int            `json:"columns"` // of operands that are a single value
	Formulas []string         `json:"formulas"`
	Updates  []int            `json:"updates"` // the operands that the results take the place of; none for one new result
}

// follow describes an epilogue in words that record understands.
func follow(e *program.Epilogue) string {
	rows, cols := e.Shape()
	f := following{Label: e.Name(), Sum: e.Sum}
	first := map[*program.Tensor]int{}
	for i, a := range e.Args {
		if _, ok := first[a.Tensor]; !ok {
			first[a.Tensor] = i
		}
		f.Operands, f.Tensors, f.Columns = append(f.Operands, a.Spread(rows, cols)), append(f.Tensors, first[a.Tensor]), append(f.Columns, a.Column())
	}
	for k, x := range e.Exprs {
		f.Formulas = append(f.Formulas, x.Key())
		if i, ok := first[e.Outs[k]]; ok {
			f.Updates = append(f.Updates, i)
		}
	}
	text, err := json.Marshal(f)
	if err != nil {
		panic(err) // numbers and strings only
	}
	return string(text)
}

// record adds what follows a product to a program.
func (f *following) record(p *program.Program, sum *program.Tensor) {
	args := make([]program.Operand, len(f.Operands))
	values := 1 + slices.Max(f.Columns)
	for i, spread := range f.Operands {
		tensor := args[f.Tensors[i]].Tensor
		switch {
		case i == f.Sum:
			tensor = sum
		case tensor != nil:
		case spread == program.SpreadRow:
			tensor = p.Input(1, sum.Cols)
		case spread == program.SpreadColumn:
			tensor = p.Input(sum.Rows, 1)
		case spread == program.SpreadValue:
			tensor = p.Input(1, values)
		default:
			tensor = p.Variable(program.NewParameter("", sum.Rows, sum.Cols, nil))
		}
		if args[i] = program.Whole(tensor); spread == program.SpreadValue {
			args[i] = program.ValueOf(tensor, f.Columns[i])
		}
	}
	formulas := make([]*expr.Expr, len(f.Formulas))
	for k, text := range f.Formulas {
		var err error
		if formulas[k], err = expr.Parse(text); err != nil {
			panic(err) // only this program writes its file
		}
	}
	if len(f.Updates) == 0 {
		p.ElementwiseOf(f.Label, sum.Rows, sum.Cols, formulas[0], args...)
		return
	}
	var outs []*program.Tensor
	for _, i := range f.Updates {
		outs = append(outs, args[i].Tensor)
	}
	p.Update(f.Label, outs, formulas, args...)
}

// followingIn reads what follows the products of a class, nil for nothing.
func followingIn(c gldevice.Class) *following {
	if c.Then == "" {
		return nil
	}
	f := &following{}
	if err := json.Unmarshal([]byte(c.Then), f); err != nil {
		panic(err) // only this program writes its file
	}
	return f
}

func describeProduct(c gldevice.Class) string {
	mark := func(transposed int) string {
		if transposed == 1 {
			return "'"
		}
		return ""
	}
	m, n, inner := c.Sizes[0], c.Sizes[1], c.Sizes[2]
	text := fmt.Sprintf("%dx%d%s · %dx%d%s", m, inner, mark(c.Options[0]), inner, n, mark(c.Options[1]))
	if c.Options[2] == 1 {
		text += ", distances"
	}
	if isGathered(c) {
		text = describeGathered(c)
	}
	if f := followingIn(c); f != nil {
		text += ", " + f.Label
	}
	return text
}

func recordProduct(p *program.Program, c gldevice.Class) {
	m, n, inner := c.Sizes[0], c.Sizes[1], c.Sizes[2]
	view := func(rows, cols, transposed int) program.View {
		if transposed == 1 {
			return program.Transposed(p.Input(cols, rows))
		}
		return program.Plain(p.Input(rows, cols))
	}
	var sum *program.Tensor
	if isGathered(c) {
		sum = recordGathered(p, c)
	} else {
		sum = p.ProductOf(view(m, inner, c.Options[0]), view(inner, n, c.Options[1]), c.Options[2] == 1)
	}
	if f := followingIn(c); f != nil {
		f.record(p, sum)
	}
}
