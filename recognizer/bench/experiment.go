package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// Experiment is one kind of work measured over its size.
type Experiment string

// The experiments, in the order in which they are made.
const (
	OneDrawing      Experiment = "drawing"          // one drawing with its stages and passes apart
	Recognition     Experiment = "recognition"      // by 784-800-10 (tanh, softmax), over the number of drawings at once: they go up, the probabilities come back
	Race            Experiment = "race"             // Recognition by Options.Model of Options.Drawing, as often as there are drawings at once
	TrainingStep    Experiment = "training-step"    // of 784-800-10 by gradient descent with momentum on the cross-entropy, over the size of the mini-batch: the losses come back
	Convolution     Experiment = "convolution"      // Recognition by a small convolutional network, nn's lenet
	ConvolutionStep Experiment = "convolution-step" // TrainingStep of that network
	HiddenUnits     Experiment = "hidden-units"     // step of 2-h-1 (tanh, sigmoid, mean squared error) on FixedSamples samples on the device, over h: figure 1 of Takizawa et al. (2009)
	TrainingSamples Experiment = "training-samples" // the same step of 2-FixedHidden-1 over the number of samples: their figure 2
	// Packing is that of FixedSamples samples with four values in a texel against one, fragment shaders alone: as they are, and reading
	// the operands of products from textures, as on GPUs. Software renderers read them from buffers, which helps one value more than four.
	Packing    Experiment = "packing"
	Product    Experiment = "product"     // a[n][n]·b[n][n] over n, both on the device, the result staying there
	DenseRows  Experiment = "dense-rows"  // the first layer of 784-800 on FixedDrawings drawings and the gradient of its weights, the pixels going up
	SparseRows Experiment = "sparse-rows" // the same with the pixels that hold ink alone, over their share in percent

	// Of Su et al. (2016), over the mini-batch.
	PrototypeProduct   Experiment = "prototype-product"   // x[n][features]·pᵀ with all prototypes, on the device: what PrototypeDistances is compared with
	PrototypeDistances Experiment = "prototype-distances" // squared, to one prototype of each class: figures 6 and 7
	PrototypeNearest   Experiment = "prototype-nearest"   // of the own class and of all others, in those: figures 8 and 9
	PrototypeStep      Experiment = "prototype-step"      // of GLVQ with one prototype of each class, samples going up and losses coming back: figure 10
	PrototypeStep8     Experiment = "prototype-step-8"    // with eight
)

// PrototypeExperiments lists those of prototypes, which no other run makes.
func PrototypeExperiments() []Experiment {
	return []Experiment{PrototypeProduct, PrototypeDistances, PrototypeNearest, PrototypeStep, PrototypeStep8}
}

// What is held fixed while the other varies: as in Takizawa et al. (2009), and of DenseRows and SparseRows.
const (
	FixedSamples  = 1024
	FixedHidden   = 64
	FixedDrawings = 128
)

// Experiments lists all.
func Experiments() []Experiment {
	return []Experiment{OneDrawing, Recognition, TrainingStep, Convolution, ConvolutionStep, HiddenUnits, TrainingSamples, Packing, Product, DenseRows, SparseRows}
}

// described is what there is to say of an experiment: what people call it, how its table is headed, what its sizes count,
// these, rising, all and those of a quick run, and the task of one size.
type described struct {
	name         *message.Message
	title        string // empty where its readings are in no table
	unit         *message.Message
	sizes, quick []int
	record       func(o Options, size int) task
}

