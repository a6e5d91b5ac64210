//go:build !linux && !windows && !darwin

package glcontext

import (
	"runtime"

	"inkshade/glcompute/message"
)

func openContext(versions []Version) (context, Version, error) {
	failed := &NoContextError{Version: versions[0]}
	failed.add(runtime.GOOS, message.Errorf("no way to a context is known on this system"))
	return nil, versions[0], failed
}
