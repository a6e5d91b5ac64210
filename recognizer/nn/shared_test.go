package nn

import (
	"errors"
	"math"
	"testing"

	"inkshade/glcompute"
	"inkshade/glcompute/compare"
	"inkshade/glcompute/compute"
	"inkshade/glcompute/cpu"
)

// twoDevices are the processor and compute shaders; a missing OpenGL 4.3 is a failure.
func twoDevices(t testing.TB) (owner, other glcompute.Device) {
	t.Helper()
	owner, err := cpu.Open()
	if err != nil {
		t.Fatal(err)
	}
	other, err = compute.OpenWith(compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { owner.Close(); other.Close() })
	return owner, other
}

// stateOf a small network; each call gives parameters of its own.
func stateOf(batch int, change func(*OptimiserState)) OptimiserState {
	d := OptimiserState{Batch: batch, Params: NewParameters(NewNetwork([]int{16, 6, 3}, "tanh", 5))}
	d.Momenta = d.Params.Zeros()
	if change != nil {
		change(&d)
	}
	return d
}

// batchOf a descent, step by step another.
func batchOf(d OptimiserState, step int) Batch {
	b := Batch{
		Input: make([]float32, d.Batch*d.Params.Width()), Target: make([]float32, d.Batch*d.Params.Classes()),
		Settings: []float32{0.1, 0.9, 0}, Loss: &glcompute.AsyncRead{Data: make([]float32, d.Batch)}, Probabilities: &glcompute.AsyncRead{Data: make([]float32, d.Batch*d.Params.Classes())},
	}
	for i := range b.Input {
		b.Input[i] = float32((i*i+step)%11)/11 - 0.4
	}
	for i := range d.Batch {
		b.Target[i*d.Params.Classes()+(i+step)%d.Params.Classes()] = 1
	}
	if d.Options.Second != nil {
		b.Settings = []float32{0.01, 0.9, 0.999, 1e-8, 0, float32(1 - math.Pow(0.9, float64(step+1))), float32(1 - math.Pow(0.999, float64(step+1)))}
	}
	if warp := d.Options.Warp; warp > 0 {
		b.Affine, b.Grid = make([]float32, d.Batch*6), make([]float32, d.Batch*2*warp*warp)
		for i := range b.Affine {
			b.Affine[i] = []float32{1, 0, 0, 0, 1, 0}[i%6] + float32(i%3)/20
		}
		for i := range b.Grid {
			b.Grid[i] = float32(i%5)/5 - 0.4
		}
	}
	return b
}

// Every kind of training whose batch is split between two devices follows that on one, and
// nothing stays behind.
func TestSharedTraining(t *testing.T) {
	limit := compare.Limit{Abs: 1e-5, Rel: 1e-4, Reason: "roundings carried through the steps"}
	owner, other := twoDevices(t)
	for name, change := range map[string]func(*OptimiserState){
		"plain":      nil,
		"anchor":     func(d *OptimiserState) { d.Anchor = stateOf(1, nil).Params.Zeros() },
		"two floats": func(d *OptimiserState) { d.Options.Low = d.Params.Zeros() },
		"adam":       func(d *OptimiserState) { d.Options.Second = d.Params.Zeros() },
		"tanh":       func(d *OptimiserState) { d.Options.Loss = SquaredTanh },
		"warp":       func(d *OptimiserState) { d.Options.Warp = 4 },
	} {
		t.Run(name, func(t *testing.T) {
			one, two := stateOf(10, change), stateOf(10, change)
			dev := glcompute.Split(0.3, owner, other)
			alone, err := NewSteps(owner, one)
			if err != nil {
				t.Fatal(err)
			}
			shared, err := NewSteps(dev, two)
			if err != nil {
				t.Fatal(err)
			}
			if info := shared.Info(); info.Kind != glcompute.Mixed || info.Choice.Shares[0] != 0.3 {
				t.Errorf("done by %+v, %+v", info, info.Choice)
			}
			for step := range 12 {
				want, got := batchOf(one, step), batchOf(two, step)
				if err := errors.Join(alone.Step(want), shared.Step(got)); err != nil {
					t.Fatal(err)
				}
				if _, err := compare.Slices(got.Loss.Data, want.Loss.Data, limit); err != nil {
					t.Fatalf("losses of step %d: %v", step, err)
				}
				if _, err := compare.Slices(got.Probabilities.Data, want.Probabilities.Data, limit); err != nil {
					t.Fatalf("outputs of step %d: %v", step, err)
				}
			}
			if err := errors.Join(one.Params.Download(owner), two.Params.Download(dev)); err != nil {
				t.Fatal(err)
			}
			for i, par := range two.Params.All() {
				if _, err := compare.Slices(par.Data, one.Params.All()[i].Data, limit); err != nil {
					t.Errorf("%s: %v", par.Name, err)
				}
			}
			if err := errors.Join(shared.Close(), alone.Close()); err != nil {
				t.Error(err)
			}
			one.Forget(owner)
			two.Forget(dev)
			if owner.Memory() != 0 || other.Memory() != 0 {
				t.Errorf("%d and %d bytes stay on the devices", owner.Memory(), other.Memory())
			}
		})
	}
}
