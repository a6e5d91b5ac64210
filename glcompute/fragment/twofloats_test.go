package fragment_test

import (
	"testing"

	"inkshade/glcompute/fragment"
	"inkshade/glcompute/internal/optest"
)

func TestTinyUpdatesArriveInTwoFloats(t *testing.T) {
	dev, err := fragment.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	optest.TinyUpdates(t, dev)
}
