// Package clipboard reads pictures from the system's clipboard, of which the window's toolkit gives text only.
package clipboard

import "time"

const (
	patience = 2 * time.Second // for whoever owns the clipboard to give the next bytes
	most     = 64 << 20        // bytes of a picture
)
