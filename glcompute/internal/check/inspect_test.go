package check

import (
	"math"
	"slices"
	"strings"
	"testing"

	"inkshade/glcompute/internal/check/checktest"
	"inkshade/glcompute/internal/program"
)

// TestInspect looks at a product of which nothing, a NaN, an infinity or a wrong value is
// written, at each level.
func TestInspect(t *testing.T) {
	p := program.New()
	a, b := p.Input(1, 2), p.Input(2, 2)
	out := p.Product(program.Plain(a), program.Plain(b))
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	const disagrees = "product disagrees with its reference in t2[1][2]"
	for _, c := range []struct {
		name       string
		a, written []float32
		broken     string // from level 4 on; empty for nothing
		disagrees  bool   // from level 5 on
	}{
		{"right", []float32{1, 2}, []float32{3, 3}, "", false},
		{"wrong", []float32{1, 2}, []float32{3, 4}, "", true},
		{"NaN", []float32{1, 2}, []float32{3, nan}, "product wrote a NaN to t2[1][2] at row 0, column 1\n", true},
		{"infinity", []float32{1, 2}, []float32{-inf, nan}, "product wrote an infinity to t2[1][2] at row 0, column 0\n", true},
		{
			"passed on",
			[]float32{1, inf},
			[]float32{inf, inf},
			"product wrote an infinity to t2[1][2] at row 0, column 0, having read an infinity in t0[1][2] at row 0, column 1\n", false,
		},
		{"stopped", []float32{1, nan}, []float32{3, 3}, "", false},
	} {
		for level := range Operations + 1 {
			device := map[*program.Tensor][]float32{a: c.a, b: {1, 1, 1, 1}, out: {0, 0}}
			looked := false
			read := func(t *program.Tensor) []float32 {
				looked = true
				return device[t]
			}
			var found bool
			said := checktest.Said(t, func() {
				found = Log{program.CPU, level}.Inspect(p.Ops()[0], read, func() { device[out] = c.written })
			})
			if !slices.Equal(device[out][:1], c.written[:1]) {
				t.Errorf("%s, level %d: the step did not run", c.name, level)
			}
			if looked != (level >= Broken) {
				t.Errorf("%s, level %d: looked at values: %t", c.name, level, looked)
			}
			broken, wrong := level >= Broken && c.broken != "", level >= Operations && c.disagrees
			if found != (broken || wrong) || broken != strings.Contains(said, "inkshade cpu: product wrote ") ||
				broken && !strings.Contains(said, c.broken) || wrong != strings.Contains(said, disagrees) {
				t.Errorf("%s, level %d: found %t, says %q", c.name, level, found, said)
			}
		}
	}
}

// An update in place is not told to have read what it wrote itself.
func TestInspectInPlace(t *testing.T) {
	p := program.New()
	out := added(p, 1)
	values := []float32{1}
	read := func(*program.Tensor) []float32 { return values }
	said := checktest.Said(t, func() {
		Log{program.CPU, Broken}.Inspect(p.Ops()[0], func(x *program.Tensor) []float32 {
			if x == out {
				return []float32{float32(math.Inf(1))}
			}
			return read(x)
		}, func() {})
	})
	if strings.Contains(said, "having read") || !strings.Contains(said, "wrote an infinity to w[1][1]") {
		t.Errorf("says %q", said)
	}
}
