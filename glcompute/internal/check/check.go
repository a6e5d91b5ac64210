// Package check is the debug ladder of INKSHADE_DEBUG, the same on every device: what it writes,
// and the look at the operations of a running program one by one.
package check

import (
	"fmt"
	"math"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/internal/program"
)

// Read gives the values that a tensor now has on the device.
type Read func(*program.Tensor) []float32

// Operation is one operation of a replay, from before it runs.
type Operation struct {
	op     program.Op
	values program.Values
	round  float64 // what rounding may add up to
	broken bool    // there was a NaN or an infinity before
}

// unit is the relative error of one float32 rounding, 2^-24, with room for the exponentials
// and divisions of shaders, which are a few units off.
const unit = 4.0 / (1 << 24)

// Before notes what op reads.
func Before(op program.Op, read Read) *Operation {
	o := &Operation{op: op, values: program.Values{}}
	largest, longest := map[*program.Tensor]float64{}, 1
	for _, t := range op.Reads() {
		values := o.values.Of(t)
		most := 0.0
		for i, v := range read(t) {
			values[i] = float64(v)
			most = max(most, math.Abs(float64(v)))
		}
		o.broken = o.broken || math.IsNaN(most) || math.IsInf(most, 0)
		longest = max(longest, t.Rows, t.Cols)
		largest[t] = most
	}
	// A sum of n terms rounds n times, in the worst case each time by a part of all terms'
	// magnitude; the walk of roundings grows with the root of n. Terms of a product are as
	// large as its factors together.
	term := 1.0
	if m, ok := op.(*program.Product); ok {
		a, b := largest[m.A.Tensor], largest[m.B.Tensor]
		if term = max(term, a*b); m.Distance {
			term = max(term, (a+b)*(a+b))
		}
		delete(largest, m.A.Tensor)
		delete(largest, m.B.Tensor)
	}
	for _, most := range largest {
		term = max(term, most)
	}
	o.round = unit * math.Sqrt(float64(longest)) * term
	return o
}

// After runs the reference and compares what op wrote with it. It is nil when all agrees,
// and where a NaN or an infinity came in, which is not this operation's doing.
func (o *Operation) After(read Read) error {
	if o.broken {
		return nil
	}
	o.op.Reference(o.values)
	for _, t := range o.op.Writes() {
		limit := compare.Limit{Abs: o.round, Rel: 1e-4, Reason: "roundings of float32"}
		r, err := compare.Slices(read(t), o.values.Of(t), limit)
		if err != nil {
			place := ""
			if r.Worst >= 0 {
				place = fmt.Sprintf(" (row %d, column %d)", r.Worst/t.Cols, r.Worst%t.Cols)
			}
			return fmt.Errorf("%s disagrees with its reference in %s%s: %w", o.op.Name(), t, place, err)
		}
	}
	return nil
}
