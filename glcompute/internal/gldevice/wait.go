package gldevice

import "inkshade/glcompute/internal/gl"

// Wait returns when everything sent to the device is done: Run.Do without outputs only sends.
func (d *Device[T]) Wait() error {
	return d.do(func() error {
		gl.Finish()
		return d.gl.Check("waiting for replays")
	})
}
