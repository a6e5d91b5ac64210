package gldevice

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/cache"
	"inkshade/glcompute/internal/program"
	"inkshade/glcompute/message"
)

// verifications are the results of verify in this process, errors or nil, by the tuner's key.
var verifications sync.Map

// verified is verify, once for a driver and the shaders.
func (d *Device[T]) verified() error {
	if d.gl.options.Edit != nil {
		return d.verify() // that is no driver's doing
	}
	c := d.gl.tuner
	key := "verified by probes\x00" + c.key
	if _, kept := c.files.Get(key); kept {
		return nil
	}
	if found, known := verifications.Load(key); known {
		err, _ := found.(error)
		return err
	}
	err := d.verify()
	if err == nil {
		c.files.Put(key, nil)
	}
	if !errors.Is(err, program.ErrLost) {
		verifications.Store(key, err)
	}
	return err
}

// verify replays programs and compares their results with the reference: a driver may have limits that it does not tell, or
// faults. Softpipe of Mesa 22, for example, reads buffer textures of more than 16,384 texels at wrong places. Every operation is
// done by the variant that is taken without measuring.
func (d *Device[T]) verify() error {
	files := d.gl.tuner.files
	d.keepChoicesIn(nil)
	defer d.keepChoicesIn(files)
	for _, p := range probes(d.gl.Info.MaxTexture) {
		s := &sample{
			Program: program.New(), values: program.Values{}, inputs: map[*program.Tensor]func(int) float32{},
			results: map[string]*program.Tensor{}, rng: rand.New(rand.NewPCG(1, 2)),
		}
		p.record(s)
		if err := d.replays(s, p); err != nil {
			if errors.Is(err, program.ErrLost) {
				return err
			}
			return message.Errorf("%s computes wrongly with %s shaders and cannot be used (%s: %w)", d.gl.Info.Name, d.gl.Kind, p.of, err)
		}
		d.gl.progress()
	}
	return nil
}

