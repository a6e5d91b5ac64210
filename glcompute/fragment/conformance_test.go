package fragment_test

import (
	"testing"

	"inkshade/glcompute/fragment"
	"inkshade/glcompute/internal/optest"
	"inkshade/glcompute/internal/program"
)

// The suite must also pass when nearly every matrix is folded into several layers, and
// draws are cut into bands; a missing OpenGL 3.3 is a failure.
func TestConformance(t *testing.T) {
	for name, o := range map[string]fragment.Options{
		"textures": {Operands: fragment.OperandsTexture},
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
		"planes": {Operands: fragment.OperandsBuffer},
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
