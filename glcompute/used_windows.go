package glcompute

import (
	"syscall"
	"time"
)

// used is the processor time of this process.
func used() (sum time.Duration) {
	var begun, ended, kernel, user syscall.Filetime
	self, _ := syscall.GetCurrentProcess()
	_ = syscall.GetProcessTimes(self, &begun, &ended, &kernel, &user) // of oneself it may be asked
	for _, t := range []syscall.Filetime{kernel, user} {
		sum += time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100 // ns
	}
	return sum
}
