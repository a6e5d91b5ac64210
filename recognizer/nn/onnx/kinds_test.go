package onnx

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"inkshade/glcompute"
	"inkshade/glcompute/expr"
	"inkshade/recognizer/budget"
	"inkshade/recognizer/nn"
)

// networks hold every kind of layer, with settings of every sort.
func networks(t testing.TB) map[string]nn.Network {
	window := func(height, width, stride int) glcompute.Window {
		return glcompute.Window{KernelHeight: height, KernelWidth: width, StrideY: stride, StrideX: 1, DilationY: 1, DilationX: 1}
	}
	padded := window(3, 2, 1)
	padded.Top, padded.Left, padded.Bottom, padded.Right = 1, 0, 2, 1
	dilated := window(2, 2, 1)
	dilated.DilationY, dilated.DilationX = 2, 3
	x := expr.Arg(0)
	nets := map[string]nn.Network{
		"perceptron": nn.Sequence(nn.Vector(784), nn.Layer{Kind: nn.Dense{Units: 5, Function: "gelu"}}, nn.Layer{Kind: nn.Dense{Units: 3}}),
		"convolutions": nn.Sequence(nn.Shape{Height: 9, Width: 8, Channels: 3},
			nn.Layer{Kind: nn.Convolution{Filters: 4, Window: padded, Function: "leaky-relu"}},
			nn.Layer{Kind: nn.Convolution{Filters: 2, Window: dilated, Depthwise: true, Function: "elu"}},
			nn.Layer{Kind: nn.Convolution{Filters: 4, Window: window(2, 1, 2), Groups: 2, Function: "tanh"}},
			nn.Layer{Kind: nn.Dense{Units: 3, Function: "sigmoid"}},
			nn.Layer{Kind: nn.Dense{Units: 3}}),
		"poolings": nn.Sequence(nn.Shape{Height: 9, Width: 8, Channels: 2},
			nn.Layer{Kind: nn.Pooling{Window: window(2, 2, 2)}},
			nn.Layer{Kind: nn.Pooling{Mean: true, Window: padded}},
			nn.Layer{Kind: nn.Elementwise{Name: "gelu"}},
			nn.Layer{Kind: nn.Pooling{Mean: true}},
			nn.Layer{Kind: nn.Dense{Units: 3}}),
		"mean of dilated windows": nn.Sequence(nn.Shape{Height: 5, Width: 5, Channels: 2},
			nn.Layer{Kind: nn.Pooling{Mean: true, Window: dilated}},
			nn.Layer{Kind: nn.Dense{Units: 3}}),
		"global pooling at the end": nn.Sequence(nn.Shape{Height: 5, Width: 5, Channels: 1},
			nn.Layer{Kind: nn.Convolution{Filters: 4, Window: window(2, 2, 1)}},
			nn.Layer{Kind: nn.Pooling{}}),
		"branches": {
			Inputs: []nn.Input{{Shape: nn.Shape{Height: 4, Width: 3, Channels: 2}}},
			Layers: []nn.Layer{
				{Kind: nn.Convolution{Filters: 4, Window: window(1, 1, 1)}, From: []int{0}},
				{Kind: nn.BatchNormalisation{Function: "tanh"}, From: []int{1}},
				{Kind: nn.Convolution{Filters: 4, Window: window(1, 1, 1)}, From: []int{2}},
				{Kind: nn.BatchNormalisation{Epsilon: 0.01}, From: []int{3}},
				{Kind: nn.Add{Function: "gelu"}, From: []int{2, 4}},
				{Kind: nn.Concatenate{}, From: []int{5, 2, 0}},
				{Kind: nn.Dropout{Rate: 0.4}, From: []int{6}},
				{Kind: nn.Reshape{To: nn.Shape{Height: 2, Width: 6, Channels: 10}}, From: []int{7}},
				{Kind: nn.Pooling{Window: window(2, 2, 2)}, From: []int{8}},
				{Kind: nn.Elementwise{Formula: expr.Mul(x, expr.Sigmoid(x))}, From: []int{9}},
				{Kind: nn.Dense{Units: 3}, From: []int{10}},
			},
		},
		"values in another order": nn.Sequence(nn.Shape{Height: 3, Width: 4, Channels: 2},
			nn.Layer{Kind: nn.Gather{From: []int32{22, 23, 4, 5, 4, 5, 0, 1}}},
			nn.Layer{Kind: nn.Reshape{To: nn.Shape{Height: 2, Width: 2, Channels: 2}}},
			nn.Layer{Kind: nn.Convolution{Filters: 3, Window: window(2, 2, 1)}},
			nn.Layer{Kind: nn.Gather{From: []int32{2, 0, 0, 1}}},
			nn.Layer{Kind: nn.Dense{Units: 3}}),
		"two inputs": {
			Inputs: []nn.Input{{Name: "picture", Shape: nn.Shape{Height: 4, Width: 4, Channels: 1}}, {Name: "pen", Shape: nn.Vector(3)}},
			Layers: []nn.Layer{
				{Kind: nn.Convolution{Filters: 3, Window: window(2, 2, 1), Function: "elu"}, From: []int{0}},
				{Kind: nn.Pooling{}, From: []int{2}},
				{Kind: nn.Elementwise{Name: "tanh"}, From: []int{1}},
				{Kind: nn.Elementwise{Formula: expr.Select(x, expr.Mul(x, expr.Arg(1)), expr.Sub(expr.Sqrt(expr.Exp(x)), expr.Arg(1)))}, From: []int{3, 4}},
				{Kind: nn.Dense{Units: 3}, From: []int{5}},
			},
		},
	}
	for _, name := range nn.Architectures() {
		a, err := nn.LoadArchitecture(name)
		if err != nil {
			t.Fatal(err)
		}
		see := nn.Shape{Height: 28, Width: 28, Channels: 1}
		switch {
		case strings.HasPrefix(name, "strokes"):
			see = nn.Vector(512 + 644 + 14*14*10 + 28*28) // gradient+pen+maps
		case name == "directions":
			see = nn.Vector(16 * 16 * 8)
		}
		if nets[name], err = a.Network(see, 3); err != nil {
			t.Fatal(err)
		}
	}
	for name, net := range nets {
		if err := net.Initialise(3); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		rng := rand.New(rand.NewPCG(5, 5))
		for _, l := range net.Layers { // biases and statistics begin as zeros and ones
			for _, values := range l.Values[min(len(l.Values), 1):] {
				for i := range values {
					values[i] += rng.Float32() / 4
				}
			}
		}
	}
	return nets
}

