package recognizer

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"inkshade/assets"
	"inkshade/recognizer/nn/nntest"

	"inkshade/glcompute"
	"inkshade/models"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/inputformat"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
)

func testModel(preprocessing string) *nn.Model {
	features, err := feature.ByName(preprocessing)
	if err != nil {
		panic(err)
	}
	return &nn.Model{
		Network:       nn.NewNetwork([]int{features.Size, 20, 5}, "tanh", 3),
		Labels:        []string{"0", "1", "2", "A", "九"},
		Preprocessing: preprocessing,
	}
}

func newRecognizer(t testing.TB, m *nn.Model) *Recognizer {
	t.Helper()
	r, err := New(m, nntest.CPU(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func straight(x0, y0, x1, y1 float64) ink.Ink {
	return ink.Ink{{{X: x0, Y: y0}, {X: (x0 + x1) / 2, Y: (y0 + y1) / 2}, {X: x1, Y: y1}}}
}

// The answer must be what the plain reference makes of the picture that is shown with it.
func TestRecognize(t *testing.T) {
	for _, preprocessing := range feature.Names() {
		m := testModel(preprocessing)
		r := newRecognizer(t, m)
		drawing := straight(0, 0, 30, 50)
		answer, err := r.Recognize(drawing)
		if err != nil {
			t.Fatal(err)
		}
		features, _ := feature.ByName(preprocessing)
		want := referenceProbabilities(m.Network, features.Looks(answer.Image, drawing))
		if len(answer.Candidates) != len(m.Labels) {
			t.Fatalf("%d candidates", len(answer.Candidates))
		}
		for i, c := range answer.Candidates {
			if i > 0 && c.Probability > answer.Candidates[i-1].Probability {
				t.Errorf("candidate %d is better than the one before", i)
			}
			if w := want[m.Class(c.Label)]; math.Abs(c.Probability-w) > 1e-5 {
				t.Errorf("%s has %g, reference %g", c.Label, c.Probability, w)
			}
		}
		if answer.Timing.Total() <= 0 {
			t.Error("no time was taken")
		}
	}
}

func referenceProbabilities(net nn.Network, looks []float32) []float64 {
	params := nn.NewParameters(net)
	p := glcompute.NewProgram()
	n := len(looks) / net.Width()
	x, logits := nn.RecordForward(p, n, params)
	v := glcompute.Values{}
	for i, f := range looks {
		v.Of(x)[i] = float64(f)
	}
	for _, par := range params.All() {
		for i, f := range par.Data {
			v.Of(p.Variable(par))[i] = float64(f)
		}
	}
	p.RunReference(v)
	probabilities, sum := make([]float64, logits.Cols), 0.0
	for c := range probabilities {
		mean := 0.0
		for look := range n {
			mean += v[logits][look*logits.Cols+c] / float64(n)
		}
		probabilities[c] = math.Exp(mean)
		sum += probabilities[c]
	}
	for c := range probabilities {
		probabilities[c] /= sum
	}
	return probabilities
}

// A picture must get the same answer alone, in a small batch and in one past its size.
func TestBatches(t *testing.T) {
	r := newRecognizer(t, testModel(nn.MNIST28))
	rng := rand.New(rand.NewPCG(1, 1))
	images := make([]ink.Image, nn.LargeBatch+3)
	for i := range images {
		images[i] = ink.Image{Width: ink.Side, Height: ink.Side, Pix: make([]float32, ink.Side*ink.Side)}
		for j := range images[i].Pix {
			images[i].Pix[j] = rng.Float32()
		}
	}
	all, err := r.RecognizeMany(make([]ink.Ink, len(images)), images)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 1, nn.LargeBatch - 1, nn.LargeBatch, len(images) - 1} {
		one, err := r.RecognizeMany(make([]ink.Ink, 1), images[i:i+1])
		if err != nil {
			t.Fatal(err)
		}
		for j, c := range one[0].Candidates {
			if d := all[i].Candidates[j]; d.Label != c.Label || math.Abs(d.Probability-c.Probability) > 1e-6 {
				t.Fatalf("image %d, candidate %d: %v alone, %v among many", i, j, c, d)
			}
		}
	}
	if none, err := r.RecognizeMany(nil, nil); err != nil || len(none) != 0 {
		t.Errorf("no pictures: %v, %v", none, err)
	}
}

func TestImagesAreNormalised(t *testing.T) {
	r := newRecognizer(t, testModel(nn.MNIST28))
	large := ink.Image{Width: 90, Height: 60, Pix: make([]float32, 90*60)}
	for y := 10; y < 50; y++ {
		for x := 40; x < 46; x++ {
			large.Pix[y*90+x] = 1
		}
	}
	answers, err := r.RecognizeMany(make([]ink.Ink, 1), []ink.Image{large})
	if err != nil {
		t.Fatal(err)
	}
	normal, err := ink.Normalize(large)
	if err != nil || !reflect.DeepEqual(answers[0].Image, normal) {
		t.Errorf("the picture was not normalised (%v)", err)
	}
	blank := ink.Image{Width: 9, Height: 9, Pix: make([]float32, 81)}
	if _, err := r.RecognizeMany(make([]ink.Ink, 2), []ink.Image{large, blank}); !errors.Is(err, ink.ErrEmpty) || !strings.Contains(err.Error(), "drawing 2") {
		t.Errorf("blank paper: %v", err)
	}
	if _, err := r.Recognize(nil); !errors.Is(err, ink.ErrEmpty) {
		t.Errorf("no ink: %v", err)
	}
}

func TestSetClasses(t *testing.T) {
	r := newRecognizer(t, testModel(nn.MNIST28))
	drawing := straight(0, 0, 10, 3)
	free, err := r.Recognize(drawing)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.SetClasses([]string{"九", "0"}); err != nil {
		t.Fatal(err)
	}
	some, err := r.Recognize(drawing)
	if err != nil {
		t.Fatal(err)
	}
	p := map[string]float64{}
	for _, c := range free.Candidates {
		p[c.Label] = c.Probability
	}
	if len(some.Candidates) != 2 {
		t.Fatalf("candidates %v", some.Candidates)
	}
	for _, c := range some.Candidates {
		if want := p[c.Label] / (p["0"] + p["九"]); math.Abs(c.Probability-want) > 1e-5 {
			t.Errorf("%s has %g, want %g", c.Label, c.Probability, want)
		}
	}
	for _, bad := range [][]string{{}, {"0", "x"}} {
		if err := r.SetClasses(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
		if a, err := r.Recognize(drawing); err != nil || len(a.Candidates) != 2 {
			t.Errorf("after %q: error %v, candidates %v", bad, err, a.Candidates)
		}
	}
	if err := r.SetClasses(nil); err != nil {
		t.Fatal(err)
	}
	if a, err := r.Recognize(drawing); err != nil || len(a.Candidates) != 5 {
		t.Errorf("all classes: error %v, candidates %v", err, a.Candidates)
	}
}

// The order of the candidates is that of logits, where -0 and 0 are equal and NaN is last.
func TestDescending(t *testing.T) {
	all := []float32{float32(math.NaN()), float32(math.Inf(-1)), -3e38, -2, -1e-45, float32(math.Copysign(0, -1)), 0, 1e-45, 2, 3e38, float32(math.Inf(1))}
	for _, a := range all {
		for _, b := range all {
			if got, want := cmp.Compare(descending(a), descending(b)), cmp.Compare(b, a); got != want {
				t.Errorf("%g and %g are in order %d, want %d", a, b, got, want)
			}
		}
	}
}

// Probabilities that are zero in float32 must still be told apart.
func TestRestrictionOfUnlikelyClasses(t *testing.T) {
	got := candidatesAmong([]string{"a", "b", "c"}, []float32{500, -300, -301}, 1, []bool{false, true, true})
	if got[0].Label != "b" || math.Abs(got[0].Probability-1/(1+math.Exp(-1))) > 1e-9 {
		t.Errorf("got %v", got)
	}
}

func TestNewRefuses(t *testing.T) {
	unknown := testModel(nn.MNIST28)
	unknown.Preprocessing = "sonar"
	size := testModel("gradient512")
	size.Network = nn.NewNetwork([]int{100, 5}, "tanh", 1)
	labels := testModel(nn.MNIST28)
	labels.Labels = labels.Labels[1:]
	for want, m := range map[string]*nn.Model{"sonar": unknown, "100 values": size, "a label for each": labels} {
		if _, err := New(m, nntest.CPU(t)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestMeasure(t *testing.T) {
	r := newRecognizer(t, testModel(nn.MNIST28))
	got, err := r.Measure(straight(0, 0, 1, 1), 5)
	if err != nil || got.Preprocess <= 0 || got.Compute <= 0 {
		t.Errorf("%+v, error %v", got, err)
	}
	if _, err := r.Measure(straight(0, 0, 1, 1), 0); err == nil {
		t.Error("a median of nothing was given")
	}
	if _, err := r.Measure(nil, 3); !errors.Is(err, ink.ErrEmpty) {
		t.Errorf("no ink: %v", err)
	}
	if len(got.Passes) != 2 || !strings.HasPrefix(got.Passes[0].Name, "product") || got.Passes[0].Time <= 0 || got.Compile <= 0 {
		t.Errorf("passes %v, compiled in %v", got.Passes, got.Compile)
	}
}

func TestClose(t *testing.T) {
	dev := nntest.CPU(t)
	r, err := New(testModel(nn.MNIST28), dev)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if dev.Memory() != 0 {
		t.Errorf("%d bytes left on the device", dev.Memory())
	}
	if _, err := r.Recognize(straight(0, 0, 1, 1)); err == nil {
		t.Error("a closed recognizer answered")
	}
}

func TestConcurrentUse(t *testing.T) {
	r := newRecognizer(t, testModel(nn.MNIST28))
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 5 {
				if i == 0 {
					r.SetClasses([]string{"0", "1"})
					r.SetClasses(nil)
				}
				if _, err := r.Recognize(straight(0, 0, float64(i), 9)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func TestLoadModel(t *testing.T) {
	dir := t.TempDir()
	var buf bytes.Buffer
	if err := onnx.Write(&buf, testModel(nn.MNIST28)); err != nil {
		t.Fatal(err)
	}
	good, bad := filepath.Join(dir, "m.onnx"), filepath.Join(dir, "p.png")
	for path, data := range map[string][]byte{good: buf.Bytes(), bad: []byte("\x89PNG\r\n")} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if m, err := LoadModel(good); err != nil || len(m.Labels) != 5 {
		t.Errorf("error %v", err)
	}
	for path, want := range map[string]string{bad: "PNG", dir: "model", filepath.Join(dir, "none"): "symbols, words"} {
		if _, err := LoadModel(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", path, err, want)
		}
	}
}

// A model whose first output has no classes is refused with the names of all.
func TestSeveralOutputs(t *testing.T) {
	m := testModel(nn.MNIST28)
	m.Preprocessing, m.Labels = "", []string{"a1", "a2", "a3", "a4", "a5"}
	var file bytes.Buffer
	if err := onnx.Write(&file, m); err != nil {
		t.Fatal(err)
	}
	file.WriteString("\x3a\x0a\x62\x08\x0a\x06second") // of the graph another output
	path := filepath.Join(t.TempDir(), "m.onnx")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, stated := range []inputformat.Format{{}, {Labels: []string{"a", "b"}}} {
		if _, _, err := OpenModel(t.Context(), path, stated); err == nil || !strings.Contains(err.Error(), `of its outputs "probabilities", "second" the first`) {
			t.Errorf("with %v: %v", stated, err)
		}
	}
}

// Every shipped model must be readable, made ready, and say how it was made.
func TestShippedModels(t *testing.T) {
	for _, name := range models.Names() {
		m, err := LoadModel(name)
		if err != nil {
			t.Error(err)
			continue
		}
		newRecognizer(t, m)
		if m.Metadata["command"] == "" {
			t.Errorf("%s: the metadata hold no command", name)
		}
		if name != "symbols" {
			continue
		}
		if !strings.Contains(m.Metadata["notice"], "Detexify (Daniel Kirsch)") || !strings.Contains(m.Metadata["notice"], "Open Database License 1.0") {
			t.Errorf("the notice that the licence of the drawings asks for is %q", m.Metadata["notice"])
		}
		for _, label := range m.Labels {
			if models.Symbols()[label].Command == "" {
				t.Errorf("the table of symbols lacks %q", label)
			}
		}
	}
}

func TestMedianTiming(t *testing.T) {
	pass := func(first, second time.Duration) []glcompute.Pass {
		return []glcompute.Pass{{Name: "a", Time: first}, {Name: "b", Time: second}}
	}
	all := []Timing{
		{Preprocess: 1, Upload: 9, Compute: 5, Readback: 7, Compile: 3, Passes: pass(1, 30)},
		{Preprocess: 2, Upload: 8, Compute: 6, Readback: 9, Compile: 3, Passes: pass(3, 10)},
		{Preprocess: 3, Upload: 7, Compute: 4, Readback: 8, Compile: 3, Passes: pass(2, 20)},
	}
	want := Timing{Preprocess: 2, Upload: 8, Compute: 5, Readback: 8, Compile: 3, Passes: pass(2, 20)}
	if got := MedianTiming(all); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	all[1].Passes, want.Passes = nil, nil
	if got := MedianTiming(all); !reflect.DeepEqual(got, want) {
		t.Errorf("passes that do not fit: %+v, want %+v", got, want)
	}
	if got := MedianTiming(nil); !reflect.DeepEqual(got, Timing{}) {
		t.Errorf("of nothing %+v", got)
	}
}

// Of a drawing that a model of fine pictures sees, the answer shows that picture.
func TestSeenIsWhatTheNetworkSaw(t *testing.T) {
	for name, side := range map[string]int{"digits-mlp": ink.Side, "chinese-cnn": ink.DetailSide} {
		a, err := shipped(t, name).Recognize(ink.Ink{{{X: 0, Y: 0}, {X: 40, Y: 90}}, {{X: 40, Y: 0}, {X: 0, Y: 90}}})
		if err != nil {
			t.Fatal(err)
		}
		if a.Seen.Width != side || len(a.Seen.Pix) != side*side || slices.Max(a.Seen.Pix) < 0.9 || a.Image.Width != ink.Side {
			t.Errorf("%s: saw %dx%d of %dx%d pixels", name, a.Seen.Width, a.Seen.Height, a.Image.Width, a.Image.Height)
		}
	}
}

// Strokes that were traced in a picture are answered as a picture is, and remembered as strokes.
func TestTracedStrokes(t *testing.T) {
	r := shipped(t, "digits-cnn")
	own, err := ink.Read(bytes.NewReader(assets.SampleInk()))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range own {
		img, err := ink.Rasterize(s.Ink)
		if err != nil {
			t.Fatal(err)
		}
		want, err := r.RecognizeMany(make([]ink.Ink, 1), []ink.Image{img})
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.RecognizeTraced(s.Ink)
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := r.Recognize(s.Ink)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Candidates, want[0].Candidates) || got.OutOfDistribution != want[0].OutOfDistribution || slices.Equal(got.Candidates, drawn.Candidates) {
			t.Errorf("%s: traced %v, as a picture %v, drawn %v", s.Label, got.Candidates[0], want[0].Candidates[0], drawn.Candidates[0])
		}
	}
	memory := &asks{}
	r.SetMemory(memory)
	if _, err := r.RecognizeTraced(own[0].Ink); err != nil || len(memory.inks) != 1 || len(memory.inks[0]) == 0 {
		t.Errorf("the memory was asked for %v, error %v", memory.inks, err)
	}
}

// asks is a memory that changes nothing.
type asks struct{ inks []ink.Ink }

func (m *asks) Adjust(answers []Answer, inks []ink.Ink, _ func(string) bool) []Answer {
	m.inks = append(m.inks, inks...)
	return answers
}

func (m *asks) Person() line.Person { return line.Person{} }
func (m *asks) Labels() []string    { return nil }

// A drawing from its strokes to the ranked candidates, with every model that ships; GOMAXPROCS=1 is one core.
func BenchmarkOneDrawing(b *testing.B) {
	own, err := ink.Read(bytes.NewReader(assets.SampleInk()))
	if err != nil {
		b.Fatal(err)
	}
	for _, kind := range []glcompute.DeviceKind{glcompute.CPU, glcompute.Fragment, glcompute.Compute} {
		for _, name := range models.Names() {
			b.Run(string(kind)+"/"+name, func(b *testing.B) {
				dev, err := glcompute.Open(kind)
				if err != nil {
					b.Fatal(err)
				}
				defer dev.Close()
				m, err := LoadModel(name)
				if err != nil {
					b.Fatal(err)
				}
				r, err := New(m, dev)
				if err != nil {
					b.Fatal(err)
				}
				defer r.Close()
				for n := 0; b.Loop(); n++ {
					if _, err := r.Recognize(own[n%len(own)].Ink); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
