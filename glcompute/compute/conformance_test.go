package compute_test

import (
	"testing"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/compute"
	"inkshade/glcompute/internal/optest"
)

// least are the limits that OpenGL 4.3 promises.
var least = map[uint32]int32{gl.MAX_TEXTURE_SIZE: 16384, gl.MAX_TEXTURE_BUFFER_SIZE: 65536, gl.MAX_SHADER_STORAGE_BLOCK_SIZE: 1 << 24}

// Both ways of reading tensors must pass, on a driver that can do no more than it must, dispatches cut into pieces; a missing
// OpenGL 4.3 is a failure. TestWorkbenchCompute has the variants of products.
func TestConformance(t *testing.T) {
	for name, o := range map[string]compute.Options{
		"texture": {Fetch: compute.FetchTexture, Common: compute.Common{Limits: least}},
		"buffer":  {Fetch: compute.FetchBuffer, Common: compute.Common{PieceWork: 1 << 16, Limits: least}},
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
