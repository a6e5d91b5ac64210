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

// BenchmarkPacking compares four values a texel with one.
func BenchmarkPacking(b *testing.B) {
	for name, o := range map[string]fragment.Options{"packed": {}, "unpacked": {Unpacked: true}} {
		b.Run(name, func(b *testing.B) {
			dev, err := fragment.OpenWith(o)
			if err != nil {
				b.Fatal(err)
			}
			glbench.Small(b, dev)
		})
	}
}
