package embedding

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"inkshade/recognizer/dataset/datatest"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
)

func of(t testing.TB, inks ...ink.Ink) [][]float32 {
	t.Helper()
	points, err := OfInks(context.Background(), inks)
	if err != nil {
		t.Fatal(err)
	}
	return points
}

// Points have length 1, do not depend on what is asked beside them, and are nearer between drawings of one shape than of two.
func TestOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	shapes := []string{"L", "O", "T", "V", "Z", "★"}
	var inks []ink.Ink
	for range 60 {
		for _, s := range shapes {
			inks = append(inks, datatest.Draw(s, rng))
		}
	}
	points := of(t, inks...)
	wrong := 0
	for i, p := range points {
		length := 0.0
		for _, v := range p {
			length += float64(v) * float64(v)
		}
		if len(p) != Size || math.Abs(length-1) > 1e-5 {
			t.Fatalf("point %d has %d coordinates and the length %g", i, len(p), math.Sqrt(length))
		}
		if nearest, _ := feature.Closest(p, points[:len(shapes)]); nearest != i%len(shapes) {
			wrong++
		}
	}
	if wrong > len(points)/20 {
		t.Errorf("%d of %d drawings are nearest to one of another shape", wrong, len(points))
	}
	if d := feature.SquaredDistance(of(t, inks[7])[0], points[7]); d > 1e-6 {
		t.Errorf("alone a drawing is %g from where it is among others", d)
	}
}

func TestInkWithoutPoints(t *testing.T) {
	if _, err := OfInks(context.Background(), make([]ink.Ink, 2)); !errors.Is(err, ink.ErrEmpty) {
		t.Errorf("error %v", err)
	}
}

// The chain begins where the points do and goes on with what is nearest.
func TestChain(t *testing.T) {
	points := [][]float32{{5}, {0}, {6}, {9}, {4.5}, {1}}
	if got, err := Chain(context.Background(), points); err != nil || !slices.Equal(got, []int{0, 4, 2, 3, 5, 1}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := Chain(context.Background(), nil); err != nil || len(got) != 0 {
		t.Errorf("of nothing: %v, %v", got, err)
	}
}

func TestEndOfContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	cancel(why)
	if _, err := Of(ctx, make([]ink.Image, 1), make([]ink.Ink, 1)); !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
	if _, err := Chain(ctx, make([][]float32, 2)); !errors.Is(err, why) {
		t.Errorf("error %v of a chain", err)
	}
}

// One drawing, as with every answer beside a memory.
func BenchmarkOf(b *testing.B) {
	k := datatest.Draw("Z", rand.New(rand.NewPCG(8, 1)))
	for b.Loop() {
		of(b, k)
	}
}
