package glcompute_test

import (
	"fmt"
	"log"

	"inkshade/glcompute"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// step is a nonlinearity of one's own: 1 above zero, 0 elsewhere.
func step(x *glcompute.Expr) *glcompute.Expr {
	return glcompute.Select(x, glcompute.Const(1), glcompute.Const(0))
}

// A perceptron with two layers, whose nonlinearity is a formula of its own: exclusive or.
func Example_perceptron() {
	dev := glcompute.OpenOrCPU(glcompute.CPU) // or Auto, Fragment, Compute, Mixed
	defer dev.Close()

	p := glcompute.NewProgram()
	x := p.Input(4, 2) // four samples in rows
	hidden := p.Layer(x,
		p.Constant("w1", 2, 2, []float32{1, 1, 1, 1}),
		p.Constant("b1", 1, 2, []float32{-0.5, -1.5}), step)
	y := p.Layer(hidden,
		p.Constant("w2", 2, 1, []float32{1, -1}),
		p.Constant("b2", 1, 1, []float32{-0.5}), step)

	run, err := dev.Compile(p)
	check(err)
	defer run.Close()
	answers := make([]float32, 4)
	check(run.Do(glcompute.In(x, []float32{0, 0, 0, 1, 1, 0, 1, 1}), glcompute.Out(y, answers)))
	fmt.Println(answers)
	// Output: [0 1 1 0]
}

// The program of the package documentation, with weights that are all zero.
func Example_network() {
	const batch = 2
	dev := glcompute.OpenOrCPU(glcompute.CPU)
	defer dev.Close()
	w1, b1 := glcompute.NewParameter("w1", 784, 16, nil), glcompute.NewParameter("b1", 1, 16, nil)
	w2 := glcompute.NewParameter("w2", 16, 10, nil)
	pixels, probabilities := make([]float32, batch*784), make([]float32, batch*10)

	check(func() error {
		p := glcompute.NewProgram()
		x := p.Input(batch, 784)
		h := p.Layer(x, p.Variable(w1), p.Variable(b1), glcompute.ReLU)
		y := p.Softmax(p.Product(glcompute.Plain(h), glcompute.Plain(p.Variable(w2))))
		run, err := dev.Compile(p)
		if err != nil {
			return err
		}
		defer run.Close()
		return run.Do(glcompute.In(x, pixels), glcompute.Out(y, probabilities))
	}())
	fmt.Println(probabilities[0])
	// Output: 0.1
}

// The sum of each row, and the sum of the squares in each, which is a reduction of a formula.
func Example_reduction() {
	dev := glcompute.OpenOrCPU(glcompute.CPU)
	defer dev.Close()

	p := glcompute.NewProgram()
	z := p.Input(2, 3)
	sums := p.Sum(glcompute.AlongRows, z)
	squares := p.Reduce(glcompute.ReduceSum, glcompute.AlongRows, glcompute.Square(glcompute.Arg(0)), z)

	run, err := dev.Compile(p)
	check(err)
	defer run.Close()
	a, b := make([]float32, 2), make([]float32, 2)
	check(run.Do(glcompute.In(z, []float32{1, 2, 3, 4, 5, 6}), glcompute.Out(sums, a), glcompute.Out(squares, b)))
	fmt.Println(a, b)
	// Output: [6 15] [14 77]
}

// A convolution of an image of 4 x 4 pixels with a filter of 2 x 2, and the largest of each
// row of the result. Images are [images · positions][channels], filters [taps · channels][filters].
func Example_convolution() {
	dev := glcompute.OpenOrCPU(glcompute.CPU)
	defer dev.Close()

	p := glcompute.NewProgram()
	image := p.Input(4*4, 1)
	edges := p.Constant("edges", 2*2, 1, []float32{
		-1, 1,
		-1, 1,
	})
	y := p.Convolution(image, edges, glcompute.Window{Height: 4, Width: 4, KernelHeight: 2, KernelWidth: 2}, 1)
	best := p.Pool(glcompute.ReduceMax, y, glcompute.Window{Height: 3, Width: 3, KernelHeight: 1, KernelWidth: 3})

	run, err := dev.Compile(p)
	check(err)
	defer run.Close()
	found, strongest := make([]float32, y.Len()), make([]float32, best.Len())
	check(run.Do(glcompute.In(image, []float32{
		0, 0, 1, 1,
		0, 0, 1, 1,
		0, 1, 1, 1,
		0, 1, 1, 1,
	}), glcompute.Out(y, found), glcompute.Out(best, strongest)))
	for row := range 3 {
		fmt.Println(found[3*row:3*row+3], strongest[row])
	}
	// Output:
	// [0 2 0] 2
	// [1 1 0] 1
	// [2 0 0] 2
}

// Steps of training: the backward pass is recorded from the forward pass, and the update with it,
// so that the parameters stay on the device. Only the batch goes up, and the loss comes back.
func Example_training() {
	const batch = 4
	dev := glcompute.OpenOrCPU(glcompute.CPU)
	defer dev.Close()

	// The values that are trained, and the momentum of each.
	w1 := glcompute.NewParameter("w1", 2, 3, []float32{0.5, -0.6, 0.3, 0.7, 0.4, -0.8})
	b1 := glcompute.NewParameter("b1", 1, 3, nil)
	w2 := glcompute.NewParameter("w2", 3, 2, []float32{0.6, -0.5, 0.2, 0.8, -0.7, 0.3})
	b2 := glcompute.NewParameter("b2", 1, 2, nil)

	p := glcompute.NewProgram()
	x, target, settings := p.Input(batch, 2), p.Input(batch, 2), p.Input(1, 3)
	p.Batch(batch, x, target) // so that two devices could share it
	trained := []*glcompute.Tensor{p.Variable(w1), p.Variable(b1), p.Variable(w2), p.Variable(b2)}
	hidden := p.Layer(x, trained[0], trained[1], glcompute.Tanh)
	classes := p.Softmax(p.Layer(hidden, trained[2], trained[3], glcompute.Identity))
	loss := p.CrossEntropy(classes, target)
	for i, gradient := range glcompute.Must(p.Gradients(loss, 1./batch, trained...)) {
		momentum := p.Constant("momentum", gradient.Rows, gradient.Cols, nil)
		p.SGD(trained[i], momentum, gradient, nil, settings)
	}

	run, err := dev.Compile(p)
	check(err)
	defer run.Close()
	check(run.Do(
		glcompute.In(x, []float32{0, 0, 0, 1, 1, 0, 1, 1}),
		glcompute.In(target, []float32{1, 0, 0, 1, 0, 1, 1, 0}), // exclusive or
		glcompute.In(settings, []float32{0.3, 0.9, 0}),          // rate, momentum, decay
	))
	for range 200 {
		check(run.Do()) // inputs that are not bound again stay as they are
	}
	answers := make([]float32, 2*batch)
	check(run.Do(glcompute.Out(classes, answers)))
	for i := range batch {
		fmt.Printf("%.0f ", answers[2*i+1])
	}
	check(dev.Download(w1)) // the trained values, into w1.Data
	fmt.Println(w1.Data[0] != 0.5)
	// Output: 0 1 1 0 true
}

// Two devices share a mini-batch, and the run says who did it.
func ExampleSplit() {
	cpu, err := glcompute.Open(glcompute.CPU)
	check(err)
	other, err := glcompute.Open(glcompute.CPU) // an OpenGL device, where there is one
	check(err)
	dev := glcompute.Split(0.25, cpu, other) // a share of 0 measures who is faster
	defer dev.Close()

	p := glcompute.NewProgram()
	x := p.Input(8, 1)
	p.Batch(8, x)
	y := p.Elementwise("square", glcompute.Square(glcompute.Arg(0)), x)
	run, err := dev.Compile(p)
	check(err)
	defer run.Close()
	squares := make([]float32, 8)
	check(run.Do(glcompute.In(x, []float32{0, 1, 2, 3, 4, 5, 6, 7}), glcompute.Out(y, squares)))
	fmt.Println(squares)
	fmt.Println(run.Info().Choice)
	// Output:
	// [0 1 4 9 16 25 36 49]
	// mixed: CPU 25 %, CPU 75 %, as was asked for
}
