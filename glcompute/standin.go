package glcompute

// standIn is a device for which the processor stands in once it is lost, and does everything
// where it could not be opened. Then Info().Fallback says why.
type standIn struct{ *copies }

// newStandIn takes the device, or the error with which it could not be opened.
func newStandIn(processor, dev Device, err error) Device {
	if err != nil {
		s := standIn{newCopies(CPU, []Device{processor})}
		s.info.Fallback = err.Error()
		return s
	}
	s := standIn{newCopies(CPU, []Device{processor, dev})}
	s.info = dev.Info()
	return s
}

func (s standIn) Compile(p *Program) (Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return newTrial(s.copies, p, len(s.devices)-1)
}