var experiments = map[Experiment]described{
	OneDrawing:      {message.Text("One drawing"), "", nil, []int{1}, []int{1}, nil},
	Recognition:     {message.Text("Recognition"), "Recognition, 784-800-10, pixels up and probabilities back", message.Text("drawings at once"), powers(1, 4096, 2), powers(1, 4096, 4), recordRecognition(perceptron)},
	Race:            {message.Text("Race"), "", message.Text("drawings at once"), powers(1, 1024, 4), powers(1, 1024, 4), recordRace},
	TrainingStep:    {message.Text("Training step"), "Training step, 784-800-10, cross-entropy, momentum", message.Text("samples a step"), []int{128}, []int{128}, recordTrainingStep(perceptron)},
	Convolution:     {message.Text("Convolution"), "Recognition, convolutions 5x5 to 32 and to 64, dense 128 and 10", message.Text("drawings at once"), powers(1, 256, 2), powers(1, 256, 4), recordRecognition(lenet)},
	ConvolutionStep: {message.Text("Convolution, training step"), "Training step of that network", message.Text("samples a step"), []int{64}, []int{64}, recordTrainingStep(lenet)},
	HiddenUnits:     {message.Text("Hidden units"), fmt.Sprintf("Training step, 2-h-1, %d samples on the device", FixedSamples), message.Text("hidden units"), powers(4, 1024, 2), powers(4, 1024, 4), func(_ Options, hidden int) task { return recordSmallTraining(hidden, FixedSamples) }},
	TrainingSamples: {message.Text("Mini-batch"), fmt.Sprintf("Training step, 2-%d-1, samples on the device", FixedHidden), message.Text("samples a step"), powers(4, 16384, 2), powers(4, 16384, 4), recordSamples},
	Packing:         {message.Text("Packing"), fmt.Sprintf("Training step, 2-%d-1, four values in a texel and one", FixedHidden), message.Text("samples a step"), []int{FixedSamples}, []int{FixedSamples}, recordSamples},
	Product:         {message.Text("Products"), "Product of square matrices on the device", message.Text("rows of a square matrix"), []int{256, 512, 1024, 2048}, []int{256, 512, 1024}, recordProduct},
	DenseRows:       {message.Text("Whole rows"), "First layer 784-800 with the gradient of its weights, whole rows of pixels", message.Text("drawings at once"), []int{FixedDrawings}, []int{FixedDrawings}, func(Options, int) task { return recordFirstLayer(20, false) }},
	SparseRows:      {message.Text("Sparse"), fmt.Sprintf("The same on %d drawings, the pixels with ink alone (sparse rows)", FixedDrawings), message.Text("%% ink"), []int{2, 5, 10, 15, 20, 25, 30, 40, 60}, []int{5, 20, 40}, func(_ Options, percent int) task { return recordFirstLayer(percent, true) }},

	PrototypeProduct:   {message.Text("Products of the size of distances"), "Product of a mini-batch and one prototype of each class, on the device", message.Text("samples a step"), prototypeSizes, quickPrototypeSizes, recordPrototypes(PrototypeProduct)},
	PrototypeDistances: {message.Text("Distances to prototypes"), "Squared distances of a mini-batch to one prototype of each class, on the device", message.Text("samples a step"), prototypeSizes, quickPrototypeSizes, recordPrototypes(PrototypeDistances)},
	PrototypeNearest:   {message.Text("Nearest prototypes"), "The nearest of the own class and of all others in those", message.Text("samples a step"), prototypeSizes, quickPrototypeSizes, recordPrototypes(PrototypeNearest)},
	PrototypeStep:      {message.Text("Prototypes"), "Step of GLVQ, one prototype of each class, samples up and losses back", message.Text("samples a step"), prototypeSizes, quickPrototypeSizes, recordPrototypes(PrototypeStep)},
	PrototypeStep8:     {message.Text("Eight prototypes a class"), "Step of GLVQ, eight prototypes of each class", message.Text("samples a step"), prototypeSizes, quickPrototypeSizes, recordPrototypes(PrototypeStep8)},
}

var prototypeSizes, quickPrototypeSizes = []int{1, 4, 16, 64, 256, 1024, 8192}, []int{1, 8, 64, 512}

// Sizes are what the experiment is measured at, rising.
func (e Experiment) Sizes(quick bool) []int {
	if quick {
		return experiments[e].quick
	}
	return experiments[e].sizes
}

func powers(first, last, step int) []int {
	var all []int
	for n := first; n <= last; n *= step {
		all = append(all, n)
	}
	return slices.Clip(all)
}

// The perceptron of the experiments: MNIST's images, 800 hidden units, ten classes.
var network = []int{784, 800, 10}

func perceptron() nn.Network { return nn.NewNetwork(network, "tanh", seed) }

// lenet is the convolutional network of the experiments, with values that are the same each time.
func lenet() nn.Network {
	architecture := glcompute.Must(nn.LoadArchitecture("lenet")) // it is built in
	net := glcompute.Must(architecture.Network(nn.InputShape(nn.MNIST28, network[0]), network[2]))
	return glcompute.Must(net, net.Initialise(seed))
}

