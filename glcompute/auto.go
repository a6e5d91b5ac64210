package glcompute

import "strings"

// auto picks a device for each program by timing its first replays. Each replay is made by one
// device alone.
type auto struct{ *copies }

// openAuto opens the processor and the best OpenGL device that works. Without any it is
// the processor alone, and Info().Fallback says why.
func openAuto() Device {
	devices, reason := openBoth()
	a := newAuto(devices...)
	a.info.Fallback = reason
	return a
}

func newAuto(devices ...Device) auto { return auto{newCopies(Auto, devices)} }

// openBoth opens the processor and the best OpenGL device that works; without any, reason
// says what was tried.
func openBoth() (devices []Device, reason string) {
	var reasons []string
	for _, kind := range []DeviceKind{CPU, Compute, Fragment} {
		if kind == Fragment && len(devices) == 2 {
			continue // compute shaders can do what fragment shaders can
		}
		dev, err := Open(kind)
		if err != nil {
			reasons = append(reasons, err.Error())
			continue
		}
		devices = append(devices, dev)
	}
	if len(devices) == 1 {
		reason = "only the processor can be used: " + strings.Join(reasons, "; ")
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

func (a auto) Compile(p *Program) (Run, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return newTrial(a.copies, p, all(a.devices)...)
}
