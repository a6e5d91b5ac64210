package bench

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"inkshade/glcompute"
)

// measure runs quickly on fakes and checks that everything was closed and forgotten.
func measure(t *testing.T, ctx context.Context, o Options, progress func(Event), fakes ...*fake) (*Report, error) {
	t.Helper()
	w := newWorkshop()
	o.Quick, o.clock = true, w.clock
	for _, f := range fakes {
		o.Contestants = append(o.Contestants, w.contestant(f))
	}
	r, err := Run(ctx, o, progress)
	if w.open != 0 {
		t.Errorf("%d devices or runs were left open", w.open)
	}
	for _, f := range fakes {
		if len(f.known) != 0 {
			t.Errorf("%s holds %d parameters after the run", f.info.Name, len(f.known))
		}
	}
	return r, err
}

func TestRunMeasuresEverySizeOnEveryDevice(t *testing.T) {
	var events []Event
	r, err := measure(t, t.Context(), Options{}, func(e Event) { events = append(events, e) }, cpu(), gpu())
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete || len(r.Devices) != 2 || r.Elapsed <= 0 || !r.Software() {
		t.Errorf("complete %t, devices %v, elapsed %v", r.Complete, r.Devices, r.Elapsed)
	}
	for _, e := range Experiments() {
		for _, d := range []string{"cpu", "compute"} {
			if e == OneDrawing || e == Packing {
				continue
			}
			var sizes []int
			for _, x := range r.Of(e, d) {
				sizes = append(sizes, x.Size)
				if x.Median <= 0 || x.Repeats == 0 || x.Disturbed || x.Prepare < time.Millisecond {
					t.Errorf("%+v", x)
				}
			}
			if !slices.Equal(sizes, e.Sizes(true)) {
				t.Errorf("%s on %s measured at %v, want %v", e, d, sizes, e.Sizes(true))
			}
		}
	}
	last := events[len(events)-1]
	if last.Done != last.Total || last.Total == 0 {
		t.Errorf("the last event says %d of %d", last.Done, last.Total)
	}
	told := 0
	for _, e := range events {
		told += len(e.Readings)
	}
	if told != len(r.Readings) {
		t.Errorf("events told of %d readings, the report has %d", told, len(r.Readings))
	}
}

func TestTimesAreThoseOfTheReplays(t *testing.T) {
	r, err := measure(t, t.Context(), Options{Experiments: []Experiment{Recognition, Product}}, nil, cpu(), gpu())
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Of(Recognition, "cpu") {
		want := 10*time.Microsecond + time.Duration(float64(x.Size)*2*(784*800+800*10)*0.02)
		if x.Median != want || x.Fastest != want || x.Slowest != want || x.Deviation != 0 {
			t.Errorf("%d drawings: %+v, want %v", x.Size, x.Spread, want)
		}
	}
	// The transfers are left out of a product: eight tenths are inside.
	for _, x := range r.Of(Product, "compute") {
		n := float64(x.Size)
		inside := (1e6 + 2*n*n*n*0.002) * 0.8
		if got := float64(x.Median); got < inside*0.999 || got > inside*1.001 {
			t.Errorf("product of %d: %v ns, want %v", x.Size, got, inside)
		}
		if want := 2 * n * n * n / inside; x.GFLOPS < want*0.999 || x.GFLOPS > want*1.001 {
			t.Errorf("product of %d: %v GFLOP/s, want %v", x.Size, x.GFLOPS, want)
		}
	}
}

func TestWorkIsThatOfTheRecordedProducts(t *testing.T) {
	for _, e := range []Experiment{Recognition, TrainingStep, Product, Convolution, PrototypeProduct, PrototypeDistances} {
		for _, size := range e.Sizes(true)[:1] {
			got, recorded := 0.0, e.record(Options{Prototypes: PrototypeShape{Classes: 9, Features: 13}}, size)
			for _, op := range recorded.program.Ops() {
				if m, ok := op.(product); ok {
					each := 2.0
					if op.Name() == "distances" {
						each = 3
					}
					rows, cols, inner := m.Dims()
					got += each * float64(rows) * float64(cols) * float64(inner)
				}
			}
			if got != recorded.work {
				t.Errorf("%s at %d: %v operations recorded, %v counted", e, size, got, recorded.work)
			}
		}
	}
}

func TestOneDrawingIsSplitIntoStagesAndPasses(t *testing.T) {
	r, err := measure(t, t.Context(), Options{Experiments: []Experiment{OneDrawing}}, nil, cpu(), gpu())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Drawings) != 2 {
		t.Fatalf("%d drawings", len(r.Drawings))
	}
	for _, d := range r.Drawings {
		sum := d.Preprocess + d.Upload + d.Compute + d.Readback
		if d.Upload == 0 || d.Compute <= d.Upload || sum != d.Total.Median || len(d.Passes) != 4 {
			t.Errorf("%+v", d)
		}
		if first := d.Upload + d.Compute + d.Readback; d.Compile != compileTime || d.Prepare != compileTime+first {
			t.Errorf("compiled in %v, prepared in %v, of which the first replay %v", d.Compile, d.Prepare, first)
		}
		if !slices.Equal(d.Network, network) {
			t.Errorf("network %v", d.Network)
		}
	}
}

