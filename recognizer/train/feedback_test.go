package train

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"inkshade/recognizer/nn/nntest"

	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
)

func TestPlateauHalvesTheRate(t *testing.T) {
	p := &plateau{Factor: 1, Least: 0.2, Best: math.Inf(1)}
	for i, c := range []struct{ loss, factor float64 }{
		{2, 1}, {1, 1}, {0.999, 1}, {0.995, 0.5}, {0.9, 0.5}, {0.95, 0.5}, {0.95, 0.25}, {0.95, 0.25}, {0.95, 0.2}, {math.NaN(), 0.2},
	} {
		if p.follow(c.loss); p.Factor != c.factor {
			t.Errorf("after loss %d the factor is %g, want %g", i, p.Factor, c.factor)
		}
	}
}

func TestHardSamplesComeMoreOften(t *testing.T) {
	const samples, epochs = 40, 12
	h := newHardness(3, samples, 1)
	counts := make([]int, samples)
	for epoch := range epochs {
		order := <-h.orders
		if len(order) != samples {
			t.Fatalf("epoch %d has %d places, want %d", epoch, len(order), samples)
		}
		right := make([]bool, len(order))
		for i, s := range order {
			right[i] = s >= 10
			if epoch >= 4 {
				counts[s]++
			}
		}
		if sorted := slices.Sorted(slices.Values(order)); epoch == 0 && !slices.Equal(slices.Compact(sorted), slices.Sorted(slices.Values(order))) {
			t.Error("the first epoch does not show each sample once")
		}
		h.note(order, right)
		h.publish()
	}
	hard, easy := 0, 0
	for s, n := range counts {
		if n == 0 {
			t.Errorf("sample %d is never shown", s)
		}
		if s < 10 {
			hard += n
		} else {
			easy += n
		}
	}
	if ratio := 3 * float64(hard) / float64(easy); ratio < 3 || ratio > 5 {
		t.Errorf("hard samples come %.2f times as often as easy ones, want about 4", ratio)
	}
}

// With all options on, the number of goroutines that prepare batches must not show.
func TestOptionsAreDeterministic(t *testing.T) {
	var first *nn.Model
	for _, workers := range []int{1, 2, 5} {
		cfg := small()
		cfg.Distortion, cfg.DistortOnDevice = dataset.DefaultDistortion(), true
		cfg.HardSamples, cfg.FollowLoss, cfg.TwoFloats, cfg.Loss = 3, true, true, nn.SquaredTanh
		cfg.Workers = workers
		r, err := Run(t.Context(), nntest.CPU(t), bars(100, 4, "v", "h", "d"), cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = r.Model
		}
		if !reflect.DeepEqual(first, r.Model) {
			t.Errorf("%d workers give another model", workers)
		}
	}
}

// Each option must learn, on every executor, in mini-batches and on single samples, and
// leave nothing on the device.
func TestOptionsLearn(t *testing.T) {
	options := map[string]func(*Config){
		"single samples":  func(c *Config) { c.Batch, c.Rate, c.Epochs = 1, 0.01, 5 },
		"tanh":            func(c *Config) { c.Loss, c.Rate = nn.SquaredTanh, 0.4 },
		"sigmoid":         func(c *Config) { c.Loss, c.Rate = nn.SquaredSigmoid, 1 },
		"single and tanh": func(c *Config) { c.Batch, c.Rate, c.Epochs, c.Loss = 1, 0.05, 2, nn.SquaredTanh },
		"two floats":      func(c *Config) { c.TwoFloats = true },
		"hard samples":    func(c *Config) { c.HardSamples = 3 },
		"follow the loss": func(c *Config) { c.FollowLoss = true },
		"distort on device": func(c *Config) {
			c.Distortion, c.DistortOnDevice, c.Epochs = dataset.DefaultDistortion(), true, 8
		},
	}
	samples := bars(90, 1, "v", "h", "d")
	for _, kind := range []glcompute.DeviceKind{glcompute.CPU, glcompute.Fragment, glcompute.Compute} {
		dev, err := glcompute.Open(kind)
		if err != nil {
			t.Fatal(err)
		}
		defer dev.Close()
		for name, set := range options {
			t.Run(string(kind)+" "+name, func(t *testing.T) {
				cfg := small()
				cfg.Epochs, cfg.Average = 6, 0
				set(&cfg)
				r, err := Run(t.Context(), dev, samples, cfg, nil)
				if err != nil {
					t.Fatal(err)
				}
				if r.HoldOut.Errors > 1 {
					t.Errorf("%d of %d held-out samples wrong", r.HoldOut.Errors, r.HoldOut.Samples)
				}
				if dev.Memory() != 0 {
					t.Errorf("%d bytes were left on the device", dev.Memory())
				}
			})
		}
	}
}

func TestDistortingOnTheDeviceNeedsImages(t *testing.T) {
	cfg := small()
	cfg.DistortOnDevice = true
	for _, name := range feature.Names() {
		if cfg.Preprocessing = name; name == nn.MNIST28 {
			continue
		}
		if _, err := Run(t.Context(), nntest.CPU(t), bars(20, 1, "v", "h"), cfg, nil); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}
