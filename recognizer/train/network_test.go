package train

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"inkshade/recognizer/nn/nntest"

	"inkshade/recognizer/nn"
)

// architecture is one that a file says.
func architecture(t *testing.T, text string) nn.Architecture {
	t.Helper()
	path := filepath.Join(t.TempDir(), "layers.txt")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := nn.LoadArchitecture(path)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// A convolutional network with batch normalisation and dropout learns, and the same seed makes
// the same model of it.
func TestConvolutionalNetworkLearns(t *testing.T) {
	cfg := small()
	cfg.Network = architecture(t, `
convolution 7x7 4 stride 7
batch-normalisation relu
dropout 0.1
dense 12 relu
`)
	cfg.Epochs, cfg.Rate, cfg.Average = 12, 0.1, 0.9
	samples := bars(60, 1, "v", "h")
	var first nn.Network
	for range 2 {
		r, err := Run(t.Context(), nntest.CPU(t), samples, cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.HoldOut.Errors > 0 {
			t.Errorf("%d of %d held-out samples are wrong", r.HoldOut.Errors, r.HoldOut.Samples)
		}
		if got := r.Model.Network; first.Layers == nil {
			first = got
		} else if !reflect.DeepEqual(first, got) {
			t.Error("the same seed made another model")
		}
	}
	if variance := first.Layers[1].Values[3]; variance[0] == 1 {
		t.Error("the variance of the batch normalisation was not kept")
	}
}

// Where a network cannot be cut behind its frozen layers, more of them stay as they are.
func TestFrozenBranchesStay(t *testing.T) {
	net, err := architecture(t, `
input left 3
input right 2
a = dense 4 relu from left
b = dense 5 relu from right
concatenate from a, b
dense 6 relu
`).Network(nn.Vector(5), 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := net.Initialise(1); err != nil {
		t.Fatal(err)
	}
	rows := Rows{Inputs: [][]float32{{1, 0, 1, 0, 1}, {0, 1, 0, 1, 0}}, Targets: [][]float32{{1, 0}, {0, 1}}, Classes: []int{0, 1}}
	for frozen, want := range map[int]int{0: 0, 1: 3, 2: 3, 3: 3, 4: 4} {
		cfg := small()
		cfg.Start, cfg.Frozen, cfg.Batch = &nn.Model{Network: net, Labels: []string{"0", "1"}}, frozen, 2
		r, err := RunRows(t.Context(), nntest.CPU(t), rows, Rows{}, 3, cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		same := 0
		for same < len(net.Layers) && reflect.DeepEqual(r.Model.Network.Layers[same], net.Layers[same]) {
			same++
		}
		if same != want {
			t.Errorf("frozen %d: %d layers stayed, want %d", frozen, same, want)
		}
	}
}
