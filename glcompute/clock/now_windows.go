package clock

import (
	"math/bits"
	"syscall"
	"time"
	"unsafe"
)

var (
	kernel32  = syscall.NewLazyDLL("kernel32.dll")
	counter   = kernel32.NewProc("QueryPerformanceCounter")
	frequency = value(kernel32.NewProc("QueryPerformanceFrequency")) // of the counter, in Hz

	started      = time.Now()
	startedCount = value(counter)
)

// Now is the time, in steps of less than a microsecond: the start of the program and what the
// system's counter has counted since.
func Now() time.Time {
	high, low := bits.Mul64(value(counter)-startedCount, uint64(time.Second))
	elapsed, _ := bits.Div64(high, low, frequency)
	return started.Add(time.Duration(elapsed))
}

// value is what one of the two functions writes to the place that it is handed; neither can
// fail since Windows XP.
func value(f *syscall.LazyProc) (v uint64) {
	f.Call(uintptr(unsafe.Pointer(&v)))
	return v
}
