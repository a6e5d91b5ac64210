package onnx

import (
	"slices"

	"inkshade/glcompute/expr"
	"inkshade/recognizer/nn/onnx/internal/graph"
)

// logits gives the nodes that lead to the logits: a network implies the softmax over them, and
// leaves out its logarithm. Of other shares and of a sigmoid at the end it takes the logarithm, so
// that the softmax gives their values, divided by their sum.
func logits(g *graph.Graph) (nodes []*graph.Node, output *graph.Value) {
	end := g.Output
	if n := end.From; g.Lines && n != nil {
		if op, ok := n.Operation.(graph.Softmax); ok && op.Axis == 1 {
			return g.Nodes[:slices.Index(g.Nodes, n)], n.Args[0]
		}
	}
	for end.From != nil && isReshape(end.From) {
		end = end.From.Args[0]
	}
	for n := end.From; n != nil; n = n.Args[0].From {
		at := slices.Index(g.Nodes, n)
		if op, ok := n.Operation.(graph.Softmax); ok && n.Out.Dims[op.Axis] == n.Out.Elements() {
			return g.Nodes[:at], n.Args[0]
		}
		f, ok := n.Operation.(graph.Formula)
		switch {
		case ok && f.Key() == expr.Log(expr.Arg(0)).Key() || isReshape(n):
			continue
		case ok && n.Out == end && graph.FunctionOf(f.Expr) == "sigmoid":
			x := expr.Arg(0) // ln sigmoid is min(x, 0) - ln(1 + e^-|x|)
			n.Operation = graph.Formula{Expr: expr.Sub(expr.Min(x, expr.Const(0)), expr.Log(expr.Add(expr.Const(1), expr.Exp(expr.Neg(expr.Abs(x))))))}
		}
		break
	}
	looks := mostLooks
	if !shares(end, &looks) {
		return g.Nodes, g.Output
	}
	log := expr.Log(expr.Max(expr.Arg(0), expr.Const(1e-30)))
	n := &graph.Node{Title: end.From.Title, Operation: graph.Formula{Expr: log}, Args: []*graph.Value{end}, Out: &graph.Value{Dims: end.Dims}}
	return append(g.Nodes, n), n.Out
}

// mostLooks is at how many values shares looks; those of ten models and their means are fewer.
const mostLooks = 100

// shares reports whether a value is made of softmaxes so that its elements, divided by their sum, are
// shares too: one that is scaled or clipped, the mean of several, or one made of its pieces. It
// takes as many more looks.
func shares(v *graph.Value, looks *int) bool {
	n := v.From
	if *looks--; n == nil || *looks < 0 {
		return false
	}
	switch op := n.Operation.(type) {
	case graph.Reshape:
		return shares(n.Args[0], looks)
	case graph.Softmax:
		return !op.Log && v.Dims[op.Axis] == v.Elements()
	case graph.Formula:
		if op.Key() == expr.Div(expr.Arg(0), expr.Arg(1)).Key() && isSumOfPowers(n.Args[1], n.Args[0]) {
			return true
		}
		values := &expr.Values{Args: slices.Repeat([]float64{0.5}, len(n.Args))}
		for i, a := range n.Args {
			if a.Constant() || !shares(a, looks) {
				return false
			}
			before := op.Evaluate(values)
			values.Args[i] = 0.75
			if after := op.Evaluate(values); before < 0 || !(after > before) {
				return false
			}
		}
		return true
	}
	return false
}

// isSumOfPowers reports whether sum is that of the values x, which are e to the power of others.
func isSumOfPowers(sum, x *graph.Value) bool {
	if sum.From == nil || x.From == nil {
		return false
	}
	op, sums := sum.From.Operation.(graph.Reduce)
	f, ok := x.From.Operation.(graph.Formula)
	return sums && op.By == graph.Sum && sum.From.Args[0] == x && ok && f.Kind == expr.OpExp
}

func isReshape(n *graph.Node) bool {
	_, ok := n.Operation.(graph.Reshape)
	return ok
}
