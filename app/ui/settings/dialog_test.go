package settings

import (
	"errors"
	"strings"
	"testing"
	"time"

	"inkshade/app/state/device"
	"inkshade/app/ui/worker"
	"inkshade/recognizer"
)

// No time is told of a device that was not measured.
func TestWhatWasMeasured(t *testing.T) {
	took := func(d time.Duration) *worker.Times {
		return &worker.Times{Timing: recognizer.Timing{Compute: d}}
	}
	for want, by := range map[string][2]*worker.Times{
		"Draw something": {nil, nil},
		"2.00\u00a0ms on the CPU, 9.00\u00a0ms on the GPU": {took(2 * time.Millisecond), took(9 * time.Millisecond)},
		"read on the processor":                            {took(2 * time.Millisecond), {Err: device.ErrWords}},
		"":                                                 {took(2 * time.Millisecond), {Err: errors.New("lost")}},
	} {
		got := measuredWords(func(s device.Side) *worker.Times { return by[map[device.Side]int{device.CPU: 0, device.GPU: 1}[s]] })
		if !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("said %q, want %q", got, want)
		}
	}
}
