package program

import "inkshade/glcompute/message"

// Readback receives the values of a tensor without the device standing still: a replay that
// binds it with OutLater copies them behind its operations and returns, and they are taken
// to Data by a later Ready or Wait. A replay on the processor, and Measure on every device,
// has them there when it returns. It must not be used by several goroutines at once.
type Readback struct {
	Data   []float32 // row-major; of the replay only when Ready or Wait says so
	source Transfer
}

// Transfer is a copy on its way to the host, as an executor knows it.
type Transfer interface {
	// Fetch reports whether the values are in the slice that the replay was bound to, having
	// waited for them where it should. After an error they never come.
	Fetch(wait bool) (arrived bool, err error)
}

// OutLater is Out for which the replay does not wait; see Readback. r must not be on its way.
func OutLater(t *Tensor, r *Readback) Binding {
	return Binding{Tensor: t, Data: r.Data, Output: true, Later: r}
}

// Begin is for executors: a replay has begun to bring the values.
func (r *Readback) Begin(source Transfer) { r.source = source }

// Ready reports, without waiting, whether nothing is on its way any more: the values of the
// last replay are in Data, or there was none. An error says that they will never be there,
// ErrLost or ErrClosed that the device has gone. Closing the run waits for them.
func (r *Readback) Ready() (bool, error) { return r.fetch(false) }

// Wait is Ready, and waits.
func (r *Readback) Wait() error {
	_, err := r.fetch(true)
	return err
}

func (r *Readback) fetch(wait bool) (bool, error) {
	if r.source == nil {
		return true, nil
	}
	arrived, err := r.source.Fetch(wait)
	if arrived || err != nil {
		r.source = nil
		return true, err
	}
	return false, nil
}

// check reports a readback that cannot be bound.
func (r *Readback) check(t *Tensor) error {
	if r != nil && r.source != nil {
		return message.Errorf("binding of %s: the values of an earlier replay are still on their way; wait for them first", t)
	}
	return nil
}
