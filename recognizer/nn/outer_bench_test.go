package nn_test

import (
	"fmt"
	"testing"

	"inkshade/glcompute"
	"inkshade/glcompute/program"
)

// BenchmarkGradientOfOneSample compares the two ways to the gradient of 784 x 800 weights, of
// a drawing of which a fifth is ink.
func BenchmarkGradientOfOneSample(b *testing.B) {
	for _, kind := range glcompute.Kinds() {
		dev, err := glcompute.Open(kind)
		if err != nil {
			b.Fatal(err)
		}
		for _, outer := range []bool{true, false} {
			p := program.New()
			x, dz := p.Input(1, 784), p.Input(1, 800)
			var dw *program.Tensor
			if outer {
				dw = p.Outer(x, dz)
			} else {
				dw = p.MatMul(x, dz, true, false)
			}
			p.RowSums(dw) // reads what was written
			pixels, slope := make([]float32, x.Len()), make([]float32, dz.Len())
			for i := range pixels {
				pixels[i] = float32(i % 5 / 4)
			}
			for i := range slope {
				slope[i] = float32(i) / 800
			}
			run, err := dev.Compile(p)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s outer %t", kind, outer), func(b *testing.B) {
				var sum float64
				for b.Loop() {
					t, err := run.Measure(program.In(x, pixels), program.In(dz, slope))
					if err != nil {
						b.Fatal(err)
					}
					sum += t.Passes[0].Time.Seconds()
				}
				b.ReportMetric(sum/float64(b.N)*1e6, "µs/gradient")
			})
			run.Close()
		}
		dev.Close()
	}
}
