package fragment_test

import (
	"testing"

	"inkshade/glcompute/fragment"
	"inkshade/glcompute/optest"
)

func TestTables(t *testing.T) {
	dev, err := fragment.OpenWith(fragment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	optest.Groups(t, dev)
	optest.Moves(t, dev)
}
