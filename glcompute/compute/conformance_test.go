package compute_test

import (
	"testing"

	"inkshade/glcompute/compute"
	"inkshade/glcompute/internal/optest"
)

// Both ways of reading tensors must pass, dispatches cut into pieces; a missing
// OpenGL 4.3 is a failure. TestWorkbenchCompute has the variants of products.
func TestConformance(t *testing.T) {
	for name, o := range map[string]compute.Options{
		"texture": {Fetch: compute.FetchTexture},
		"buffer":  {Fetch: compute.FetchBuffer, Common: compute.Common{PieceWork: 1 << 16}},
	} {
		t.Run(name, func(t *testing.T) {
			dev, err := compute.OpenWith(o)
			if err != nil {
				t.Fatal(err)
			}
			optest.Run(t, dev)
		})
	}
}

func TestConvolutionMemory(t *testing.T) {
	dev, err := compute.OpenWith(compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	optest.ConvolutionMemory(t, dev, 0)
}
