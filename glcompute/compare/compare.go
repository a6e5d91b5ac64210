// Package compare judges results computed in float32 against a float64 reference. It is
// the one comparator of the project's tests and lets no NaN pass.
package compare

import (
	"fmt"
	"math"
)

// Limit is how far a result may lie from its reference: |got-want| <= Abs + Rel·|want|.
type Limit struct {
	Abs, Rel float64
	Reason   string // why this much is allowed; shown in failures
}

func (l Limit) String() string {
	s := fmt.Sprintf("%.3g + %.3g·|want|", l.Abs, l.Rel)
	if l.Reason != "" {
		s += " (" + l.Reason + ")"
	}
	return s
}

// Report is the outcome of one comparison.
type Report struct {
	Failures int     // values outside the limit
	Worst    int     // index of the value with the largest share, -1 when there are none
	Share    float64 // |got-want| over the limit there: above 1 fails, +Inf for NaN and wrong infinities
}

// Real is any floating-point type.
type Real interface{ ~float32 | ~float64 }

// Slices compares element by element. A NaN on either side fails, and so does an infinity
// that the other side does not share; equal infinities pass. Slices of different
// lengths, and empty ones, which would prove nothing, are an error.
func Slices[G, W Real](got []G, want []W, limit Limit) (Report, error) {
	r := Report{Worst: -1}
	if len(got) != len(want) {
		return r, fmt.Errorf("%d values, want %d", len(got), len(want))
	}
	if len(want) == 0 {
		return r, fmt.Errorf("no values to compare")
	}
	for i := range want {
		s := share(float64(got[i]), float64(want[i]), limit)
		if s > 1 {
			r.Failures++
		}
		if r.Worst < 0 || s > r.Share {
			r.Worst, r.Share = i, s
		}
	}
	if r.Failures == 0 {
		return r, nil
	}
	return r, fmt.Errorf("%d of %d values are outside the limit %s; the worst, at index %d, is %.9g, want %.9g: %.3g times the limit",
		r.Failures, len(want), limit, r.Worst, float64(got[r.Worst]), float64(want[r.Worst]), r.Share)
}

// share is |got-want| as a multiple of the limit.
func share(got, want float64, l Limit) float64 {
	switch {
	case math.IsNaN(got) || math.IsNaN(want):
		return math.Inf(1)
	case got == want:
		return 0
	case math.IsInf(got, 0) || math.IsInf(want, 0):
		return math.Inf(1)
	}
	allowed := l.Abs + l.Rel*math.Abs(want)
	if !(allowed > 0) {
		return math.Inf(1)
	}
	return math.Abs(got-want) / allowed
}
