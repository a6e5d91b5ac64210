package ink

import (
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A photograph's rows are those of any other picture of the same colours, also where it is a part of a larger one.
func TestPhotographRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for ratio := image.YCbCrSubsampleRatio444; ratio <= image.YCbCrSubsampleRatio410; ratio++ {
		whole := image.NewYCbCr(image.Rect(0, 0, 23, 17), ratio)
		for _, plane := range [][]uint8{whole.Y, whole.Cb, whole.Cr} {
			for i := range plane {
				plane[i] = uint8(r.Uint32())
			}
		}
		p := whole.SubImage(image.Rect(3, 5, 20, 16)).(*image.YCbCr)
		fast, any := rowsOf(p), anyRows(p)
		for y := range p.Bounds().Dy() {
			got, want := make([]uint16, 17), make([]uint16, 17)
			fast(y, got, nil)
			any(y, want, nil)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%v, row %d: %s", ratio, y, diff)
			}
		}
	}
}

func TestNth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Uint16Range(0, 9), 1, 40).Draw(t, "values")
		n := rapid.IntRange(0, len(values)-1).Draw(t, "n")
		sorted := slices.Sorted(slices.Values(values))
		if got := nth(values, n); got != sorted[n] {
			t.Errorf("%d at %d of %v", got, n, sorted)
		}
	})
}
