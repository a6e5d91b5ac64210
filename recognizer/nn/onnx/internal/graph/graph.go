// Package graph makes of an ONNX graph, however it was exported, one of few operations. What
// can be computed from constants alone is computed, nodes come in the order of their
// execution, differences between opsets are settled, and every shape is known.
//
// A graph is read for one sample: the batch, fixed or free in the file, is 1 in all shapes.
// So a value is a tensor of one sample, and a reshape that a file makes of [N,1,28,28] and of
// [1,784] is the same.
package graph

import (
	"inkshade/glcompute/expr"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// Graph is a function of its Inputs. Nodes are in the order of their execution, and each leads
// to the Output.
type Graph struct {
	Inputs []*Value
	Output *Value
	Nodes  []*Node
	Lines  bool // are read by the network, whose output has classes in each column
}

// Type is the element type of a tensor in the file.
type Type = onnxpb.TensorProto_DataType

// Value is a tensor of the graph: a constant, an input, or what a node makes.
type Value struct {
	Name string // of an input
	Type Type
	Dims []int
	// Data of a constant, row-major; nil of others. Numbers of every type fit: only whole
	// numbers beyond 2^53 are rounded, and those say "to the end" where they occur.
	Data []float64
	From *Node // that makes it; nil of constants and inputs
}

// Node makes Out of its arguments, of which at least one is no constant.
type Node struct {
	Title     string // the operator in the file, for messages: Conv "conv1"
	Operation Operation
	Args      []*Value
	Out       *Value
}

// Operation is one of those below.
type Operation any

type (
	// Formula is computed for each element, with operand i Args[i], broadcast as in ONNX
	// (from the last dimension on, dimensions of 1 are stretched). Constants of one value
	// are part of it.
	Formula struct{ *expr.Expr }

	// BatchNorm is (x - mean)/√(variance + Epsilon)·scale + shift for each place along
	// dimension 1 of Args[0]; Args[1] to Args[4] are scale, shift, mean and variance.
	BatchNorm struct{ Epsilon float32 }

	// Dropout gives its argument in use.
	Dropout struct{ Rate float64 }

	// MatMul is Args[0]·Args[1] over the last two dimensions.
	MatMul struct{}

	// Conv is the convolution of Args[0] [1,channels,height,width] with the filters Args[1],
	// a constant [filters,channels/Groups,kernel height,kernel width].
	Conv struct {
		Window
		Groups int
	}

	// Pool takes the largest value, or the mean, of those under a window. The mean takes in
	// the padding, as zeros.
	Pool struct {
		Window
		Max bool
	}

	// Reduce takes the mean, sum or largest value along Axes, which stay as dimensions of 1
	// or go, as Out says.
	Reduce struct {
		By   Reduction
		Axes []int
	}

	// Reshape gives the same values in the same order other dimensions.
	Reshape struct{}

	// Concat puts values one after another along Axis.
	Concat struct{ Axis int }

	// Gather makes element i of Out from element Source[i] of Args[0].
	Gather struct{ Source []int32 }

	// Pad puts Value around: Before and After each dimension, of four the last two.
	Pad struct {
		Before, After []int
		Value         float64
	}

	// Softmax is e^x/Σe^x along Axis, or the logarithm of that.
	Softmax struct {
		Axis int
		Log  bool
	}

	// Largest says which value along Axis is the largest, by its number or in place of all.
	Largest struct{ Axis int }
)

// Window is what a convolution or pooling moves over an image, height first.
type Window struct {
	Kernel, Stride, Dilation, Before, After [2]int // Before and After are padding
}

// Output gives the size of the result on an image of the given size.
func (w Window) Output(image [2]int) [2]int {
	var out [2]int
	for i := range out {
		out[i] = (image[i]+w.Before[i]+w.After[i]-w.reach(i))/w.Stride[i] + 1
	}
	return out
}

// reach is how many positions the window spans.
func (w Window) reach(i int) int { return w.Dilation[i]*(w.Kernel[i]-1) + 1 }

// Reduction says how values become one.
type Reduction string

// The reductions; a product is one of constants only.
const (
	Mean    Reduction = "mean"
	Sum     Reduction = "sum"
	Max     Reduction = "max"
	product Reduction = "product"
)

// Elements is the number of values.
func (v *Value) Elements() int { return count(v.Dims) }

// Constant reports whether the value is known.
func (v *Value) Constant() bool { return v.Data != nil }

func count(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// Stretched gives the element of a constant that is element i of dims, row-major, when it is
// broadcast to them.
func (v *Value) Stretched(dims []int, i int) float64 { return v.Data[v.Source(dims, i)] }

// Source gives the element that is element i of dims, row-major, when the value is broadcast to
// them.
func (v *Value) Source(dims []int, i int) int {
	at, step := 0, 1
	for d := 1; d <= min(len(dims), len(v.Dims)); d++ {
		own, size := v.Dims[len(v.Dims)-d], dims[len(dims)-d]
		if own > 1 {
			at += i % size * step
		}
		step *= own
		i /= size
	}
	return at
}
