package onnx

import (
	"bytes"
	"reflect"
	"testing"

	"google.golang.org/protobuf/proto"

	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// What is made of softmaxes at the end gives its shares, whichever way it is put.
func TestShares(t *testing.T) {
	softmax := func(e *export) string { return e.add("Softmax", e.classes("x", 64)) }
	for name, end := range map[string]func(e *export) string{
		"scaled":  func(e *export) string { return e.add("Mul", softmax(e), one(100)) },
		"clipped": func(e *export) string { return e.add("Clip", softmax(e), one(1e-7), one(0.9999999)) },
		"twice":   func(e *export) string { return e.add("Softmax", softmax(e)) },
		"mean":    func(e *export) string { return e.add("Div", e.add("Add", softmax(e), softmax(e)), one(2)) },
		"pieces": func(e *export) string {
			v := e.classes("x", 64)
			v = e.add("Exp", e.add("Sub", v, e.add("ReduceMax", v, attr("axes", []int{1}))))
			return e.add("Div", v, e.add("ReduceSum", v, list(1)))
		},
	} {
		e := newExport(13, "N", 1, 8, 8)
		m := e.finished(end(e))
		read, err := Read(t.Context(), bytes.NewReader(encode(t, m)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		sample := samplesFor(m)
		one := array{dims: []int{1, 1, 8, 8}, data: sample.data[:64]}
		f := fields{13, &onnxpb.NodeProto{}, []*array{{dims: []int{5}, data: evaluateNetwork(read.Network, one.data)}}}
		want := evaluate(m, one).data
		sum := 0.0
		for _, v := range want {
			sum += v
		}
		for i := range want {
			want[i] /= sum
		}
		compareValues(t, name, softmaxed(f, false).data, want, 0)
	}
}

// A model that says only which class is the largest gives the values that it compares.
func TestLargest(t *testing.T) {
	network := func(end func(e *export, v string) string) any {
		e := newExport(13, "N", 1, 8, 8)
		m, err := Read(t.Context(), bytes.NewReader(encode(t, e.finished(end(e, e.classes("x", 64))))))
		if err != nil {
			t.Fatal(err)
		}
		return m.Network
	}
	want := network(func(_ *export, v string) string { return v })
	for name, end := range map[string]func(e *export, v string) string{
		"ArgMax":  func(e *export, v string) string { return e.add("ArgMax", v, attr("axis", 1), attr("keepdims", 0)) },
		"Hardmax": func(e *export, v string) string { return e.add("Hardmax", v) },
		"of a softmax": func(e *export, v string) string {
			return e.add("Squeeze", e.add("ArgMax", e.add("Softmax", v), attr("axis", 1)), list(1))
		},
	} {
		if got := network(end); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// Functions of a file's own, and the branch that a constant chooses, are what they are made of.
func TestFunctionsAndBranches(t *testing.T) {
	node := func(op, in, out string, attributes ...*onnxpb.AttributeProto) *onnxpb.NodeProto {
		return &onnxpb.NodeProto{OpType: &op, Input: []string{in}, Output: []string{out}, Attribute: attributes}
	}
	graph := func(name string, output string, nodes ...*onnxpb.NodeProto) *onnxpb.AttributeProto {
		g := &onnxpb.GraphProto{Node: nodes, Output: []*onnxpb.ValueInfoProto{{Name: &output}}}
		return &onnxpb.AttributeProto{Name: &name, G: g, Type: onnxpb.AttributeProto_GRAPH.Enum()}
	}
	plain := newExport(13, "N", 1, 8, 8)
	v := plain.add("LeakyRelu", plain.conv("x", 2, 1, 3), attr("alpha", 0.3))
	v = plain.add("LeakyRelu", plain.conv(v, 2, 2, 3), attr("alpha", 0.1))
	want := plain.finished(plain.classes(v, 32))

	own := newExport(13, "N", 1, 8, 8)
	slope := &onnxpb.AttributeProto{Name: proto.String("alpha"), RefAttrName: proto.String("slope"), Type: onnxpb.AttributeProto_FLOAT.Enum()}
	condition := &onnxpb.AttributeProto{Name: proto.String("value_int"), RefAttrName: proto.String("is"), Type: onnxpb.AttributeProto_INT.Enum()}
	is := node("Constant", "", "is", condition)
	is.Input = nil
	own.model.Functions = []*onnxpb.FunctionProto{
		{
			Name: proto.String("leaky"), Domain: proto.String("own"), Input: []string{"a"}, Output: []string{"c"},
			Node: []*onnxpb.NodeProto{
				node("If", "is", "c", graph("then_branch", "d", node("LeakyRelu", "a", "d", slope)), graph("else_branch", "e", node("Neg", "a", "e"))),
				is,
			},
			AttributeProto: []*onnxpb.AttributeProto{attr("slope", 0.1), attr("is", 1)},
		},
		{Name: proto.String("twice"), Domain: proto.String("own"), Input: []string{"a", "none"}, Output: []string{"b"}, Node: []*onnxpb.NodeProto{
			node("leaky", "a", "c"), node("Neg", "c", "d"), node("Neg", "d", "b"),
		}},
	}
	own.model.Functions[1].Node[0].Domain = proto.String("own")
	call := func(name, v string, attributes ...any) string {
		v = own.add(name, append([]any{v}, attributes...)...)
		own.model.Graph.Node[len(own.model.Graph.Node)-1].Domain = proto.String("own")
		return v
	}
	v = call("leaky", own.conv("x", 2, 1, 3), attr("slope", 0.3))
	v = call("twice", own.conv(v, 2, 2, 3))
	got, err := Read(t.Context(), bytes.NewReader(encode(t, own.finished(own.classes(v, 32)))))
	if err != nil {
		t.Fatal(err)
	}
	sample := samplesFor(want).data[:64]
	compareValues(t, "network", evaluateNetwork(got.Network, sample), evaluate(want, array{dims: []int{1, 1, 8, 8}, data: sample}).data, 0)
}
