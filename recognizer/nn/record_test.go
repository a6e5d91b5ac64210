package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"inkshade/glcompute"
)

// values fills a reference run with the current data of parameters.
func values(p *glcompute.Program, sets ...*Parameters) glcompute.Values {
	v := glcompute.Values{}
	for _, set := range sets {
		if set == nil {
			continue
		}
		for _, par := range set.All() {
			v[p.Variable(par)] = widen(par.Data)
		}
	}
	return v
}

func widen(x []float32) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

func randomRows(rng *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = rng.Float64()*2 - 1
	}
	return out
}

// distributions makes rows of positive numbers that add up to 1.
func distributions(rng *rand.Rand, rows, cols int) []float64 {
	out := make([]float64, rows*cols)
	for r := range rows {
		sum := 0.0
		for c := range cols {
			out[r*cols+c] = rng.Float64()
			sum += out[r*cols+c]
		}
		for c := range cols {
			out[r*cols+c] /= sum
		}
	}
	return out
}

func meanOf(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// A step of rate 1 without momentum and decay changes each parameter by minus its
// gradient, which must equal the central difference of the mean loss.
func TestTrainingGradients(t *testing.T) {
	for _, loss := range Losses {
		for _, batch := range []int{1, 5} {
			t.Run(fmt.Sprintf("%s of %d", loss, batch), func(t *testing.T) { checkTrainingGradients(t, batch, loss) })
		}
	}
}

func checkTrainingGradients(t *testing.T, batch int, objective Loss) {
	for _, act := range []string{"", "tanh", "sigmoid", "relu"} {
		for _, sizes := range [][]int{{4, 3}, {4, 6, 3}, {4, 5, 7, 3}} {
			t.Run(fmt.Sprintf("%s %v", act, sizes), func(t *testing.T) {
				checkNetworkGradients(t, NewNetwork(sizes, act, 7), batch, objective)
			})
		}
	}
}

func checkNetworkGradients(t *testing.T, net Network, batch int, objective Loss) {
	const step, limit = 1e-5, 1e-8
	rng := rand.New(rand.NewPCG(1, 2))
	for _, l := range net.Layers {
		if len(l.Values) > 1 {
			for j := range l.Values[1] {
				l.Values[1][j] = float32(rng.Float64() - 0.5)
			}
		}
	}
	params := NewParameters(net)
	momenta := params.Zeros()
	p := glcompute.NewProgram()
	rec := glcompute.Must(OptimiserState{Batch: batch, Params: params, Momenta: momenta, Options: TrainingOptions{Loss: objective}}.Record(p))
	x, target := randomRows(rng, rec.Input.Len()), distributions(rng, batch, rec.Target.Cols)
	fresh := func() glcompute.Values {
		v := values(p, params, momenta)
		v[rec.Input], v[rec.Target], v[rec.Settings] = x, target, []float64{1, 0, 0}
		for _, m := range rec.masks {
			v[m.tensor] = widen(m.draw(rand.New(rand.NewPCG(4, 4))))
		}
		return v
	}
	after := fresh()
	p.RunReference(after)
	before := fresh()
	for _, par := range params.Learned(0) {
		tensor := p.Variable(par)
		for i := range par.Data {
			got := before[tensor][i] - after[tensor][i]
			loss := func(shift float64) float64 {
				v := fresh()
				v[tensor][i] += shift
				p.RunReference(v)
				return meanOf(v[rec.Loss])
			}
			want := (loss(step) - loss(-step)) / (2 * step)
			// The factors 2/classes of squared errors and 1/batch are rounded to float32.
			if !(math.Abs(got-want) <= limit+6e-8*math.Abs(want)) {
				t.Fatalf("%s[%d]: gradient %.10f, central difference %.10f", tensor, i, got, want)
			}
		}
	}
}

// Against zero gradients only the decay acts: it must pull toward the anchor, or toward
// zero where there is none, on weights and biases alike.
func TestAnchorPulls(t *testing.T) {
	net := NewNetwork([]int{3, 4, 2}, "tanh", 3)
	anchorNet := NewNetwork([]int{3, 4, 2}, "tanh", 4)
	anchorNet.Layers[1].Values[1][0] = 0.25
	for _, anchored := range []bool{false, true} {
		params := NewParameters(net)
		momenta := params.Zeros()
		var anchor *Parameters
		if anchored {
			anchor = NewParameters(anchorNet)
		}
		p := glcompute.NewProgram()
		rec := glcompute.Must(OptimiserState{Batch: 2, Params: params, Momenta: momenta, Anchor: anchor}.Record(p))
		v := values(p, params, momenta, anchor)
		v[rec.Input] = make([]float64, rec.Input.Len())
		v[rec.Target] = make([]float64, rec.Target.Len())
		v[rec.Settings] = []float64{0, 0, 0}
		p.RunReference(v)
		// The target that equals the answer has no gradient.
		v[rec.Target] = append([]float64{}, v[rec.Probabilities]...)
		v[rec.Settings] = []float64{1, 0, 0.5}
		p.RunReference(v)
		for l := range params.layers {
			for i, w := range params.layers[l][0].Data {
				pull := 0.0
				if anchored {
					pull = float64(anchor.layers[l][0].Data[i])
				}
				want := (float64(w) + pull) / 2
				if got := v[p.Variable(params.layers[l][0])][i]; math.Abs(got-want) > 1e-12 {
					t.Fatalf("anchored %t: weight %d of layer %d is %g, want %g", anchored, i, l, got, want)
				}
			}
		}
		if got := v[p.Variable(params.layers[1][1])][0]; anchored && math.Abs(got-0.125) > 1e-12 {
			t.Fatalf("bias is %g, want half way to the anchor, 0.125", got)
		}
	}
}

func TestMomentumAccumulates(t *testing.T) {
	params := NewParameters(NewNetwork([]int{2, 2}, "tanh", 1))
	momenta := params.Zeros()
	p := glcompute.NewProgram()
	rec := glcompute.Must(OptimiserState{Batch: 1, Params: params, Momenta: momenta}.Record(p))
	v := values(p, params, momenta)
	v[rec.Input], v[rec.Target], v[rec.Settings] = []float64{1, 1}, []float64{1, 0}, []float64{0, 0.5, 0}
	bias := p.Variable(momenta.layers[0][1])
	p.RunReference(v)
	first := v[bias][0]
	p.RunReference(v)
	if first == 0 || math.Abs(v[bias][0]-1.5*first) > 1e-12 {
		t.Fatalf("momentum after two equal steps is %g, want 1.5 times %g", v[bias][0], first)
	}
}

func TestAverageMoves(t *testing.T) {
	params := NewParameters(NewNetwork([]int{3, 4, 2}, "tanh", 1))
	averages := NewParameters(NewNetwork([]int{3, 4, 2}, "tanh", 2))
	p := glcompute.NewProgram()
	rate := RecordAverage(p, params, averages)
	v := values(p, params, averages)
	v[rate] = []float64{0.25}
	p.RunReference(v)
	for i, par := range params.All() {
		for j, w := range par.Data {
			want := 0.75*float64(averages.All()[i].Data[j]) + 0.25*float64(w)
			if got := v[p.Variable(averages.All()[i])][j]; math.Abs(got-want) > 1e-12 {
				t.Fatalf("average %d[%d] is %g, want %g", i, j, got, want)
			}
		}
	}
}

// The program with a warp in it must take the gradient of the images as warped.
func TestTrainingOnWarpedImages(t *testing.T) {
	const side, batch, grid = 8, 2, 5
	params := NewParameters(NewNetwork([]int{side * side, 3}, "tanh", 1))
	momenta := params.Zeros()
	rng := rand.New(rand.NewPCG(5, 6))
	warped := glcompute.NewProgram()
	rec := glcompute.Must(OptimiserState{Batch: batch, Params: params, Momenta: momenta, Options: TrainingOptions{Warp: grid}}.Record(warped))
	v := values(warped, params, momenta)
	v[rec.Input], v[rec.Target], v[rec.Settings] = randomRows(rng, rec.Input.Len()), distributions(rng, batch, 3), []float64{1, 0, 0}
	v[rec.Affine], v[rec.Grid] = randomRows(rng, rec.Affine.Len()), randomRows(rng, rec.Grid.Len())
	warped.RunReference(v)

	p := glcompute.NewProgram()
	moved := p.Warp(p.Input(batch, side*side), p.Input(batch, 6), p.Input(batch*2*grid, grid), side, side)
	u := glcompute.Values{}
	for i, t := range []*glcompute.Tensor{rec.Input, rec.Affine, rec.Grid} {
		u[p.Tensors()[i]] = v[t]
	}
	p.RunReference(u)

	plain := glcompute.NewProgram()
	same := glcompute.Must(OptimiserState{Batch: batch, Params: params, Momenta: momenta}.Record(plain))
	w := values(plain, params, momenta)
	w[same.Input], w[same.Target], w[same.Settings] = u[moved], v[rec.Target], v[rec.Settings]
	plain.RunReference(w)
	for _, par := range params.All() {
		if !slices.Equal(v[warped.Variable(par)], w[plain.Variable(par)]) {
			t.Errorf("%s differs from a step on warped images", par.Name)
		}
	}
}
