package lvq

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"inkshade/glcompute"

	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn/nntest"
)

func TestKMeans(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	centres := [][]float32{{0, 0, 5}, {9, 0, 0}, {0, 9, 9}}
	var rows [][]float32
	for i := range 300 {
		c := centres[i%3]
		row := make([]float32, 3)
		for j := range row {
			row[j] = c[j] + float32(rng.NormFloat64())*0.3
		}
		rows = append(rows, row)
	}
	means, err := KMeans(t.Context(), nntest.CPU(t), rows, 3, rng)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range centres {
		if _, d := feature.Closest(c, means); d > 0.05 {
			t.Errorf("no mean near %v: %v", c, means)
		}
	}
	same := [][]float32{{1, 2}, {1, 2}, {1, 2}}
	if got, err := KMeans(t.Context(), nntest.CPU(t), same, 5, rng); err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], []float32{1, 2}) {
		t.Errorf("means of one row thrice: %v, %v", got, err)
	}
}

// scattered are rows in a few heaps, some of them twice, and a number of clusters.
func scattered(seed int64) (rows [][]float32, k int, rng *rand.Rand) {
	rng = seeded(seed, 1)
	n, width, heaps := 1+rng.IntN(60), 1+rng.IntN(7), 1+rng.IntN(4)
	for i := range n {
		row := normal(rng, width)
		for d := range row {
			row[d] += float32(i % heaps * 3)
		}
		rows = append(rows, row)
		if i%5 == 0 {
			rows = append(rows, slices.Clone(row))
		}
	}
	return rows, 1 + rng.IntN(8), rng
}

// neverWorse makes rounds of what begin makes of scattered rows, which must never come out lower.
func neverWorse(t *testing.T, slack float64, begin func(dev glcompute.Device, rows, means [][]float32) (round func() (float64, error), end func(), err error)) {
	for _, dev := range devices(t) {
		cases := int64(6)
		if dev.Info().Kind == glcompute.CPU {
			cases = 80
		}
		for seed := range cases {
			rows, k, rng := scattered(seed)
			means, err := start(t.Context(), rows, k, rng)
			if err != nil {
				t.Fatal(err)
			}
			round, end, err := begin(dev, rows, means)
			if err != nil {
				t.Fatal(err)
			}
			before := math.Inf(-1)
			for n := range 6 {
				value, err := round()
				if err != nil {
					t.Fatal(err)
				}
				if !(value >= before-slack*(1+math.Abs(before))) {
					t.Fatalf("%s, seed %d: round %d comes to %g, the one before to %g", dev.Info().Kind, seed, n, value, before)
				}
				before = value
			}
			end()
		}
	}
}

// devices are all three executors.
func devices(t *testing.T) []glcompute.Device {
	t.Helper()
	var all []glcompute.Device
	for _, kind := range []glcompute.DeviceKind{glcompute.CPU, glcompute.Fragment, glcompute.Compute} {
		dev, err := glcompute.Open(kind)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { dev.Close() })
		all = append(all, dev)
	}
	return all
}

// No round of k-means makes the distances larger, also where a mean lies far from all rows at first.
func TestKMeansNeverGetsWorse(t *testing.T) {
	neverWorse(t, 1e-5, func(dev glcompute.Device, rows, means [][]float32) (func() (float64, error), func(), error) {
		c, err := newClustering(dev, rows, append(means, slices.Repeat([]float32{40}, len(rows[0]))))
		return func() (float64, error) {
			sum, err := c.round()
			return -sum, err
		}, c.close, err
	})
}

// A mean without rows goes to the row that is farthest from its own.
func TestEmptyClustersAreRefilled(t *testing.T) {
	rows := [][]float32{{0}, {1}, {10}, {30}}
	c, err := newClustering(nntest.CPU(t), rows, [][]float32{{0}, {900}, {901}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	for range 4 {
		if _, err := c.round(); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.dev.Download(c.means); err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(slices.Values(c.means.Data)); !slices.Equal(got, []float32{0.5, 10, 30}) {
		t.Errorf("means %v, want 0.5, 10 and 30", got)
	}
}

// Expectation-maximisation never makes the rows less probable.
func TestMixtureNeverGetsWorse(t *testing.T) {
	neverWorse(t, 1e-4, func(dev glcompute.Device, rows, means [][]float32) (func() (float64, error), func(), error) {
		m, err := newMixture(dev, rows, means)
		return m.round, m.close, err
	})
}

// Two normal distributions of different widths are found again, as clusters would not.
func TestMixtureFindsItsDistributions(t *testing.T) {
	rng := seeded(9, 9)
	var rows [][]float32
	for range 3000 {
		rows = append(rows, []float32{float32(rng.NormFloat64() * 0.2), float32(rng.NormFloat64())},
			[]float32{2 + float32(rng.NormFloat64()), float32(3 + rng.NormFloat64()*0.5)})
	}
	m, err := newMixture(nntest.CPU(t), rows, [][]float32{rows[0], rows[1]})
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	for range 30 {
		if _, err := m.round(); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []float64{0, 0, 2, 3} {
		if got := m.means[i]; math.Abs(got-want) > 0.08 {
			t.Errorf("mean %d is %g, want %g", i, got, want)
		}
	}
	for i, want := range []float64{0.04, 1, 1, 0.25} {
		if got := m.variances[i]; math.Abs(got/want-1) > 0.12 {
			t.Errorf("variance %d is %g, want %g", i, got, want)
		}
	}
}
