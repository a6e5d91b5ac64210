package bench

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"inkshade/glcompute"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
)

var (
	stationOf     = flag.String("station", "", "run no tests, but measure this kind of device, or gonum, as lines of JSON on standard input ask for")
	stationInputs = flag.String("station-inputs", "", "run no tests, but write into this folder what stations compute with")
)

// TestMain lets another program direct the measurements of one device, or of gonum's products, in turns with those
// of others: see .ci/bench-peers, which compiles these tests for it.
func TestMain(m *testing.M) {
	flag.Parse()
	var err error
	switch {
	case *stationInputs != "":
		sizes := Recognition.Sizes(false)
		err = writeInputs(*stationInputs, sizes[len(sizes)-1], Product.Sizes(true))
	case *stationOf == "gonum":
		err = serveStation(os.Stdin, os.Stdout, fmt.Sprintf("%s, %d threads", runtime.Version(), runtime.GOMAXPROCS(0)), gonumStation())
	case *stationOf != "":
		var dev glcompute.Device
		if dev, err = glcompute.Open(glcompute.DeviceKind(*stationOf)); err == nil {
			err = serveStation(os.Stdin, os.Stdout, dev.Info().Name+", "+dev.Info().Version, deviceStation(dev))
			dev.Close()
		}
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// stationRequest is a line on standard input.
type stationRequest struct {
	Do         string     `json:"do"` // "prepare" an experiment at a size, or take a "turn" of some milliseconds
	Experiment Experiment `json:"experiment"`
	Size       int        `json:"size"`
	Millis     float64    `json:"ms"`
}

// stationReply is the line on standard output that answers.
type stationReply struct {
	Name  string    `json:"name,omitempty"`     // of what computes; the first line, which nothing asked for
	Proof []float32 `json:"proof,omitempty"`    // the first values of the result
	Times []float64 `json:"times_us,omitempty"` // of each replay
	Error string    `json:"error,omitempty"`
}

// serveStation answers line by line until the input ends, and closes the station.
func serveStation(in io.Reader, out io.Writer, name string, s *station) error {
	defer s.Close()
	lines := bufio.NewScanner(in)
	replies := json.NewEncoder(out)
	if err := replies.Encode(stationReply{Name: name}); err != nil {
		return err
	}
	for lines.Scan() {
		reply, err := answerStation(s, lines.Bytes())
		if err != nil {
			reply.Error = err.Error()
		}
		if err := replies.Encode(reply); err != nil {
			return err
		}
	}
	return lines.Err()
}

func answerStation(s *station, line []byte) (reply stationReply, err error) {
	var q stationRequest
	if err := json.Unmarshal(line, &q); err != nil {
		return reply, err
	}
	switch q.Do {
	case "prepare":
		if q.Size < 1 || len(q.Experiment.Sizes(true)) == 0 || q.Experiment == OneDrawing {
			return reply, fmt.Errorf("there is no experiment %q of size %d", q.Experiment, q.Size)
		}
		reply.Proof, err = s.Prepare(q.Experiment, q.Size)
	case "turn":
		var times []time.Duration
		times, err = s.Turn(time.Duration(q.Millis * float64(time.Millisecond)))
		for _, t := range times {
			reply.Times = append(reply.Times, float64(t)/float64(time.Microsecond))
		}
	default:
		err = errors.New(`"do" must be prepare or turn`)
	}
	return reply, err
}

// station measures one device, or gonum, under the direction of others, who alternate it with
// programs of theirs.
type station struct {
	prepare preparing
	r       *runner
	lane    *lane
	end     func()
}

// preparing makes one size of an experiment ready to be replayed by the runner, and gives its result and what frees
// everything again.
type preparing func(r *runner, e Experiment, size int) (result []float32, l *lane, end func(), err error)

// deviceStation makes a station of a device, which stays the caller's.
func deviceStation(dev glcompute.Device) *station {
	return newStation(func(r *runner, e Experiment, size int) ([]float32, *lane, func(), error) {
		t := e.record(Options{}, size)
		result, err := replayed(dev, t)
		if err != nil {
			return nil, nil, nil, err
		}
		l := &lane{}
		r.prepare(l, dev, t)
		if l.Missing != nil && l.free != nil {
			l.free()
		}
		return result, l, l.free, l.Missing
	})
}

func newStation(prepare preparing) *station {
	return &station{prepare: prepare, r: newRunner(context.Background(), Options{}, nil), end: func() {}}
}

// proofSteps is the number of training steps after which the losses are compared.
const proofSteps = 3

// Prepare makes one size of an experiment ready and gives the first values of its result, by
// which others can see that they compute the same: probabilities of the first drawing, the
// first row of the product, or the losses of the third training step.
func (s *station) Prepare(e Experiment, size int) ([]float32, error) {
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
func replayed(dev glcompute.Device, t task) ([]float32, error) {
	run, err := dev.Compile(t.program)
	if err != nil {
		return nil, err
	}
	defer leave(dev, run, t)
	out := make([]float32, t.result.Len())
	bindings := append(slices.Clip(t.bindings), glcompute.Out(t.result, out))
	for range proofSteps {
		if err := run.Do(bindings...); err != nil {
			return nil, err
		}
	}
	if t.finish != nil {
		t.finish(out)
	}
	return out, nil
}

// Turn replays for about d, at least once, and gives the time of each replay. The first does
// not count where there are several.
func (s *station) Turn(d time.Duration) ([]time.Duration, error) {
	if s.lane == nil {
		return nil, fmt.Errorf("nothing is prepared")
	}
	s.lane.times = nil
	if err := s.r.turn(s.lane, d); err != nil {
		return nil, err
	}
	return s.lane.times, s.lane.Missing
}

// Close frees what was prepared.
func (s *station) Close() {
	s.end()
	s.lane, s.end = nil, func() {}
}

// writeInputs writes into a folder what the experiments compute with, so that others can
// compute with the same: network.onnx (784-800-10) and convolution.onnx, and row-major
// little-endian float32 in w1 [784][800], b1, w2 [800][10], b2; f1 [5][5][1][32], c1,
// f2 [5][5][32][64], c2, v1 [1024][128], d1, v2 [128][10], d2; pixels [drawings][784], left and
// right [rows][rows], each with ".bin" added; drawings and rows are the largest sizes.
func writeInputs(folder string, drawings int, rows []int) error {
	values := map[string][]float32{"pixels": pixels(drawings * network[0])}
	for name, of := range map[string]struct {
		network    func() nn.Network
		parameters []string
	}{
		"network":     {perceptron, []string{"w1", "b1", "w2", "b2"}},
		"convolution": {lenet, []string{"f1", "c1", "f2", "c2", "v1", "d1", "v2", "d2"}},
	} {
		net := of.network()
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
		left, right := matrix(n, n, 1, 1), matrix(n, n, 1, 2)
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

// gonumStation makes a station of gonum's own BLAS in single precision, as a program in Go
// would call it. It takes part in products alone.
func gonumStation() *station { return newStation(prepareGonum) }

func prepareGonum(r *runner, e Experiment, n int) ([]float32, *lane, func(), error) {
	if e != Product {
		return nil, nil, nil, fmt.Errorf("gonum takes part in products alone, not in %s", e)
	}
	a, b := matrix(n, n, 1, 1), matrix(n, n, 1, 2)
	c := make([]float32, n*n)
	multiply := func() (time.Duration, error) {
		start := r.clock()
		gonum.Implementation{}.Sgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, a.Data, n, b.Data, n, 0, c, n)
		return r.clock().Sub(start), nil
	}
	_, err := multiply()
	return c, &lane{once: multiply}, func() {}, err
}
