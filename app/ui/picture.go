package ui

import (
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"time"

	"fyne.io/fyne/v2/test"

	"inkshade/app/state/device"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
)

// patience is how long a picture waits for devices and measurements.
const patience = 60 * time.Second

// Render draws the window with the ink on it off screen and in software, and waits until
// the answer and the times stand there. It needs no display. It uses Fyne's test driver,
// the only software renderer that Fyne gives out, and therefore replaces the current app:
// it is for a process that shows no window.
func Render(k ink.Ink, opts Options) (image.Image, error) {
	queue := make(chan func(), 256)
	opts.post = func(f func()) { queue <- f }
	a := test.NewApp()
	defer a.Quit()
	w := New(a, opts)
	w.Win.Resize(opts.Size)
	w.draw.pad.SetInk(k)

	done := time.After(patience)
	for w.waitingFor() != "" {
		select {
		case f := <-queue:
			f()
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
	case w.draw.candidates.rows[0].candidate == nil && w.draw.answer.glyph.Text != "!":
		return "there is no answer yet"
	}
	for _, side := range []device.Side{device.CPU, device.GPU} {
		if s.Device(side).State == device.Ready && w.draw.times.lines[side].taken == nil {
			return "the " + string(side) + " is still being timed"
		}
	}
	return ""
}

// RenderPicture writes what Render gives as a PNG file.
func RenderPicture(path string, k ink.Ink, opts Options) error {
	img, err := Render(k, opts)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("picture of the window: %w", err)
	}
	if err := files.WriteShared(path, func(out io.Writer) error { return png.Encode(out, img) }); err != nil {
		return fmt.Errorf("picture of the window: %w", err)
	}
	return nil
}
