package glcompute

import "inkshade/glcompute/message"

// NewStandIn gives a device for which the processor stands in once it is lost, and does everything
// where that could not be opened, with the error err. Then Info().Fallback says why.
func NewStandIn(processor, dev Device, err error) Device {
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
