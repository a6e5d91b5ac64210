package datatest

import (
	"context"
	"sync/atomic"
)

// EndsAfter is a context that is cancelled as soon as it has been asked so many times
// whether it is: it ends in the midst of the work that is given it, wherever that looks.
func EndsAfter(looks int) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	e := &ending{Context: ctx, cancel: cancel}
	e.left.Store(int64(looks))
	return e
}

type ending struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

func (e *ending) Err() error {
	if e.left.Add(-1) < 0 {
		e.cancel()
	}
	return e.Context.Err()
}