// products are the floating-point operations of the products of one drawing: of the first layer,
// and of the others. A bias, one for each channel, is none.
func products(net nn.Network) (first, rest float64) {
	for _, l := range net.Describe() {
		if l.Parameters == 0 {
			continue
		}
		n := 2 * float64(l.Shape.Positions()) * float64(l.Parameters-l.Shape.Channels)
		if first == 0 {
			first = n
		} else {
			rest += n
		}
	}
	return first, rest
}

// task is a recorded program with what its replays exchange.
type task struct {
	program  *glcompute.Program
	bindings []glcompute.Binding
	result   *glcompute.Tensor      // by which two ways to compute the task can be compared
	output   []float32              // where it came back
	finish   func(result []float32) // makes of it what is wanted, on the processor, whose time counts; nil for nothing
	inside   bool                   // the time of the operations alone counts, without what goes up and comes back
	work     float64                // floating-point operations of the products of one replay; 0 where these are not the main thing
}

func (e Experiment) record(o Options, size int) task { return experiments[e].record(o, size) }

const seed = 1

func recordRecognition(of func() nn.Network) func(_ Options, batch int) task {
	return func(_ Options, batch int) task {
		net := of()
		return recognition(net, batch, pixels(batch*net.Width()))
	}
}

// recordRace needs a drawing that has ink, and a model whose preprocessing is known, as of each that was opened.
func recordRace(o Options, batch int) task {
	m := o.model()
	features, img := glcompute.Must(feature.ByName(m.Preprocessing)), glcompute.Must(ink.Rasterize(o.Drawing))
	looks := features.Looks(img, o.Drawing)
	return recognition(m.Network.Folded(), batch*len(looks)/features.Size, slices.Repeat(looks, batch))
}

func recognition(net nn.Network, batch int, inputs []float32) task {
	p := glcompute.NewProgram()
	params := nn.NewParameters(net)
	x, logits := nn.RecordForward(p, batch, params)
	output := make([]float32, logits.Len())
	first, rest := products(net)
	return task{
		program: p, result: logits, work: float64(batch) * (first + rest),
		bindings: []glcompute.Binding{glcompute.In(x, inputs), glcompute.Out(logits, output)},
		output:   output,
		finish: func(result []float32) {
			for row := range slices.Chunk(result, logits.Cols) {
				nn.Softmax(row)
			}
		},
	}
}

func recordTrainingStep(of func() nn.Network) func(_ Options, batch int) task {
	return func(_ Options, batch int) task {
		net, p := of(), glcompute.NewProgram()
		params := nn.NewParameters(net)
		t := glcompute.Must(nn.OptimiserState{Batch: batch, Params: params, Momenta: params.Zeros()}.Record(p))
		first, rest := products(net)
		return task{
			program: p, result: t.Loss,
			work: float64(batch) * (2*first + 3*rest), // forward, gradients of all weights and of all but the first input
			bindings: []glcompute.Binding{
				glcompute.In(t.Input, pixels(t.Input.Len())), glcompute.In(t.Target, classes(batch)),
				glcompute.In(t.Settings, stepSettings),
				glcompute.Out(t.Loss, make([]float32, t.Loss.Len())),
			},
		}
	}
}

// stepSettings are rate, momentum and decay of a training step.
var stepSettings = []float32{0.01, 0.9, 0}

func recordProduct(_ Options, n int) task {
	p := glcompute.NewProgram()
	c := p.Product(glcompute.Plain(p.Variable(matrix(n, n, 1, 1))), glcompute.Plain(p.Variable(matrix(n, n, 1, 2))))
	return task{program: p, result: c, inside: true, work: 2 * float64(n) * float64(n) * float64(n)}
}

func recordSamples(_ Options, samples int) task {
	return recordSmallTraining(FixedHidden, samples)
}