// Every kind of layer is written, and read as what it was: but for shapes, which a network does
// not need before a dense layer, and a mean of dilated windows.
func TestKinds(t *testing.T) {
	for name, net := range networks(t) {
		t.Run(name, func(t *testing.T) {
			m := &nn.Model{Network: net, Labels: []string{"0", "1", "2", "3"}[:net.Classes()], Preprocessing: "test", Metadata: map[string]string{}}
			if net.Columns() > 1 {
				m.Labels, m.Preprocessing = m.Labels[:net.Classes()-1], nn.LineMaps
			}
			file := encoded(t, m)
			got, err := Read(t.Context(), bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			if name != "mean of dilated windows" && !reflect.DeepEqual(got.Network, net) {
				t.Errorf("read %v, written %v", got.Network.Describe(), net.Describe())
			}
			sample := make([]float64, net.Width())
			for i := range sample {
				sample[i] = float64(i*37%101) / 101
			}
			compareValues(t, "read again", evaluateNetwork(got.Network, sample), evaluateNetwork(net, sample), 0)
			if len(net.Inputs) > 1 {
				return
			}
			model, err := unmarshal(file, budget.New(t.Context()))
			if err != nil {
				t.Fatal(err)
			}
			input := shown(net.Inputs[0].Shape, sample)
			if len(model.Graph.Input[0].Type.TensorType.Shape.Dim) == 2 {
				input.dims = []int{1, len(sample)}
			}
			want := evaluate(model, input)
			keep(t, file, kept{Name: "written " + name, Dims: input.dims, Input: input.data, Output: map[string][][]float64{"reference": {want.data}}})
			compareValues(t, "by its operators", answer(model, evaluateNetwork(net, sample)), want.data, 0)
		})
	}
}

// shown is a sample of a network as ONNX has it.
func shown(s nn.Shape, sample []float64) array {
	return fill([]int{1, s.Channels, s.Height, s.Width}, func(at []int) float64 {
		return sample[(at[2]*s.Width+at[3])*s.Channels+at[1]]
	})
}

// Whatever is read can be written, and gives the same when it is read again, perhaps by fewer formulas. From
// then on it stays as it is, but perhaps for layers that do not read each other in another order.
func TestReadWriteRead(t *testing.T) {
	for _, c := range exports() {
		m, err := Read(t.Context(), bytes.NewReader(encode(t, c.model)))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if m.Preprocessing == "" {
			m.Preprocessing = "test" + strconv.Itoa(m.Network.Width())
		}
		sample := make([]float64, m.Network.Width())
		for i := range sample {
			sample[i] = float64(i*37%101) / 101
		}
		for round := range 2 {
			before := m.Network
			if m, err = Read(t.Context(), bytes.NewReader(encoded(t, m))); err != nil {
				t.Fatalf("%s: read again: %v", c.name, err)
			}
			if reflect.DeepEqual(before, m.Network) {
				break
			}
			compareValues(t, c.name, evaluateNetwork(m.Network, sample), evaluateNetwork(before, sample), 0)
			if round == 1 && !slices.Equal(kindsOf(m.Network), kindsOf(before)) {
				t.Errorf("%s: read %v, then %v", c.name, before.Describe(), m.Network.Describe())
			}
		}
	}
}

// kindsOf lists the layers without what they read, sorted.
func kindsOf(net nn.Network) []string {
	var kinds []string
	for _, l := range net.Layers {
		kinds = append(kinds, l.Kind.String())
	}
	slices.Sort(kinds)
	return kinds
}
