package latency

import (
	"errors"
	"strings"
	"testing"
	"time"

	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/glcompute"
	"inkshade/recognizer/bench"
)

// Steps a second are told for every device, and whether the mixed ones would be used.
func TestTrainingWords(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		mixed time.Duration
		want  string
	}{
		{0, "Training steps a second, 128 drawings each: CPU\u00a050, compute shaders\u00a05.0."},
		{16 * ms, "CPU and GPU together\u00a062. Together they would be used: 1.25 times as fast as the fastest alone (CPU)."},
		{40 * ms, "CPU and GPU together\u00a025. Together they would not be used: 0.50 times as fast as the fastest alone (CPU), where sharing must gain 5 %."},
		{19500 * time.Microsecond, "Together they would not be used: 1.03 times as fast as the fastest alone (CPU), where sharing must gain 5 %."},
	} {
		reading := func(device string, d time.Duration) bench.Reading {
			return bench.Reading{Experiment: bench.TrainingStep, Size: 128, Device: device, Spread: bench.Spread{Median: d, Repeats: 3}}
		}
		r := &bench.Report{Readings: []bench.Reading{reading("cpu", 20*ms), reading("compute", 200*ms), reading(bench.MixedName, c.mixed)}}
		if got := language.AllSaid(r.Training()); !strings.HasSuffix(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Not to be clearly faster is not to be slower.
func TestTheCPUIsFasterOnlyWhereItIs(t *testing.T) {
	slower := bench.Crossover{Experiment: bench.Product, Device: "compute", Sizes: []int{1, 2}, Losses: []int{1, 2}}
	equal := bench.Crossover{Experiment: bench.Product, Device: "fragment", Sizes: []int{1, 2}, Losses: []int{1}}
	for want, all := range map[string][]bench.Crossover{
		"The CPU is faster at every size measured (than compute shaders).":  {slower},
		"At no size measured is the GPU clearly faster (fragment shaders).": {equal},
		"The CPU is faster at every size measured.":                         {slower, slower},
		"At no size measured is the GPU clearly faster.":                    {slower, equal},
	} {
		if got := language.AllSaid((&bench.Report{Crossovers: all}).Chart(bench.Product)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What packing gains is said beside the charts, both figures where both say something.
func TestPackingWords(t *testing.T) {
	const step = "2-64-1, 1024 samples: four values in a texel are "
	all := map[string]time.Duration{"fragment": 10, bench.UnpackedName: 18, bench.TexturesName: 20, bench.UnpackedTexturesName: 66}
	for _, c := range []struct {
		software bool
		without  string
		want     string
	}{
		{true, "", step + "1.80 times as fast as one; read from textures, as on GPUs, 3.30 times."},
		{false, "", step + "1.80 times as fast as one."},
		{true, bench.TexturesName, step + "1.80 times as fast as one."},
		{true, bench.UnpackedName, "2-64-1, 1024 samples: four values in a texel, read from textures as on GPUs, are 3.30 times as fast as one."},
	} {
		r := &bench.Report{}
		for _, name := range []string{"fragment", bench.UnpackedName, bench.TexturesName, bench.UnpackedTexturesName} {
			if name == c.without {
				continue
			}
			r.Devices = append(r.Devices, bench.Device{Name: name, Compared: name != "fragment", Info: glcompute.Info{Kind: glcompute.Fragment, Name: "llvmpipe", Software: c.software}})
			r.Readings = append(r.Readings, bench.Reading{
				Experiment: bench.Packing, Size: bench.FixedSamples, Device: name, Spread: bench.Spread{Median: all[name] * time.Millisecond, Repeats: 3},
			})
		}
		if got := notesOf(r); got[0] != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		// A single size makes no curve, and what makes none is in no list of devices.
		for _, e := range charted {
			p := widget.NewPlot()
			if fillPlot(p, r, e, true); len(p.Series) != 1 {
				t.Errorf("%s has the series %+v", e, p.Series)
			}
		}
		if got := rendererLines(r); len(got) != 1 || !strings.HasPrefix(got[0], language.Said(bench.NameOf("fragment"))) || !strings.HasSuffix(got[0], " llvmpipe") {
			t.Errorf("the devices are %q", got)
		}
	}
	if got := (&bench.Report{}).PackingWords(); got != nil {
		t.Errorf("of nothing it is said %q", got)
	}
}

// Where fragment shaders are missing it is said once, not for each that they are compared with.
func TestWhatIsMissingIsSaidOnce(t *testing.T) {
	fragment := bench.Device{Name: "fragment", Missing: errors.New("no OpenGL 3.3")}
	r := &bench.Report{Devices: []bench.Device{fragment}}
	for _, c := range bench.Compared() {
		r.Devices = append(r.Devices, bench.Device{Name: c.Name, Compared: true, Missing: errors.New("no OpenGL 3.3")})
	}
	if got := r.NotMeasured(); len(got) != 1 || got[0].String() != fragment.Why().String() {
		t.Errorf("%q", got)
	}
}
