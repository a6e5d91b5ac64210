package cpu

import (
	"fmt"
	"strings"
	"testing"

	"inkshade/glcompute/internal/check"
	"inkshade/glcompute/internal/check/checktest"
	"inkshade/glcompute/internal/program"
)

// debugged opens a device at a level and compiles softmax(x·w), x a single value and w the same
// one twice. It gives the run, with what binds x and the result, and what was said till then.
func debugged(t *testing.T, level int, value float32) (r *run, bindings []program.Binding, said string) {
	t.Helper()
	t.Setenv("INKSHADE_DEBUG", fmt.Sprint(level))
	p := program.New()
	x := p.Input(1, 1)
	y := p.Softmax(p.Product(program.Plain(x), program.Plain(p.Variable(program.NewParameter("w", 1, 2, []float32{value, value})))))
	said = checktest.Said(t, func() {
		compiled, err := open(t).Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		r = compiled.(*run)
	})
	return r, []program.Binding{program.In(x, []float32{value}), program.Out(y, make([]float32, 2))}, said
}

// replayed gives what a replay says, by Do and by Measure, which say the same but for times.
func replayed(t *testing.T, r *run, bindings []program.Binding) (said [2]string) {
	t.Helper()
	for i, replay := range []func() error{
		func() error { return r.Do(bindings...) },
		func() error {
			_, err := r.Measure(bindings...)
			return err
		},
	} {
		said[i] = checktest.Said(t, func() {
			if err := replay(); err != nil {
				t.Fatal(err)
			}
		})
	}
	return said
}

// TestDebugLadder: what the levels say of the device and of a replay in which all is well.
func TestDebugLadder(t *testing.T) {
	for level := range check.Operations + 1 {
		r, bindings, opened := debugged(t, level, 1)
		info := r.dev.Info()
		if line := fmt.Sprintf("inkshade cpu: %s, %s\n", info.Name, info.Version); strings.HasPrefix(opened, line) != (level >= check.Device) {
			t.Errorf("level %d says %q on opening", level, opened)
		}
		if strings.Contains(opened, "inkshade cpu: compiled 2 operations in ") != (level >= check.Times) {
			t.Errorf("level %d says %q on compiling", level, opened)
		}
		for _, said := range replayed(t, r, bindings) {
			if level < check.Times {
				if said != "" {
					t.Errorf("level %d says %q", level, said)
				}
				continue
			}
			lines := strings.Split(strings.TrimSpace(said), "\n")
			parts := []string{"(4 bytes), compute", "inkshade cpu:   product ", "inkshade cpu:   softmax "}
			if len(lines) != len(parts) {
				t.Errorf("level %d says %q", level, said)
				continue
			}
			for i, part := range parts {
				if !strings.Contains(lines[i], part) {
					t.Errorf("level %d says %q where %q should be", level, lines[i], part)
				}
			}
			if held := fmt.Sprintf("(8 bytes), %d bytes held", r.dev.Memory()); !strings.Contains(lines[0], held) {
				t.Errorf("level %d says %q, want %q in it", level, lines[0], held)
			}
		}
	}
}

// TestDebugLadderFindsInfinity: the operation that overflows is named, and not the one that
// then gives no numbers.
func TestDebugLadderFindsInfinity(t *testing.T) {
	for _, level := range []int{check.Source, check.Broken} {
		r, bindings, _ := debugged(t, level, 1e30)
		for _, said := range replayed(t, r, bindings) {
			const want = "inkshade cpu: product wrote an infinity to t2[1][2] at row 0, column 0\n"
			if strings.Contains(said, want) != (level >= check.Broken) || strings.Contains(said, "softmax wrote") {
				t.Errorf("level %d says %q", level, said)
			}
		}
	}
}

// TestDebugLadderFindsFirstWrongOperation, of two that are wrong, in every replay anew.
func TestDebugLadderFindsFirstWrongOperation(t *testing.T) {
	for _, level := range []int{check.Broken, check.Operations} {
		r, bindings, _ := debugged(t, level, 1)
		for i, op := range r.program.Ops() {
			right, out := r.steps[i].do, r.values[op.Writes()[0].ID]
			r.steps[i].do = func() {
				right()
				out[1] *= 2
			}
		}
		for _, said := range replayed(t, r, bindings) {
			const wrong = "inkshade cpu: product disagrees with its reference in t2[1][2] (row 0, column 1)"
			if strings.Contains(said, wrong) != (level >= check.Operations) || strings.Contains(said, "softmax disagrees") {
				t.Errorf("level %d says %q", level, said)
			}
		}
	}
}
