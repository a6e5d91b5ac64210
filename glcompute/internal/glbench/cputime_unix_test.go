//go:build unix

package glbench

import (
	"syscall"
	"time"
)

// cpuTime is what all threads of the process have used: on a software renderer the
// figure that does not suffer when other programs are running.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
