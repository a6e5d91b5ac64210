package nn

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"inkshade/glcompute"
)

// graphs are small networks that together hold every kind.
func graphs() map[string]Network {
	window := func(side, stride int) glcompute.Window {
		return glcompute.Window{KernelHeight: side, KernelWidth: side, StrideY: stride, StrideX: stride}
	}
	padded := window(3, 1)
	padded.Top, padded.Left, padded.Bottom, padded.Right = 1, 1, 1, 1
	nets := map[string]Network{
		"gelu": Sequence(Vector(4), Layer{Kind: Dense{Units: 5, Function: "gelu"}}, Layer{Kind: Dense{Units: 3}}),
		"convolution": Sequence(Shape{7, 6, 1},
			Layer{Kind: Convolution{Filters: 4, Window: window(3, 1), Function: "tanh"}},
			Layer{Kind: Pooling{Window: window(2, 2)}},
			Layer{Kind: Dense{Units: 3}}),
		"depthwise": Sequence(Shape{5, 5, 2},
			Layer{Kind: Convolution{Filters: 2, Window: padded, Depthwise: true}},
			Layer{Kind: Pooling{Mean: true, Window: window(2, 1)}},
			Layer{Kind: Convolution{Filters: 4, Window: window(2, 2), Groups: 2, Function: "sigmoid"}},
			Layer{Kind: Pooling{Mean: true}},
			Layer{Kind: Dense{Units: 3}}),
		"gather": Sequence(Shape{3, 4, 2},
			Layer{Kind: Gather{From: []int32{22, 23, 4, 5, 4, 5, 0, 1}}},
			Layer{Kind: Reshape{To: Shape{2, 2, 2}}},
			Layer{Kind: Convolution{Filters: 3, Window: window(2, 1), Function: "tanh"}},
			Layer{Kind: Gather{From: []int32{2, 0, 0, 1}}},
			Layer{Kind: Dense{Units: 3}}),
		"residual": {
			Inputs: []Input{{Shape: Shape{4, 3, 2}}},
			Layers: []Layer{
				{Kind: Convolution{Filters: 4, Window: padded}, From: []int{0}},
				{Kind: BatchNormalisation{Function: "tanh"}, From: []int{1}},
				{Kind: Convolution{Filters: 4, Window: padded}, From: []int{2}},
				{Kind: BatchNormalisation{Epsilon: 0.01}, From: []int{3}},
				{Kind: Add{Function: "sigmoid"}, From: []int{2, 4}},
				{Kind: Concatenate{}, From: []int{5, 2}},
				{Kind: Dropout{Rate: 0.4}, From: []int{6}},
				{Kind: Reshape{To: Vector(4 * 3 * 8)}, From: []int{7}},
				{Kind: Dense{Units: 3}, From: []int{8}},
			},
		},
		"two inputs": {
			Inputs: []Input{{"picture", Shape{4, 4, 1}}, {"pen", Vector(3)}},
			Layers: []Layer{
				{Kind: Convolution{Filters: 3, Window: window(2, 1), Function: "elu"}, From: []int{0}},
				{Kind: Pooling{}, From: []int{2}},
				{Kind: Elementwise{Name: "tanh"}, From: []int{1}},
				{Kind: Elementwise{Formula: glcompute.Mul(glcompute.Arg(0), glcompute.Arg(1))}, From: []int{3, 4}},
				{Kind: Dense{Units: 3}, From: []int{5}},
			},
		},
	}
	for _, net := range nets {
		if err := net.Initialise(3); err != nil {
			panic(err)
		}
	}
	return nets
}

// Gradients by every parameter of every kind against central differences.
func TestGraphGradients(t *testing.T) {
	for name, net := range graphs() {
		for _, loss := range Losses {
			t.Run(name+" "+string(loss), func(t *testing.T) {
				if err := net.Check(); err != nil {
					t.Fatal(err)
				}
				checkNetworkGradients(t, net, 3, loss)
			})
		}
	}
}

