package nn

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"inkshade/glcompute/cpu"
)

// inked are mini-batches of which so many values in a hundred are not zero.
func inked(rng *rand.Rand, n, percent int) []float32 {
	x := make([]float32, n)
	for i := range x {
		if rng.IntN(100) < percent {
			x[i] = rng.Float32()
		}
	}
	return x
}

// sparseState is one of pixels-units-10 from the same beginning each time.
func sparseState(batch int) OptimiserState {
	params := NewParameters(NewNetwork([]int{100, 40, 10}, "tanh", 3))
	return OptimiserState{Batch: batch, Params: params, Momenta: params.Zeros()}
}

// trainInked makes steps and gives the parameters after them, and how the last was made.
func trainInked(t *testing.T, steps int, percent func(step int) int, prepare func(s *Steps)) (values [][]float32, s *Steps) {
	const batch = 16
	dev, err := cpu.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	d := sparseState(batch)
	if s, err = NewSteps(dev, d); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	prepare(s)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range steps {
		b := Batch{Number: i, Input: inked(rng, batch*100, percent(i)), Target: make([]float32, batch*10), Settings: []float32{0.1, 0.9, 1e-3}}
		for row := range batch {
			b.Target[row*10+rng.IntN(10)] = 1
		}
		if err := s.Step(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Download(dev); err != nil {
		t.Fatal(err)
	}
	for _, p := range slices.Concat(d.Params.All(), d.Momenta.All()) {
		values = append(values, slices.Clone(p.Data))
	}
	return values, s
}

// TestSparseStepsAreWholeSteps: to the last bit, also among mini-batches with too much ink.
func TestSparseStepsAreWholeSteps(t *testing.T) {
	ink := func(step int) int {
		if step%7 == 6 {
			return 60
		}
		return 12
	}
	want, _ := trainInked(t, 40, ink, func(s *Steps) { s.sparse = nil })
	opened := 0
	got, s := trainInked(t, 40, ink, func(s *Steps) {
		if !s.sparse.open() {
			t.Fatal("no sparse rows on the processor")
		}
		s.sparse.chosen = true
		opened++
	})
	if opened != 1 || s.sparse == nil || !s.sparse.chosen {
		t.Fatal("the steps were not sparse")
	}
	for i := range want {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("parameter %d is another", i)
		}
	}
}

// TestSparseStepsAreTried: turns are taken until the faster way is known, which is whole rows
// where there is much ink, and where the steps are not the processor's.
func TestSparseStepsAreTried(t *testing.T) {
	always := func(percent int) func(int) int { return func(int) int { return percent } }
	want, _ := trainInked(t, 40, always(12), func(s *Steps) { s.sparse = nil })
	for _, slow := range []int{0, 1} {
		got, s := trainInked(t, 40, always(12), func(s *Steps) {
			// The other way has won before the turns are over.
			for range sparseTrials - 1 {
				s.sparse.times[slow] = append(s.sparse.times[slow], time.Hour)
				s.sparse.times[1-slow] = append(s.sparse.times[1-slow], 0)
			}
			s.sparse.open()
		})
		if chosen := s.sparse != nil && s.sparse.chosen; chosen != (slow == 0) {
			t.Errorf("sparse rows chosen: %t", chosen)
		}
		for i := range want {
			if !slices.Equal(got[i], want[i]) {
				t.Errorf("parameter %d is another", i)
			}
		}
	}
	if _, s := trainInked(t, 4, always(80), func(*Steps) {}); s.sparse != nil {
		t.Error("sparse rows are tried where nearly all is ink")
	}
	d := sparseState(4)
	d.Options.Warp = 4
	if d.fitsSparse() {
		t.Error("sparse rows are tried where they cannot be")
	}
}
