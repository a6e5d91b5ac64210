// Package nn describes neural networks: layers, float32 parameters, labels. It records their
// forward and training passes as programs of glcompute. A network is data and knows no
// device; package onnx reads and writes it as a file.
package nn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"inkshade/glcompute/program"
)

// Layer is y[batch][Out] = Activation(x[batch][In] · Weights + Bias).
type Layer struct {
	In, Out    int
	Weights    []float32 // [In][Out], row-major
	Bias       []float32 // [Out]
	Activation program.Activation
}

// Network is a multi-layer perceptron. The last layer gives logits (Identity); the
// softmax that makes them probabilities is implied.
type Network struct {
	Layers []Layer
}

// NewNetwork makes a network with sizes[0] inputs, sizes[len-1] classes and the hidden
// layers between, all with activation act. The same seed gives the same weights: for
// ReLU normal with variance 2/In (He et al., 2015), otherwise uniform within
// ±√(6/(In+Out)) (Glorot and Bengio, 2010), four times that for the sigmoid, whose slope
// at zero is a quarter. Biases are zero. It panics on fewer than two sizes or one < 1.
func NewNetwork(sizes []int, act program.Activation, seed int64) Network {
	if len(sizes) < 2 || slices.Min(sizes) < 1 {
		panic(fmt.Sprintf("nn: network of sizes %v; it needs inputs and classes, all at least 1", sizes))
	}
	var net Network
	for i := 1; i < len(sizes); i++ {
		l := Layer{In: sizes[i-1], Out: sizes[i], Activation: act}
		if i == len(sizes)-1 {
			l.Activation = program.Identity
		}
		l.Weights = make([]float32, l.In*l.Out)
		l.Bias = make([]float32, l.Out)
		initialise(l.Weights, l.In, l.Out, l.Activation, rand.New(rand.NewPCG(uint64(seed), uint64(i))))
		net.Layers = append(net.Layers, l)
	}
	return net
}

// initialise fills weights of a layer from in to out units.
func initialise(weights []float32, in, out int, act program.Activation, rng *rand.Rand) {
	if act == program.ReLU {
		scale := math.Sqrt(2 / float64(in))
		for i := range weights {
			weights[i] = float32(rng.NormFloat64() * scale)
		}
		return
	}
	limit := math.Sqrt(6 / float64(in+out))
	if act == program.Sigmoid {
		limit *= 4
	}
	for i := range weights {
		weights[i] = float32((2*rng.Float64() - 1) * limit)
	}
}

// Inputs is the length of the network's input.
func (n Network) Inputs() int { return n.Layers[0].In }

// Classes is the number of logits.
func (n Network) Classes() int { return n.Layers[len(n.Layers)-1].Out }

// Parameters is the number of weights and biases.
func (n Network) Parameters() int {
	count := 0
	for _, l := range n.Layers {
		count += len(l.Weights) + len(l.Bias)
	}
	return count
}

// Sizes lists inputs, hidden units and classes, as NewNetwork takes them.
func (n Network) Sizes() []int {
	sizes := []int{n.Inputs()}
	for _, l := range n.Layers {
		sizes = append(sizes, l.Out)
	}
	return sizes
}

// Clone copies the network with its parameters.
func (n Network) Clone() Network {
	layers := slices.Clone(n.Layers)
	for i := range layers {
		layers[i].Weights = slices.Clone(layers[i].Weights)
		layers[i].Bias = slices.Clone(layers[i].Bias)
	}
	return Network{Layers: layers}
}

// Check reports the first thing that makes the network unusable: no layers, layers that
// do not fit each other or their parameters, a value that is no finite number, or a
// last layer with an activation.
func (n Network) Check() error {
	if len(n.Layers) == 0 {
		return errors.New("the network has no layers")
	}
	for i, l := range n.Layers {
		switch {
		case l.In < 1 || l.Out < 1:
			return fmt.Errorf("layer %d is %d to %d units; both must be at least 1", i+1, l.In, l.Out)
		case i > 0 && l.In != n.Layers[i-1].Out:
			return fmt.Errorf("layer %d takes %d values, but layer %d gives %d", i+1, l.In, i, n.Layers[i-1].Out)
		case len(l.Weights)/l.In != l.Out || len(l.Weights)%l.In != 0:
			return fmt.Errorf("layer %d has %d weights, want %d times %d", i+1, len(l.Weights), l.In, l.Out)
		case len(l.Bias) != l.Out:
			return fmt.Errorf("layer %d has %d biases, want %d", i+1, len(l.Bias), l.Out)
		case !slices.Contains(program.Activations, l.Activation):
			return fmt.Errorf("layer %d has the unknown %s", i+1, l.Activation)
		case !finite(l.Weights) || !finite(l.Bias):
			return fmt.Errorf("layer %d holds a value that is no finite number", i+1)
		}
	}
	if last := n.Layers[len(n.Layers)-1]; last.Activation != program.Identity {
		return fmt.Errorf("the last layer has the activation %s; it must give logits", last.Activation)
	}
	return nil
}

func finite(x []float32) bool {
	for _, v := range x {
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			return false
		}
	}
	return true
}
