package bench

import (
	"strings"
	"testing"
	"time"

	"inkshade/glcompute/program"
)

func TestMixedModeSharesATrainingStep(t *testing.T) {
	fast := gpu()
	fast.fixed, fast.perOperation = 10*time.Microsecond, 0.005
	r, err := measure(t, t.Context(), Options{Experiments: []Experiment{TrainingStep}}, nil, cpu(), fast)
	if err != nil {
		t.Fatal(err)
	}
	mixed := r.Of(TrainingStep, MixedName)
	if len(mixed) != 1 || mixed[0].Median <= 0 || mixed[0].GFLOPS <= 0 {
		t.Fatalf("readings %+v", r.Readings)
	}
	slow := gpu()
	slow.perOperation = 20
	r, err = measure(t, t.Context(), Options{Experiments: []Experiment{TrainingStep}}, nil, cpu(), slow)
	if err != nil {
		t.Fatal(err)
	}
	last := r.Readings[len(r.Readings)-1]
	if last.Device != MixedName || !strings.Contains(last.Missing, "compute device is too slow for a share") {
		t.Errorf("%+v", last)
	}
}

func TestUnpackedIsComparedOnlyWhereItBelongs(t *testing.T) {
	w := newWorkshop()
	packed, plain := gpu(), gpu()
	packed.info = program.Info{Kind: program.Fragment, Name: "fragment"}
	plain.info = program.Info{Kind: program.Fragment, Name: UnpackedName}
	packed.fixed, plain.fixed = 0, 0
	plain.perOperation = 3 * packed.perOperation
	contestants := []Contestant{w.contestant(cpu()), w.contestant(packed), w.contestant(plain)}
	contestants[2].Only = Unpacked().Only
	r, err := Run(t.Context(), Options{Quick: true, clock: w.clock, Contestants: contestants}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range Experiments() {
		if got, want := len(r.Of(e, UnpackedName)) > 0, e == HiddenUnits || e == TrainingSamples; got != want {
			t.Errorf("%s measured unpacked: %t, want %t", e, got, want)
		}
	}
	for _, c := range r.Crossovers {
		if c.Device == UnpackedName {
			t.Errorf("a crossover of what nobody uses: %+v", c)
		}
	}
	if p := r.Packing(); p < 2.9 || p > 3.1 {
		t.Errorf("packing is said to be %.2f times as fast, want 3", p)
	}
}
