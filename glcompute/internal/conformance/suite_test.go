// Package conformance is the suite that every executor passes: what every device must do,
// each operation against its plain reference at sizes that break careless index
// arithmetic, and how parameters, bindings and errors behave.
package conformance

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// Sizes past the limits of textures: more texels than the widest row of any OpenGL
// implementation holds at four columns a texel (32,768 texels), and more rows than the highest.
const (
	beyondRow    = 4*32768 + 5
	beyondHeight = 32768 + 5
)

// suite puts dev through the whole suite and closes it at the end. Nothing is skipped: an
// operation that the device lacks is a failure. Only under -short, which is for the race detector, are operations
// replayed without comparing their results, as the references in plain loops would take most of the time.
func suite(t *testing.T, dev program.Device) {
	t.Run("info", func(t *testing.T) { checkInfo(t, dev) })
	t.Run("operations", func(t *testing.T) { operations(t, dev) })
	t.Run("training", func(t *testing.T) { trainingParity(t, dev) })
	t.Run("memory", func(t *testing.T) { checkMemory(t, dev) })
	t.Run("device", func(t *testing.T) { checkDevice(t, dev) })
	t.Run("close", func(t *testing.T) { checkClose(t, dev) })
}

// operations checks every operation in every case.
func operations(t *testing.T, dev program.Device) {
	checkAll(t, dev, slices.Concat(cases(), edgeCases(), notOneCases(), twoFloatCases(), warpCases(), nearestCases(), ctcEdgeCases(), longCases()))
	t.Run("NaN stays", func(t *testing.T) { checkNaN(t, dev) })
	t.Run("NaN is nearest", func(t *testing.T) { checkNearestNaN(t, dev) })
}

// cases are those of operations that have a gradient. Their results are compared with the reference
// on every device, and the gradients with central differences in this package's own test.
func cases() []testCase {
	return slices.Concat(
		formulaCases(), updateCases(), productCases(), convolutionCases(), reduceCases(), poolCases(), moveCases(), gatherCases(),
		softmaxCases(rowExtents), crossEntropyCases(), ctcCases(), networkCases(), sparseCases(),
	)
}

// edgeCases are operations of values at which differences say nothing about a gradient.
func edgeCases() []testCase {
	exact := compare.Limit{Reason: "copied values are exact"}
	far := []float32{0, 1e-6, -1e-6, 1e-3, -1e-3, 20, -20, 45, -45, 89, -89, 200, -200, 1e4, -1e4, 3e38, -3e38}
	all := []testCase{
		{"relu gradient at zero", exact, func(r *recorder) {
			x := r.given(1, 5, []float32{0, 1, 0, 2, 0})
			y := r.Apply(expr.ReLU, x)
			r.backward(r.Elementwise("weigh", expr.Mul(expr.Arg(0), expr.Arg(1)), y, r.given(1, 5, []float32{1, 2, 3, 4, 5})), 1, x)
		}},
		{"softmax of large and of equal logits", softmaxLimit, func(r *recorder) {
			r.Softmax(r.given(4, 3, []float32{
				1e4, -1e4, 1e4 - 1,
				-3e4, -3e4, -3e4,
				3e38, 0, -3e38,
				-1000, -1001, -1002,
			}))
		}},
		{"cross-entropy of impossible answers", crossEntropyLimit, func(r *recorder) {
			target := r.given(2, 3, []float32{0, 1, 0, 1, 0, 0})
			r.CrossEntropy(r.given(2, 3, []float32{1, 0, 0, 1, 0, 0}), target)
		}},
	}
	for _, f := range []expr.Activation{expr.Identity, expr.Tanh, expr.Sigmoid, expr.ReLU} {
		limit := exact
		if name := f.Name(); name == "tanh" || name == "sigmoid" {
			limit = compare.Limit{Abs: 2e-6, Rel: 2e-6, Reason: "GLSL's exp and division may be off by a few units in the last place"}
		}
		all = append(all, testCase{f.Name() + " far out", limit, func(r *recorder) { r.Apply(f, r.given(1, len(far), far)) }})
	}
	return all
}

func checkAll(t *testing.T, dev program.Device, cases []testCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.check(t, dev) })
	}
}

// testCase is a program whose every result must lie within the limit.
type testCase struct {
	name   string
	limit  compare.Limit
	record func(r *recorder)
}

// fill gives one value of a tensor.
type fill func(rng *rand.Rand) float32

// uniform values lie between -1 and 1.
func uniform(rng *rand.Rand) float32 { return 2*rng.Float32() - 1 }

// within gives values between -a and a.
func within(a float32) fill { return func(rng *rand.Rand) float32 { return a * uniform(rng) } }

// recorder is a program with the values of its inputs and parameters.
type recorder struct {
	*program.Program
	rng    *rand.Rand
	inputs map[*program.Tensor][]float32
	params []*program.Parameter

	goesBack bool                     // gradients are among its operations
	indexes  map[*program.Tensor]bool // inputs that say where to read, and must not be NaN
}

func newRecorder(seed string) *recorder {
	h := fnv.New64a()
	h.Write([]byte(seed))
	return &recorder{
		Program: program.New(),
		rng:     rand.New(rand.NewPCG(h.Sum64(), 1)),
		inputs:  map[*program.Tensor][]float32{},
		indexes: map[*program.Tensor]bool{},
	}
}

