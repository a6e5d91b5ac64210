package bench

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"inkshade/glcompute/program"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
)

// Station measures one device, or gonum, under the direction of others, who alternate it with
// programs of theirs.
type Station struct {
	prepare preparing
	r       *runner
	lane    *lane
	end     func()
}

// preparing makes one size of an experiment ready to be replayed by the runner, and gives its result and what frees
// everything again.
type preparing func(r *runner, e Experiment, size int) (result []float32, l *lane, end func(), err error)

// NewStation makes a station of a device, which stays the caller's.
func NewStation(dev program.Device) *Station {
	return newStation(func(r *runner, e Experiment, size int) ([]float32, *lane, func(), error) {
		t := e.record(size)
		result, err := replayed(dev, t)
		if err != nil {
			return nil, nil, nil, err
		}
		l, _, end := r.prepare(dev, t)
		if l.failed != nil {
			end()
		}
		return result, l, end, l.failed
	})
}

func newStation(prepare preparing) *Station {
	return &Station{prepare: prepare, r: newRunner(context.Background(), Options{}, nil), end: func() {}}
}

// proofSteps is the number of training steps after which the losses are compared.
const proofSteps = 3

// Prepare makes one size of an experiment ready and gives the first values of its result, by
// which others can see that they compute the same: probabilities of the first drawing, the
// first row of the product, or the losses of the third training step.
func (s *Station) Prepare(e Experiment, size int) ([]float32, error) {
	s.Close()
	result, l, end, err := s.prepare(s.r, e, size)
	if err != nil {
		return nil, err
	}
	s.lane, s.end = l, end
	return result[:min(len(result), 10)], nil
}

// replayed is the result of a task with parameters of its own, so that the times begin where
// they would.
func replayed(dev program.Device, t task) ([]float32, error) {
	run, err := dev.Compile(t.program)
	if err != nil {
		return nil, err
	}
	defer leave(dev, run, t)
	out := make([]float32, t.result.Len())
	bindings := append(slices.Clip(t.bindings), program.Out(t.result, out))
	for range proofSteps {
		if err := run.Do(bindings...); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Turn replays for about d, at least once, and gives the time of each replay. The first does
// not count where there are several.
func (s *Station) Turn(d time.Duration) ([]time.Duration, error) {
	if s.lane == nil {
		return nil, fmt.Errorf("nothing is prepared")
	}
	s.lane.times = nil
	if err := s.r.turn(s.lane, d); err != nil {
		return nil, err
	}
	return s.lane.times, s.lane.failed
}

// Close frees what was prepared.
func (s *Station) Close() {
	s.end()
	s.lane, s.end = nil, func() {}
}

// WriteInputs writes into a folder what the experiments compute with, so that others can
// compute with the same: network.onnx (784-800-10) and convolution.onnx, and row-major
// little-endian float32 in w1 [784][800], b1, w2 [800][10], b2; f1 [5][5][1][32], c1,
// f2 [5][5][32][64], c2, v1 [1024][128], d1, v2 [128][10], d2; pixels [drawings][784], left and
// right [rows][rows], each with ".bin" added; drawings and rows are the largest sizes.
func WriteInputs(folder string, drawings int, rows []int) error {
	values := map[string][]float32{"pixels": pixels(drawings * network[0])}
	for name, of := range map[string]struct {
		experiment Experiment
		parameters []string
	}{
		"network":     {Recognition, []string{"w1", "b1", "w2", "b2"}},
		"convolution": {Convolution, []string{"f1", "c1", "f2", "c2", "v1", "d1", "v2", "d2"}},
	} {
		net := of.experiment.initialised()
		err := writeTo(filepath.Join(folder, name+".onnx"), func(w io.Writer) error {
			return onnx.Write(w, &nn.Model{Network: net, Labels: strings.Split("0123456789", ""), Preprocessing: nn.MNIST28})
		})
		if err != nil {
			return err
		}
		var all [][]float32
		for _, l := range net.Layers {
			all = append(all, l.Values...)
		}
		for i, v := range all {
			values[of.parameters[i]] = v
		}
	}
	for _, n := range rows {
		left, right := factors(n)
		values[fmt.Sprintf("left%d", n)], values[fmt.Sprintf("right%d", n)] = left.Data, right.Data
	}
	for name, v := range values {
		err := writeTo(filepath.Join(folder, name+".bin"), func(w io.Writer) error {
			return binary.Write(w, binary.LittleEndian, v)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func writeTo(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
