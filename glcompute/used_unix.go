//go:build unix

package glcompute

import (
	"syscall"
	"time"
)

// used is the processor time of this process.
func used() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // fails for a wrong place or question alone
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
