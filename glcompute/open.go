package glcompute

import (
	"fmt"
	"strings"

	"inkshade/glcompute/compute"
	"inkshade/glcompute/cpu"
	"inkshade/glcompute/fragment"
)

// executor is one way to run programs.
type executor struct {
	kind DeviceKind
	open func() (Device, error)
}

// executors in the order in which people like to see them.
var executors = []executor{
	{CPU, cpu.Open},
	{Fragment, fragment.Open},
	{Compute, compute.Open},
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
func Open(kind DeviceKind) (Device, error) {
	switch kind {
	case Auto:
		return openAuto(), nil
	case Mixed:
		return OpenMixed(0), nil
	}
	for _, e := range executors {
		if e.kind != kind {
			continue
		}
		if leftOut != nil && kind != CPU {
			return nil, leftOut
		}
		dev, err := e.open()
		if err != nil {
			return nil, fmt.Errorf("the %s device cannot be opened: %w", kind, err)
		}
		return dev, nil
	}
	names := make([]string, 0, len(executors)+1)
	for _, k := range Kinds() {
		names = append(names, string(k))
	}
	return nil, fmt.Errorf("there is no %q device; use one of %s", kind, strings.Join(names, ", "))
}

var leftOut error // see LeaveOutOpenGL

// LeaveOutOpenGL makes Open fail for OpenGL devices, with a reason: where a program knows that they would disturb
// it, which no check of the devices tells. It is called before any is opened; nil takes it back.
func LeaveOutOpenGL(why error) { leftOut = why }

// OpenOrCPU is Open that always gives a device: the processor stands in for one that
// cannot be opened, and takes over from one whose OpenGL context is lost later. Then
// Info().Fallback says why.
func OpenOrCPU(kind DeviceKind) Device {
	dev, err := Open(kind)
	if err == nil && (kind == CPU || kind == Auto || kind == Mixed) {
		return dev // which go on with the processor themselves
	}
	processor, _ := cpu.Open() // never fails
	return newStandIn(processor, dev, err)
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
		dev, err := e.open()
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
