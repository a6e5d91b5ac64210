package nn

import (
	"math"
	"slices"
	"strings"
	"testing"

	"inkshade/glcompute"
)

func TestInitialisation(t *testing.T) {
	for _, c := range []struct {
		act       string
		deviation float64
	}{
		{"tanh", math.Sqrt(2. / 1000)},
		{"sigmoid", 4 * math.Sqrt(2./1000)},
		{"relu", math.Sqrt(2. / 600)},
	} {
		a := NewNetwork([]int{600, 400, 10}, c.act, 5)
		b := NewNetwork([]int{600, 400, 10}, c.act, 5)
		other := NewNetwork([]int{600, 400, 10}, c.act, 6)
		w := a.Layers[0].Values[0]
		if !slices.Equal(w, b.Layers[0].Values[0]) || slices.Equal(w, other.Layers[0].Values[0]) {
			t.Errorf("%s: weights must follow from the seed", c.act)
		}
		sum, squares := 0.0, 0.0
		for _, x := range w {
			sum += float64(x)
			squares += float64(x) * float64(x)
		}
		mean, dev := sum/float64(len(w)), math.Sqrt(squares/float64(len(w)))
		if math.Abs(mean) > 0.001 || math.Abs(dev/c.deviation-1) > 0.01 {
			t.Errorf("%s: mean %g, deviation %g; want 0 and %g", c.act, mean, dev, c.deviation)
		}
		if last := a.Layers[1].Kind; last != (Dense{Units: 10}) {
			t.Errorf("%s: the last layer is %s", c.act, last)
		}
		if err := a.Check(); err != nil {
			t.Errorf("%s: %v", c.act, err)
		}
	}
}

func TestNetworkFigures(t *testing.T) {
	net := NewNetwork([]int{784, 30, 20, 10}, "tanh", 1)
	if got, want := net.Parameters(), 784*30+30+30*20+20+20*10+10; got != want {
		t.Errorf("%d parameters, want %d", got, want)
	}
	if got := net.Sizes(); !slices.Equal(got, []int{784, 30, 20, 10}) {
		t.Errorf("sizes %v", got)
	}
	clone := net.Clone()
	clone.Layers[0].Values[0][0]++
	clone.Layers[0].Values[1][0]++
	if net.Layers[0].Values[0][0] == clone.Layers[0].Values[0][0] || net.Layers[0].Values[1][0] == clone.Layers[0].Values[1][0] {
		t.Error("the clone shares parameters")
	}
}

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(m *Model)
		want  string
	}{
		"no layers":     {func(m *Model) { m.Network.Layers = nil }, "no layers"},
		"shapes":        {func(m *Model) { m.Network.Layers[0].Kind = Dense{Units: 7} }, "want 4 times 7"},
		"weights":       {func(m *Model) { m.Network.Layers[0].Values[0] = m.Network.Layers[0].Values[0][1:] }, "weights"},
		"biases":        {func(m *Model) { m.Network.Layers[0].Values[1] = nil }, "bias has 0 values"},
		"nan":           {func(m *Model) { m.Network.Layers[0].Values[0][3] = float32(math.NaN()) }, "finite"},
		"infinite bias": {func(m *Model) { m.Network.Layers[1].Values[1][0] = float32(math.Inf(-1)) }, "finite"},
		"logits":        {func(m *Model) { m.Network.Layers[1].Kind = Dense{Units: 3, Function: "relu"} }, "logits"},
		"labels":        {func(m *Model) { m.Labels = m.Labels[1:] }, "a label for each"},
		"twice":         {func(m *Model) { m.Labels[0] = m.Labels[1] }, "twice"},
		"empty label":   {func(m *Model) { m.Labels[0] = "" }, "empty"},
		"long label":    {func(m *Model) { m.Labels[0] = strings.Repeat("a", 65) }, "65 bytes"},
		"fine":          {func(*Model) {}, ""},
	} {
		m := sampleModel()
		c.spoil(m)
		err := m.Check()
		if (err == nil) != (c.want == "") || (err != nil && !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

func sampleModel() *Model {
	return &Model{
		Network:       NewNetwork([]int{4, 5, 3}, "tanh", 11),
		Labels:        []string{"a", "b", "ß"},
		Preprocessing: "test4",
		Metadata:      map[string]string{"data": "none", "date": "2026-01-02"},
	}
}

// The classes a model had must answer as before when others are added.
func TestWithClasses(t *testing.T) {
	m := sampleModel()
	m.Network.Layers[1].Values[1] = []float32{1, 2, 3}
	wide, err := m.WithClasses([]string{"b", "☂", "九"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := wide.Check(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"a", "b", "ß", "☂", "九"}; !slices.Equal(wide.Labels, want) {
		t.Fatalf("labels %q, want %q", wide.Labels, want)
	}
	x := []float64{0.1, -0.4, 0.9, 0.3}
	before, after := referenceLogits(m.Network, x), referenceLogits(wide.Network, x)
	for i := range before {
		if before[i] != after[i] {
			t.Errorf("logit %d was %g and is now %g", i, before[i], after[i])
		}
	}
	if got := wide.Network.Layers[1].Values[1][4]; got != 2 {
		t.Errorf("bias of a new class is %g, want the mean 2", got)
	}
	if m.Network.Classes() != 3 || len(m.Labels) != 3 {
		t.Error("the model itself was changed")
	}
	same, err := m.WithClasses([]string{"a"}, 1)
	if err != nil || !slices.Equal(same.Network.Layers[1].Values[0], m.Network.Layers[1].Values[0]) {
		t.Errorf("no new class must change nothing (%v)", err)
	}
	if _, err := m.WithClasses([]string{""}, 1); err == nil {
		t.Error("an empty label was taken")
	}
}

// referenceLogits computes one row on the plain reference.
func referenceLogits(net Network, x []float64) []float64 {
	params := NewParameters(net)
	p := glcompute.NewProgram()
	in, logits := RecordForward(p, 1, params)
	v := values(p, params)
	v[in] = x
	p.RunReference(v)
	return v[logits]
}
