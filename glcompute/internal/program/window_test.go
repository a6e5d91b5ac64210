package program

import (
	"math/rand/v2"
	"testing"

	"inkshade/glcompute/compare"
)

// TestConvolutionByNestedLoops compares convolutions through their tables with seven loops over
// images, positions, filters, taps and channels that know nothing of tables.
func TestConvolutionByNestedLoops(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		w := Window{
			Height: 1 + rng.IntN(8), Width: 1 + rng.IntN(8), KernelHeight: 1 + rng.IntN(4), KernelWidth: 1 + rng.IntN(4),
			StrideY: rng.IntN(4), StrideX: rng.IntN(4), Top: rng.IntN(3), Left: rng.IntN(3), Bottom: rng.IntN(3), Right: rng.IntN(3),
			DilationY: rng.IntN(3), DilationX: rng.IntN(3),
		}
		if w.Check() != nil {
			continue
		}
		images, groups := 1+rng.IntN(3), 1+rng.IntN(3)
		in, out := 1+rng.IntN(4), 1+rng.IntN(4)
		p := New()
		x, f := p.Input(images*w.Height*w.Width, groups*in), p.Input(w.KernelHeight*w.KernelWidth*in, groups*out)
		y := p.Convolution(x, f, w, groups)
		v := Values{}
		for _, t := range []*Tensor{x, f} {
			for i := range v.Of(t) {
				v.Of(t)[i] = rng.NormFloat64()
			}
		}
		p.RunReference(v)
		if _, err := compare.Slices(v[y], plainConvolution(v[x], v[f], w, images, groups, in, out), compare.Limit{Abs: 1e-12}); err != nil {
			t.Errorf("%+v, %d images, %d groups of %d to %d: %v", w, images, groups, in, out, err)
		}
	}
}

func plainConvolution(x, f []float64, w Window, images, groups, in, out int) []float64 {
	w = w.defaulted()
	height, width := w.Output()
	y := make([]float64, images*height*width*groups*out)
	for n := range images {
		for oy := range height {
			for ox := range width {
				for j := range groups * out {
					sum := 0.0
					for ky := range w.KernelHeight {
						for kx := range w.KernelWidth {
							iy, ix := oy*w.StrideY-w.Top+ky*w.DilationY, ox*w.StrideX-w.Left+kx*w.DilationX
							if iy < 0 || ix < 0 || iy >= w.Height || ix >= w.Width {
								continue
							}
							for c := range in {
								a := x[((n*w.Height+iy)*w.Width+ix)*groups*in+j/out*in+c]
								sum += a * f[((ky*w.KernelWidth+kx)*in+c)*groups*out+j]
							}
						}
					}
					y[((n*height+oy)*width+ox)*groups*out+j] = sum
				}
			}
		}
	}
	return y
}

func TestTables(t *testing.T) {
	a, b := NewTable(2, 2, []int32{0, 1, 2, -1}), NewTable(2, 2, []int32{0, 1, 2, -1})
	if a.Key() != b.Key() || a.Key() == NewTable(1, 4, []int32{0, 1, 2, -1}).Key() {
		t.Error("the key of a table does not stand for its content")
	}
	inverse := a.Inverse(3)
	if want := NewTable(3, 2, []int32{0, -1, -1, 0, 1, -1}); inverse.Key() != want.Key() {
		t.Errorf("inverse %v", inverse.Values())
	}
	if err := (Window{Height: 2, Width: 2, KernelHeight: 4, KernelWidth: 1, Top: 1}).Check(); err == nil {
		t.Error("a window larger than the padded image is accepted")
	}
}
