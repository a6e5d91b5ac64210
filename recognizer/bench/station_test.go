package bench

import (
	"testing"

	"inkshade/glcompute"
	"inkshade/glcompute/compare"
)

func TestGonumMultipliesWhatDevicesMultiply(t *testing.T) {
	dev, err := glcompute.Open(glcompute.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	ours, theirs := NewStation(dev), NewGonumStation()
	defer ours.Close()
	defer theirs.Close()
	for _, n := range []int{3, 130} {
		want, err := ours.Prepare(Product, n)
		if err != nil {
			t.Fatal(err)
		}
		got, err := theirs.Prepare(Product, n)
		if err != nil {
			t.Fatal(err)
		}
		r, err := compare.Slices(got, want, compare.Limit{Abs: 1e-5, Rel: 1e-5, Reason: "the order of sums"})
		if err == nil {
			err = r.Err()
		}
		if err != nil || len(got) != min(n*n, 10) {
			t.Errorf("product of %d rows: %v; gonum %v, the device %v", n, err, got, want)
		}
		if times, err := theirs.Turn(1); err != nil || len(times) == 0 {
			t.Errorf("product of %d rows: times %v, error %v", n, times, err)
		}
	}
	if _, err := theirs.Prepare(Recognition, 1); err == nil {
		t.Error("gonum recognises")
	}
}
