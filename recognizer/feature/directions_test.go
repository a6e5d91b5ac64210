package feature

import (
	"math"
	"slices"
	"testing"

	"inkshade/recognizer/ink"
)

// rectangle draws full ink on a detailed picture.
func rectangle(fine []float32, x0, y0, x1, y1 int) {
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			fine[y*fineSide+x] = 1
		}
	}
}

func mapsOf(fine []float32) []float32 {
	dst := make([]float32, MapsSize)
	for i := range dst {
		dst[i] = float32(math.NaN()) // must be overwritten
	}
	Directions(dst, fine)
	return dst
}

func TestDirectionsOfBars(t *testing.T) {
	for _, c := range []struct {
		x0, y0, x1, y1, strong, weak int
	}{{30, 8, 33, 56, 0, 2}, {8, 30, 56, 33, 2, 0}} {
		fine := make([]float32, fineSide*fineSide)
		rectangle(fine, c.x0, c.y0, c.x1, c.y1)
		var sums [directions]float64
		for i, v := range mapsOf(fine) {
			if !(v >= 0 && v < 2) {
				t.Fatalf("element %d is %g", i, v)
			}
			sums[i%directions] += float64(v)
		}
		if sums[c.strong] < 3*sums[c.weak] || math.Abs(sums[c.strong]-sums[c.strong+4]) > 1e-3*sums[c.strong] {
			t.Errorf("bar %+v has the directions %.2f", c, sums)
		}
	}
}

// Neither faint ink nor the place of a character changes its maps, and blank paper has none.
func TestDirectionsKnowNeitherShadeNorPlace(t *testing.T) {
	fine, other := make([]float32, fineSide*fineSide), make([]float32, fineSide*fineSide)
	rectangle(fine, 10, 12, 14, 50)
	rectangle(fine, 10, 46, 40, 50)
	for y := range fineSide - 5 {
		for x := range fineSide - 7 {
			other[(y+5)*fineSide+x+7] = 0.3 * fine[y*fineSide+x]
		}
	}
	got, want := mapsOf(other), mapsOf(fine)
	for i := range want {
		if math.Abs(float64(got[i]-want[i])) > 0.03 { // the last place is 0.02 before the middle of its cell
			t.Fatalf("element %d is %g elsewhere, %g before", i, got[i], want[i])
		}
	}
	for i, v := range mapsOf(make([]float32, fineSide*fineSide)) {
		if v != 0 {
			t.Fatalf("element %d of blank paper is %g", i, v)
		}
	}
}

// Strokes that crowd get room, in order, and stay within the cells.
func TestPlacesSpreadWhatCrowds(t *testing.T) {
	fine := make([]float32, fineSide*fineSide)
	for _, x := range []int{8, 14, 20, 54} {
		rectangle(fine, x, 8, x+2, 56)
	}
	edges := edgesOf(fine)
	columns, rows := places(edges.columns[:]), places(edges.rows[:])
	square(&columns, &rows)
	left, right := columns.at[20]-columns.at[8], columns.at[54]-columns.at[20]
	if before := float32(12. / 34); !(left/right > 1.7*before) {
		t.Errorf("the left strokes have %g of the room of the right ones, %g before", left/right, before)
	}
	for i := 8; i < 56; i++ {
		if at := columns.at[i]; !(at >= 0 && at <= mapCells-1) || columns.at[i] < columns.at[i-1] && i > 8 {
			t.Errorf("column %d lies at %g after %g", i, at, columns.at[i-1])
		}
	}
}

func BenchmarkDirections(b *testing.B) {
	fine, dst := make([]float32, fineSide*fineSide), make([]float32, MapsSize)
	for x := 8; x < 56; x += 6 {
		rectangle(fine, x, 8, x+2, 56)
	}
	for b.Loop() {
		Directions(dst, fine)
	}
}

// The maps of a picture that was turned are the maps turned.
func TestHalfTurn(t *testing.T) {
	fine := make([]float32, fineSide*fineSide)
	rectangle(fine, 12, 20, 40, 23)
	rectangle(fine, 30, 23, 33, 50)
	turned := HalfTurn(mapsOf(fine))
	slices.Reverse(fine)
	for i, want := range mapsOf(fine) {
		if math.Abs(float64(turned[i]-want)) > 0.03 { // the last place is 0.02 before the middle of its cell
			t.Fatalf("element %d is %g, want %g", i, turned[i], want)
		}
	}
}

// A bar that leans to one side stands most upright in the look that leans to the other; the first look is the drawing as it is.
func TestLooksLean(t *testing.T) {
	x, err := ByName(DirectionMaps)
	if err != nil {
		t.Fatal(err)
	}
	for upright, lean := range []float64{0, -0.25, 0.25} {
		k := ink.Ink{{{X: 50 + 40*lean, Y: 10}, {X: 50 - 40*lean, Y: 90}}}
		image, err := ink.Rasterize(k)
		if err != nil {
			t.Fatal(err)
		}
		looks := x.Looks(image, k)
		if !slices.Equal(looks[:x.Size], x.Vector(image, k)) {
			t.Error("the first look is not the vector")
		}
		var shares []float64 // of the edges that run across
		for look := range slices.Chunk(looks, x.Size) {
			across, all := 0.0, 0.0
			for i, v := range look {
				all += float64(v)
				if i%4 == 0 {
					across += float64(v)
				}
			}
			shares = append(shares, across/all)
		}
		if len(shares) != 3 || shares[upright] != slices.Max(shares) {
			t.Errorf("a bar leaning %g: %.3f, want look %d the most upright", lean, shares, upright)
		}
	}
	if pixels, err := ByName("mnist28"); err != nil || len(pixels.Looks(ink.Image{Pix: make([]float32, 28*28)}, nil)) != pixels.Size {
		t.Error("pixels are looked at once")
	}
}