// recordSmallTraining is full-batch gradient descent of 2-h-1 on the mean squared error.
func recordSmallTraining(hidden, samples int) task {
	p := glcompute.NewProgram()
	data, wanted := matrix(samples, 2, 1, 3), glcompute.NewParameter("wanted", samples, 1, nil)
	for i := range wanted.Data {
		// Whether the two inputs have the same sign: the exclusive or of the textbooks.
		wanted.Data[i] = 0.1
		if data.Data[2*i]*data.Data[2*i+1] < 0 {
			wanted.Data[i] = 0.9
		}
	}
	w := []*glcompute.Tensor{
		p.Variable(matrix(2, hidden, 1, 4)), p.Variable(glcompute.NewParameter("b1", 1, hidden, nil)),
		p.Variable(matrix(hidden, 1, float32(1/math.Sqrt(float64(hidden))), 5)), p.Variable(glcompute.NewParameter("b2", 1, 1, nil)),
	}
	settings := p.Variable(glcompute.NewParameter("settings", 1, 3, []float32{0.1, 0.9, 0}))
	output := p.Layer(p.Layer(p.Variable(data), w[0], w[1], glcompute.Tanh), w[2], w[3], glcompute.Sigmoid)
	losses := p.MeanSquaredError(output, p.Variable(wanted))
	loss := p.Sum(glcompute.AlongColumns, losses)
	for i, g := range glcompute.Must(p.Gradients(losses, 1/float32(samples), w...)) {
		momentum := p.Variable(glcompute.NewParameter(w[i].Parameter.Name+"-momentum", g.Rows, g.Cols, nil))
		p.SGD(w[i], momentum, g, nil, settings)
	}
	return task{program: p, result: loss, bindings: []glcompute.Binding{glcompute.Out(loss, make([]float32, 1))}}
}

// recordFirstLayer makes the first layer of 784-800 on FixedDrawings drawings of which so many
// pixels in a hundred hold ink, and the gradient of its weights: as whole rows, or as sparse ones,
// whose non-zeros and index map go up (NVIDIA 2018).
func recordFirstLayer(percent int, sparse bool) task {
	p := glcompute.NewProgram()
	in, out := network[0], network[1]
	w, dy := p.Variable(matrix(in, out, 0.1, 6)), p.Variable(matrix(FixedDrawings, out, 0.1, 7))
	ink := inkPixels(FixedDrawings*in, percent)
	if !sparse {
		x := p.Input(FixedDrawings, in)
		p.Product(glcompute.Plain(x), glcompute.Plain(w))
		gradient := p.Product(glcompute.Transposed(x), glcompute.Plain(dy))
		return task{program: p, result: gradient, bindings: []glcompute.Binding{glcompute.In(x, ink)}}
	}
	s := p.SparseInput(FixedDrawings, in, FixedDrawings*in*percent/100+1)
	p.SparseProduct(s, w)
	gradient := p.SparseGradient(s, dy)
	return task{program: p, result: gradient, bindings: glcompute.Must(glcompute.NewEncoder(s).Encode(ink))} // there is room for what inkPixels makes
}

// inkPixels gives n values of which so many in a hundred are not zero, scattered.
func inkPixels(n, percent int) []float32 {
	x := make([]float32, n)
	for i, v := range pixels(n) {
		if i*7919%n < n*percent/100 {
			x[i] = max(v, 0.5)
		}
	}
	return x
}

// Seven is the drawing that is recognised when there is no other, in a box of 70 by 100.
var Seven = ink.Ink{
	{{X: 4, Y: 6}, {X: 24, Y: 3}, {X: 46, Y: 2}, {X: 66, Y: 4}, {X: 54, Y: 28}, {X: 42, Y: 56}, {X: 34, Y: 80}, {X: 30, Y: 99}},
	{{X: 20, Y: 52}, {X: 40, Y: 50}, {X: 58, Y: 47}},
}

// matrix is a parameter of random values between -scale and scale.
func matrix(rows, cols int, scale float32, stream uint64) *glcompute.Parameter {
	rng := rand.New(rand.NewPCG(seed, stream))
	p := glcompute.NewParameter(fmt.Sprintf("m%d", stream), rows, cols, nil)
	for i := range p.Data {
		p.Data[i] = scale * (2*rng.Float32() - 1)
	}
	return p
}

// pixels are images of which a fifth is ink, about as much as a drawing has.
func pixels(n int) []float32 {
	rng := rand.New(rand.NewPCG(seed, 7))
	x := make([]float32, n)
	for i := range x {
		if rng.IntN(5) == 0 {
			x[i] = rng.Float32()
		}
	}
	return x
}

// classes are targets of a batch: each class in its turn.
func classes(batch int) []float32 {
	n := network[len(network)-1]
	x := make([]float32, batch*n)
	for i := range batch {
		x[i*n+i%n] = 1
	}
	return x
}
