package glbench

import (
	"fmt"
	"testing"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// timeConvolutional times the network 1x28x28 - 5x5 convolution to 32 - largest of 2x2 - 5x5 convolution
// to 64 - largest of 2x2 - 128 - 10 on dev: recognition of several batches, and a
// training step.
func timeConvolutional(b *testing.B, dev program.Device) {
	for _, images := range []int{1, 16, 128, 1024} {
		b.Run(fmt.Sprintf("recognition of %d", images), func(b *testing.B) {
			p := program.New()
			x := p.Input(images*pixels, 1)
			y, _ := convolutional(p, x, images)
			replay(b, dev, p, convolutionalWork(images), program.In(x, values(x.Len())), program.Out(y, make([]float32, y.Len())))
		})
	}
	b.Run("training 64", func(b *testing.B) {
		const images = 64
		p := program.New()
		x, target, settings := p.Input(images*pixels, 1), p.Input(images, out), p.Input(1, 3)
		y, parameters := convolutional(p, x, images)
		loss := p.CrossEntropy(y, target)
		for i, d := range program.Must(p.Gradients(loss, 1.0/images, parameters...)) {
			w := parameters[i]
			p.SGD(w, p.Variable(parameter(w.Rows, w.Cols)), d, nil, settings)
		}
		// Each layer but the first has two gradients.
		work := 3*convolutionalWork(images) - 2*images*24*24*25*32
		replay(b, dev, p, work, program.In(x, values(x.Len())), program.In(target, values(target.Len())),
			program.In(settings, []float32{0.01, 0.9, 0}), program.Out(loss, make([]float32, loss.Len())))
	})
}

const pixels = 28 * 28

func convolutionalWork(images int) float64 {
	return 2 * float64(images) * (24*24*25*32 + 8*8*25*32*64 + 1024*128 + 128*10)
}

// convolutional records the network.
func convolutional(p *program.Program, x *program.Tensor, images int) (y *program.Tensor, parameters []*program.Tensor) {
	variable := func(rows, cols int) *program.Tensor {
		t := p.Variable(parameter(rows, cols))
		parameters = append(parameters, t)
		return t
	}
	relu := expr.ReLU
	layer := func(x *program.Tensor, side, in, out int) *program.Tensor {
		y := p.Convolution(x, variable(25*in, out), program.Window{Height: side, Width: side, KernelHeight: 5, KernelWidth: 5}, 1)
		y = p.Elementwise("relu", expr.ReLU(expr.Add(expr.Arg(0), expr.Arg(1))), y, variable(1, out))
		return p.Pool(program.ReduceMax, y, program.Window{Height: side - 4, Width: side - 4, KernelHeight: 2, KernelWidth: 2, StrideY: 2, StrideX: 2})
	}
	y = layer(layer(x, 28, 1, 32), 12, 32, 64)
	y = p.Layer(p.Reshape(y, images, 4*4*64), variable(4*4*64, 128), variable(1, 128), relu)
	return p.Softmax(p.Layer(y, variable(128, out), variable(1, out), expr.Identity)), parameters
}
