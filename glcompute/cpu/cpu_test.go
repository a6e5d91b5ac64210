package cpu

import (
	"runtime"
	"testing"

	"inkshade/glcompute/internal/optest"
	"inkshade/glcompute/internal/program"
)

func open(t testing.TB) program.Device {
	dev, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return dev
}

func TestConformance(t *testing.T) {
	everyWidth(t, func(t *testing.T) {
		optest.Run(t, open(t))
	})
}

// The processor packs the filters once for each of the two products, sums the gradient of filters up in parts,
// and each thread makes tiles of the image matrix that stay in its cache.
func TestConvolutionMemory(t *testing.T) {
	const filters, step = 25 * 32 * 64, 512 * 64
	beside := 2*filters + filterParts*filters + runtime.GOMAXPROCS(0)*(3*tileValues+step)
	optest.ConvolutionMemory(t, open(t), beside)
}
