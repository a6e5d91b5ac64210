package nn

import (
	"math/rand/v2"
	"testing"

	"inkshade/glcompute"
	"inkshade/glcompute/compare"
)

// linesNetwork reads lines of three classes.
func linesNetwork(t *testing.T) Network {
	t.Helper()
	a, err := LoadArchitecture("words")
	if err != nil {
		t.Fatal(err)
	}
	net, err := a.Network(Vector(0), 3)
	if err != nil {
		t.Fatal(err)
	}
	if err := net.Initialise(4); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 5))
	for _, l := range net.Layers { // biases and statistics begin as zeros and ones
		for _, values := range l.Values[min(len(l.Values), 1):] {
			for i := range values {
				values[i] += rng.Float32() / 4
			}
		}
	}
	return net
}

// A line alone, in a wider image and in a batch with others gives the same.
func TestPaddingChangesNoAnswer(t *testing.T) {
	dev, err := glcompute.Open(glcompute.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	net := linesNetwork(t)
	lines, err := NewInference(dev, net)
	if err != nil {
		t.Fatal(err)
	}
	defer lines.Close()
	const rows, channels, classes = 32, 10, 4
	rng := rand.New(rand.NewPCG(1, 2))
	var widths []int
	var maps [][]float32 // [rows][2·columns][channels]
	for _, columns := range []int{4, 7, 12, 5, 9, 12} {
		x := make([]float32, rows*2*columns*channels)
		for i := range x {
			x[i] = max(0, rng.Float32()-0.6)
		}
		widths, maps = append(widths, columns), append(maps, x)
	}
	fill := func(columns int) func(i int, row []float32) {
		return func(i int, row []float32) {
			clear(row)
			own := 2 * widths[i] * channels
			for r := range rows {
				copy(row[r*2*columns*channels:], maps[i][r*own:(r+1)*own])
			}
			for c := range widths[i] {
				row[rows*2*columns*channels+c] = 1
			}
		}
	}
	together := make([][]float32, len(maps))
	if err := lines.Logits(len(maps), 12, fill(12), func(i int, logits []float32) {
		together[i] = append(together[i], logits[:widths[i]*classes]...)
	}); err != nil {
		t.Fatal(err)
	}
	limit := compare.Limit{Abs: 1e-5, Rel: 1e-5, Reason: "the order of sums"}
	for i := range maps {
		for _, columns := range []int{widths[i], widths[i] + 1, 30} {
			err := lines.Logits(1, columns, func(_ int, row []float32) { fill(columns)(i, row) }, func(_ int, logits []float32) {
				if _, err := compare.Slices(logits[:widths[i]*classes], together[i], limit); err != nil {
					t.Errorf("line %d of %d columns among %d: %v", i, widths[i], columns, err)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
