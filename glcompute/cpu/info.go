package cpu

import (
	"os"
	"regexp"
	"runtime"
	"strings"
)

// processorName is the processor's model as Linux gives it, elsewhere the architecture.
func processorName() string {
	text, _ := os.ReadFile("/proc/cpuinfo") // which other systems do not have
	if found := regexp.MustCompile(`(?m)^model name\s*:(.*)$`).FindSubmatch(text); found != nil {
		return strings.TrimSpace(string(found[1]))
	}
	return runtime.GOARCH + " processor"
}
