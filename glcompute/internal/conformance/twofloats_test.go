package conformance

import (
	"fmt"
	"slices"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/internal/program"
)

func twoFloatCases() []testCase {
	limit := compare.Limit{Abs: 1e-6, Rel: 1e-6, Reason: "half a dozen roundings of values near one"}
	var cases []testCase
	for _, e := range [][2]int{{1, 1}, {3, 5}, {4, 4}, {7, 1}, {33, 65}, {1, beyondRow}, {beyondHeight, 3}} {
		for _, anchored := range []bool{false, true} {
			name := fmt.Sprintf("%s anchored %t", sized("sgd in two floats", e), anchored)
			cases = append(cases, testCase{name, limit, func(r *recorder) {
				w, v := r.variable(e[0], e[1], uniform), r.variable(e[0], e[1], uniform)
				low, dw := r.variable(e[0], e[1], within(1e-8)), r.input(e[0], e[1], uniform)
				var anchor *program.Tensor
				if anchored {
					anchor = r.variable(e[0], e[1], uniform)
				}
				settings := r.given(1, 3, []float32{0.25, 0.9, 0.125})
				r.SGDTwoFloats(w, low, v, dw, anchor, settings)
				r.SGDTwoFloats(w, low, v, dw, anchor, settings)
			}})
		}
	}
	return cases
}

// So many updates carry from the low float to each parameter twenty times or more; many are in one program, since a replay
// costs more than one.
const tinySteps, tinyAtOnce = 8_000, 200

// tinyUpdates takes eight thousand steps of descent, each below half a unit in the last
// place of its parameter. In two floats all of them must arrive; in one float none does.
func tinyUpdates(t *testing.T, dev program.Device) {
	start := []float32{1, -1.5, 100, 0.75, -7, 1.0000001}
	slope := []float32{1, -1, 50, 0.2, 3, -0.3}
	const rate = float32(1e-9)
	for _, two := range []bool{true, false} {
		t.Run(fmt.Sprintf("two floats %t", two), func(t *testing.T) {
			r := newRecorder("tiny updates")
			w := program.NewParameter("w", 1, len(start), slices.Clone(start))
			low, v := program.NewParameter("low", 1, len(start), nil), program.NewParameter("v", 1, len(start), nil)
			r.params = append(r.params, w, low, v)
			dw, settings := r.Input(1, len(start)), r.Input(1, 3)
			r.Variable(low)
			for range tinyAtOnce {
				if two {
					r.SGDTwoFloats(r.Variable(w), r.Variable(low), r.Variable(v), dw, nil, settings)
				} else {
					r.SGD(r.Variable(w), r.Variable(v), dw, nil, settings)
				}
			}
			run, err := dev.Compile(r.Program)
			must(t, err)
			defer r.free(t, dev, run)
			updates := tinySteps
			if !two {
				// A step that leaves its parameter as it is does so for ever.
				updates = 10 * tinyAtOnce
			}
			for range updates / tinyAtOnce {
				must(t, run.Do(program.In(dw, slope), program.In(settings, []float32{rate, 0, 0})))
			}
			for _, par := range r.params {
				must(t, dev.Download(par))
			}
			if !two {
				if !slices.Equal(w.Data, start) {
					t.Errorf("one float moved from %v to %v; the updates were to be too small for it", start, w.Data)
				}
				return
			}
			got, want := make([]float64, len(start)), make([]float64, len(start))
			for i := range start {
				got[i] = float64(w.Data[i]) + float64(low.Data[i]) - float64(start[i])
				want[i] = -float64(updates) * float64(rate*slope[i])
			}
			limit := compare.Limit{Rel: 2e-5, Reason: "every sum of the low float is rounded to half a unit in its last place, always the same way"}
			if report, err := compare.Slices(got, want, limit); err != nil {
				t.Errorf("the updates did not arrive in full: %v", err)
			} else {
				t.Logf("all arrived, %.2g of the limit used", report.Share)
			}
		})
	}
}