func (r *recorder) values(n int, f fill) []float32 {
	data := make([]float32, n)
	for i := range data {
		data[i] = f(r.rng)
	}
	return data
}

// input declares an input and gives it values.
func (r *recorder) input(rows, cols int, f fill) *program.Tensor {
	return r.given(rows, cols, r.values(rows*cols, f))
}

// given declares an input with the values of data.
func (r *recorder) given(rows, cols int, data []float32) *program.Tensor {
	t := r.Input(rows, cols)
	r.inputs[t] = data
	return t
}

// variable makes a parameter with values and brings it into the program.
func (r *recorder) variable(rows, cols int, f fill) *program.Tensor {
	par := program.NewParameter(fmt.Sprintf("p%d", len(r.params)), rows, cols, r.values(rows*cols, f))
	r.params = append(r.params, par)
	return r.Variable(par)
}

// references are results in float64 by case, each by the numbers of the tensors, which other devices are compared with as well.
var references = map[string][][]float64{}

// mostKept is of how many values together the results of a case are kept.
const mostKept = 300_000

// reference runs the program in float64, which stands for the case of that name.
func (r *recorder) reference(name string) program.Values {
	tensors := r.Tensors()
	name += fmt.Sprint(tensors)
	v := program.Values{}
	if kept, ok := references[name]; ok {
		for i, x := range tensors {
			v[x] = kept[i]
		}
		return v
	}
	for t, data := range r.inputs {
		copy(v.Of(t), widen(data))
	}
	for _, par := range r.params {
		copy(v.Of(r.Variable(par)), widen(par.Data))
	}
	r.RunReference(v)
	var kept [][]float64
	size := 0
	for _, x := range tensors {
		kept = append(kept, v.Of(x))
		size += x.Len()
	}
	if size <= mostKept {
		references[name] = kept
	}
	return v
}

// check replays the program three times. The first time all inputs are NaN, so that whatever
// the second replay fails to write anew, or reads beyond the edge of, shows itself. The
// third asks for nothing that another operation reads, so that a device may do several
// operations at once.
func (c testCase) check(t *testing.T, dev program.Device) {
	before := dev.Memory()
	r := newRecorder(c.name)
	c.record(r)
	var want program.Values
	if !testing.Short() {
		want = r.reference(c.name)
	}
	run, err := dev.Compile(r.Program)
	must(t, err)
	if dev.Memory() <= before {
		t.Errorf("memory held is %d bytes after compiling, %d before", dev.Memory(), before)
	}
	var poison []program.Binding
	for in, data := range r.inputs {
		if r.indexes[in] {
			poison = append(poison, program.In(in, data))
			continue
		}
		poison = append(poison, program.In(in, nans(in.Len())))
	}
	for _, asked := range [][]*program.Tensor{r.Tensors(), r.ends()} {
		must(t, run.Do(poison...))
		if results := r.replay(t, dev, run, asked); !testing.Short() {
			c.judge(t, r, results, want)
		}
	}
	r.free(t, dev, run)
	if after := dev.Memory(); after != before {
		t.Errorf("memory held is %d bytes after everything is freed, %d before", after, before)
	}
}

// replay gives the tensors asked for after a replay with the given inputs and parameters.
func (r *recorder) replay(t *testing.T, dev program.Device, run program.Run, asked []*program.Tensor) map[*program.Tensor][]float32 {
	t.Helper()
	for _, par := range r.params {
		must(t, dev.Upload(par))
	}
	var bindings []program.Binding
	for in, data := range r.inputs {
		bindings = append(bindings, program.In(in, append([]float32(nil), data...)))
	}
	results := map[*program.Tensor][]float32{}
	for _, x := range asked {
		results[x] = nans(x.Len())
		bindings = append(bindings, program.Out(x, results[x]))
	}
	must(t, run.Do(bindings...))
	return results
}

// ends are the tensors that are no steps between operations.
func (r *recorder) ends() []*program.Tensor {
	between := map[*program.Tensor]bool{}
	for _, op := range r.Ops() {
		for _, x := range op.Reads() {
			between[x] = x.Kind == program.Intermediate
		}
	}
	var all []*program.Tensor
	for _, x := range r.Tensors() {
		if !between[x] {
			all = append(all, x)
		}
	}
	return all
}

// judge compares what was written with the reference, and everything else with what it was.
func (c testCase) judge(t *testing.T, r *recorder, results map[*program.Tensor][]float32, want program.Values) {
	written := map[*program.Tensor]program.Op{}
	for _, op := range r.Ops() {
		for _, x := range op.Writes() {
			written[x] = op
		}
	}
	for x, got := range results {
		limit, what := c.limit, "which nothing may change"
		if op := written[x]; op != nil {
			what = "written by " + op.Name()
		} else {
			limit = compare.Limit{}
		}
		if _, err := compare.Slices(got, want.Of(x), limit); err != nil {
			t.Errorf("%s, %s: %v", x, what, err)
		}
	}
}

func nans(n int) []float32 { return slices.Repeat([]float32{float32(math.NaN())}, n) }

func widen(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}
