package glbench

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"inkshade/glcompute/clock"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// The network of the benchmarks: MNIST's images, 800 hidden units, ten classes.
const in, hidden, out = 784, 800, 10

// timeNetwork times products, one drawing, a batch and a training step on dev. Beside the mean that testing gives, each benchmark reports
// the median and the best replay in milliseconds and the least processor time of a replay,
// which say more on a busy machine, and GFLOP/s at the median.
func timeNetwork(b *testing.B, dev program.Device) {
	b.Log(dev.Info().Name)
	for _, s := range [][3]int{{512, 512, 512}, {1024, 1024, 1024}, {128, 784, 800}} {
		b.Run(fmt.Sprintf("product %dx%dx%d", s[0], s[1], s[2]), func(b *testing.B) { product(b, dev, s[0], s[1], s[2]) })
	}
	for _, rows := range []int{1, 128, 1024} {
		b.Run(fmt.Sprintf("forward %d", rows), func(b *testing.B) { forward(b, dev, rows) })
	}
	b.Run("training 128", func(b *testing.B) { training(b, dev, 128) })
}

// parameter has small random values from a fixed seed.
func parameter(rows, cols int) *program.Parameter {
	return program.NewParameter("", rows, cols, values(rows*cols))
}

func values(n int) []float32 {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	x := make([]float32, n)
	for i := range x {
		x[i] = 0.1 * (rng.Float32() - 0.5)
	}
	return x
}

// product is a[m][k]·b[k][n] of matrices that stay on the device; its time holds the read
// of a single value, which waits for it.
func product(b *testing.B, dev program.Device, m, k, n int) {
	p := program.New()
	p.Product(program.Plain(p.Variable(parameter(m, k))), program.Plain(p.Variable(parameter(k, n))))
	end := p.Sum(program.AlongColumns, p.Input(1, 1))
	replay(b, dev, p, 2*float64(m)*float64(n)*float64(k), program.Out(end, make([]float32, 1)))
}

// network records the forward pass.
func network(p *program.Program, x *program.Tensor) (y *program.Tensor, w []*program.Tensor) {
	w = []*program.Tensor{
		p.Variable(parameter(in, hidden)), p.Variable(parameter(1, hidden)),
		p.Variable(parameter(hidden, out)), p.Variable(parameter(1, out)),
	}
	h := p.Layer(x, w[0], w[1], expr.Tanh)
	return p.Softmax(p.Layer(h, w[2], w[3], expr.Identity)), w
}

func flops(rows int) float64 { return 2 * float64(rows) * (in*hidden + hidden*out) }

// forward uploads images and reads probabilities back.
func forward(b *testing.B, dev program.Device, rows int) {
	p := program.New()
	x := p.Input(rows, in)
	y, _ := network(p, x)
	replay(b, dev, p, flops(rows), program.In(x, values(rows*in)), program.Out(y, make([]float32, rows*out)))
}

// training is a step with momentum: images and targets go up, the losses come back.
func training(b *testing.B, dev program.Device, rows int) {
	p, loss, bindings := step(rows)
	work := 2*flops(rows) + 2*float64(rows)*hidden*out
	replay(b, dev, p, work, append(bindings, program.Out(loss, make([]float32, rows)))...)
}

// step records a training step of the network with momentum, and the losses.
func step(rows int) (p *program.Program, loss *program.Tensor, inputs []program.Binding) {
	p = program.New()
	x, target, settings := p.Input(rows, in), p.Input(rows, out), p.Input(1, 3)
	y, w := network(p, x)
	loss = p.CrossEntropy(y, target)
	for i, g := range program.Must(p.Gradients(loss, 1/float32(rows), w...)) {
		p.SGD(w[i], p.Variable(parameter(g.Rows, g.Cols)), g, nil, settings)
	}
	return p, loss, []program.Binding{
		program.In(x, values(rows*in)), program.In(target, values(rows*out)), program.In(settings, []float32{0.01, 0.9, 0}),
	}
}

func replay(b *testing.B, dev program.Device, p *program.Program, work float64, bindings ...program.Binding) {
	run, err := dev.Compile(p)
	if err != nil {
		b.Fatal(err)
	}
	defer run.Close()
	// The driver finishes compiling at the first replay.
	if err := run.Do(bindings...); err != nil {
		b.Fatal(err)
	}
	var times []time.Duration
	var used time.Duration // of the processor, the least
	for b.Loop() {
		start, before := clock.Now(), cpuTime()
		if err := run.Do(bindings...); err != nil {
			b.Fatal(err)
		}
		if t := cpuTime() - before; used == 0 || t < used {
			used = t
		}
		times = append(times, clock.Since(start))
	}
	slices.Sort(times)
	median := times[len(times)/2]
	b.ReportMetric(median.Seconds()*1e3, "ms-median")
	b.ReportMetric(times[0].Seconds()*1e3, "ms-best")
	b.ReportMetric(used.Seconds()*1e3, "ms-processor")
	b.ReportMetric(work/median.Seconds()/1e9, "GFLOP/s")
	report(b, run, bindings)
}

// measured is the number of replays of which report takes the shortest times.
const measured = 9

// report prints where the time of a replay goes, with -v: the shortest time of each of its
// parts over several replays.
func report(b *testing.B, run program.Run, bindings []program.Binding) {
	var best program.Timing
	for n := range measured {
		t, err := run.Measure(bindings...)
		if err != nil {
			b.Fatal(err)
		}
		if n == 0 {
			best = t
			continue
		}
		best.Upload, best.Compute, best.Readback = min(best.Upload, t.Upload), min(best.Compute, t.Compute), min(best.Readback, t.Readback)
		for i, pass := range t.Passes {
			best.Passes[i].Time = min(best.Passes[i].Time, pass.Time)
		}
	}
	line := fmt.Sprintf("upload %v, compute %v, readback %v:", best.Upload, best.Compute, best.Readback)
	for _, pass := range best.Passes {
		line += fmt.Sprintf(" %s %v", pass.Name, pass.Time)
	}
	b.Log(line)
}
