// Package clock takes short times: by time.Now most of what is measured reads 0 on Windows,
// where it moves with the system's interrupt, every 0.5 to 15.6 ms.
package clock

import "time"

// Since is the time that has passed since a reading of Now.
func Since(t time.Time) time.Duration { return Now().Sub(t) }
