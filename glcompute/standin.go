package glcompute

import "inkshade/glcompute/message"

// newStandIn gives a device for which the processor stands in once it is lost, and does everything
// where it could not be opened with that error. Then Info().Fallback says why.
func newStandIn(processor, dev Device, err error) Device {
	devices := []Device{processor}
	if err == nil {
		devices = append(devices, dev)
	}
	c := newCopies(CPU, devices)
	c.compile = func(p *Program) (Run, error) { return newTrial(c, p, len(devices)-1) }
	if err == nil {
		c.info = dev.Info()
	} else {
		c.info.Fallback = message.Text("%v", err)
	}
	return c
}
