package nn

import (
	"slices"
	"testing"

	"inkshade/glcompute"
	"inkshade/glcompute/cpu"
)

// Steps that one float rounds away must move the sum of two by what the reference, which
// keeps float64, moves.
func TestTrainingInTwoFloatsLosesNoStep(t *testing.T) {
	const steps, rate = 3000, 1e-11
	dev, err := cpu.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	net := NewNetwork([]int{6, 4, 3}, "tanh", 3)
	for i := range net.Layers {
		for j := range net.Layers[i].Values[1] {
			net.Layers[i].Values[1][j] = 0.5 // not zero, beside which no step is small
		}
	}
	moved := func(two bool) (high, sum float64) {
		params := NewParameters(net)
		momenta := params.Zeros()
		var o TrainingOptions
		if two {
			o.Low = params.Zeros()
		}
		p := glcompute.NewProgram()
		rec := glcompute.Must(OptimiserState{Batch: 2, Params: params, Momenta: momenta, Options: o}.Record(p))
		run, err := dev.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		defer run.Close()
		x, target := slices.Repeat([]float32{1, -0.5, 0.25}, 4), []float32{1, 0, 0, 0, 0, 1}
		for range steps {
			if err := run.Do(glcompute.In(rec.Input, x), glcompute.In(rec.Target, target), glcompute.In(rec.Settings, []float32{rate, 0, 0})); err != nil {
				t.Fatal(err)
			}
		}
		if err := params.Download(dev); err != nil {
			t.Fatal(err)
		}
		bias := float64(params.layers[1][1].Data[0]) - 0.5
		if !two {
			return bias, bias
		}
		if err := o.Low.Download(dev); err != nil {
			t.Fatal(err)
		}
		return bias, bias + float64(o.Low.layers[1][1].Data[0])
	}
	one, _ := moved(false)
	_, two := moved(true)
	if one != 0 {
		t.Errorf("one float moved by %g; the steps were to be too small for it", one)
	}

	params := NewParameters(net)
	p := glcompute.NewProgram()
	rec := glcompute.Must(OptimiserState{Batch: 2, Params: params, Momenta: params.Zeros()}.Record(p))
	v := values(p, params)
	v[rec.Input] = widen(slices.Repeat([]float32{1, -0.5, 0.25}, 4))
	v[rec.Target], v[rec.Settings] = []float64{1, 0, 0, 0, 0, 1}, []float64{1, 0, 0}
	p.RunReference(v)
	want := steps * rate * (v[p.Variable(params.layers[1][1])][0] - 0.5)
	if d := two/want - 1; !(d < 1e-3 && d > -1e-3) {
		t.Errorf("two floats moved by %g, want %g", two, want)
	}
}
