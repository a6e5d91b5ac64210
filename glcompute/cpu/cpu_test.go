package cpu

import (
	"testing"

	"inkshade/glcompute/optest"
	"inkshade/glcompute/program"
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
