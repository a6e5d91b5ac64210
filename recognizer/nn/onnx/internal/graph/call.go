package graph

import (
	"fmt"
	"maps"
	"math"

	"inkshade/glcompute/message"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// operator says how many inputs an operator takes (most < 0 is any number), and makes its
// result.
type operator struct {
	least, most int
	take        func(c *call) *Value
}

// operators are those of ONNX that are understood.
var operators = map[string]operator{}

func init() {
	for _, room := range []map[string]operator{elementwiseOperators, layoutOperators, normaliseOperators, productOperators, quantisedOperators, upscaleOperators} {
		maps.Copy(operators, room)
	}
}

// call is one operator of the file with its inputs; nil stands for one that is left out.
type call struct {
	*builder
	*scope
	node   *onnxpb.NodeProto
	inputs []*Value
	more   []*Value // results but the first
}

// Refusal is what a node is not understood for. It travels as a panic, which whoever takes
// nodes one by one recovers.
type Refusal struct{ error }

// shown is how much of a text or list a message has.
const shown = 60

// Refuse gives up on a node. Of long texts and lists the message has the beginning.
func Refuse(format string, args ...any) {
	for i, a := range args {
		switch a := a.(type) {
		case string:
			args[i] = fmt.Sprintf("%.*s", 2*shown, a) // with what quotes it
		case []int:
			args[i] = a[:min(len(a), shown)]
		case []int64:
			args[i] = a[:min(len(a), shown)]
		}
	}
	panic(Refusal{message.Errorf(format, args...)})
}

// Require gives up on a node unless something is true of it.
func Require(is bool, format string, args ...any) {
	if !is {
		Refuse(format, args...)
	}
}

// ErrUnforeseen is what a file is refused with that would have ended the program.
var ErrUnforeseen = message.Errorf("it is put together in a way that was not foreseen")

// Recovered is deferred where a Refusal becomes an error, and so does a fault of ours that a file brought to light.
func Recovered(err *error) {
	switch r := recover().(type) {
	case nil:
	case Refusal:
		*err = r.error
	default:
		*err = message.Errorf("%w (%v)", ErrUnforeseen, r)
	}
}

// in is input i; nil when it is left out.
func (c *call) in(i int) *Value {
	if i >= len(c.inputs) {
		return nil
	}
	return c.inputs[i]
}

// constant is input i, which must be known; nil when it is left out.
func (c *call) constant(i int, what string) *Value {
	v := c.in(i)
	Require(v == nil || v.Constant(), "its %s, input %d, is computed from the picture; it must be constant", what, i+1)
	return v
}

func (c *call) attribute(name string) *onnxpb.AttributeProto {
	for _, a := range c.node.Attribute {
		if a.GetName() == name {
			return c.said(a)
		}
	}
	return nil
}

// said is an attribute, or in a function what its call says in that place; nil where it says nothing.
func (c *call) said(a *onnxpb.AttributeProto) *onnxpb.AttributeProto {
	if name := a.GetRefAttrName(); name != "" {
		a = c.given[name]
	}
	c.spend(0, 1+len(a.GetInts())+len(a.GetFloats()))
	return a
}

func (c *call) integer(name string, otherwise int) int {
	return or(c.attribute(name), otherwise, func(a *onnxpb.AttributeProto) int { return int(a.GetI()) })
}

func (c *call) number(name string, otherwise float32) float32 {
	return or(c.attribute(name), otherwise, (*onnxpb.AttributeProto).GetF)
}

func (c *call) text(name, otherwise string) string {
	return or(c.attribute(name), otherwise, func(a *onnxpb.AttributeProto) string { return string(a.GetS()) })
}

// or is the value of an attribute where there is one.
func or[T any](a *onnxpb.AttributeProto, otherwise T, value func(*onnxpb.AttributeProto) T) T {
	if a == nil {
		return otherwise
	}
	return value(a)
}

// pair gives an attribute of two numbers, for height and width, within 0 and the most elements.
func (c *call) pair(name string, otherwise [2]int) [2]int {
	switch x := c.ints(name); len(x) {
	case 0:
		return otherwise
	case 1: // of a picture of one row
		return [2]int{1, within(x[0], name)}
	default:
		Require(len(x) == 2, "its %s are %v, want two", name, x)
		return [2]int{within(x[0], name), within(x[1], name)}
	}
}

func within(v int, what string) int {
	Require(v >= 0 && v <= maxElements, "%d is not possible as one of its %s", v, what)
	return v
}

// ints is an attribute of whole numbers; nil where there is none.
func (c *call) ints(name string) []int {
	if a := c.attribute(name); a != nil {
		return toInts(numbers(a.Ints))
	}
	return nil
}

// floats is an attribute of numbers as a constant; nil where there is none.
func (c *call) floats(name string) *Value {
	if a := c.attribute(name); a != nil {
		return c.known(float, []int{len(a.Floats)}, numbers(a.Floats))
	}
	return nil
}

// list gives numbers that older opsets have as an attribute and newer ones as input i; nil where there are none.
func (c *call) list(name string, i int) []int {
	if x := c.ints(name); x != nil {
		return x
	}
	v := c.constant(i, name)
	if v == nil {
		return nil
	}
	c.spend(valueBytes*len(v.Data), len(v.Data))
	return toInts(v.Data)
}

// axis checks an axis, which counts from behind when negative.
func axis(a, rank int) int {
	Require(a >= -rank && a < rank, "its axis is %d, but its input has %d dimensions", a, rank)
	return (a + rank) % rank
}

// toInts converts whole numbers; those that stand for "to the end" stay large enough.
func toInts(x []float64) []int {
	const most = 1 << 40
	out := make([]int, len(x))
	for i, v := range x {
		Require(!math.IsNaN(v), "NaN stands where a whole number must be")
		out[i] = int(min(max(v, -most), most))
	}
	return out
}
