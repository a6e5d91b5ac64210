package bench

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"inkshade/glcompute"
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
	if last.Device != MixedName || !strings.Contains(last.Missing.Error(), "compute device is too slow for a share") {
		t.Errorf("%+v", last)
	}
}

// fragments are the processor and all the fragment shaders, of which those with one value in a
// texel take 3 times as long as with four, and 5 times where both read from textures.
func (w *workshop) fragments(software bool) []Contestant {
	all := []Contestant{w.contestant(cpu())}
	add := func(name string, times float64, only []Experiment) {
		f := gpu()
		f.info = glcompute.Info{Kind: glcompute.Fragment, Name: name, Software: software}
		f.fixed, f.perOperation = 0, times*f.perOperation
		c := w.contestant(f)
		c.Only = only
		all = append(all, c)
	}
	add(string(glcompute.Fragment), 1, nil)
	for i, c := range Compared() {
		add(c.Name, []float64{3, 2, 10}[i], c.Only)
	}
	return all
}

func near(got, want float64) bool { return got > 0.97*want && got < 1.03*want }

func TestUnpackedIsComparedOnlyWhereItBelongs(t *testing.T) {
	w := newWorkshop()
	contestants := w.fragments(true)
	groups := 0
	for _, e := range Experiments() {
		groups += len(e.Sizes(true))
	}
	var last Event
	r, err := Run(t.Context(), Options{Quick: true, clock: w.clock, Contestants: contestants}, func(e Event) { last = e })
	if err != nil {
		t.Fatal(err)
	}
	if last.Done != groups || last.Total != groups {
		t.Errorf("%d of %d groups were measured, want %d", last.Done, last.Total, groups)
	}
	takesPart := map[string][]Experiment{
		"cpu":                {Recognition, TrainingStep, Convolution, ConvolutionStep, HiddenUnits, TrainingSamples, Product, DenseRows, SparseRows},
		"fragment":           {Recognition, TrainingStep, Convolution, ConvolutionStep, HiddenUnits, TrainingSamples, Packing, Product, DenseRows, SparseRows},
		UnpackedName:         {HiddenUnits, TrainingSamples, Packing},
		TexturesName:         {Packing},
		UnpackedTexturesName: {Packing},
		MixedName:            {TrainingStep},
	}
	for device, want := range takesPart {
		for _, e := range Experiments() {
			if got, want := len(r.Of(e, device)) > 0, slices.Contains(want, e); got != want {
				t.Errorf("%s measured on %s: %t, want %t", e, device, got, want)
			}
		}
	}
	for _, c := range r.Crossovers {
		if d := r.Device(c.Device); d.Compared || c.Experiment == Packing {
			t.Errorf("a crossover of what nobody uses: %+v", c)
		}
	}
	if p := r.Packing(); !near(p, 3) {
		t.Errorf("packing is said to be %.2f times as fast, want 3", p)
	}
	if p := r.TexturePacking(); !near(p, 5) {
		t.Errorf("packing from textures is said to be %.2f times as fast, want 5", p)
	}
	if own, textures := r.Packings(); own != r.Packing() || textures != r.TexturePacking() {
		t.Errorf("in software %.2f and %.2f are said, want both figures", own, textures)
	}
	var got struct {
		Packing  float64
		Textures float64 `json:"packing_textures"`
	}
	data, err := json.Marshal(r)
	if err == nil {
		err = json.Unmarshal(data, &got)
	}
	if err != nil || got.Packing != r.Packing() || got.Textures != r.TexturePacking() {
		t.Errorf("the JSON has %+v: %v", got, err)
	}
	var listed []string
	for _, d := range r.Listed() {
		listed = append(listed, d.Name)
	}
	if !slices.Equal(listed, []string{"cpu", "fragment"}) {
		t.Errorf("listed are %q", listed)
	}
}

// A GPU reads from textures by itself: its two figures are one.
func TestPackingsSayNothingTwice(t *testing.T) {
	for _, c := range []struct {
		software      bool
		take          []int // of the contestants
		own, textures float64
	}{
		{true, []int{0, 1, 2, 3, 4}, 3, 5},
		{false, []int{0, 1, 2, 3, 4}, 3, 0},
		{false, []int{0, 3, 4}, 0, 5},
		{false, []int{1, 3, 4}, 0, 5},
		{true, []int{0, 1, 2}, 3, 0},
		{true, []int{0, 1}, 0, 0},
	} {
		w := newWorkshop()
		all := w.fragments(c.software)
		var contestants []Contestant
		for _, i := range c.take {
			contestants = append(contestants, all[i])
		}
		r, err := Run(t.Context(), Options{Quick: true, clock: w.clock, Contestants: contestants, Experiments: []Experiment{Packing}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if own, textures := r.Packings(); (c.own == 0) != (own == 0) || (c.textures == 0) != (textures == 0) ||
			c.own > 0 && !near(own, c.own) || c.textures > 0 && !near(textures, c.textures) {
			t.Errorf("software %t, contestants %v: %.2f and %.2f, want %v and %v", c.software, c.take, own, textures, c.own, c.textures)
		}
		// Fragment shaders alone are compared with nothing.
		if played := len(r.Readings) > 0; played != (len(c.take) > 2) {
			t.Errorf("contestants %v: measured %t", c.take, played)
		}
	}
}

// Those that are there to be compared are listed only where they alone are missing.
func TestListed(t *testing.T) {
	fragment, plain := Device{Name: "fragment"}, Device{Name: UnpackedName, Compared: true}
	lost := func(d Device) Device { d.Missing = errors.New("no OpenGL 3.3"); return d }
	for _, c := range []struct {
		devices []Device
		want    int
	}{
		{[]Device{fragment, plain}, 1},
		{[]Device{fragment, lost(plain)}, 2},
		{[]Device{lost(fragment), lost(plain)}, 1},
		{[]Device{lost(plain)}, 1},
	} {
		if got := (&Report{Devices: c.devices}).Listed(); len(got) != c.want {
			t.Errorf("of %+v are listed %+v", c.devices, got)
		}
	}
}
