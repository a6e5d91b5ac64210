package cpu

import (
	"slices"
	"testing"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// A mini-batch that is made slice by slice must have the bits of one that is not, with new parameters too; and whatever a
// program has besides rows of each sample, and results between operations, is made of the whole.
func TestSlicesGiveTheSameBits(t *testing.T) {
	const samples, side = 60, 20
	everyWidth(t, func(t *testing.T) {
		dev := open(t)
		filters, dense, shift := weights(9, 48), weights(9*9*48, 10), weights(1, 48)
		record := func(batch bool) (p *program.Program, x, summed, logits, probs *program.Tensor) {
			p = program.New()
			x = p.Input(samples*side*side, 1)
			if batch {
				p.Batch(samples, x)
			}
			summed = p.Convolution(x, p.Variable(filters), program.Window{Height: side, Width: side, KernelHeight: 3, KernelWidth: 3}, 1)
			y := p.Elementwise("bias, relu", expr.Max(expr.Add(expr.Arg(0), expr.Arg(1)), expr.Const(0)), summed, p.Variable(shift))
			y = p.Pool(program.ReduceMax, y, program.Window{Height: side - 2, Width: side - 2, KernelHeight: 2, KernelWidth: 2, StrideX: 2, StrideY: 2})
			y = p.Reshape(y, samples, 9*9*48)
			logits = p.Product(program.Plain(y), program.Plain(p.Variable(dense)))
			return p, x, summed, logits, p.Softmax(logits)
		}
		given := drawings(samples)[:samples*side*side]
		var kept [][]float32
		for _, batch := range []bool{false, true} {
			p, x, summed, logits, probs := record(batch)
			r, err := dev.Compile(p)
			if err != nil {
				t.Fatal(err)
			}
			if (r.(*run).sliced != nil) != batch {
				t.Fatalf("declared as a batch: %t, but slices: %v", batch, r.(*run).sliced)
			}
			replay := func(asked ...*program.Tensor) {
				bindings := []program.Binding{program.In(x, given)}
				for _, a := range asked {
					y := make([]float32, a.Len())
					bindings = append(bindings, program.Out(a, y))
					kept = append(kept, y)
				}
				if err := r.Do(bindings...); err != nil {
					t.Fatal(err)
				}
			}
			replay(logits, probs)
			first := shift.Data[3]
			shift.Data[3]++
			if err := dev.Upload(shift); err != nil {
				t.Fatal(err)
			}
			replay(probs)
			replay(summed, probs)
			shift.Data[3] = first
			if err := dev.Upload(shift); err != nil {
				t.Fatal(err)
			}
			r.Close()
		}
		for i, whole := range kept[:len(kept)/2] {
			if !slices.Equal(whole, kept[len(kept)/2+i]) {
				t.Errorf("result %d of slices differs", i)
			}
		}
		if slices.Equal(kept[1], kept[2]) {
			t.Error("new parameters change nothing")
		}
	})
}
