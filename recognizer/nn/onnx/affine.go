package onnx

import (
	"inkshade/glcompute/expr"
	"inkshade/recognizer/nn/onnx/internal/graph"
)

// affine is y = slope·x + shift for each value.
type affine struct {
	slope, shift []float64
}

// affineOf finds the constants of a formula that is affine in the one computed value it takes,
// as a batch normalisation or a bias is; nil of others. Its derivative does not depend
// on that value.
func affineOf(n *graph.Node) *affine {
	f := n.Operation.(graph.Formula)
	computed := -1
	for i, a := range n.Args {
		switch {
		case a.Constant():
		case computed >= 0 || a.Elements() != n.Out.Elements():
			return nil
		default:
			computed = i
		}
	}
	derivative := f.Derivative(computed)
	if derivative.Uses(computed) {
		return nil
	}
	size := n.Out.Elements()
	a := &affine{make([]float64, size), make([]float64, size)}
	v := &expr.Values{Args: make([]float64, len(n.Args))}
	for i := range size {
		for k, c := range n.Args {
			if k != computed {
				v.Args[k] = c.Stretched(n.Out.Dims, i)
			}
		}
		a.slope[i], a.shift[i] = derivative.Evaluate(v), f.Evaluate(v)
	}
	return a
}
