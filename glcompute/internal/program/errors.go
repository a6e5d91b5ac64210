package program

import (
	"reflect"
	"slices"
	"strings"

	"inkshade/glcompute/message"
)

// ErrClosed is returned by a device or run that has been closed.
var ErrClosed = message.Errorf("the device is closed")

// ErrLost is returned once a GL context is lost (driver reset, GPU removed); the device
// can only be closed then, and the caller goes on with another.
var ErrLost = message.Errorf("the OpenGL context was lost")

// Supported gives an *UnsupportedError of the device where p has operations that are not among its own.
func (p *Program) Supported(device DeviceKind, has func(op reflect.Type) bool) error {
	var missing []string
	for _, op := range p.ops {
		if !has(reflect.TypeOf(op)) && !slices.Contains(missing, op.Name()) {
			missing = append(missing, op.Name())
		}
	}
	if missing != nil {
		return &UnsupportedError{Device: device, Ops: missing}
	}
	return nil
}

// UnsupportedError lists operations of a program that a device cannot do.
type UnsupportedError struct {
	Device DeviceKind
	Ops    []string
}

func (e *UnsupportedError) Error() string { return e.Message().String() }

// Message is what a person is told.
func (e *UnsupportedError) Message() *message.Message {
	return message.Text("the %s device has no %s", e.Device, strings.Join(e.Ops, ", "))
}
