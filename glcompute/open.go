package glcompute

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"inkshade/glcompute/compute"
	"inkshade/glcompute/cpu"
	"inkshade/glcompute/fragment"
	"inkshade/glcompute/internal/cache"
	"inkshade/glcompute/internal/check"
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
	"inkshade/glcompute/message"
)

// Options say how devices are opened, and change nothing of what they compute. Usual gives those
// that the functions of the same names open by.
type Options struct {
	Debug   int    // how much devices write to standard error: the levels of INKSHADE_DEBUG, 0 for nothing
	Cache   string // folder of what saves time at the next start; empty for one among the user's caches, "off" for none
	LeftOut error  // where a program knows that OpenGL would disturb it, which no check of a device tells: why no such device is opened

	checker  []string                     // the command of CheckDriversBy; empty for none
	progress func(Info)                   // called for every step in which a device is opened; nil for nobody
	edit     func(op, text string) string // changes the shaders of a test; nil for none
}

// Usual are the options of the environment, INKSHADE_DEBUG and INKSHADE_CACHE, and of CheckDriversBy.
func Usual() Options {
	return Options{Debug: check.Level(), Cache: os.Getenv(cache.Variable), checker: checker}
}

// executor is one way to run programs.
type executor struct {
	kind DeviceKind
	open func(Options) (Device, error)
}

// executors in the order in which people like to see them.
var executors = []executor{
	{CPU, func(o Options) (Device, error) { return cpu.OpenWith(o.Debug) }},
	{Fragment, func(o Options) (Device, error) {
		return comparing(fragment.OpenWith(o.common()))
	}},
	{Compute, func(o Options) (Device, error) {
		return comparing(compute.OpenWith(o.common()))
	}},
}

// comparing is an OpenGL device whose programs are compared.
func comparing(dev Device, err error) (Device, error) {
	if err != nil {
		return nil, err
	}
	d := checked{dev.(glDevice), new(atomic.Int32)}
	if d.Info().Differs != nil { // in an earlier process
		d.trust.Store(suspect)
	}
	return d, nil
}

func (o Options) common() gldevice.Options {
	return gldevice.Options{Cache: cache.Named(o.Cache), Debug: o.Debug, Verify: true, Progress: o.progress, Edit: o.edit}
}

func executorOf(kind DeviceKind) (executor, bool) {
	i := slices.IndexFunc(executors, func(e executor) bool { return e.kind == kind })
	return executors[max(i, 0)], i >= 0
}

// Kinds lists everything that can be asked for, Auto and Mixed last.
func Kinds() []DeviceKind {
	var kinds []DeviceKind
	for _, e := range executors {
		kinds = append(kinds, e.kind)
	}
	return append(kinds, Auto, Mixed)
}

// Open opens a device. The error of a kind that cannot be had says what was tried. Auto opens
// the processor and the best OpenGL there is, and picks one for each program by measuring; Mixed
// lets both work on a mini-batch where that is faster still.
func Open(kind DeviceKind) (Device, error) { return Usual().Open(kind) }

// Open is the function Open.
func (o Options) Open(kind DeviceKind) (Device, error) {
	switch kind {
	case Auto:
		devices, reason := o.openBoth()
		return NewAuto(reason, devices...), nil
	case Mixed:
		return o.OpenMixed(0), nil
	}
	if e, ok := executorOf(kind); ok {
		if o.LeftOut != nil && kind != CPU {
			return nil, o.LeftOut
		}
		dev, err := o.openChecked(e)
		if err != nil {
			return nil, message.Errorf("the %s device cannot be opened: %w", kind, err)
		}
		return dev, nil
	}
	names := make([]string, 0, len(executors)+1)
	for _, k := range Kinds() {
		names = append(names, string(k))
	}
	return nil, message.Errorf("there is no %q device; use one of %s", kind, strings.Join(names, ", "))
}

// OpenOrCPU is Open that always gives a device: the processor stands in for one that
// cannot be opened, and takes over from one whose OpenGL context is lost later. Then
// Info().Fallback says why.
func OpenOrCPU(kind DeviceKind) Device { return Usual().OpenOrCPU(kind) }

// OpenOrCPU is the function OpenOrCPU.
func (o Options) OpenOrCPU(kind DeviceKind) Device {
	dev, err := o.Open(kind)
	if err == nil && (kind == CPU || kind == Auto || kind == Mixed) {
		return dev // which go on with the processor themselves
	}
	processor, _ := cpu.OpenWith(o.Debug) // never fails
	return NewStandIn(processor, dev, err)
}

// Availability is one device of this machine, or why it cannot be had.
type Availability struct {
	Kind DeviceKind
	Info Info  // when Err is nil
	Err  error // what was tried and failed
}

// List opens every kind of device for a moment to see what it is.
func List() []Availability {
	var all []Availability
	for _, e := range executors {
		a := Availability{Kind: e.kind}
		dev, err := Usual().openChecked(e)
		if err != nil {
			a.Err = err
		} else {
			a.Info = dev.Info()
			a.Err = dev.Close()
		}
		all = append(all, a)
	}
	return all
}

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
