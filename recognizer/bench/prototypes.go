package bench

import (
	"runtime"
	"slices"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/recognizer/lvq"
)

// PrototypeShape is that of what is measured of prototypes.
type PrototypeShape struct{ Classes, Features int }

// ChinesePrototypes is the shape of Su et al. (2016): the characters of GB 2312, level 1, by 160 features.
var ChinesePrototypes = PrototypeShape{3755, 160}

// Check reports a shape that cannot be measured.
func (s PrototypeShape) Check() error {
	if s.Classes < 2 || s.Classes > 1<<16 || s.Features < 1 || s.Features > 4096 {
		return message.Errorf("%d classes of %d features are not possible; use 2 to %d classes, 1 to 4096 features", s.Classes, s.Features, 1<<16)
	}
	return nil
}

// perClass is the number of prototypes of a class.
func (e Experiment) perClass() int {
	if e == PrototypeStep8 {
		return 8
	}
	return 1
}

// largestDistances bounds the bytes of all distances, which each device holds: in one matrix, or in several of a step.
func (e Experiment) largestDistances() int {
	if e == PrototypeStep || e == PrototypeStep8 {
		return 1 << 30
	}
	return lvq.DistancesAtOnce
}

func (s PrototypeShape) tooLarge(e Experiment, size int) bool {
	return slices.Contains(PrototypeExperiments(), e) && 4*size*s.Classes*e.perClass() > e.largestDistances()
}

// recordPrototypes makes the tasks of an experiment with prototypes. The work of a distance is three operations for each
// feature, that of a product two.
func recordPrototypes(e Experiment) func(o Options, size int) task {
	return func(o Options, size int) task {
		s, p := o.Prototypes, glcompute.NewProgram()
		t := task{program: p, inside: true}
		points, samples := matrix(s.Classes*e.perClass(), s.Features, 1, 8), matrix(size, s.Features, 1, 9)
		features := float64(size) * float64(points.Rows) * float64(s.Features) // that are multiplied or subtracted
		switch e {
		case PrototypeProduct:
			t.work = 2 * features
			t.result = p.Product(glcompute.Plain(p.Variable(samples)), glcompute.Transposed(p.Variable(points)))
		case PrototypeDistances:
			t.work = 3 * features
			t.result = p.Distances(p.Variable(samples), p.Variable(points))
		case PrototypeNearest:
			classes := glcompute.NewParameter("classes", size, 1, s.classes(size))
			t.result = p.Nearest(p.Variable(matrix(size, s.Classes, 1, 10)), p.Variable(classes), 1)
		default:
			x := p.Input(size, s.Features)
			step := glcompute.Must(lvq.RecordStep(p, x, p.Variable(points), e.perClass(), 4))
			t.result, t.inside, t.work = step.Loss, false, 3*features
			t.bindings = []glcompute.Binding{
				glcompute.In(x, samples.Data), glcompute.In(step.Classes, s.classes(size)), glcompute.In(step.Rate, []float32{prototypeRate}),
				glcompute.Out(step.Loss, make([]float32, size)),
			}
		}
		return t
	}
}

// prototypeRate is that of a step.
const prototypeRate = 0.01

// classes are those of a batch, spread over all.
func (s PrototypeShape) classes(batch int) []float32 {
	x := make([]float32, batch)
	for i := range x {
		x[i] = float32(i * 7919 % s.Classes)
	}
	return x
}

// oneCore is the lane of steps on one core.
func (r *runner) oneCore(e Experiment, size int, way string) *lane {
	l := r.lane(e, size, way)
	if l.Missing != nil {
		l.Missing = message.Errorf("left out: it would take too long")
		return l
	}
	t := e.record(r.Options, size)
	rows, classes := t.bindings[0].Data, make([]int, size)
	for i, c := range t.bindings[1].Data {
		classes[i] = int(c)
	}
	serial := &lvq.Serial[float32]{PerClass: e.perClass(), Dims: r.Prototypes.Features, Points: t.program.Parameters()[0].Data, Slope: 4}
	if way == OneCoreBLASName {
		serial.Squares = func(out, rows, points []float32) { squaresByProducts(out, rows, points, r.Prototypes.Features) }
	}
	l.work, l.once = t.work, func() (time.Duration, error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // gonum would use all
		start := r.clock()
		serial.Step(rows, classes, prototypeRate)
		return r.clock().Sub(start), nil
	}
	return l
}

// squaresByProducts are |x|² - 2·x·p + |p|².
func squaresByProducts(out, rows, points []float32, dims int) {
	var loops gonum.Implementation
	m, n := len(rows)/dims, len(points)/dims
	loops.Sgemm(blas.NoTrans, blas.Trans, m, n, dims, -2, rows, dims, points, dims, 0, out, n)
	squares := make([]float32, n)
	for j := range squares {
		squares[j] = loops.Sdot(dims, points[j*dims:], 1, points[j*dims:], 1)
	}
	for i := range m {
		square := loops.Sdot(dims, rows[i*dims:], 1, rows[i*dims:], 1)
		for j, v := range squares {
			out[i*n+j] += square + v
		}
	}
}

// Gain is how many times as many samples a second a device learns as one core does.
type Gain struct {
	Experiment Experiment `json:"experiment"`
	Device     string     `json:"device"`
	Size       int        `json:"size"` // samples of a step of the device
	Plain      float64    `json:"over_one_core"`
	BLAS       float64    `json:"over_one_core_blas"`
}

// Gains are those over the best that one core reached at any size, in plain loops and with BLAS.
func (r *Report) Gains() (all []Gain) {
	rate := func(x Reading) float64 { return float64(x.Size) / x.Median.Seconds() }
	fastest := func(e Experiment, device string) (most float64) {
		for _, x := range r.Of(e, device) {
			most = max(most, rate(x))
		}
		return most
	}
	for _, e := range []Experiment{PrototypeStep, PrototypeStep8} {
		plain, products := fastest(e, OneCoreName), fastest(e, OneCoreBLASName)
		for _, d := range r.Devices {
			for _, x := range r.Of(e, d.Name) {
				if plain > 0 && products > 0 {
					all = append(all, Gain{e, d.Name, x.Size, rate(x) / plain, rate(x) / products})
				}
			}
		}
	}
	return all
}
