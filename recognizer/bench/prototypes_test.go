package bench

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"inkshade/glcompute"
	"inkshade/recognizer/lvq"
)

// What is measured must be there for every size, gains over one core among it, on real devices of a small shape.
func TestPrototypesAreMeasured(t *testing.T) {
	shape := PrototypeShape{Classes: 40, Features: 12}
	r, err := Run(t.Context(), Options{Quick: true, Prototypes: shape, Contestants: PrototypeContestants(), Experiments: PrototypeExperiments()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range PrototypeExperiments() {
		names := []string{"cpu", "fragment", "compute"}
		switch e {
		case PrototypeDistances, PrototypeNearest:
			names = append(names, FragmentReductionName, FragmentTilesName, ComputeReductionName, ComputeTilesName)
		case PrototypeStep, PrototypeStep8:
			names = append(names, OneCoreName, OneCoreBLASName)
		}
		for _, name := range names {
			if got := r.Of(e, name); len(got) == 0 || got[0].Median <= 0 {
				t.Errorf("%s: nothing was measured of %s", e, name)
			}
		}
	}
	if g := r.Gains(); len(g) < 6 || g[0].Plain <= 0 || g[0].BLAS <= 0 {
		t.Errorf("gains %+v", g)
	}
	if s := Sentences(r.Gain(PrototypeStep)); !strings.Contains(s, "times one core in plain loops") {
		t.Errorf("%q", s)
	}
	text, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(text), `"over_one_core_blas"`) {
		t.Errorf("%v: %.200s", err, text)
	}
	if slices.ContainsFunc(r.Crossovers, func(c Crossover) bool { return c.Device == ComputeTilesName }) {
		t.Error("a device that is there to be compared has a crossover")
	}
}

// Devices and one core, in loops and with products, must make the same step.
func TestOneCoreMakesTheSameStep(t *testing.T) {
	const size = 24
	shape := PrototypeShape{Classes: 9, Features: 13}
	dev, err := glcompute.Open(glcompute.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	for _, e := range []Experiment{PrototypeStep, PrototypeStep8} {
		step := e.record(Options{Prototypes: shape}, size)
		run, err := dev.Compile(step.program)
		if err != nil {
			t.Fatal(err)
		}
		points := slices.Clone(step.program.Parameters()[0].Data)
		if err := run.Do(step.bindings...); err != nil {
			t.Fatal(err)
		}
		if err := dev.Download(step.program.Parameters()[0]); err != nil {
			t.Fatal(err)
		}
		classes := make([]int, size)
		for i, c := range step.bindings[1].Data {
			classes[i] = int(c)
		}
		for _, products := range []bool{false, true} {
			s := lvq.Serial[float32]{PerClass: e.perClass(), Dims: 13, Points: slices.Clone(points), Slope: 4}
			if products {
				s.Squares = func(out, rows, points []float32) { squaresByProducts(out, rows, points, 13) }
			}
			s.Step(step.bindings[0].Data, classes, prototypeRate)
			for i, v := range s.Points {
				if math.Abs(float64(v-step.program.Parameters()[0].Data[i])) > 1e-5 {
					t.Fatalf("%s, products %t: coordinate %d is %g, on the device %g", e, products, i, v, step.program.Parameters()[0].Data[i])
				}
			}
		}
		run.Close()
	}
}

func TestPrototypeShape(t *testing.T) {
	for _, s := range []PrototypeShape{{1, 5}, {5, 0}, {1 << 17, 5}} {
		if s.Check() == nil {
			t.Errorf("%+v passes", s)
		}
	}
	if err := ChinesePrototypes.Check(); err != nil {
		t.Error(err)
	}
	if ChinesePrototypes.tooLarge(PrototypeStep8, 8192) || ChinesePrototypes.tooLarge(PrototypeDistances, 8192) ||
		ChinesePrototypes.tooLarge(Product, 1<<20) || !(PrototypeShape{8000, 160}).tooLarge(PrototypeDistances, 8192) ||
		!(PrototypeShape{8000, 160}).tooLarge(PrototypeStep8, 8192) {
		t.Error("other sizes are left out")
	}
}
