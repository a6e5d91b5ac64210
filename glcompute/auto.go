package glcompute

import "inkshade/glcompute/message"

// openAuto opens the processor and the best OpenGL device that works. Without any it is
// the processor alone, and Info().Fallback says why.
func (o Options) openAuto() Device {
	devices, reason := o.openBoth()
	return NewAuto(reason, devices...)
}

// NewAuto gives a device that picks one of several for each program by timing its first replays, and closes them with itself.
// Each replay is made by one device alone. Its Info has the reason why there are no more, or nil.
func NewAuto(reason *message.Message, devices ...Device) Device {
	c := newCopies(Auto, devices)
	c.info.Fallback = reason
	c.compile = func(p *Program) (Run, error) { return newTrial(c, p, all(devices)...) }
	return c
}

// openBoth opens the processor and the best OpenGL device that works; without any, reason
// says what was tried.
func (o Options) openBoth() (devices []Device, reason *message.Message) {
	var reasons []error
	for _, kind := range []DeviceKind{CPU, Compute, Fragment} {
		if kind == Fragment && len(devices) == 2 {
			continue // compute shaders can do what fragment shaders can
		}
		dev, err := o.Open(kind)
		if err != nil {
			reasons = message.Once(reasons, err)
			continue
		}
		devices = append(devices, dev)
	}
	if len(devices) == 1 {
		reason = message.Text("only the processor can be used: %v", message.List(reasons))
	}
	return devices, reason
}

// all are the numbers of devices.
func all(devices []Device) (numbers []int) {
	for i := range devices {
		numbers = append(numbers, i)
	}
	return numbers
}
