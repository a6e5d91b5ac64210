package glbench

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/internal/program"
)

// timed is work of an operation that the workbench times.
type workload struct {
	name   string
	record func(p *program.Program)
	rate   float64 // of the work, in billions of a unit
	unit   string
}

var benches = map[string][]workload{
	glops.ProductName: { // one drawing, a mini-batch forward, its two gradients and the step, a large product; convolutions
		productOf(false, false, 1, 800, 784, nil), productOf(false, false, 128, 800, 784, tanh), productOf(true, false, 784, 800, 128, nil),
		productOf(true, false, 784, 800, 128, descent), productOf(false, true, 128, 800, 10, nil), productOf(false, false, 512, 512, 512, nil),
		convolutionOf(program.Forward, 1, 144, 64, 32, 64), convolutionOf(program.Forward, 64, 784, 576, 1, 32),
		convolutionOf(program.Forward, 64, 144, 64, 32, 64), convolutionOf(program.InputGradient, 64, 64, 144, 64, 32),
		convolutionOf(program.FilterGradient, 64, 784, 576, 1, 32), convolutionOf(program.FilterGradient, 64, 144, 64, 32, 64),
	},
	glops.SoftmaxName: { // digits, letters and digits, Chinese characters
		softmaxOf(128, 10), softmaxOf(1, 62), softmaxOf(128, 62), softmaxOf(1024, 62), softmaxOf(32, 3755),
	},
	glops.NearestName: { // of Chinese characters, one and eight prototypes each
		nearestOf(1, 1, 3755), nearestOf(1, 64, 3755), nearestOf(1, 1024, 3755), nearestOf(8, 64, 8*3755),
	},
}

// productOf is a product with what follows it.
func productOf(transA, transB bool, m, n, inner int, then func(p *program.Program, sum *program.Tensor)) workload {
	name, mark := "", map[bool]string{true: "'"}
	if name = fmt.Sprintf("%dx%d%s · %dx%d%s", m, inner, mark[transA], inner, n, mark[transB]); then != nil {
		name += ", and more"
	}
	return workload{name, func(p *program.Program) {
		view := func(rows, cols int, transposed bool) program.View {
			if transposed {
				rows, cols = cols, rows
			}
			return program.View{Tensor: p.Input(rows, cols), Trans: transposed}
		}
		if sum := p.Product(view(m, inner, transA), view(inner, n, transB)); then != nil {
			then(p, sum)
		}
	}, 2e-9 * float64(m) * float64(n) * float64(inner), "GFLOP/s"}
}

func tanh(p *program.Program, sum *program.Tensor) { p.AfterSum(sum, p.Input(1, sum.Cols), expr.Tanh) }

func descent(p *program.Program, sum *program.Tensor) {
	variable := func() *program.Tensor { return p.Constant("", sum.Rows, sum.Cols, nil) }
	p.SGD(variable(), variable(), sum, nil, p.Input(1, 3))
}

// convolutionOf is of 5x5 filters, of rows of one image to those of another.
func convolutionOf(form program.Form, images, from, to, in, out int) workload {
	const taps = 25
	values := make([]int32, to*taps)
	for i := range values {
		values[i] = int32((i/taps*from/to + i%taps) % from)
	}
	if form == program.InputGradient { // whose pixels at the edge are seen by fewer positions
		values[0] = -1
	}
	table := program.NewTable(to, taps, values)
	name := [...]string{program.Forward: "forward", program.InputGradient: "gradient of images", program.FilterGradient: "gradient of filters"}[form]
	return workload{fmt.Sprintf("convolution, %s: %dx%dx%d to %dx%d", name, images, from, in, to, out), func(p *program.Program) {
		view := program.View{Tensor: p.Input(images*from, in), Table: table, Groups: 1}
		switch form {
		case program.Forward:
			p.Gathered(view, program.Plain(p.Input(taps*in, out)), images*to, out)
		case program.InputGradient:
			p.Gathered(view, program.Transposed(p.Input(taps*out, in)), images*to, out)
		case program.FilterGradient:
			view.Trans = true
			p.Gathered(view, program.Plain(p.Input(images*to, out)), taps*in, out)
		}
	}, 2e-9 * taps * float64(images*to*in*out), "GFLOP/s"}
}

func softmaxOf(rows, cols int) workload {
	return workload{fmt.Sprintf("%dx%d", rows, cols), func(p *program.Program) { p.Softmax(p.Input(rows, cols)) }, 4e-9 * float64(rows*cols), "GB/s"}
}

func nearestOf(perClass, rows, cols int) workload {
	return workload{fmt.Sprintf("%dx%d, %d of a class", rows, cols, perClass), func(p *program.Program) {
		p.Nearest(p.Input(rows, cols), p.Input(rows, 1), perClass)
	}, 4e-9 * float64(rows*cols), "GB/s"}
}

// timeVariants times the numbered variants of every operation that has some, each on a device of its own that always takes it.
func timeVariants(b *testing.B, operations []gldevice.Tunable, open opener) {
	for _, o := range operations {
		b.Run(o.Name, func(b *testing.B) {
			var devices []program.Device
			for i := range o.Variants {
				dev, err := open(nil, 0, map[string]int{o.Name: i + 1})
				if err != nil {
					b.Fatal(err)
				}
				defer dev.Close()
				devices = append(devices, dev)
			}
			b.Log("\n" + table(b, o, devices))
		})
	}
}

// table times the variants of an operation, each on its device.
func table(b *testing.B, o gldevice.Tunable, devices []program.Device) string {
	var text strings.Builder
	for _, w := range benches[o.Name] {
		for i, d := range inTurns(b, w, devices) {
			fmt.Fprintf(&text, "%3d  %-36s %-18s %9.3f ms %8.2f %s\n", i+1, o.Variants[i], w.name, d.Seconds()*1e3, w.rate/d.Seconds(), w.unit)
		}
	}
	return text.String()
}

// trials is the number of workload replays of a variant, of which the shortest counts; one that
// takes longer than longTrial is not workload again.
const (
	trials    = 9
	longTrial = 300 * time.Millisecond
)

// inTurns gives the shortest time of the operation's passes on each device, on its own clock.
// The devices take turns, so that what else the machine does meets them alike.
func inTurns(b *testing.B, w workload, devices []program.Device) []time.Duration {
	b.Helper()
	p := program.New()
	w.record(p)
	var bindings []program.Binding
	for _, x := range p.Tensors() {
		if x.Kind == program.Input {
			bindings = append(bindings, program.In(x, values(x.Len())))
		}
	}
	runs, best := make([]program.Run, len(devices)), make([]time.Duration, len(devices))
	for i, dev := range devices {
		var err error
		if runs[i], err = dev.Compile(p); err != nil {
			b.Fatal(err)
		}
		defer runs[i].Close()
	}
	for n := range trials + 1 {
		for i, run := range runs {
			if best[i] > longTrial {
				continue
			}
			timing, err := run.Measure(bindings...)
			if err != nil {
				b.Fatal(err)
			}
			// The driver compiles in the first replay.
			var d time.Duration
			for _, p := range timing.Passes {
				d += p.Time
			}
			if n > 0 && (best[i] == 0 || d < best[i]) {
				best[i] = d
			}
		}
	}
	return best
}
