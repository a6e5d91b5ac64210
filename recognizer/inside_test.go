package recognizer

import (
	"errors"
	"math"
	"testing"

	"inkshade/recognizer/nn/nntest"

	"inkshade/glcompute"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// plain computes the perceptron of testModel in float64, the values of both layers.
func plain(m *nn.Model, x []float64) (all [][]float64) {
	for i, l := range m.Network.Layers {
		units := len(l.Values[1])
		y := make([]float64, units)
		for u := range y {
			y[u] = float64(l.Values[1][u])
			for j, v := range x {
				y[u] += v * float64(l.Values[0][j*units+u])
			}
			if i == 0 {
				y[u] = math.Tanh(y[u])
			}
		}
		all, x = append(all, y), y
	}
	return all
}

func TestInsideOfAPerceptron(t *testing.T) {
	m := testModel("mnist28")
	s, err := NewInside(m, nntest.CPU(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	v, err := s.Look(straight(0, 0, 30, 50), straight(0, 0, 30, 50))
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, len(v.Input))
	for i, value := range v.Input {
		x[i] = float64(value)
	}
	want := plain(m, x)
	for i, layer := range want {
		for u, value := range layer {
			if math.Abs(value-float64(v.Layers[i][u])) > 1e-4 {
				t.Fatalf("layer %d has %v at %d, want %v", i+1, v.Layers[i][u], u, value)
			}
		}
	}
	// Gradient times input, by central differences of the best candidate's logit.
	class, moved := m.Class(v.Candidates[0].Label), 0
	for i := range x {
		const step = 1e-4
		value := x[i]
		x[i] = value + step
		up := plain(m, x)[1][class]
		x[i] = value - step
		slope := (up - plain(m, x)[1][class]) / (2 * step)
		x[i] = value
		if want := slope * value; math.Abs(want-float64(v.Spoke[i])) > 1e-4 {
			t.Fatalf("pixel %d spoke %v, want %v", i, v.Spoke[i], want)
		}
		if v.Spoke[i] != 0 {
			moved++
		}
	}
	if moved < 20 {
		t.Errorf("only %d pixels spoke", moved)
	}
	if _, err := s.Look(nil, nil); !errors.Is(err, ink.ErrEmpty) {
		t.Errorf("blank paper: error %v", err)
	}
}

// The values of a graph of images are those that its parts give by themselves, and what is said of
// the input adds up to the logit where everything is linear.
func TestInsideOfAConvolution(t *testing.T) {
	window := glcompute.Window{KernelHeight: 5, KernelWidth: 5, StrideY: 2, StrideX: 2, DilationY: 1, DilationX: 1}
	net := nn.Sequence(nn.Shape{Height: 28, Width: 28, Channels: 1}, nn.Layer{Kind: nn.Convolution{Filters: 3, Window: window}}, nn.Layer{Kind: nn.Dense{Units: 4}})
	m := &nn.Model{Network: net, Labels: []string{"a", "b", "c", "d"}, Preprocessing: "mnist28"}
	if err := m.Network.Initialise(1); err != nil {
		t.Fatal(err)
	}
	s, err := NewInside(m, nntest.CPU(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	v, err := s.Look(straight(0, 0, 30, 50), straight(0, 0, 30, 50))
	if err != nil {
		t.Fatal(err)
	}
	filters := m.Network.Layers[0].Values[0]
	for y := range 12 {
		for x := range 12 {
			for f := range 3 {
				sum := 0.0
				for tap := range 25 {
					sum += float64(v.Input[(2*y+tap/5)*28+2*x+tap%5]) * float64(filters[tap*3+f])
				}
				if got := float64(v.Layers[0][(y*12+x)*3+f]); math.Abs(got-sum) > 1e-4 {
					t.Fatalf("filter %d at %d, %d gives %v, want %v", f, x, y, got, sum)
				}
			}
		}
	}
	logit, spoke := float64(v.Layers[1][m.Class(v.Candidates[0].Label)]), 0.0
	for _, part := range v.Spoke {
		spoke += float64(part)
	}
	if math.Abs(logit-spoke) > 1e-3 {
		t.Errorf("the input speaks with %v for a logit of %v without biases", spoke, logit)
	}
}
