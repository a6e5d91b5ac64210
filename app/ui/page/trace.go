package page

import (
	"encoding/json"
	"image"
	"io"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

// Event is one line of a trace: what happened in the window and when. A trace holds no
// ink, so that it can be attached to a report.
type Event struct {
	Time    float64 `json:"ms"`    // milliseconds since 1970, with fractions
	Event   string  `json:"event"` // start, first-frame, ready, samples, pen-up, answer, saved
	Drawing uint64  `json:"drawing,omitempty"`
	Label   string  `json:"label,omitempty"`
	Device  string  `json:"device,omitempty"`
	Reason  string  `json:"reason,omitempty"`
}

// Trace writes events; a nil writer makes it silent.
type Trace struct {
	mu  sync.Mutex
	enc *json.Encoder
}

func newTrace(to io.Writer) *Trace {
	t := &Trace{}
	if to != nil {
		t.enc = json.NewEncoder(to)
	}
	return t
}

// FirstFrame is a point that tells when it is painted first, whatever page is in front.
func (t *Trace) FirstFrame() fyne.CanvasObject {
	told := false
	point := canvas.NewRaster(func(w, h int) image.Image {
		if !told {
			told = true
			t.Write(Event{Event: "first-frame"})
		}
		return image.NewRGBA(image.Rect(0, 0, w, h))
	})
	point.Resize(fyne.NewSquareSize(1))
	return container.NewWithoutLayout(point)
}

// Write adds an event. Tracing is an aid: a full disk must not disturb the window, so the
// first failure ends the trace.
func (t *Trace) Write(e Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.enc == nil {
		return
	}
	e.Time = float64(time.Now().UnixMicro()) / 1000
	if t.enc.Encode(e) != nil {
		t.enc = nil
	}
}
