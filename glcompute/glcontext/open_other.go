//go:build !linux && !windows && !darwin

package glcontext

import (
	"runtime"

	"inkshade/glcompute/message"
)

func openContext(v Version) (context, error) {
	failed := &NoContextError{Version: v}
	failed.add(runtime.GOOS, message.Errorf("no way to a context is known on this system"))
	return nil, failed
}
