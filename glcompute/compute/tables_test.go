package compute_test

import (
	"testing"

	"inkshade/glcompute/compute"
	"inkshade/glcompute/optest"
)

func TestTables(t *testing.T) {
	dev, err := compute.OpenWith(compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	optest.Groups(t, dev)
	optest.Moves(t, dev)
}
