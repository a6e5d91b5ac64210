package graph

import (
	"fmt"
	"slices"

	"inkshade/glcompute/message"
	"inkshade/recognizer/budget"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// maxDepth is how deep functions may call functions and branches hold branches.
const maxDepth = 32

// inliner puts the nodes of a file's own functions in the place of their calls.
type inliner struct {
	functions map[[2]string]*onnxpb.FunctionProto // by domain and name
	budget    *budget.Budget
	calls     int
	room      int // nodes that may still be made
}

// inlined gives the nodes of a file without calls of its functions.
func inlined(file *onnxpb.ModelProto, budget *budget.Budget) ([]*onnxpb.NodeProto, error) {
	in := &inliner{functions: map[[2]string]*onnxpb.FunctionProto{}, budget: budget, room: maxNodes}
	for _, f := range file.Functions {
		in.functions[[2]string{f.GetDomain(), f.GetName()}] = f
	}
	return in.nodes(file.Graph.Node, 0)
}

func (in *inliner) nodes(nodes []*onnxpb.NodeProto, depth int) (out []*onnxpb.NodeProto, err error) {
	if depth > maxDepth {
		return nil, message.Errorf("its functions and branches are nested deeper than %d", maxDepth)
	}
	for _, n := range nodes {
		if in.room--; in.room < 0 {
			return nil, message.Errorf("it has more than %d nodes, the most that are read", maxNodes)
		}
		body := []*onnxpb.NodeProto{n}
		if f := in.functions[[2]string{n.GetDomain(), n.GetOpType()}]; f != nil {
			if err := in.budget.Spend(sizeOf(f.Node)); err != nil {
				return nil, err
			}
			if body, err = in.nodes(in.body(f, n), depth+1); err != nil {
				return nil, err
			}
		}
		for _, a := range n.Attribute {
			if g := a.G; g != nil {
				if g.Node, err = in.nodes(g.Node, depth+1); err != nil {
					return nil, err
				}
			}
		}
		out = append(out, body...)
	}
	return out, nil
}

// body is the nodes of a function with the names and attributes of a call.
func (in *inliner) body(f *onnxpb.FunctionProto, call *onnxpb.NodeProto) (body []*onnxpb.NodeProto) {
	in.calls++
	c := &naming{call: in.calls, names: map[string]string{"": ""}, given: map[string]*onnxpb.AttributeProto{}}
	for i, name := range f.Input {
		c.names[name] = ""
		if i < len(call.Input) {
			c.names[name] = call.Input[i]
		}
	}
	for i, name := range f.Output {
		if i < len(call.Output) && call.Output[i] != "" {
			c.names[name] = call.Output[i]
		}
	}
	for _, a := range append(f.AttributeProto[:len(f.AttributeProto):len(f.AttributeProto)], call.Attribute...) {
		c.given[a.GetName()] = a
	}
	return c.nodes(f.Node)
}

// sizeOf is what a copy of nodes takes, and the steps to make it.
func sizeOf(nodes []*onnxpb.NodeProto) (bytes, steps int) {
	for _, n := range nodes {
		bytes += nodeBytes + nodeBytes*len(n.Attribute)
		for _, name := range slices.Concat(n.Input, n.Output) {
			bytes, steps = bytes+nameBytes, steps+len(name)
		}
		for _, a := range n.Attribute {
			b, s := sizeOf(a.GetG().GetNode())
			bytes, steps = bytes+b, steps+s
		}
	}
	return bytes, steps + bytes/valueBytes
}

// nameBytes is what a name in the place of another takes.
const nameBytes = 64

// naming is how what stands in a function is called outside.
type naming struct {
	call  int // its number
	names map[string]string
	given map[string]*onnxpb.AttributeProto
}

func (c *naming) of(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		if _, known := c.names[name]; !known {
			c.names[name] = fmt.Sprintf("value %d of call %d", len(c.names), c.call)
		}
		out[i] = c.names[name]
	}
	return out
}

func (c *naming) nodes(nodes []*onnxpb.NodeProto) (out []*onnxpb.NodeProto) {
	for _, n := range nodes {
		m := &onnxpb.NodeProto{Name: n.Name, OpType: n.OpType, Domain: n.Domain, Input: c.of(n.Input), Output: c.of(n.Output)}
		for _, a := range n.Attribute {
			if a = c.attribute(a); a != nil {
				m.Attribute = append(m.Attribute, a)
			}
		}
		out = append(out, m)
	}
	return out
}

// attribute gives one that is said by the call its value; nil where the call does not say it.
func (c *naming) attribute(a *onnxpb.AttributeProto) *onnxpb.AttributeProto {
	if a.GetRefAttrName() != "" {
		given := c.given[a.GetRefAttrName()]
		if given == nil {
			return nil
		}
		return &onnxpb.AttributeProto{
			Name: a.Name, Type: given.Type, F: given.F, I: given.I, S: given.S, T: given.T, G: given.G,
			Floats: given.Floats, Ints: given.Ints, Strings: given.Strings,
		}
	}
	if a.G == nil {
		return a
	}
	g := &onnxpb.GraphProto{Name: a.G.Name, Node: c.nodes(a.G.Node)}
	for _, t := range a.G.Initializer {
		g.Initializer = append(g.Initializer, &onnxpb.TensorProto{
			Name: &c.of([]string{t.GetName()})[0], Dims: t.Dims, DataType: t.DataType, RawData: t.RawData,
			FloatData: t.FloatData, DoubleData: t.DoubleData, Int32Data: t.Int32Data, Int64Data: t.Int64Data, Uint64Data: t.Uint64Data,
			ExternalData: t.ExternalData, DataLocation: t.DataLocation,
		})
	}
	for _, o := range a.G.Output {
		g.Output = append(g.Output, &onnxpb.ValueInfoProto{Name: &c.of([]string{o.GetName()})[0]})
	}
	return &onnxpb.AttributeProto{Name: a.Name, Type: a.Type, G: g}
}

// reads are the names that a node reads, those in its branches too.
func reads(n *onnxpb.NodeProto) []string {
	names := slices.Clip(n.Input)
	for _, a := range n.Attribute {
		for _, inner := range a.GetG().GetNode() {
			names = append(names, reads(inner)...)
		}
		for _, o := range a.GetG().GetOutput() {
			names = append(names, o.GetName())
		}
	}
	return names
}

// branch takes the nodes of the branch that a constant chooses.
func branch(c *call) *Value {
	name := "else_branch"
	if v := c.constant(0, "condition"); v.Elements() != 1 {
		Refuse("its condition has the shape %v", v.Dims)
	} else if v.Data[0] != 0 {
		name = "then_branch"
	}
	g := c.attribute(name).GetG()
	for _, t := range g.GetInitializer() {
		c.stored[t.GetName()] = t
	}
	for _, i := range must(executionOrder(g.GetNode())) {
		if err := c.take(g.Node[i], title(g.Node[i], i)); err != nil {
			Refuse("%s: %w", title(g.Node[i], i), err)
		}
	}
	var results []*Value
	for _, o := range g.GetOutput() {
		v := must(c.value(o.GetName()))
		if v == nil {
			Refuse("its %s gives nothing", name)
		}
		results = append(results, v)
	}
	if len(results) == 0 {
		Refuse("its %s gives nothing", name)
	}
	c.more = results[1:]
	return results[0]
}