// replays makes a sample several times, of other inputs each time.
func (d *Device[T]) replays(s *sample, p probe) error {
	run, err := d.Compile(s.Program)
	if err != nil {
		return err
	}
	defer s.leave(d, run)
	for range max(p.times, 1) {
		got := map[string][]float32{}
		var bindings []program.Binding
		for t, fill := range s.inputs {
			bindings = append(bindings, program.In(t, s.fill(t, fill)))
		}
		for name, t := range s.results {
			got[name] = make([]float32, t.Len())
			bindings = append(bindings, program.Out(t, got[name]))
		}
		s.RunReference(s.values)
		if err := run.Do(bindings...); err != nil {
			return err
		}
		for name, t := range s.results {
			if err := alike(got[name], s.values[t], p.limit); err != nil {
				return message.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// alike is compare.Slices where a NaN is as good as another.
func alike(got []float32, want []float64, limit compare.Limit) error {
	want = slices.Clone(want)
	for i, v := range want {
		if math.IsNaN(v) && got[i] != got[i] {
			got[i], want[i] = 0, 0
		}
	}
	_, err := compare.Slices(got, want, limit)
	return err
}

func (d *Device[T]) keepChoicesIn(files *cache.Folder) {
	_ = d.thread.Do(func() error { // of a lost device the replay tells
		d.gl.tuner.files = files
		return nil
	})
}

// sample is a program with the values of its tensors, what its inputs are filled by, and the results that are compared.
type sample struct {
	*program.Program
	values  program.Values
	inputs  map[*program.Tensor]func(i int) float32
	results map[string]*program.Tensor
	rng     *rand.Rand
}

func (s *sample) input(rows, cols int, fill func(i int) float32) *program.Tensor {
	t := s.Input(rows, cols)
	s.inputs[t] = fill
	return t
}

func (s *sample) variable(rows, cols int, fill func(i int) float32) *program.Tensor {
	par := program.NewParameter("w", rows, cols, nil)
	t := s.Variable(par)
	par.Data = s.fill(t, fill)
	return t
}

// around gives random values within reach of middle.
func (s *sample) around(middle, reach float64) func(int) float32 {
	return func(int) float32 { return float32(middle + reach*(2*s.rng.Float64()-1)) }
}

// fill gives t values, here and in the reference.
func (s *sample) fill(t *program.Tensor, fill func(i int) float32) []float32 {
	data, values := make([]float32, t.Len()), s.values.Of(t)
	for i := range data {
		data[i] = fill(i)
		values[i] = float64(data[i])
	}
	return data
}

// same gives one value, and diagonal others where the row is the column moved by so much, and zero elsewhere.
func same(v float32) func(int) float32 { return func(int) float32 { return v } }

func diagonal(n, moved int, of func(row int) float32) func(int) float32 {
	return func(i int) float32 {
		if i/n == (i+moved)%n {
			return of(i / n)
		}
		return 0
	}
}

func (s *sample) add(sum, x *program.Tensor) {
	s.Update("add", []*program.Tensor{sum}, []*expr.Expr{expr.Add(expr.Arg(0), expr.Arg(1))}, program.Whole(sum), program.Whole(x))
}

func (s *sample) leave(d program.Device, run program.Run) {
	_ = run.Close() // a lost device has nothing to free
	for _, t := range s.Tensors() {
		if t.Parameter != nil {
			d.Forget(t.Parameter)
		}
	}
}

// probe is work that a driver must do rightly before it is used (docs/drivers.md says what each has met).
type probe struct {
	of     string // what it tries, in words
	record func(s *sample)
	limit  compare.Limit
	times  int // replays of other inputs; 0 stands for one
}

// exactly is the limit of whole numbers and of what must not be rounded; its part of a value is below a rounding.
var exactly = compare.Limit{Rel: 1e-9, Reason: "nothing is rounded"}

// probes are in the order in which they are tried; side is that of the largest texture.
func probes(side int) []probe {
	return []probe{
		{of: "a training step", record: trainingStep, limit: compare.Limit{Abs: 1e-4, Rel: 1e-3, Reason: "roundings of float32 add up"}},
		{of: "values from pass to pass", record: fromPassToPass, limit: exactly, times: 4},
		{of: "sizes from pass to pass", record: otherSizes, limit: exactly, times: 2},
		{of: "sums in two floats", record: twoFloats, limit: compare.Limit{Rel: 1e-2, Reason: "the low float is rounded with each sum"}},
		{of: "NaN and infinities", record: notNumbers, limit: exactly},
		{of: "all 32 bits", record: allBits, limit: exactly},
		{of: "wide matrices", record: func(s *sample) { places(s, 9, TexelValues*side-5) }, limit: exactly},
		{of: "tall matrices", record: func(s *sample) { places(s, 2*side+3, 3) }, limit: exactly},
	}
}

// trainingStep is one of a small convolutional network. Everything in it is smooth, so that roundings stay roundings.
func trainingStep(s *sample) {
	const images, side, kernel, filters, hidden, classes = 16, 28, 5, 8, 128, 10
	filter := program.Window{Height: side, Width: side, KernelHeight: kernel, KernelWidth: kernel}
	height, width := filter.Output()
	half := program.Window{Height: height, Width: width, KernelHeight: 2, KernelWidth: 2, StrideY: 2, StrideX: 2}
	height, width = half.Output()
	inner := height * width * filters

	x, target := s.input(images*side*side, 1, s.around(0.5, 0.5)), s.input(images, classes, s.around(0.5, 0.5))
	weights := s.around(0, 0.1)
	w := []*program.Tensor{s.variable(kernel*kernel, filters, weights), s.variable(inner, hidden, weights), s.variable(hidden, classes, weights)}
	maps := s.Pool(program.ReduceMean, s.Apply(expr.Tanh, s.Convolution(x, w[0], filter, 1)), half)
	y := s.Layer(s.Layer(s.Reshape(maps, images, inner), w[1], s.variable(1, hidden, weights), expr.Tanh), w[2], nil, expr.Identity)
	s.results["the answer"] = s.Softmax(y)
	loss := s.CrossEntropy(s.results["the answer"], target)
	for i, g := range program.Must(s.Gradients(loss, 1, w...)) {
		s.results[fmt.Sprintf("gradient %d", i+1)] = g
	}
}

// fromPassToPass moves whole numbers about in passes of which each reads what the one before it has just written, in the same memory
// too. Missing or weak barriers leave values of an earlier pass or replay (defold#13040, wgpu#8473).
func fromPassToPass(s *sample) {
	const n, rounds = 13, 12
	t := s.input(n, n, func(i int) float32 { return float32(s.rng.IntN(9)) })
	next := s.variable(n, n, diagonal(n, 1, same(1))) // moves columns by one place
	all := s.variable(n, n, same(0))
	for range rounds {
		t = s.Elementwise("count", expr.Add(expr.Arg(0), expr.Arg(1)), s.Product(program.Plain(t), program.Transposed(next)), t)
		t = s.Elementwise("less", expr.Sub(expr.Arg(0), expr.Arg(1)), s.Transpose(t), s.Product(program.Transposed(t), program.Plain(next)))
		s.add(all, t)
	}
	s.results["the last"], s.results["all"] = t, all
}

// otherSizes sum over other lengths in passes of the same few shaders. Zink of Mesa 22.3 makes constants of uniforms, and after
// some passes takes those of an earlier one; glcontext asks it not to.
func otherSizes(s *sample) {
	whole := func(int) float32 { return float32(s.rng.IntN(9)) }
	view := func(rows, cols int, transposed bool) program.View {
		if transposed {
			return program.Transposed(s.input(cols, rows, whole))
		}
		return program.Plain(s.input(rows, cols, whole))
	}
	for _, size := range [][3]int{{3, 5, 4}, {33, 1, 12}, {130, 1, 1100}} {
		rows, cols, inner := size[0], size[1], size[2]
		for way := range 4 {
			product, sum := s.Product(view(rows, inner, way&1 != 0), view(inner, cols, way&2 != 0)), s.variable(rows, cols, whole)
			s.add(sum, product)
			s.results[fmt.Sprintf("sums of %d, %d", inner, way)] = sum
		}
	}
}

// twoFloats takes steps that are below half a unit in the last place of what they change. Compilers that take (w + step) - w for step,
// or fuse a multiplication into it, lose the low float (Sarek#297).
func twoFloats(s *sample) {
	const steps, rate = 8, 1e-9
	w, low, v := s.variable(1, 5, same(1)), s.variable(1, 5, same(0)), s.variable(1, 5, same(0))
	slope, settings := s.input(1, 5, func(i int) float32 { return float32(i + 1) }), s.input(1, 3, func(i int) float32 {
		if i == 0 {
			return rate
		}
		return 0
	})
	for range steps {
		s.SGDTwoFloats(w, low, v, slope, nil, settings)
	}
	s.results["what the steps changed"] = s.Elementwise("change", expr.Add(expr.Sub(expr.Arg(0), expr.Arg(2)), expr.Arg(1)), w, low, s.input(1, 5, same(1)))
}

// notNumbers stay what they are in formulas and in what is the largest (dolphin#10090, llpc#704).
func notNumbers(s *sample) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	x := s.input(3, 4, func(i int) float32 { return []float32{nan, inf, -inf, 1, 2, nan, 3, -inf, 4, 5, inf, -6}[i] })
	s.results["the larger"] = s.Elementwise("larger", expr.Max(expr.Arg(0), expr.Const(0)), x)
	s.results["sums"] = s.Elementwise("sum", expr.Add(expr.Arg(0), expr.Const(1)), x)
}

// allBits are numbers that half precision, fixed point or a flush to zero would change, in formulas, sums and memory
// (webrender#1395, tfjs#265).
func allBits(s *sample) {
	values := []float32{1 + 1.0/(1<<20), 1e30, -1e-30, 16777215, 1.0 / 3, 65537.5, -0.1, 1 - 1.0/(1<<24)}
	n := len(values)
	x, unit := s.input(n, n, diagonal(n, 0, func(row int) float32 { return values[row] })), s.variable(n, n, diagonal(n, 0, same(1)))
	s.results["a formula"] = s.Elementwise("half", expr.Scale(0.5, expr.Arg(0)), x)
	s.results["a product"] = s.Product(program.Plain(x), program.Plain(unit))
}

// places are numbered up to the edges of the largest textures, where coordinates that are off by little meet the neighbour (tfjs#6775).
func places(s *sample, rows, cols int) {
	x := s.input(rows, cols, func(i int) float32 { return float32(i % (1 << 23)) })
	s.results["twice the number"] = s.Elementwise("twice", expr.Scale(2, expr.Arg(0)), x)
}
