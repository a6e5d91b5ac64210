package fragment_test

import (
	"testing"

	"inkshade/glcompute/fragment"
	"inkshade/glcompute/internal/glbench"
)

func Benchmark(b *testing.B) {
	dev, err := fragment.Open()
	if err != nil {
		b.Fatal(err)
	}
	glbench.Run(b, dev)
}

// BenchmarkPacking compares four values in a texel with one, where products read from mirrors
// in buffer textures and where they read from the textures themselves.
func BenchmarkPacking(b *testing.B) {
	for _, operands := range []struct {
		name string
		from fragment.Operands
	}{{"from buffers", fragment.OperandsBuffer}, {"from textures", fragment.OperandsTexture}} {
		for _, unpacked := range []bool{false, true} {
			name := "packed "
			if unpacked {
				name = "unpacked "
			}
			b.Run(name+operands.name, func(b *testing.B) {
				dev, err := fragment.OpenWith(fragment.Options{Unpacked: unpacked, Operands: operands.from})
				if err != nil {
					b.Fatal(err)
				}
				glbench.Small(b, dev)
			})
		}
	}
}

func BenchmarkConvolutional(b *testing.B) {
	dev, err := fragment.Open()
	if err != nil {
		b.Fatal(err)
	}
	glbench.Convolutional(b, dev)
}
