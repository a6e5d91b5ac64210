package trainer

import (
	"inkshade/glcompute"
	"inkshade/recognizer/personal"
)

// Options of a training are the settings and the device.
type Options struct {
	Device glcompute.DeviceKind
	personal.Settings
}

// Defaults are the options that suit most writers; Auto measures which device is faster.
func Defaults() Options {
	return Options{Device: glcompute.Auto, Settings: personal.DefaultSettings()}
}
