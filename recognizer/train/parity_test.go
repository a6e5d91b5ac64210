package train

import (
	"math"
	"testing"

	"inkshade/glcompute"
)

// Losses and model of every executor must follow those of the plain references, over
// two passes with two hidden layers of sizes that fill no texel, tile or batch.
func TestFollowsReference(t *testing.T) {
	const limit = 1e-5 // ten steps of float32 sums over 784 inputs
	type trained struct {
		losses []float64
		result *Result
	}
	train := func(t *testing.T, dev glcompute.Device, act string, o Optimizer) (out trained) {
		cfg := small()
		if cfg.Optimizer = o; o == Adam {
			cfg.Rate = 10 * AdamRate
		}
		cfg.Function, cfg.Hidden, cfg.Smoothing, cfg.Decay = act, []int{9, 7}, 0.1, 1e-3
		cfg.Epochs, cfg.Batch = 2, 13
		r, err := Run(t.Context(), dev, bars(60, 3, "v", "h", "d"), cfg, func(e Event) {
			if !e.EpochDone {
				out.losses = append(out.losses, e.Loss)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(out.losses) != r.Steps-cfg.Epochs {
			t.Fatalf("%d losses of %d steps, less the last of each epoch", len(out.losses), r.Steps)
		}
		out.result = r
		return out
	}
	type way struct {
		act string
		o   Optimizer
	}
	functions, optimizers := []string{"", "tanh", "sigmoid", "relu"}, Optimizers
	if testing.Short() { // for the race detector, which has seen everything after one
		functions, optimizers = functions[:1], optimizers[:1]
	}
	want := map[way]trained{}
	for _, act := range functions {
		for _, o := range optimizers {
			got := train(t, newPlainDevice(), act, o)
			if l := got.losses; l[len(l)-1] >= l[0] {
				t.Errorf("%s, %s: the loss went from %g to %g", act, o, l[0], l[len(l)-1])
			}
			want[way{act, o}] = got
		}
	}
	for _, kind := range glcompute.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			dev, err := glcompute.Open(kind)
			if err != nil {
				t.Fatal(err)
			}
			defer dev.Close()
			worst := 0.0
			for w, want := range want {
				got := train(t, dev, w.act, w.o)
				for i, l := range want.losses {
					d := math.Abs(got.losses[i] - l)
					worst = max(worst, d)
					if !(d <= limit) {
						t.Errorf("%s, %s: loss of step %d is %.7f, reference %.7f", w.act, w.o, i+1, got.losses[i], l)
					}
				}
				for l, layer := range want.result.Model.Network.Layers {
					for i, v := range layer.Values[0] {
						d := math.Abs(float64(v - got.result.Model.Network.Layers[l].Values[0][i]))
						worst = max(worst, d)
						if !(d <= limit) {
							t.Fatalf("%s, %s: weight %d of layer %d differs by %g", w.act, w.o, i, l+1, d)
						}
					}
				}
			}
			if dev.Memory() != 0 {
				t.Errorf("%d bytes were left on the device", dev.Memory())
			}
			t.Logf("largest difference %.2g of %.2g allowed", worst, limit)
		})
	}
}
