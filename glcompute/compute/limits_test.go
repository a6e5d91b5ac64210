package compute

import (
	"strings"
	"testing"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/internal/program"
)

// A matrix larger than the largest storage buffer is an error with sizes in it, and
// leaves nothing behind.
func TestTooLarge(t *testing.T) {
	dev, err := OpenWith(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	side := 1
	for int64(side)*int64(side)*bytesPerValue <= dev.Info().MaxBuffer {
		side *= 2
	}
	p := program.New()
	p.Elementwise("copy", expr.Arg(0), p.Input(4, 4))
	p.Input(side, side)
	if _, err := dev.Compile(p); err == nil || !strings.Contains(err.Error(), "bytes") {
		t.Errorf("got %v", err)
	}
	if dev.Memory() != 0 {
		t.Errorf("%d bytes held", dev.Memory())
	}
}

// Blocks fit the result and leave threads enough.
func TestChooseBlock(t *testing.T) {
	e := &executor{minItems: 64, blocks: blocksInCache}
	for _, c := range []struct {
		m, quads int
		want     glops.Block
	}{
		{1, 200, glops.Block{Rows: 1, Quads: 1}},
		{1024, 256, glops.Block{Rows: 16, Quads: 4}},
		{128, 30, glops.Block{Rows: 16, Quads: 4}},
		{128, 20, glops.Block{Rows: 16, Quads: 2}},
		{800, 3, glops.Block{Rows: 16, Quads: 2}},
		{128, 3, glops.Block{Rows: 4, Quads: 1}},
		{5, 1, glops.Block{Rows: 1, Quads: 1}},
	} {
		if got := e.chooseBlock(c.m, c.quads); got != c.want {
			t.Errorf("%d rows of %d texels: %+v, want %+v", c.m, c.quads, got, c.want)
		}
	}
}
