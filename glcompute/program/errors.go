package program

import (
	"errors"
	"fmt"
	"strings"
)

// ErrClosed is returned by a device or run that has been closed.
var ErrClosed = errors.New("the device is closed")

// ErrLost is returned once a GL context is lost (driver reset, GPU removed); the device
// can only be closed then, and the caller goes on with another.
var ErrLost = errors.New("the OpenGL context was lost")

// UnsupportedError lists operations of a program that a device cannot do.
type UnsupportedError struct {
	Device DeviceKind
	Ops    []string
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("the %s device has no %s", e.Device, strings.Join(e.Ops, ", "))
}