func TestShapes(t *testing.T) {
	net := graphs()["convolution"]
	if got := net.Sizes(); !slices.Equal(got, []int{42, 5 * 4 * 4, 2 * 2 * 4, 3}) {
		t.Errorf("sizes %v", got)
	}
	if got, want := net.Parameters(), 9*4+4+16*3+3; got != want {
		t.Errorf("%d parameters, want %d", got, want)
	}
	if net := graphs()["two inputs"]; net.Width() != 19 || net.Classes() != 3 {
		t.Errorf("%d to %d", net.Width(), net.Classes())
	}
}

func TestKindsRefuse(t *testing.T) {
	image := Shape{4, 4, 3}
	for want, l := range map[string]Layer{
		"window of 5 x 5":       {Kind: Pooling{Window: glcompute.Window{KernelHeight: 5, KernelWidth: 5}}, From: []int{0}},
		"3 channels and 4":      {Kind: Convolution{Filters: 4, Window: glcompute.Window{KernelHeight: 1, KernelWidth: 1}, Groups: 2}, From: []int{0}},
		"gives no values":       {Kind: Dense{}, From: []int{0}},
		"reads the value 1":     {Kind: Dense{Units: 2}, From: []int{1}},
		"reads 2 values":        {Kind: Dense{Units: 2}, From: []int{0, 0}},
		"no nonlinearity":       {Kind: Dense{Units: 2, Function: "step"}, From: []int{0}},
		"reads 1 values":        {Kind: Elementwise{Formula: glcompute.Arg(1)}, From: []int{0}},
		"a vector of logits":    {Kind: Elementwise{Name: "identity"}, From: []int{0}},
		"must give logits":      {Kind: Dense{Units: 2, Function: "tanh"}, From: []int{0}},
		"has 0 parameters":      {Kind: Dense{Units: 2}, From: []int{0}},
		"layer 1 (dense 2 elu)": {Kind: Dense{Units: 2, Function: "elu"}, From: []int{7}},
	} {
		net := Network{Inputs: []Input{{Shape: image}}, Layers: []Layer{l}}
		if want != "has 0 parameters" {
			_ = net.Initialise(1) // what cannot be initialised has no shapes either
		}
		if err := net.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// A network cut in two computes what the whole does.
func TestCut(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for name, net := range graphs() {
		x := randomRows(rng, net.Width())
		want := referenceLogits(net, x)
		cuts := 0
		for k := range net.Layers {
			lower, upper, ok := net.Cut(k)
			if !ok {
				continue
			}
			cuts++
			y := x
			if k > 0 {
				y = referenceLogits(lower, x)
			}
			if got := referenceLogits(upper, y); !slices.Equal(got, want) {
				t.Errorf("%s cut before layer %d gives %v, want %v", name, k+1, got, want)
			}
			again := net.Clone()
			again.PutValues(k, upper)
			if !reflect.DeepEqual(again, net) {
				t.Errorf("%s cut before layer %d and put together is another network", name, k+1)
			}
		}
		if want := map[string]int{"two inputs": 2, "residual": 6}[name]; want > 0 && cuts != want || want == 0 && cuts != len(net.Layers) {
			t.Errorf("%s can be cut at %d places", name, cuts)
		}
	}
}

// Initial values must not change: seeds in the metadata of models stand for them.
func TestInitialValuesStay(t *testing.T) {
	for function, want := range map[string][]float32{
		"tanh":    {-0.70833707, -0.54176563, -0.966261},
		"relu":    {1.7469811, 0.13275328, -0.966261},
		"sigmoid": {-2.8333483, -2.1670625, -0.966261},
	} {
		net := NewNetwork([]int{3, 2, 2}, function, 5)
		got := slices.Concat(net.Layers[0].Values[0][:2], net.Layers[1].Values[0][:1])
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", function, got, want)
		}
	}
}
