package fragment

import (
	"fmt"
	"strings"
	"testing"
)

// Every texel has a place of its own inside the texture, and what is uploaded row by row
// lands where shaders look for it.
func TestLayoutPlaces(t *testing.T) {
	for _, c := range []struct {
		rows, cols, side, values int
		folded                   bool
		layers                   int
	}{
		{1, 1, 64, 4, true, 1},
		{3, 30, 64, 4, true, 1},
		{4, 30, 64, 4, false, 8},
		{8, 30, 64, 4, false, 8},
		{64, 256, 64, 4, false, 8},
		{64, 257, 64, 4, true, 2},
		{513, 4, 64, 4, false, 8},
		{5000, 20, 64, 4, false, 8},
		{5000, 30, 64, 4, true, 10},
		{700, 3, 40, 1, false, 8},
		{1, 5000, 16, 4, true, 20},
		{300, 1, 16, 4, false, 8},
		{300, 30, 16, 4, true, 10},
		{100, 100, 40, 4, false, 8},
		{100, 200, 40, 4, true, 5},
		{100, 39, 40, 1, false, 8},
		{100, 65, 64, 1, true, 2},
		{3, 5, 40, 1, true, 1},
	} {
		t.Run(fmt.Sprintf("%dx%d in %d", c.rows, c.cols, c.side), func(t *testing.T) {
			l, err := newLayout(c.rows, c.cols, c.values, c.side, 256, true)
			if err != nil {
				t.Fatal(err)
			}
			if l.folded != c.folded || l.layers != c.layers {
				t.Errorf("folded %t in %d layers, want %t in %d", l.folded, l.layers, c.folded, c.layers)
			}
			if l.width > c.side || l.height > c.side {
				t.Errorf("%d x %d texels exceed a side of %d", l.width, l.height, c.side)
			}
			seen := map[int]bool{}
			for r := range l.paddedRows() {
				for q := range l.stride {
					at := shaderPlace(l, r, q)
					if seen[at] || at < 0 || at >= l.texels() {
						t.Fatalf("row %d texel %d lies at %d of %d, taken %t", r, q, at, l.texels(), seen[at])
					}
					seen[at] = true
					if at != l.offset(r)+q {
						t.Fatalf("row %d texel %d is uploaded to %d and read from %d", r, q, l.offset(r)+q, at)
					}
				}
			}
		})
	}
}

// shaderPlace is the texel that NAME_at reads, counted through the layers.
func shaderPlace(l layout, row, quad int) int {
	x, y, layer := quad, row>>3, row&7
	if l.strips > 1 {
		x, y = y>>l.shiftY*l.stride+x, y&(1<<l.shiftY-1)
	}
	if l.folded {
		i := row*l.stride + quad
		line := i >> l.shiftX
		x, y, layer = i&(1<<l.shiftX-1), line&(1<<l.shiftY-1), line>>l.shiftY
	}
	return (layer*l.height+y)*l.width + x
}

// A matrix of less than two tiles lies so that a border of tiles divides its lines, four at a time, into halves.
func TestLayoutIsCut(t *testing.T) {
	for _, c := range []struct{ rows, cols, side, above, below int }{
		{1, 800, 2048, 28, 22},
		{64, 64, 2048, 4, 4},
		{784, 32, 2048, 52, 46},
		{1, 10, 2048, 0, 1},
		{48, 64, 2048, 0, 6},
		{2000, 32, 2048, 0, 250},
		{784, 32, 100, 0, 98},
	} {
		l, err := newLayout(c.rows, c.cols, 4, c.side, 256, true)
		if err != nil {
			t.Fatal(err)
		}
		l.cut(c.side)
		above := 0
		if l.top > 0 {
			above = tile - l.top
		}
		if below := l.lines() - above; above != c.above || below != c.below {
			t.Errorf("%d x %d: %d lines above the border and %d below it, want %d and %d", c.rows, c.cols, above, below, c.above, c.below)
		}
	}
}

func TestLayoutTooLarge(t *testing.T) {
	_, err := newLayout(10, 10000, 4, 16, 8, true)
	if err == nil {
		t.Fatal("a matrix larger than the largest texture was taken")
	}
	for _, part := range []string{"10 x 10000", "8 layers of 16 x 16"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is missing in: %v", part, err)
		}
	}
}
