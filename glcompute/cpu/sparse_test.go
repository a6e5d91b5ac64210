package cpu

import (
	"fmt"
	"testing"

	"inkshade/glcompute/internal/program"
)

// BenchmarkSparse is the first layer of a mini-batch of 128 drawings, 784x800, forward and its
// gradient, dense and sparse over the share of values that are not zero.
func BenchmarkSparse(b *testing.B) {
	const batch, in, out = 128, 784, 800
	for _, percent := range []int{0, 2, 5, 10, 20, 30, 50} {
		dense := make([]float32, batch*in)
		for i := range dense {
			if i*7919%100 < percent {
				dense[i] = 0.5
			}
		}
		p := program.New()
		w, dy := p.Variable(program.NewParameter("w", in, out, nil)), p.Input(batch, out)
		var bindings []program.Binding
		if percent == 0 {
			x := p.Input(batch, in)
			p.Product(program.Plain(x), program.Plain(w))
			p.Product(program.Transposed(x), program.Plain(dy))
			bindings = []program.Binding{program.In(x, dense)}
		} else {
			s := p.SparseInput(batch, in, batch*in)
			p.SparseProduct(s, w)
			p.SparseGradient(s, dy)
			var err error
			if bindings, err = program.NewEncoder(s).Encode(dense); err != nil {
				b.Fatal(err)
			}
		}
		dev, err := Open()
		if err != nil {
			b.Fatal(err)
		}
		run, err := dev.Compile(p)
		if err != nil {
			b.Fatal(err)
		}
		if err := run.Do(bindings...); err != nil {
			b.Fatal(err)
		}
		name := "dense"
		if percent > 0 {
			name = fmt.Sprintf("%d%%", percent)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := run.Do(); err != nil {
					b.Fatal(err)
				}
			}
		})
		_ = dev.Close()
	}
}
