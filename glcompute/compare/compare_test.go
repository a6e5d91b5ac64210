package compare

import (
	"math"
	"strings"
	"testing"
)

func TestSlices(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	half := Limit{Abs: 0.5}
	tests := []struct {
		name      string
		got, want []float64
		limit     Limit
		failures  int
		worst     int
		share     float64
	}{
		{"equal", []float64{1, -2}, []float64{1, -2}, Limit{}, 0, 0, 0},
		{"signed zeros are equal", []float64{0}, []float64{math.Copysign(0, -1)}, Limit{}, 0, 0, 0},
		{"at the absolute limit", []float64{1.5}, []float64{1}, half, 0, 0, 1},
		{"past the absolute limit", []float64{1, 1.75}, []float64{1, 1}, half, 1, 1, 1.5},
		{"below the reference", []float64{0.25}, []float64{1}, half, 1, 0, 1.5},
		{"at the relative limit", []float64{-6}, []float64{-4}, Limit{Rel: 0.5}, 0, 0, 1},
		{"past the relative limit", []float64{-8}, []float64{-4}, Limit{Rel: 0.5}, 1, 0, 2},
		{"both limits add up", []float64{10}, []float64{8}, Limit{Abs: 1, Rel: 0.125}, 0, 0, 1},
		{"relative limit of a zero", []float64{1e-30}, []float64{0}, Limit{Rel: 1}, 1, 0, inf},
		{"no limit at all", []float64{1.0001}, []float64{1}, Limit{}, 1, 0, inf},
		{"a NaN limit allows nothing", []float64{2}, []float64{1}, Limit{Abs: nan}, 1, 0, inf},
		{"NaN computed", []float64{1, nan}, []float64{1, 1}, Limit{Abs: inf}, 1, 1, inf},
		{"NaN wanted", []float64{1}, []float64{nan}, half, 1, 0, inf},
		{"NaN on both sides", []float64{nan}, []float64{nan}, half, 1, 0, inf},
		{"the same infinity", []float64{inf, -inf}, []float64{inf, -inf}, half, 0, 0, 0},
		{"the other infinity", []float64{-inf}, []float64{inf}, half, 1, 0, inf},
		{"infinity for a number", []float64{inf}, []float64{1}, Limit{Abs: 1e300, Rel: 1}, 1, 0, inf},
		{"a number for infinity", []float64{1}, []float64{inf}, Limit{Abs: 1, Rel: 1}, 1, 0, inf},
		{"worst of several", []float64{2, 4, 3}, []float64{1, 1, 1}, half, 3, 1, 6},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := Slices(test.got, test.want, test.limit)
			if r.Failures != test.failures || r.Worst != test.worst || r.Share != test.share {
				t.Errorf("failures %d, worst %d, share %g; want %d, %d, %g",
					r.Failures, r.Worst, r.Share, test.failures, test.worst, test.share)
			}
			if (err != nil) != (test.failures > 0) {
				t.Errorf("error %v with %d failures", err, test.failures)
			}
		})
	}
}

func TestSlicesRefusesWhatProvesNothing(t *testing.T) {
	if _, err := Slices([]float32{1}, []float64{1, 2}, Limit{Abs: 1}); err == nil {
		t.Error("different lengths pass")
	}
	if _, err := Slices([]float32{}, []float64{}, Limit{Abs: 1}); err == nil {
		t.Error("nothing against nothing passes")
	}
}

func TestErrorSaysWhereAndWhy(t *testing.T) {
	_, err := Slices([]float32{1, 3}, []float64{1, 1}, Limit{Abs: 0.5, Reason: "sums of two terms"})
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range []string{"1 of 2", "index 1", "is 3, want 1", "4 times", "sums of two terms"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in %q", part, err)
		}
	}
}
