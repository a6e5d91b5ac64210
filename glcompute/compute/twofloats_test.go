package compute_test

import (
	"testing"

	"inkshade/glcompute/compute"
	"inkshade/glcompute/internal/optest"
)

func TestTinyUpdatesArriveInTwoFloats(t *testing.T) {
	dev, err := compute.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	optest.TinyUpdates(t, dev)
}
