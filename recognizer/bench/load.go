package bench

import (
	"fmt"
	"os"
)

// systemLoad is the load average of the last minute as Linux gives it, elsewhere 0.
func systemLoad() float64 {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	var load float64
	if _, err := fmt.Sscan(string(data), &load); err != nil {
		return 0
	}
	return load
}
