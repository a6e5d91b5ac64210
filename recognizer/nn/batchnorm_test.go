package nn

import (
	"math"
	"math/rand/v2"
	"testing"

	"inkshade/glcompute"
)

// normalised is the residual network with running statistics that are not those of the start.
func normalised() Network {
	net := graphs()["residual"]
	rng := rand.New(rand.NewPCG(8, 8))
	for _, i := range []int{1, 3} {
		for k := range net.Layers[i].Values {
			for c := range net.Layers[i].Values[k] {
				net.Layers[i].Values[k][c] = 0.5 + rng.Float32()
			}
		}
	}
	return net
}

// A folded network has neither batch normalisation nor dropout, and gives the same logits.
func TestFolded(t *testing.T) {
	net := normalised()
	folded := net.Folded()
	if err := folded.Check(); err != nil {
		t.Fatal(err)
	}
	if len(folded.Layers) != len(net.Layers)-3 {
		t.Errorf("%d layers are left of %d", len(folded.Layers), len(net.Layers))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3 {
		x := randomRows(rng, net.Width())
		want, got := referenceLogits(net, x), referenceLogits(folded, x)
		for i := range want {
			if !(math.Abs(got[i]-want[i]) < 1e-5*(1+math.Abs(want[i]))) {
				t.Errorf("logit %d is %g, want %g", i, got[i], want[i])
			}
		}
	}
}

// What another layer reads too must stay as it is.
func TestFoldedKeepsWhatOthersRead(t *testing.T) {
	net := Network{Inputs: []Input{{Shape: Vector(2)}}, Layers: []Layer{
		{Kind: Dense{Units: 3}, From: []int{0}},
		{Kind: BatchNormalisation{}, From: []int{1}},
		{Kind: Add{}, From: []int{1, 2}},
	}}
	if err := net.Initialise(1); err != nil {
		t.Fatal(err)
	}
	if folded := net.Folded(); len(folded.Layers) != 3 {
		t.Errorf("folded to %d layers", len(folded.Layers))
	}
}

// Mean and variance that are kept follow those of the mini-batch by a tenth.
func TestRunningStatistics(t *testing.T) {
	net := Sequence(Vector(1), Layer{Kind: BatchNormalisation{}}, Layer{Kind: Dense{Units: 2}})
	if err := net.Initialise(1); err != nil {
		t.Fatal(err)
	}
	params := NewParameters(net)
	for _, frozen := range []int{0, 1} {
		p := glcompute.NewProgram()
		rec := glcompute.Must(OptimiserState{Batch: 4, Params: params, Momenta: params.Zeros(), Options: TrainingOptions{Frozen: frozen}}.Record(p))
		v := values(p, params)
		v[rec.Input], v[rec.Target], v[rec.Settings] = []float64{1, 3, 3, 5}, make([]float64, 8), []float64{0, 0, 0}
		p.RunReference(v)
		mean, variance := v[p.Variable(params.layers[0][2])][0], v[p.Variable(params.layers[0][3])][0]
		if want := 0.3 * float64(1-frozen); math.Abs(mean-want) > 1e-7 {
			t.Errorf("frozen %d: the mean is %g, want %g", frozen, mean, want)
		}
		if want := 1 + 0.1*float64(1-frozen); math.Abs(variance-want) > 1e-7 {
			t.Errorf("frozen %d: the variance is %g, want %g", frozen, variance, want)
		}
	}
}

// Dropout leaves the share 1 - rate, scaled so that the mean stays.
func TestDropoutMask(t *testing.T) {
	p := glcompute.NewProgram()
	m := mask{p.Input(100, 100), 0.25}
	sum, zeros := 0.0, 0
	for _, v := range m.draw(rand.New(rand.NewPCG(1, 1))) {
		sum += float64(v)
		if v == 0 {
			zeros++
		}
	}
	if math.Abs(sum/1e4-1) > 0.02 || math.Abs(float64(zeros)/1e4-0.25) > 0.02 {
		t.Errorf("mean %g, zeros %d of 10000", sum/1e4, zeros)
	}
}
