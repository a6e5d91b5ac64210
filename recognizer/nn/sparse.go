package nn

import (
	"slices"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/clock"
)

// sparseSteps makes steps on the pixels that hold ink alone (sparse rows, NVIDIA 2018), where
// measuring says that this is faster than whole rows. Steps of both kinds take turns until that is
// known; a mini-batch with too much ink always goes up whole.
//
// The processor adds up the products of a sum in the same order both ways and rounds no product
// with zero, so that the parameters are the same to the last bit. Shaders add up in other orders:
// a training there could not be repeated, and sparse rows are left out.
type sparseSteps struct {
	dev   glcompute.Device
	state OptimiserState
	compiled
	encoder *glcompute.Encoder
	times   [2][]time.Duration // of steps with whole rows and with sparse ones, while they take turns
	chosen  bool               // sparse rows are faster
}

const (
	sparseShare  = 4 // sparse rows have room for one value in so many
	sparseTrials = 8 // steps of each kind that are timed, after one that is not
)

// fitsSparse reports whether the single input is read by dense layers alone.
func (d OptimiserState) fitsSparse() bool {
	net := d.Params.net
	if len(net.Inputs) != 1 || d.Options.Warp > 0 || d.Batch*net.Width() < sparseShare {
		return false
	}
	for _, l := range net.Layers {
		if _, dense := l.Kind.(Dense); slices.Contains(l.From, 0) && !dense {
			return false
		}
	}
	return true
}

// eitherWay makes a step with sparse rows or with whole ones.
func (s *Steps) eitherWay(b Batch) error {
	x := s.sparse
	round := len(x.times[0]) + len(x.times[1])
	if round == 1 && !x.open() {
		s.sparse = nil
	}
	begin := clock.Now()
	way, step, input := 0, &s.whole, []glcompute.Binding{glcompute.In(s.whole.Input, b.Input)}
	if s.sparse != nil && (x.chosen || round%2 == 1) {
		sparse, err := x.encoder.Encode(b.Input)
		switch {
		case err == nil:
			way, step, input = 1, &x.compiled, sparse
		case !x.chosen:
			s.leaveSparse()
		}
	}
	err := step.step(b, input, s.seed)
	if s.sparse == nil || x.chosen {
		return err
	}
	x.times[way] = append(x.times[way], clock.Since(begin))
	if len(x.times[1]) > sparseTrials {
		if x.chosen = clock.Median(x.times[1][1:]) < clock.Median(x.times[0][1:]); !x.chosen {
			s.leaveSparse()
		}
	}
	return err
}

func (s *Steps) leaveSparse() {
	s.sparse.close()
	s.sparse = nil
}

// open compiles the steps and reports whether that could be done.
func (x *sparseSteps) open() bool {
	d := x.state
	d.Options.NonZeros = d.Batch * d.Params.net.Width() / sparseShare
	var err error
	if x.compiled, err = compile(x.dev, d); err != nil {
		return false
	}
	x.encoder = glcompute.NewEncoder(x.Sparse)
	return true
}

func (x *sparseSteps) close() {
	if x.run != nil {
		_ = x.run.Close()
	}
}
