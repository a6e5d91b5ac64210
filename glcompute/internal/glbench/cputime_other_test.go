//go:build !unix

package glbench

import "time"

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }
