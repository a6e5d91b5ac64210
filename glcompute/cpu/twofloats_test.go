package cpu_test

import (
	"testing"

	"inkshade/glcompute/cpu"
	"inkshade/glcompute/internal/optest"
)

func TestTinyUpdatesArriveInTwoFloats(t *testing.T) {
	dev, err := cpu.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	optest.TinyUpdates(t, dev)
}
