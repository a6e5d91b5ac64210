//go:build unix && !darwin

package keyboard

import (
	"context"
	"os"
)

// Open finds the way to type on this desktop: on Wayland the desktop portal, for which a person is asked once, elsewhere
// the X server. own is the native handle of the window that may be clicked in meanwhile.
func Open(ctx context.Context, own uintptr, permission Permission) (Keyboard, error) {
	if os.Getenv("WAYLAND_DISPLAY") != "" {
		return openPortal(ctx, os.Getenv("DBUS_SESSION_BUS_ADDRESS"), permission)
	}
	return openX11("", own)
}
