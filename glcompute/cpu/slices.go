package cpu

import (
	"fmt"
	"math"

	"inkshade/glcompute/internal/program"
)

// sliced makes all operations of some samples, then of the next, each slice on one thread: what lies between operations stays
// in the cache of that core, and threads meet once instead of after each operation.
type sliced struct {
	whole   *run
	part    *program.Part
	lanes   []*run // by thread
	slices  int
	steps   []step            // one that makes all slices
	inputs  []*program.Tensor // of the whole, as far as they are read
	results []*program.Tensor // that the replay asks for
}

// A slice has as many samples as leave what operations make of them in the second cache. It pays where that is more than the
// parameters, which each slice reads anew: of convolutions.
const sliceBytes = 1 << 20

// slice prepares slices of the program where they pay, and gives nil elsewhere.
func (r *run) slice() *sliced {
	samples := r.program.Samples()
	if samples == 0 {
		return nil
	}
	made, params := 0, 0
	for _, t := range r.program.Tensors() {
		switch {
		case t.Kind == program.Variable:
			params += bytesPerValue * t.Len()
		case !r.skipped[t]:
			made += bytesPerValue * t.Len()
		}
	}
	n := min(sliceBytes/(made/samples+1), samples/r.threads)
	for n > 1 && samples%n != 0 {
		n--
	}
	if n < 2 || n == samples || params > made/samples*n {
		return nil
	}
	part := r.program.Part(n)
	if part == nil {
		return nil
	}
	s := &sliced{whole: r, part: part, slices: samples / n}
	for range min(r.threads, s.slices) {
		lane, err := r.dev.prepare(part.Program, 1)
		if err != nil {
			panic(err) // the whole program has the same parameters
		}
		lane.steps = lane.build(lane.ops, lane.skipped)
		r.bytes, r.params = r.bytes+lane.bytes, append(r.params, lane.params...)
		s.lanes = append(s.lanes, lane)
	}
	for _, t := range r.program.Tensors() {
		if t.Kind == program.Input && part.Of(t) != nil {
			s.inputs = append(s.inputs, t)
		}
	}
	s.steps = []step{{fmt.Sprintf("all operations, %d samples at a time", n), r.builder().parallelOn(s.slices, math.MaxInt32, s.some)}}
	return s
}

// gives reports whether slices give all results that are asked for, and makes room for them.
func (s *sliced) gives(bindings []program.Binding) bool {
	if s == nil {
		return false
	}
	s.results = s.results[:0]
	for _, b := range bindings {
		if b.Output {
			t := s.part.Of(b.Tensor)
			if t == nil || t.Kind != program.Intermediate || s.lanes[0].skipped[t] {
				return false
			}
			s.results = append(s.results, b.Tensor)
		}
	}
	for _, t := range s.results {
		if s.whole.values[t.ID] == nil {
			b := s.whole.builder()
			s.whole.values[t.ID] = b.Scratch(t.Len())
			s.whole.hold(b)
		}
	}
	return true
}

// some computes the slices from to to-1.
func (s *sliced) some(thread, from, to int) {
	lane := s.lanes[thread]
	for ; from < to; from++ {
		for _, t := range s.inputs {
			x := lane.values[s.part.Of(t).ID]
			copy(x, s.whole.values[t.ID][from*len(x):])
		}
		for _, step := range lane.steps {
			step.do()
			lane.turns.take()
		}
		for _, t := range s.results {
			y := lane.values[s.part.Of(t).ID]
			copy(s.whole.values[t.ID][from*len(y):], y)
		}
	}
}
