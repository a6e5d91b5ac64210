package graph

import (
	"fmt"

	"inkshade/glcompute/message"
	"inkshade/recognizer/files"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// scope is where names stand for values: the graph of a file, a branch in it, or a call of one of the file's functions. A
// node is taken when it is its turn in the file, or before, when another asks for its result: some files list them in any order.
type scope struct {
	outer  *scope // whose values a branch may take too
	depth  int
	nodes  []*onnxpb.NodeProto
	begun  []bool                            // those of the nodes that were taken
	makers map[string]int                    // nodes by the names of their results
	stored map[string]*onnxpb.TensorProto    // initializers
	values map[string]*Value                 // what is known by now; nil for what a call leaves out
	given  map[string]*onnxpb.AttributeProto // what a call says for attributes of its nodes
}

// notUnderstood stands for the results of nodes that are not.
var notUnderstood = &Value{}

// maxDepth is how deep functions may call functions and branches hold branches.
const maxDepth = 32

// nameBytes is what a name takes.
const nameBytes = 64

// newScope makes one that lies so deep within others.
func (b *builder) newScope(depth int, nodes []*onnxpb.NodeProto, stored []*onnxpb.TensorProto) *scope {
	s := &scope{
		depth: depth, nodes: nodes, begun: make([]bool, len(nodes)), makers: map[string]int{},
		stored: map[string]*onnxpb.TensorProto{}, values: map[string]*Value{}, given: map[string]*onnxpb.AttributeProto{},
	}
	if b.room -= len(nodes); b.room < 0 {
		b.within(message.Errorf("it has more than %d nodes, the most that are read", maxNodes))
	}
	if depth > maxDepth {
		b.within(message.Errorf("its functions and branches are nested deeper than %d", maxDepth))
	}
	for i, n := range nodes {
		letters := 0
		for _, names := range [][]string{n.Input, n.Output} {
			for _, name := range names {
				letters += len(name)
			}
		}
		b.spend(nodeBytes+nameBytes*(len(n.Input)+len(n.Output)), letters)
		for _, name := range n.Output {
			if _, twice := s.makers[name]; twice && name != "" {
				Refuse("%s: the value %s is made twice", title(n, i), quoted(name))
			}
			s.makers[name] = i
		}
	}
	for _, t := range stored {
		b.spend(nameBytes, len(t.GetName()))
		s.stored[t.GetName()] = t
	}
	return s
}

// value is what a name stands for; known is false where that is nothing.
func (b *builder) value(s *scope, name string) (v *Value, known bool) {
	for ; s != nil; s = s.outer {
		if v, known := s.values[name]; known {
			return v, true
		}
		if t := s.stored[name]; t != nil {
			s.values[name] = b.tensor(t)
			return s.values[name], true
		}
		if i, made := s.makers[name]; made {
			Require(!s.begun[i], "it takes what is made of its own result")
			b.take(s, i)
			v, known := s.values[name]
			return v, known
		}
	}
	return nil, false
}

// takeAll takes all nodes, as long as the file stays within its bounds.
func (b *builder) takeAll(s *scope) {
	for i, begun := range s.begun {
		if !begun && b.over == nil {
			b.take(s, i)
		}
	}
}

// take makes the results of a node. Nodes that take what is not understood are not understood either, and nothing more
// is said about them.
func (b *builder) take(s *scope, i int) {
	n := s.nodes[i]
	s.begun[i] = true
	results, err := b.results(s, n, title(n, i))
	if err != nil && b.first == nil {
		b.first = message.Errorf("%s: %w", title(n, i), err)
	}
	for k, name := range n.Output {
		switch {
		case results == nil:
			s.values[name] = notUnderstood
		case k < len(results) && results[k] != nil:
			s.values[name] = results[k]
		default:
			delete(s.makers, name)
		}
	}
}

// results are those of a node with a title; nil where it is not understood.
func (b *builder) results(s *scope, n *onnxpb.NodeProto, title string) (results []*Value, err error) {
	defer Recovered(&err)
	b.title = title
	name := n.GetOpType()
	if domain := n.GetDomain(); domain != "" && domain != "ai.onnx" {
		name = domain + "." + name
	}
	op, known := operators[name]
	function := b.functions[[2]string{n.GetDomain(), n.GetOpType()}]
	if !known && function == nil {
		b.unknown = append(b.unknown, files.Shown(fmt.Sprintf("%.*s", shown, name)))
		return nil, nil
	}
	c := &call{builder: b, scope: s, node: n}
	work := len(n.Input)
	for _, name := range n.Input {
		var v *Value
		if name != "" {
			known := false
			if v, known = b.value(s, name); !known {
				Refuse("its input %s is neither made by a node nor stored in the file; export the model with its weights", quoted(name))
			}
		}
		if v == notUnderstood && function == nil {
			return nil, nil
		}
		c.inputs = append(c.inputs, v)
		if v != nil {
			work += len(v.Data)
		}
	}
	b.spend(0, work)
	b.title = title
	if function != nil {
		return c.called(function), nil
	}
	for len(c.inputs) > 0 && c.inputs[len(c.inputs)-1] == nil {
		c.inputs = c.inputs[:len(c.inputs)-1]
	}
	Require(len(c.inputs) >= op.least && (op.most < 0 || len(c.inputs) <= op.most), "it has %d inputs", len(c.inputs))
	for i, v := range c.inputs {
		Require(v != nil || i >= op.least && op.most >= 0, "its input %d is left out", i+1)
	}
	return append([]*Value{op.take(c)}, c.more...), nil
}

// called gives the results of one of the file's functions.
func (c *call) called(f *onnxpb.FunctionProto) (results []*Value) {
	inner := c.newScope(c.scope.depth+1, f.Node, nil)
	for i, name := range f.Input {
		inner.values[name] = c.in(i)
	}
	for _, a := range f.AttributeProto {
		inner.given[a.GetName()] = a
	}
	for _, a := range c.node.Attribute {
		if said := c.said(a); said != nil {
			inner.given[a.GetName()] = said
		}
	}
	c.takeAll(inner)
	for _, name := range f.Output {
		v, _ := c.value(inner, name)
		results = append(results, v)
	}
	return results
}

// branch gives the results of the branch that a constant chooses.
func branch(c *call) *Value {
	name, condition := "else_branch", c.constant(0, "condition")
	Require(condition.Elements() == 1, "its condition has the shape %v", condition.Dims)
	if condition.Data[0] != 0 {
		name = "then_branch"
	}
	g := c.attribute(name).GetG()
	inner := c.newScope(c.scope.depth+1, g.GetNode(), g.GetInitializer())
	inner.outer, inner.given = c.scope, c.given
	c.takeAll(inner)
	for _, o := range g.GetOutput() {
		v, known := c.value(inner, o.GetName())
		Require(known, "its %s gives nothing", name)
		c.more = append(c.more, v)
	}
	Require(len(c.more) > 0, "its %s gives nothing", name)
	first := c.more[0]
	c.more = c.more[1:]
	return first
}
