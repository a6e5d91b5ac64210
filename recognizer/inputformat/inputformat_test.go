package inputformat

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/compare"
	"inkshade/models"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
)

// digitsFrom is the shipped perceptron of digits as if it had been trained on other pictures: of
// the given side, with paper around or cut off, and another scale. It says nothing of that.
func digitsFrom(t *testing.T, side int, s feature.Scale, transposed bool) *nn.Model {
	t.Helper()
	data, err := models.Open("digits-mlp")
	if err != nil {
		t.Fatal(err)
	}
	m, err := onnx.Read(t.Context(), bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	first := &m.Network.Layers[0]
	units := len(first.Values[1])
	weights := make([]float32, side*side*units)
	for y := range side {
		for x := range side {
			fromY, fromX := y-(side-28)/2, x-(side-28)/2
			if fromY < 0 || fromX < 0 || fromY >= 28 || fromX >= 28 {
				continue
			}
			if transposed {
				fromY, fromX = fromX, fromY
			}
			for u := range units {
				w := first.Values[0][(fromY*28+fromX)*units+u] / float32(s.Ink-s.Paper)
				weights[(y*side+x)*units+u] = w
				first.Values[1][u] -= w * float32(s.Paper)
			}
		}
	}
	first.Values[0] = weights
	m.Network.Inputs[0].Shape = nn.Vector(side * side)
	m.Preprocessing, m.Metadata = "", map[string]string{}
	return m
}

// Whatever a model was trained on is found out, and told with how well it did.
func TestTrial(t *testing.T) {
	for name, c := range map[string]struct {
		side       int
		scale      feature.Scale
		transposed bool
		want       string
	}{
		"MNIST":          {28, feature.Scale{Paper: 0, Ink: 1}, false, "mnist28"},
		"bytes":          {28, feature.Scale{Paper: 0, Ink: 255}, false, "mnist28"},
		"both sides":     {28, feature.Scale{Paper: -1, Ink: 1}, false, "picture 28x28 -1..1"},
		"normalised":     {28, scales[1], false, "picture 28x28 -0.42421293..2.8214865"},
		"black on white": {28, feature.Scale{Paper: 255, Ink: 0}, false, "picture 28x28 1..0"},
		"EMNIST":         {28, feature.Scale{Paper: 0, Ink: 1}, true, "picture 28x28 0..1 transposed"},
		"half":           {28, feature.Scale{Paper: -0.5, Ink: 0.5}, false, "picture 28x28 -0.5..0.5"},
		"padded":         {32, feature.Scale{Paper: -1, Ink: 1}, false, "picture 32x32 -1..1"},
		"far padded":     {64, feature.Scale{Paper: 0, Ink: 255}, false, "picture 64x64 0..1"},
	} {
		t.Run(name, func(t *testing.T) {
			m := digitsFrom(t, c.side, c.scale, c.transposed)
			trial, err := Apply(t.Context(), m, Format{})
			if err != nil {
				t.Fatal(err)
			}
			if m.Preprocessing != c.want {
				t.Errorf("it is fed with %s, want %s: %s", m.Preprocessing, c.want, trial.Reason)
			}
			if m.Metadata[keyScale] != c.scale.String() || trial.Picture.Scale != c.scale {
				t.Errorf("kept is the scale %s", m.Metadata[keyScale])
			}
			if trial.Right < 315 || trial.All != 360 || m.Metadata[keyInferred] != trial.Reason.String() {
				t.Errorf("the trial is %+v, the metadata say %q", trial, m.Metadata[keyInferred])
			}
		})
	}
}

func TestTrialOfLetters(t *testing.T) {
	data, err := models.Open("characters-mlp")
	if err != nil {
		t.Fatal(err)
	}
	m, err := onnx.Read(t.Context(), bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for set, want := range map[string]int{"ABCDEFGHIJKLMNOPQRSTUVWXYZ": 312, "abc": 396, "0B": 396, "+=": 0} {
		m.Labels = strings.Split(set, "")
		labels, images, err := sampleImages(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		if len(labels) != want || len(images) != want {
			t.Errorf("%s: %d sample characters, want %d", set, len(labels), want)
		}
	}
}

// Of classes that are only numbered nothing is known; a large network is tried on few samples.
func TestLargeNetworks(t *testing.T) {
	m := digitsFrom(t, 28, feature.Scale{Paper: 0, Ink: 1}, false)
	m.Labels = nn.UsualLabels(1000)
	if labels, _, err := sampleImages(t.Context(), m); labels != nil || err != nil {
		t.Errorf("1000 classes are tried with %d sample characters, %v", len(labels), err)
	}
	m.Labels = nn.UsualLabels(10)
	wide := nn.Layer{Kind: nn.Dense{Units: most / nn.LargeBatch}}
	if heavy(m.Network) || !heavy(nn.Network{Inputs: m.Network.Inputs, Layers: append([]nn.Layer{{Kind: wide.Kind, From: []int{0}}}, m.Network.Layers...)}) {
		t.Error("the perceptron is heavy, or a layer of half a gigabyte is not")
	}
	side := glcompute.Window{KernelHeight: 100, KernelWidth: 100, StrideY: 1, StrideX: 1, DilationY: 1, DilationX: 1}
	if !heavy(nn.Sequence(nn.Shape{Height: 200, Width: 200, Channels: 1}, nn.Layer{Kind: nn.Convolution{Filters: 1, Window: side}})) {
		t.Error("100 million products for a drawing are not heavy")
	}
	defer func(before time.Duration) { patience = before }(patience)
	patience = 0
	if _, err := Apply(t.Context(), m, Format{}); err == nil || !strings.Contains(err.Error(), "takes too long") {
		t.Errorf("tried for longer than there is time: %v", err)
	}
}

// What answers well to nothing is refused, with what to do.
func TestNothingAnswersWell(t *testing.T) {
	random := func(inputs, classes int) *nn.Model {
		return &nn.Model{Network: nn.NewNetwork([]int{inputs, classes}, "relu", 1), Labels: nn.UsualLabels(classes), Metadata: map[string]string{}}
	}
	small := random(196, 10) // perhaps 14x14, but not of digits
	strange := random(784, 3)
	strange.Labels = []string{"circle", "square", "triangle"}
	for want, m := range map[string]*nn.Model{
		"answers at most":                                                  small,
		"sample characters right, whatever range":                          random(784, 10),
		"no sample characters with its labels to try it on; say the scale": strange,
		"it takes 700 values, which are no square picture with sides of 8 or more; export it with an input of the shape [N,1,28,28]": random(700, 10),
		"it takes 36 values, which are no square picture with sides of 8 or more":                                                    random(36, 10),
		"it takes pictures of 513x513x1 values; at most 512":                                                                         random(513*513, 10),
	} {
		if trial, err := Apply(t.Context(), m, Format{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v, error %v, want %q", trial, err, want)
		}
		if m.Preprocessing != "" {
			t.Errorf("%s: it is fed with %s all the same", want, m.Preprocessing)
		}
	}
	colours := nn.Model{
		Network: nn.Sequence(nn.Shape{Height: 5, Width: 5, Channels: 4}, nn.Layer{Kind: nn.Dense{Units: 10}}),
		Labels:  nn.UsualLabels(10),
	}
	if err := colours.Network.Initialise(1); err != nil {
		t.Fatal(err)
	}
	if _, err := Apply(t.Context(), &colours, Format{}); err == nil || !strings.Contains(err.Error(), "it takes 5x5x4 values, which are no grey picture") {
		t.Errorf("four channels: error %v", err)
	}
}

// What is said is done, and tried no more.
func TestSaidFeedings(t *testing.T) {
	abc := strings.Split("abcdefghij", "")
	for name, c := range map[string]struct {
		said     Format
		metadata map[string]string
		want     string
		tried    bool
	}{
		"a scale":    {Format{Scale: feature.Scale{Paper: 0, Ink: 255}}, nil, "mnist28", false},
		"all":        {Format{Scale: feature.Scale{Paper: 0, Ink: 1}, Inverted: true, Transposed: true, Labels: abc}, nil, "picture 28x28 1..0 transposed", false},
		"the usual":  {Format{Scale: feature.Scale{Paper: 0, Ink: 1}}, nil, "mnist28", false},
		"bytes":      {Format{}, map[string]string{keyFormat: "Gray8"}, "picture 28x28 1..0", true},
		"normalised": {Format{Scale: feature.Scale{Paper: 0, Ink: 255}}, map[string]string{keyRange: "Normalized_0_1"}, "mnist28", false},
	} {
		t.Run(name, func(t *testing.T) {
			m := digitsFrom(t, 28, feature.Scale{Paper: 255, Ink: 0}, false)
			for k, v := range c.metadata {
				m.Metadata[k] = v
			}
			trial, err := Apply(t.Context(), m, c.said)
			if err != nil {
				t.Fatal(err)
			}
			if m.Preprocessing != c.want || (trial != nil) != c.tried {
				t.Errorf("it is fed with %s, want %s; the trial is %+v", m.Preprocessing, c.want, trial)
			}
			if c.said.Labels != nil && !reflect.DeepEqual(m.Labels, c.said.Labels) {
				t.Errorf("the labels are %q", m.Labels)
			}
		})
	}
}

func TestBeside(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m.onnx")
	if f, err := (Format{}).Beside(model); err != nil || !reflect.DeepEqual(f, Format{}) {
		t.Errorf("without a file: %+v, error %v", f, err)
	}
	all := Format{Labels: []string{"yes", "no"}, Scale: feature.Scale{Paper: 0, Ink: 255}, Inverted: true, Transposed: true, Layout: "nhwc"}
	for text, want := range map[string]any{
		`{"labels": ["yes", "no"], "scale": "0..255", "inverted": true, "transposed": true, "layout": "nhwc"}`: all,
		`{"labels": "añ"}`:    Format{Labels: []string{"a", "ñ"}},
		`{}`:                  Format{},
		`{"Scale": "0..255"}`: Format{Scale: all.Scale},
		`{"name": "digits-mlp", "classes": ["0"], "input": "mnist28", "in_force": true, "layers": []}`: Format{}, // models show --json
		`{"format": "layers-model", "modelTopology": {}}`:                                              Format{}, // TensorFlow.js
		`{"lables": "ab"}`:                     `its key "lables" is none of labels, scale, inverted, transposed, layout; correct or remove it`,
		`{"invert": true}`:                     `its key "invert" is none of labels`,
		`{"scale": "0..255", "flipped": true}`: `its key "flipped" is none of labels`,
		`{"labels": 3}`:                        "m.json, which says how the model is fed, is not understood: its labels are neither",
		`{"scale": "white"}`:                   `"white" is no scale of pixels`,
		`{"layout": "chw"}`:                    "is neither nchw nor nhwc",
		`{"inverted": "maybe"}`:                `it is not like {"labels": ["a", "b"], "scale": "0..255", "inverted": true, "transposed": true, "layout": "nhwc"}; correct or remove it`,
		`[]`:                                   `it is not like {"labels"`,
		`[`:                                    `it is not like {"labels"`,
	} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(model), "m.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := (Format{}).Beside(model)
		if why, fails := want.(string); fails {
			if err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: error %v, want %q", text, err, why)
			}
		} else if err != nil || !reflect.DeepEqual(f, want) {
			t.Errorf("%s: %+v, error %v", text, f, err)
		}
	}
	if f := (Format{Layout: "nchw"}).over(all); f.Layout != "nchw" || f.Scale != all.Scale || !f.Inverted {
		t.Errorf("what a person says came with %+v", f)
	}
}

// Dividing a wide scale changes no answer.
func TestWideScales(t *testing.T) {
	for _, scale := range []feature.Scale{{Paper: 0, Ink: 255}, {Paper: 255, Ink: 0}, {Paper: -128, Ink: 127}, {Paper: -1, Ink: 1}} {
		m := digitsFrom(t, 28, scale, false)
		whole := m.Clone()
		if _, err := Apply(t.Context(), m, Format{Scale: scale}); err != nil {
			t.Fatal(err)
		}
		_, images, err := sampleImages(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		before := logitsOf(t, whole.Network, feature.Picture{Height: 28, Width: 28, Scale: scale}.Extractor(), images[0])
		if _, err := Apply(t.Context(), m, Format{Scale: feature.Scale{Paper: 0, Ink: 7}}); err != nil || Scale(m).Ink != 7 {
			t.Fatalf("fed otherwise it has the scale %v, error %v", Scale(m), err)
		}
		if _, err := Apply(t.Context(), m, Format{Scale: scale}); err != nil { // and so again
			t.Fatal(err)
		}
		x, err := feature.ByName(m.Preprocessing)
		if err != nil {
			t.Fatal(err)
		}
		after := logitsOf(t, m.Network, x, images[0])
		if _, err := compare.Slices(after, before, compare.Limit{Abs: 1e-4, Rel: 1e-4, Reason: "float32 in another order"}); err != nil {
			t.Errorf("%v, seen as %s: %v", scale, m.Preprocessing, err)
		}
		var most float32
		for _, v := range x.Vector(images[0], nil) {
			most = max(most, v, -v)
		}
		if most > 2 {
			t.Errorf("%v is seen as values up to %g", scale, most)
		}
	}
}

func logitsOf(t *testing.T, net nn.Network, x feature.Extractor, image ink.Image) (logits []float32) {
	t.Helper()
	dev, err := glcompute.Open(glcompute.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	inference, err := nn.NewInference(dev, net)
	if err != nil {
		t.Fatal(err)
	}
	defer inference.Close()
	if err := inference.Each([][]float32{x.Vector(image, nil)}, func(_ int, values []float32) { logits = slices.Clone(values) }); err != nil {
		t.Fatal(err)
	}
	return logits
}

// MNIST's preprocessing has a name; what differs from it in anything has not that name.
func TestNamesOfPictures(t *testing.T) {
	mnist := feature.Picture{Height: 28, Width: 28, Scale: feature.Scale{Paper: 0, Ink: 1}}
	cut, turned := mnist, mnist
	cut.Fit, turned.Transposed = feature.Cut, true
	for p, want := range map[feature.Picture]string{mnist: nn.MNIST28, cut: "picture 28x28 0..1 cut", turned: "picture 28x28 0..1 transposed"} {
		if got := preprocessing(p); got != want {
			t.Errorf("%v is called %q, want %q", p, got, want)
		}
	}
}
