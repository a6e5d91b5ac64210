//go:build !linux && !windows && !darwin

package glcontext

import (
	"runtime"

	"inkshade/glcompute/message"
)

func openContext(versions []Version, failed func(way string, err error)) (context, Version) {
	failed(runtime.GOOS, message.Errorf("no way to a context is known on this system"))
	return nil, versions[0]
}