func TestCrossoverIsWhereTheGPUBegins(t *testing.T) {
	r, err := measure(t, t.Context(), Options{}, nil, cpu(), gpu())
	if err != nil {
		t.Fatal(err)
	}
	// 10 µs + 25.4 µs a drawing against 1 ms + 2.5 µs a drawing: between 43 and 44.
	i := slices.IndexFunc(r.Crossovers, func(c Crossover) bool { return c.Experiment == Recognition })
	if i < 0 {
		t.Fatalf("no crossover in %v", r.Crossovers)
	}
	c := r.Crossovers[i]
	if c.From != 64 || c.Doubtful || c.Best != 4096 || c.Lead < 8 {
		t.Errorf("%+v", c)
	}
	if want := "From 64 drawings at once the GPU is faster (compute shaders, 9.1 times at 4096)."; Sentences(c.Words()) != want {
		t.Errorf("%q, want %q", Sentences(c.Words()), want)
	}
}

func TestCrossoverInWords(t *testing.T) {
	reading := func(size int, ms float64, disturbed bool) Reading {
		return Reading{Size: size, Spread: Spread{Median: time.Duration(ms * 1e6), Repeats: 1, Disturbed: disturbed}}
	}
	line := func(disturbed int, ms ...float64) []Reading {
		var all []Reading
		for i, v := range ms {
			all = append(all, reading(1<<i, v, i == disturbed))
		}
		return all
	}
	cpu := line(-1, 1, 2, 4, 8)
	for want, gpu := range map[string][]Reading{
		"The CPU is faster at every size measured (than compute shaders).":                                            line(-1, 2, 3, 5, 9),
		"The GPU is faster at every size measured (compute shaders, 8.0 times at 8).":                                 line(-1, 0.5, 0.5, 1, 1),
		"From 4 drawings at once the GPU is faster (compute shaders, 2.7 times at 8).":                                line(-1, 3, 3, 3, 3),
		"From 4 drawings at once the GPU is faster (compute shaders, 2.7 times at 8). A reading there was disturbed.": line(1, 3, 3, 3, 3),
		"The GPU is faster only at 2 drawings at once (compute shaders, 2.0 times at 2).":                             line(-1, 3, 1, 5, 9),
		// Equal is not faster, nor is what is within the noise.
		"At no size measured is the GPU clearly faster (compute shaders).":                line(-1, 2, 1.95, 5, 9),
		"The GPU is faster only at 1 drawings at once (compute shaders, 2.0 times at 1).": line(-1, 0.5, 2, 4, 7.7),
		"From 8 drawings at once the GPU is faster (compute shaders, 2.0 times at 8).":    line(-1, 1, 2, 4, 4),
	} {
		if got := Sentences(cross(Recognition, "compute", cpu, gpu).Words()); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

func TestDisturbedReadings(t *testing.T) {
	ms := func(v ...int) []time.Duration {
		var all []time.Duration
		for _, x := range v {
			all = append(all, time.Duration(x)*time.Millisecond)
		}
		return all
	}
	for _, c := range []struct {
		times       []time.Duration
		median, mad int
		disturbed   bool
	}{
		{ms(100), 100, 0, false},
		{ms(103, 100, 99, 101, 250), 101, 2, false},
		{ms(100, 140, 180, 100, 220), 140, 40, true},
		{ms(50, 100, 101, 102, 103, 99), 100, 1, true},
	} {
		s := spreadOf(c.times)
		if s.Median != ms(c.median)[0] || s.Deviation != ms(c.mad)[0] || s.Disturbed != c.disturbed || s.Repeats != len(c.times) {
			t.Errorf("%v: %+v, want median %d, deviation %d, disturbed %t", c.times, s, c.median, c.mad, c.disturbed)
		}
	}
	noisy := gpu()
	noisy.jitter = func(n int) int { return n * n * n % 97 * 4 }
	r, err := measure(t, t.Context(), Options{Experiments: []Experiment{Recognition}}, nil, cpu(), noisy)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Of(Recognition, "cpu") {
		if x.Disturbed {
			t.Errorf("the steady device: %+v", x)
		}
	}
	if disturbed, all := r.Disturbed(); disturbed < all/4 {
		t.Errorf("%d of %d readings disturbed, want those of one device", disturbed, all)
	}
}

func TestReplaysThatWouldTakeTooLongAreLeftOut(t *testing.T) {
	slow := gpu()
	slow.perOperation = 10
	r, err := measure(t, t.Context(), Options{Experiments: []Experiment{Product}}, nil, cpu(), slow)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.Of(Product, "cpu")); n != len(Product.Sizes(true)) {
		t.Errorf("the fast device was measured at %d sizes", n)
	}
	if n := len(r.Of(Product, "compute")); n != 1 {
		t.Errorf("the slow device was measured at %d sizes, want the smallest", n)
	}
	last := r.Readings[len(r.Readings)-1]
	if !strings.Contains(last.Missing.Error(), "one replay would take about") {
		t.Errorf("%+v", last)
	}
}

func TestCancelKeepsWhatIsMeasured(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, err := measure(t, ctx, Options{}, func(e Event) {
		if len(e.Readings) > 0 && e.Size == 16 {
			cancel()
		}
	}, cpu(), gpu())
	if !errors.Is(err, context.Canceled) || r.Complete {
		t.Fatalf("complete %t, error %v", r.Complete, err)
	}
	if n := len(r.Readings); n != 6 {
		t.Errorf("%d readings, want those of three sizes on two devices", n)
	}
	if len(r.Crossovers) == 0 {
		t.Error("no crossover of what was measured")
	}
}

func TestCancelDuringReplays(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	g := gpu()
	g.jitter = func(n int) int {
		if n == 300 {
			cancel()
		}
		if n > 302 {
			t.Error("replays go on after the end of the context")
		}
		return 0
	}
	if _, err := measure(t, ctx, Options{}, nil, cpu(), g); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestFailuresAreSaidAndTheRestGoesOn(t *testing.T) {
	w := newWorkshop()
	missing := Contestant{Name: "fragment", Open: func() (glcompute.Device, error) { return nil, errors.New("no EGL display") }}
	lost := gpu()
	lost.fails = func(n int) error {
		if n > 100 {
			return glcompute.ErrLost
		}
		return nil
	}
	r, err := Run(t.Context(), Options{Quick: true, clock: w.clock, Contestants: []Contestant{w.contestant(cpu()), missing, w.contestant(lost)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := r.Device("fragment"); d.Missing.Error() != "no EGL display" {
		t.Errorf("device %+v", d)
	}
	if n := len(r.Of(Product, "cpu")); n != 3 {
		t.Errorf("the other device was measured at %d sizes", n)
	}
	said := 0
	for _, x := range r.Readings {
		if errors.Is(x.Missing, glcompute.ErrLost) {
			said++
		}
	}
	if said != 1 || len(r.Of(Product, "compute")) != 0 {
		t.Errorf("the loss is said %d times, %d products measured after it", said, len(r.Of(Product, "compute")))
	}
	if _, err := Run(t.Context(), Options{Contestants: []Contestant{missing}}, nil); err == nil || !strings.Contains(err.Error(), "no EGL display") {
		t.Errorf("without a device: %v", err)
	}
}

func TestJSONHoldsTimesInMicroseconds(t *testing.T) {
	r, err := measure(t, t.Context(), Options{}, nil, cpu(), gpu())
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Complete bool
		Devices  []struct {
			Name     string
			Software bool
		}
		Readings []struct {
			Experiment, Device string
			Size               int
			Median             float64 `json:"median_us"`
			Repeats            int
		}
		Crossovers []struct{ Text string }
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	first := got.Readings[0]
	if !got.Complete || first.Experiment != "recognition" || first.Size != 1 || first.Device != "cpu" || first.Median != 35.408 || first.Repeats == 0 {
		t.Errorf("%+v", first)
	}
	if !got.Devices[1].Software || len(got.Crossovers) == 0 || got.Crossovers[0].Text == "" {
		t.Errorf("devices %v, crossovers %v", got.Devices, got.Crossovers)
	}
}

func TestCSVHasALineForEachReading(t *testing.T) {
	failing := gpu()
	failing.fails = func(n int) error {
		if n > 300 {
			return errors.New("out of memory")
		}
		return nil
	}
	r, err := measure(t, t.Context(), Options{}, nil, cpu(), failing)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	readings, stages, missing := 0, 0, 0
	for _, l := range lines[1:] {
		if l[0] == string(OneDrawing) {
			stages++
		} else {
			readings++
		}
		if l[len(l)-2] == "" {
			t.Errorf("no name of the device in %q", l)
		}
		if l[12] != "" {
			missing++
		} else if l[4] == "" {
			t.Errorf("no time in %q", l)
		}
	}
	if readings != len(r.Readings) || stages != 2*(1+1+4+4) || missing == 0 {
		t.Errorf("%d readings of %d, %d stages, %d missing", readings, len(r.Readings), stages, missing)
	}
}
