package compute_test

import (
	"testing"

	"inkshade/glcompute/compute"
	"inkshade/glcompute/internal/glbench"
)

func Benchmark(b *testing.B) {
	dev, err := compute.Open()
	if err != nil {
		b.Fatal(err)
	}
	glbench.Run(b, dev)
}

func BenchmarkConvolutional(b *testing.B) {
	dev, err := compute.Open()
	if err != nil {
		b.Fatal(err)
	}
	glbench.Convolutional(b, dev)
}
