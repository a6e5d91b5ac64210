package glbench

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/internal/program"
)

// bench is how the workbench treats an operation.
type bench struct {
	timed []gldevice.Class
	// rate gives the work of a class, in billions, and its unit.
	rate func(gldevice.Class) (work float64, unit string)
}

var benches = map[string]bench{
	glops.ProductName: {
		timed: []gldevice.Class{ // one drawing, a mini-batch forward, its two gradients and the step, a large product; convolutions
			productClass(0, 0, 1, 800, 784, ""), productClass(0, 0, 128, 800, 784, thenTanh), productClass(1, 0, 784, 800, 128, ""),
			productClass(1, 0, 784, 800, 128, thenStep), productClass(0, 1, 128, 800, 10, ""), productClass(0, 0, 512, 512, 512, ""),
			convolutionClass(0, 0, 1, 144, 64, 32, 64), convolutionClass(0, 0, 64, 784, 576, 1, 32), convolutionClass(0, 0, 64, 144, 64, 32, 64),
			convolutionClass(0, 1, 64, 64, 144, 64, 32), convolutionClass(1, 0, 64, 784, 576, 1, 32), convolutionClass(1, 0, 64, 144, 64, 32, 64),
		},
		rate: products,
	},
	"softmax": {
		timed: []gldevice.Class{ // digits, letters and digits, Chinese characters
			matrixClass(128, 10), matrixClass(1, 62), matrixClass(128, 62), matrixClass(1024, 62), matrixClass(32, 3755),
		},
		rate: bytesRead,
	},
	glops.NearestName: {
		timed: []gldevice.Class{ // of Chinese characters, one and eight prototypes each
			nearestClass(1, 1, 3755), nearestClass(1, 64, 3755), nearestClass(1, 1024, 3755), nearestClass(8, 64, 8*3755),
		},
		rate: bytesRead,
	},
}

// What follows a product, as the file of choices has it.
const (
	thenTanh = `{"label":"tanh","sum":0,"operands":[0,1],"tensors":[0,1],"columns":[0,0],"formulas":["(tanh (+ a0 a1))"],"updates":null}`
	thenStep = `{"label":"sgd","sum":2,"operands":[0,0,0,3,3,3],"tensors":[0,1,2,3,3,3],"columns":[0,0,0,0,1,2],
		"formulas":["(+ (+ (* a4 a0) a2) (* a5 a1))","(- a1 (* a3 r0))"],"updates":[0,1]}`
)

func productClass(transA, transB, m, n, inner int, then string) gldevice.Class {
	return gldevice.Class{Op: glops.ProductName, Options: []int{transA, transB, 0}, Sizes: []int{m, n, inner}, Then: then}
}

// convolutionClass is of 5x5 filters.
func convolutionClass(transA, transB, images, pixels, positions, in, out int) gldevice.Class {
	return gldevice.Class{Op: glops.ProductName, Options: []int{transA, transB, 0, transB}, Sizes: []int{images, pixels, positions, 25, in, out}}
}

func products(c gldevice.Class) (float64, string) {
	work := 2e-9
	if len(c.Sizes) > 3 {
		work /= float64(c.Sizes[1]) // pixels without a share in the work
	}
	for _, n := range c.Sizes {
		work *= float64(n)
	}
	return work, "GFLOP/s"
}

func matrixClass(rows, cols int) gldevice.Class { return gldevice.Class{Sizes: []int{rows, cols}} }

func nearestClass(perClass, rows, cols int) gldevice.Class {
	return gldevice.Class{Options: []int{perClass}, Sizes: []int{rows, cols}}
}

func bytesRead(c gldevice.Class) (float64, string) {
	return 4e-9 * float64(c.Sizes[0]) * float64(c.Sizes[1]), "GB/s"
}

// timeVariants times the numbered variants of every operation that has some, each on a device of its own that always takes it.
func timeVariants(b *testing.B, operations []gldevice.Choosable, open opener) {
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
func table(b *testing.B, o gldevice.Choosable, devices []program.Device) string {
	var text strings.Builder
	for _, c := range benches[o.Name].timed {
		work, unit := benches[o.Name].rate(c)
		for i, d := range inTurns(b, o, c, devices) {
			fmt.Fprintf(&text, "%3d  %-36s %-18s %9.3f ms %8.2f %s\n", i+1, o.Variants[i], o.Describe(c), d.Seconds()*1e3, work/d.Seconds(), unit)
		}
	}
	return text.String()
}

// trials is the number of timed replays of a variant, of which the shortest counts; one that
// takes longer than longTrial is not timed again.
const (
	trials    = 9
	longTrial = 300 * time.Millisecond
)

// inTurns gives the shortest time of the operation's passes on each device, on its own clock.
// The devices take turns, so that what else the machine does meets them alike.
func inTurns(b *testing.B, o gldevice.Choosable, c gldevice.Class, devices []program.Device) []time.Duration {
	b.Helper()
	p := program.New()
	o.Record(p, c)
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
