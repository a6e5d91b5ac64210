package glcompute

import (
	"context"
	"errors"
	"time"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
	"inkshade/glcompute/message"
)

// What is known about the variants of operations (see Selections).
type (
	Selection = program.Selection
	Tuning    = program.Tuning
)

// ErrNoCache says that there is no place where the times of variants could be kept.
var ErrNoCache = program.ErrNoCache

// choosing is a device whose operations have variants.
type choosing interface {
	Selections() ([]Selection, error)
	Tune(ctx context.Context, all bool, before func(Tuning)) error
}

// LeftOver is the number of variants that Tune would have to measure for the work that has
// come to such devices; 0 for a device without variants or cache.
func LeftOver(dev Device) int {
	n := 0
	if c, ok := dev.(choosing); ok {
		all, _ := c.Selections()
		for _, s := range all {
			n += s.Left()
		}
	}
	return n
}

// Idle is how long no OpenGL device of the process has done anything, but for Tune.
func Idle() time.Duration { return gldevice.Idle() }

// VariantKinds lists the devices whose operations have variants.
func VariantKinds() []DeviceKind { return []DeviceKind{Fragment, Compute} }

// Selections says which variants an OpenGL device of this machine takes, and their times
// as far as they have been measured.
func Selections(kind DeviceKind) (info Info, all []Selection, err error) {
	err = withChoosing(kind, func(dev Device, c choosing) error {
		info = dev.Info()
		all, err = c.Selections()
		return err
	})
	return info, all, err
}

// Tune measures the variants for which there was no time when their shapes first came up, or all
// whose work has come to the device, since perhaps the machine was busy then: on a device of its
// own, which does nothing else. What it finds counts for processes that start later; what was known
// of a class of work stays until all its variants are measured. before is called ahead of each
// variant and may make it wait; it ends early with the error of ctx, at most one variant later.
func Tune(ctx context.Context, kind DeviceKind, all bool, before func(Tuning)) error {
	return withChoosing(kind, func(_ Device, c choosing) error { return c.Tune(ctx, all, before) })
}

func withChoosing(kind DeviceKind, f func(Device, choosing) error) error {
	dev, err := Open(kind)
	if err != nil {
		return err
	}
	c, ok := dev.(choosing)
	if !ok {
		return errors.Join(message.Errorf("the operations of the %s device have no variants", kind), dev.Close())
	}
	return errors.Join(f(dev, c), dev.Close())
}
