package cpu

import (
	"testing"

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
