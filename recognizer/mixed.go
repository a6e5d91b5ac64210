package recognizer

import (
	"context"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/program"
	"inkshade/recognizer/nn"
)

// OpenMixed opens the processor and the best OpenGL device, for work that both share. Where
// there is no OpenGL, gl is nil and why says what was tried.
func OpenMixed() (cpu, gl program.Device, why string) {
	cpu = glcompute.OpenOrCPU(glcompute.CPU)
	for _, kind := range []glcompute.DeviceKind{glcompute.Compute, glcompute.Fragment} {
		gl = glcompute.OpenOrCPU(kind)
		if why = gl.Info().Fallback; why == "" {
			return cpu, gl, ""
		}
		gl.Close()
	}
	return cpu, nil, why
}

// measuringBudget is about the time that ShareWith's first large batch may take longer.
const measuringBudget = time.Second

// ShareWith lets another device do a share of many drawings at once, in proportion to the
// measured speeds, where that is faster than the faster device alone, which otherwise does
// them; the first 512 or more drawings are measured with. A split above 0 and below 1 is the
// share of the recognizer's own device without measuring. Fewer drawings stay with that
// device, and all where the other one fails. It stays the caller's, who closes it after the
// recognizer.
func (r *Recognizer) ShareWith(dev program.Device, split float64) error {
	other, err := nn.NewInference(dev, r.model.Network)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		other.Close()
		return errClosed
	}
	if r.other != nil {
		r.other.Close()
	}
	r.other, r.mixed = other, nn.NewMixed(r.inference, other)
	if split > 0 {
		r.mixed.Split(split)
	}
	return nil
}

// Sharing says how many drawings at once are shared, and why; ok is false without ShareWith.
func (r *Recognizer) Sharing() (s nn.Sharing, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mixed == nil {
		return nn.Sharing{}, false
	}
	return r.mixed.Sharing(), true
}

// Answering describes what answers n drawings at once.
func (r *Recognizer) Answering(n int) program.Info {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.answering(n)
}

// answering is Answering; the caller holds the lock.
func (r *Recognizer) answering(n int) program.Info {
	if r.mixed == nil {
		return r.dev.Info()
	}
	return r.mixed.Info(n)
}

// each runs the network on rows; the caller holds the lock.
func (r *Recognizer) each(rows [][]float32, yield func(i int, logits, probabilities []float32)) error {
	if r.mixed == nil {
		return r.inference.Each(rows, yield)
	}
	if err := r.mixed.Measure(context.Background(), rows, measuringBudget); err != nil {
		return err
	}
	return r.mixed.Each(rows, yield)
}
