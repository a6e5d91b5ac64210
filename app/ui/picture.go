package ui

import (
	"context"
	"fmt"
	"image"
	"time"

	"fyne.io/fyne/v2/test"

	"inkshade/recognizer/ink"
)

// patience is how long a picture waits for devices and measurements.
const patience = 60 * time.Second

// Render draws the window with the ink on it off screen, once the answer and the times stand there. It uses Fyne's test driver, the only
// software renderer that Fyne gives out, and replaces the current app: it is for a process that shows no window. It ends early with ctx, by the
// error of that.
func Render(ctx context.Context, k ink.Ink, opts Options) (image.Image, error) {
	queue := make(chan func(), 256)
	opts.post = func(f func()) { queue <- f }
	a := test.NewApp()
	defer a.Quit()
	w := New(a, opts)
	w.Win.Resize(opts.Size)
	w.Paper.SetInk(k)

	done := time.After(patience)
	for w.waitingFor() != "" {
		select {
		case f := <-queue:
			f()
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-done:
			return nil, fmt.Errorf("the window was not ready after %v: %s", patience, w.waitingFor())
		}
	}
	stopped := make(chan error, 1)
	go func() { stopped <- w.Close() }()
	for {
		select {
		case f := <-queue:
			f()
		case err := <-stopped:
			return w.Win.Canvas().Capture(), err
		}
	}
}

// waitingFor is what the picture lacks; empty when it is complete.
func (w *Window) waitingFor() string {
	s := w.Status
	switch {
	case !s.Settled():
		return "the devices are still being prepared"
	case s.Answering == "":
		return ""
	}
	return w.draw.Lacks()
}
