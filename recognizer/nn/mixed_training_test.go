package nn

import (
	"slices"
	"testing"
	"time"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/compute"
	"inkshade/glcompute/cpu"
	"inkshade/glcompute/program"
)

// mixedDevices are the processor and compute shaders; a missing OpenGL 4.3 is a failure.
func mixedDevices(t testing.TB) []program.Device {
	t.Helper()
	var all []program.Device
	for _, open := range []func() (program.Device, error){cpu.Open, compute.Open} {
		dev, err := open()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { dev.Close() })
		all = append(all, dev)
	}
	return all
}

// A batch split between two devices trains as on one, step by step, and nothing stays
// behind.
func TestMixedTraining(t *testing.T) {
	const batch, steps = 10, 12
	net := NewNetwork([]int{7, 6, 3}, program.Tanh, 5)
	devices := mixedDevices(t)
	input, target := make([]float32, batch*7), make([]float32, batch*3)
	for i := range input {
		input[i] = float32(i*i%11)/11 - 0.4
	}
	for i := range batch {
		target[i*3+i%3] = 1
	}
	settings := []float32{0.5, 0.9, 0.001}
	limit := compare.Limit{Abs: 1e-5, Rel: 1e-4, Reason: "roundings carried through the steps"}

	params := NewParameters(net)
	momenta := params.Zeros()
	p := program.New()
	one := RecordTraining(p, batch, params, momenta, nil)
	run, err := devices[0].Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewMixedTraining(net, batch, devices, []float64{3, 7})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Rows(), []int{3, 7}) {
		t.Errorf("rows %v", m.Rows())
	}
	want := make([]float32, batch)
	for step := range steps {
		if err := run.Do(program.In(one.Input, input), program.In(one.Target, target),
			program.In(one.Settings, settings), program.Out(one.Loss, want)); err != nil {
			t.Fatal(err)
		}
		got, err := m.Step(input, target, settings)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := compare.Slices(got, want, limit); err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
	}
	if err := params.Download(devices[0]); err != nil {
		t.Fatal(err)
	}
	trained, err := m.Network()
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range trained.Layers {
		if _, err := compare.Slices(l.Weights, params.Weights[i].Data, limit); err != nil {
			t.Errorf("weights of layer %d: %v", i+1, err)
		}
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	if held := devices[1].Memory(); held != 0 {
		t.Errorf("%d bytes stay on the second device", held)
	}
}

func TestMeasureTraining(t *testing.T) {
	rates, err := MeasureTraining(NewNetwork([]int{7, 6, 3}, program.Tanh, 5), 8, mixedDevices(t), time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if len(rates.Alone) != 2 || rates.Alone[0] <= 0 || rates.Alone[1] <= 0 || rates.Mixed <= 0 {
		t.Errorf("%+v", rates)
	}
	t.Logf("%+v, wins %t", rates, rates.Wins())
}

// BenchmarkMixedTraining compares steps a second of 784-800-10 with 128 and 1,024 rows.
func BenchmarkMixedTraining(b *testing.B) {
	for b.Loop() {
		for _, batch := range []int{128, 1024} {
			rates, err := MeasureTraining(NewNetwork([]int{784, 800, 10}, program.Tanh, 1), batch, mixedDevices(b), 2*time.Second)
			if err != nil {
				b.Fatal(err)
			}
			b.Logf("batch %d: CPU %.1f, compute %.1f, mixed %.1f steps a second with %v rows; wins %t",
				batch, rates.Alone[0], rates.Alone[1], rates.Mixed, rates.Rows, rates.Wins())
		}
	}
}
