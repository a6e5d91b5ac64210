package bench

import (
	"fmt"
	"os"
)

// systemLoad is the load average of the last minute as Linux gives it, elsewhere 0.
func systemLoad() float64 {
	data, _ := os.ReadFile("/proc/loadavg")
	load := 0.0
	_, _ = fmt.Sscan(string(data), &load)
	return load
}
