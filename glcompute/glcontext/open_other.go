//go:build !linux && !windows && !darwin

package glcontext

import (
	"fmt"
	"runtime"
)

func openContext(v Version) (context, error) {
	failed := &NoContextError{Version: v}
	failed.add(runtime.GOOS, fmt.Errorf("no way to a context is known on this system"))
	return nil, failed
}
