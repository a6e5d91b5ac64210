package check

import (
	"strings"
	"testing"
	"time"

	"inkshade/glcompute/internal/check/checktest"
	"inkshade/glcompute/internal/program"
)

func TestLog(t *testing.T) {
	p := program.New()
	x := p.Input(1, 3)
	bindings := []program.Binding{program.In(x, make([]float32, 3)), program.Out(p.Softmax(x), make([]float32, 3))}
	timing := program.Timing{
		Upload: time.Microsecond, Compute: 2 * time.Microsecond, Readback: 3 * time.Microsecond,
		Passes: []program.Pass{{Name: "softmax", Time: 2 * time.Microsecond}},
	}
	for level := range Operations + 1 {
		said := checktest.Said(t, func() {
			l := Log{program.Compute, level}
			l.Printf(Device, "a %s", "device")
			l.Times(timing, 36, bindings)
		})
		var want []string
		if level >= Device {
			want = append(want, "inkshade compute: a device\n")
		}
		if level >= Times {
			want = append(
				want, "inkshade compute: upload 1µs (12 bytes), compute 2µs, readback 3µs (12 bytes), 36 bytes held\n",
				"inkshade compute:   softmax              2µs\n",
			)
		}
		if said != strings.Join(want, "") {
			t.Errorf("level %d says %q, want %q", level, said, want)
		}
	}
}
