package graph

import (
	"iter"
	"math"
	"slices"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/message"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// The operations of a Graph, each in one function: of constants it is computed at once,
// otherwise it becomes a node.

// nodeBytes is about what a node takes.
const nodeBytes = 512

func (b *builder) emit(op Operation, kind Type, dims []int, args ...*Value) *Value {
	dims = b.checked(dims)
	if _, moved := op.(Reshape); !moved {
		if b.computed -= count(dims); b.computed < 0 {
			b.within(message.Errorf("with it more than %d values are computed for one picture", maxElements))
		}
	}
	Require(slices.ContainsFunc(args, func(v *Value) bool { return !v.Constant() }), "its inputs are all constant")
	if len(b.Nodes) == maxOperations {
		Refuse("with it there are more than %d operations", maxOperations)
	}
	b.spend(nodeBytes+valueBytes*len(args), count(dims)+nodeBytes)
	Require(count(dims) > 0, "its result has the shape %v", dims)
	n := &Node{Title: b.title, Operation: op, Args: args, Out: &Value{Type: kind, Dims: dims}}
	n.Out.From = n
	b.Nodes = append(b.Nodes, n)
	return n.Out
}

// checked gives dims back when a value may have them.
func (b *builder) checked(dims []int) []int {
	dims, err := dimensions(dims)
	Require(err == nil, "%w", err)
	return dims
}

func (b *builder) blank(kind Type, dims []int) *Value {
	n := count(b.checked(dims))
	b.spend(valueBytes*n, n)
	return &Value{Type: kind, Dims: dims, Data: make([]float64, n)}
}

// known makes a constant of the data, which are few.
func (b *builder) known(kind Type, dims []int, data []float64) *Value {
	b.spend(valueBytes*len(data), len(data))
	return &Value{Type: kind, Dims: b.checked(dims), Data: data}
}

func (b *builder) scalar(v float64) *Value {
	return b.known(onnxpb.TensorProto_FLOAT, nil, []float64{v})
}

// Values of a formula that are computed before the budget is asked again, and how much of the formula's text is a step.
const (
	atOnce    = 1 << 16
	keyOfStep = 4
)

// formula computes e with operands args, broadcast to each other.
func (b *builder) formula(e *expr.Expr, args ...*Value) *Value {
	dims := args[0].Dims
	for _, a := range args[1:] {
		dims = broadcast(dims, a.Dims)
	}
	kind := args[0].Type
	if i := slices.IndexFunc(args, func(v *Value) bool { return !elements[v.Type].whole }); i >= 0 {
		kind = args[i].Type // one part is enough for parts of whole numbers in the result
	}
	if slices.ContainsFunc(args, func(v *Value) bool { return !v.Constant() }) {
		e, args = plain(e, args)
		if e.Kind == expr.LeafOperand && slices.Equal(dims, args[e.Index].Dims) {
			return args[e.Index]
		}
		if i := chained(e, args); i >= 0 {
			part, its := plain(e.Args[i], args)
			inner := b.formula(part, its...)
			outer, args := plain(e.Replace(e.Args[i], expr.Arg(len(args))), append(slices.Clone(args), inner))
			return b.reshape(b.formula(outer, args...), dims)
		}
		return b.emit(Formula{e}, kind, dims, args...)
	}
	out, whole := b.blank(kind, dims), elements[kind].whole
	v := &expr.Values{Args: make([]float64, len(args))}
	for i := range out.Data {
		if i%atOnce == 0 {
			b.spend(0, min(atOnce, len(out.Data)-i)*(len(args)+len(e.Key())/keyOfStep))
		}
		for n, a := range args {
			if v.Args[n] = a.Data[i%len(a.Data)]; len(a.Data) != len(out.Data) {
				v.Args[n] = a.Stretched(dims, i)
			}
		}
		out.Data[i] = e.Evaluate(v)
		if whole {
			out.Data[i] = math.Trunc(out.Data[i])
		}
	}
	return out
}

// chained finds the argument of a primitive that alone depends on what is computed, and is a
// primitive itself: a node each, so that layers can take them in. None is -1.
func chained(e *expr.Expr, args []*Value) int {
	found := -1
	for i, a := range e.Args {
		switch computed := func(k int) bool { return a.Uses(k) && !args[k].Constant() }; {
		case !slices.ContainsFunc(upTo(len(args)), computed):
		case found >= 0:
			return -1
		default:
			found = i
		}
	}
	if found >= 0 && e.Args[found].Kind.Arity() == 0 {
		return -1
	}
	return found
}

// plain makes constants of one value part of a formula and names each of the others once.
func plain(e *expr.Expr, args []*Value) (*expr.Expr, []*Value) {
	var left []*Value
	e = e.Map(func(leaf *expr.Expr) *expr.Expr {
		if leaf.Kind != expr.LeafOperand {
			return leaf
		}
		a := args[leaf.Index]
		if a.Constant() && a.Elements() == 1 {
			if v := float64(float32(a.Data[0])); math.IsNaN(v) || math.IsInf(v, 0) {
				Refuse("it computes with a constant that is no finite number")
			}
			return expr.Const(float32(a.Data[0]))
		}
		if !slices.Contains(left, a) {
			left = append(left, a)
		}
		return expr.Arg(slices.Index(left, a))
	})
	return e, left
}

// broadcast gives the dimensions of what two values are stretched to.
func broadcast(a, b []int) []int {
	if len(a) < len(b) {
		a, b = b, a
	}
	dims := slices.Clone(a)
	for i, d := range b {
		switch at := len(a) - len(b) + i; {
		case dims[at] == 1:
			dims[at] = d
		case d != 1 && d != dims[at]:
			Refuse("its inputs of the shapes %v and %v do not fit each other", a, b)
		}
	}
	return dims
}

// stretch repeats a value along dimensions of 1.
func (b *builder) stretch(v *Value, dims []int) *Value {
	if v.Elements() == count(dims) {
		return b.reshape(v, dims)
	}
	Require(slices.Equal(broadcast(v.Dims, dims), dims), "its input of the shape %v cannot be stretched to %v", v.Dims, dims)
	return b.picked(v, dims, func(yield func(int) bool) {
		for i := 0; i < count(dims) && yield(v.Source(dims, i)); i++ {
		}
	})
}

// picked makes a value of dims of another's elements at places, in their order.
func (b *builder) picked(v *Value, dims []int, places iter.Seq[int]) *Value {
	if v.Constant() {
		out, i := b.blank(v.Type, dims), 0
		for at := range places {
			out.Data[i] = v.Data[at]
			i++
		}
		return out
	}
	n := count(b.checked(dims))
	b.spend(4*n, n)
	source := make([]int32, 0, n)
	for at := range places {
		source = append(source, int32(at))
	}
	return b.emit(Gather{source}, v.Type, dims, v)
}

// taken gives n entries of a value along an axis, the one at place(i) as entry i.
func (b *builder) taken(v *Value, along, n int, place func(i int) int) *Value {
	own, inner := v.Dims[along], count(v.Dims[along+1:])
	same := n == own
	for i := 0; same && i < n; i++ {
		same = place(i) == i
	}
	if same {
		return v
	}
	return b.picked(v, with(v.Dims, along, n), func(yield func(int) bool) {
		for i := range count(v.Dims[:along]) * n * inner {
			outer, entry := i/(n*inner), i/inner%n
			if !yield((outer*own+place(entry))*inner + i%inner) {
				return
			}
		}
	})
}

func (b *builder) reshape(v *Value, dims []int) *Value {
	switch b.checked(dims); {
	case count(dims) != v.Elements():
		Refuse("its input of the shape %v cannot become %v", v.Dims, dims)
	case slices.Equal(dims, v.Dims):
		return v
	case v.Constant():
		return &Value{Type: v.Type, Dims: dims, Data: v.Data}
	}
	return b.emit(Reshape{}, v.Type, dims, v)
}

// transpose is a reshape where only dimensions of 1 change places.
func (b *builder) transpose(v *Value, order []int) *Value {
	dims, step := make([]int, len(order)), make([]int, len(order)) // between neighbours along each dimension
	var moved []int
	for i, o := range order {
		dims[i], step[i] = v.Dims[o], count(v.Dims[o+1:])
		if v.Dims[o] != 1 {
			moved = append(moved, o)
		}
	}
	if slices.IsSorted(moved) {
		return b.reshape(v, dims)
	}
	return b.picked(v, dims, func(yield func(int) bool) {
		for i := range count(dims) {
			at := 0
			for d, n := range slices.Backward(dims) {
				at += i % n * step[d]
				i /= n
			}
			if !yield(at) {
				return
			}
		}
	})
}

func (b *builder) concat(along int, parts []*Value) *Value {
	if len(parts) == 1 {
		return parts[0]
	}
	dims, computed := slices.Clone(parts[0].Dims), false
	dims[along] = 0
	for _, p := range parts {
		fits := len(p.Dims) == len(dims)
		for i := range dims {
			fits = fits && (i == along || p.Dims[i] == dims[i])
		}
		Require(fits, "its inputs of the shapes %v and %v do not fit each other", parts[0].Dims, p.Dims)
		dims[along] += p.Dims[along]
		computed = computed || !p.Constant()
	}
	if computed {
		return b.emit(Concat{along}, parts[0].Type, dims, parts...)
	}
	out := b.blank(parts[0].Type, dims)
	at := out.Data
	for i := range count(dims[:along]) {
		for _, p := range parts {
			n := count(p.Dims[along:])
			copy(at, p.Data[i*n:(i+1)*n])
			at = at[n:]
		}
	}
	return out
}

// reduce takes one value for each place along axes, which are in order; keep leaves them as
// dimensions of 1.
func (b *builder) reduce(by Reduction, v *Value, axes []int, keep bool) *Value {
	var kept, rest, dims []int
	for i, d := range v.Dims {
		switch {
		case !slices.Contains(axes, i):
			rest, dims = append(rest, i), append(dims, d)
		case keep:
			dims = append(dims, 1)
			fallthrough
		default:
			kept = append(kept, i)
		}
	}
	if !v.Constant() {
		Require(by != product, "it multiplies computed values")
		return b.emit(Reduce{by, axes}, v.Type, dims, v)
	}
	rows := b.transpose(v, slices.Concat(rest, kept)).Data
	out := b.blank(v.Type, dims)
	n := 1
	for _, a := range axes {
		n *= v.Dims[a]
	}
	for i := range out.Data {
		out.Data[i] = reduced(by, rows[i*n:(i+1)*n])
	}
	return out
}

func reduced(by Reduction, x []float64) float64 {
	Require(len(x) > 0, "it reduces no values at all")
	result := x[0]
	for _, v := range x[1:] {
		switch by {
		case Max:
			result = max(result, v)
		case product:
			result *= v
		default:
			result += v
		}
	}
	if by == Mean {
		result /= float64(len(x))
	}
	return result
}

// pad merges with what a convolution after it pads by zeros; see convolve. What is not put around the
// last two of four dimensions is joined.
func (b *builder) pad(v *Value, op Pad) *Value {
	dims := slices.Clone(v.Dims)
	for i := range dims {
		dims[i] += op.Before[i] + op.After[i]
	}
	switch {
	case slices.Equal(dims, v.Dims):
		return v
	case len(dims) == 4 && dims[3] == v.Dims[3] && dims[1] != v.Dims[1]: // channels behind
		behind := func(x []int) []int { return []int{x[0], x[3], x[1], x[2]} }
		first := b.transpose(v, behind([]int{0, 1, 2, 3}))
		return b.transpose(b.pad(first, Pad{behind(op.Before), behind(op.After), op.Value}), []int{0, 2, 3, 1})
	}
	for i := range dims {
		if len(dims) == 4 && i >= 2 && !v.Constant() {
			continue
		}
		parts := []*Value{v}
		for side, n := range []int{op.Before[i], op.After[i]} {
			part := slices.Clone(v.Dims)
			if part[i] = n; n > 0 {
				parts = slices.Insert(parts, side*len(parts), b.stretch(b.known(v.Type, nil, []float64{op.Value}), part))
			}
		}
		v = b.concat(i, parts)
		op.Before, op.After = with(op.Before, i, 0), with(op.After, i, 0)
	}
	if slices.Equal(dims, v.Dims) {
		return v
	}
	return b.emit(op, v.Type, dims, v)
}

// with is a list with another number at place i.
func with(list []int, i, v int) []int {
	list = slices.Clone(list)
	list[i] = v
	return list
}
