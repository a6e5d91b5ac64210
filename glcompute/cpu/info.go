package cpu

import (
	"bufio"
	"os"
	"runtime"
	"strings"
)

// processorName is the processor's model as Linux gives it, elsewhere the architecture.
func processorName() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH + " processor"
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH + " processor"
}
