package fragment_test

import (
	"testing"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/fragment"
	"inkshade/glcompute/internal/optest"
	"inkshade/glcompute/internal/program"
)

// least are the limits that OpenGL 3.3 promises.
var least = map[uint32]int32{gl.MAX_TEXTURE_SIZE: 1024, gl.MAX_ARRAY_TEXTURE_LAYERS: 256, gl.MAX_TEXTURE_BUFFER_SIZE: 65536}

// The suite must pass on a driver that can do no more than it must, and also when nearly every matrix is folded into several
// layers, and draws are cut into bands; a missing OpenGL 3.3 is a failure.
func TestConformance(t *testing.T) {
	for name, o := range map[string]fragment.Options{
		"textures": {Operands: fragment.OperandsTexture, Common: fragment.Common{Limits: least}},
		"folded":   {Operands: fragment.OperandsTexture, MaxTexture: 40, Common: fragment.Common{PieceWork: 1 << 16}},
		"unpacked": {Unpacked: true},
	} {
		t.Run(name, func(t *testing.T) {
			dev := open(t, o)
			optest.Run(t, dev)
		})
	}
}

// Only products read mirrors.
func TestMirrors(t *testing.T) {
	for name, o := range map[string]fragment.Options{
		"planes": {Operands: fragment.OperandsBuffer, Common: fragment.Common{Limits: least}},
		"folded": {Operands: fragment.OperandsBuffer, MaxTexture: 40},
	} {
		t.Run(name, func(t *testing.T) {
			dev := open(t, o)
			defer dev.Close()
			optest.Products(t, dev)
			optest.TrainingParity(t, dev)
		})
	}
}

// Mirrors, which only software renderers have, are copies of what products read.
func TestConvolutionMemory(t *testing.T) {
	optest.ConvolutionMemory(t, open(t, fragment.Options{Operands: fragment.OperandsTexture}), 0)
}

func open(t *testing.T, o fragment.Options) program.Device {
	t.Helper()
	dev, err := fragment.OpenWith(o)
	if err != nil {
		t.Fatal(err)
	}
	return dev
}
