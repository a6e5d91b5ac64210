package cpu

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// The network of the benchmarks: 784 pixels, of which a fifth is ink, as in MNIST.
const (
	pixels, hidden, classes = 784, 800, 10
	inked                   = 0.2
)

func drawings(n int) []float32 {
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([]float32, n*pixels)
	for i := range x {
		if rng.Float64() < inked {
			x[i] = rng.Float32()
		}
	}
	return x
}

func weights(rows, cols int) *program.Parameter {
	rng := rand.New(rand.NewPCG(3, 4))
	w := make([]float32, rows*cols)
	for i := range w {
		w[i] = 0.05 * float32(rng.NormFloat64())
	}
	return program.NewParameter("w", rows, cols, w)
}

func compile(b *testing.B, p *program.Program) program.Run {
	run, err := open(b).Compile(p)
	if err != nil {
		b.Fatal(err)
	}
	return run
}

func replay(b *testing.B, run program.Run, bindings ...program.Binding) {
	b.ReportAllocs()
	for b.Loop() {
		if err := run.Do(bindings...); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkProduct is the first layer's product alone, dense and with the zeros of drawings.
func BenchmarkProduct(b *testing.B) {
	for _, batch := range []int{1, 2, 8, 32, 128, 1024} {
		for _, trans := range []string{"nn", "nt", "tn"} {
			for _, data := range []string{"dense", "drawings"} {
				if trans == "nt" && data == "drawings" {
					continue
				}
				b.Run(fmt.Sprintf("%s/%s/%d", trans, data, batch), func(b *testing.B) {
					p := program.New()
					x := p.Input(batch, pixels)
					switch trans {
					case "nn": // forward: x·w
						p.Product(program.Plain(x), program.Plain(p.Variable(weights(pixels, hidden))))
					case "nt": // gradient of the input: dy·wᵀ
						p.Product(program.Plain(x), program.Transposed(p.Variable(weights(hidden, pixels))))
					case "tn": // gradient of the weights: xᵀ·dy
						p.Product(program.Transposed(x), program.Plain(p.Variable(weights(batch, hidden))))
					}
					values := drawings(batch)
					if data == "dense" {
						values = weights(batch, pixels).Data
					}
					replay(b, compile(b, p), program.In(x, values))
					flops := 2 * float64(batch*pixels*hidden) * float64(b.N)
					b.ReportMetric(flops/b.Elapsed().Seconds()/1e9, "GFLOP/s")
				})
			}
		}
	}
}

// BenchmarkSquare is the product of square matrices.
func BenchmarkSquare(b *testing.B) {
	for _, n := range []int{256, 512, 1024} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := program.New()
			p.Product(program.Plain(p.Variable(weights(n, n))), program.Plain(p.Variable(weights(n, n))))
			replay(b, compile(b, p))
			b.ReportMetric(2*float64(n*n*n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}

// BenchmarkRecognize is a forward pass of 784-800-10.
func BenchmarkRecognize(b *testing.B) {
	for _, batch := range []int{1, 16, 128, 1024} {
		b.Run(fmt.Sprint(batch), func(b *testing.B) {
			p := program.New()
			x := p.Input(batch, pixels)
			h := p.Layer(x, p.Variable(weights(pixels, hidden)), p.Variable(weights(1, hidden)), expr.Tanh)
			y := p.Softmax(p.Layer(h, p.Variable(weights(hidden, classes)), p.Variable(weights(1, classes)), expr.Identity))
			replay(b, compile(b, p), program.In(x, drawings(batch)), program.Out(y, make([]float32, y.Len())))
		})
	}
}

// trainStep records one step of training 784-800-10.
func trainStep(batch int) (p *program.Program, bindings []program.Binding) {
	p = program.New()
	x, target, settings := p.Input(batch, pixels), p.Input(batch, classes), p.Input(1, 3)
	w1, b1 := p.Variable(weights(pixels, hidden)), p.Variable(weights(1, hidden))
	w2, b2 := p.Variable(weights(hidden, classes)), p.Variable(weights(1, classes))
	h := p.Layer(x, w1, b1, expr.Tanh)
	y := p.Softmax(p.Layer(h, w2, b2, expr.Identity))
	variables := []*program.Tensor{w1, b1, w2, b2}
	for i, d := range program.Must(p.Gradients(p.CrossEntropy(y, target), 1/float32(batch), variables...)) {
		p.SGD(variables[i], p.Variable(program.NewParameter("momentum", d.Rows, d.Cols, nil)), d, nil, settings)
	}
	labels := make([]float32, target.Len())
	for r := range batch {
		labels[r*classes+r%classes] = 1
	}
	return p, []program.Binding{program.In(x, drawings(batch)), program.In(target, labels), program.In(settings, []float32{0.01, 0.9, 1e-4})}
}

// BenchmarkTrainingStep is forward, backward and update of 784-800-10.
func BenchmarkTrainingStep(b *testing.B) {
	p, bindings := trainStep(128)
	run := compile(b, p)
	replay(b, run, bindings...)
	timing, err := run.Measure(bindings...)
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("upload %v, passes %v", timing.Upload, timing.Passes)
}

// convolutional records a network of 28x28 pixels: 5x5 to 32 channels, 2x2, 5x5 to 64, 2x2, 128, 10.
func convolutional(p *program.Program, x *program.Tensor, parameter func(rows, cols int) *program.Tensor) *program.Tensor {
	image, halves := program.Window{Height: 28, Width: 28, KernelHeight: 5, KernelWidth: 5}, program.Window{KernelHeight: 2, KernelWidth: 2, StrideY: 2, StrideX: 2}
	layer := func(x *program.Tensor, channels int) *program.Tensor {
		y := p.Convolution(x, parameter(25*x.Cols, channels), image, 1)
		halves.Height, halves.Width = image.Output()
		y = p.Pool(program.ReduceMax, p.Elementwise("relu", expr.ReLU(expr.Add(expr.Arg(0), expr.Arg(1))), y, parameter(1, channels)), halves)
		image.Height, image.Width = halves.Output()
		return y
	}
	y := layer(layer(p.Reshape(x, x.Len(), 1), 32), 64)
	y = p.Layer(p.Reshape(y, x.Rows, y.Len()/x.Rows), parameter(1024, 128), parameter(1, 128), expr.ReLU)
	return p.Softmax(p.Layer(y, parameter(128, classes), parameter(1, classes), expr.Identity))
}

// BenchmarkConvolutional is recognition and a training step of a small convolutional network.
func BenchmarkConvolutional(b *testing.B) {
	for _, batch := range []int{1, 16, 128, 1024} {
		b.Run(fmt.Sprintf("recognize/%d", batch), func(b *testing.B) {
			p := program.New()
			x := p.Input(batch, pixels)
			p.Batch(batch, x)
			y := convolutional(p, x, func(rows, cols int) *program.Tensor { return p.Variable(weights(rows, cols)) })
			replay(b, compile(b, p), program.In(x, drawings(batch)), program.Out(y, make([]float32, y.Len())))
		})
	}
	b.Run("train/64", func(b *testing.B) {
		const batch = 64
		p := program.New()
		x, target, settings := p.Input(batch, pixels), p.Input(batch, classes), p.Input(1, 3)
		var params []*program.Tensor
		y := convolutional(p, x, func(rows, cols int) *program.Tensor {
			params = append(params, p.Variable(weights(rows, cols)))
			return params[len(params)-1]
		})
		for i, d := range program.Must(p.Gradients(p.CrossEntropy(y, target), 1.0/batch, params...)) {
			p.SGD(params[i], p.Variable(program.NewParameter("momentum", d.Rows, d.Cols, nil)), d, nil, settings)
		}
		labels := make([]float32, target.Len())
		for r := range batch {
			labels[r*classes+r%classes] = 1
		}
		run := compile(b, p)
		bindings := []program.Binding{program.In(x, drawings(batch)), program.In(target, labels), program.In(settings, []float32{0.01, 0.9, 1e-4})}
		replay(b, run, bindings...)
		timing, err := run.Measure(bindings...)
		if err != nil {
			b.Fatal(err)
		}
		b.Logf("upload %v, passes %v", timing.Upload, timing.Passes)
	})
}
