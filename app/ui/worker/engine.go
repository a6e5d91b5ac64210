package worker

import (
	"context"

	"inkshade/app/state/device"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

// Engine is what the window needs of the recogniser. Prepare is called once, on a goroutine
// of its own; the others come from one other goroutine and may overlap with Prepare; none is
// called from the window's goroutine.
type Engine interface {
	// Prepare opens the devices and makes them ready, and returns when all that can be
	// had is ready. It calls report at once and after every change, later ones included;
	// report may be called from any goroutine, but one call after the other. Recognize
	// may be called as soon as a report named a device that answers.
	Prepare(report func(device.Status))
	// Recognize answers a drawing, maybe traced in a picture, on the device in charge, which it names, or says why and goes on with the CPU.
	Recognize(k ink.Ink, traced bool) (recognizer.Answer, device.Side, error)
	// Measure recognises once on the given side and says where the time went.
	Measure(k ink.Ink, on device.Side) (recognizer.Timing, error)
	// RecognizeLine reads many characters; when ctx ends, its cause is the error.
	RecognizeLine(ctx context.Context, k ink.Ink, o line.Options) (*line.Result, device.Side, error)
	// Suggest names the shipped model that knows a drawing, read as a line so, that the one in use does not; empty for none.
	Suggest(k ink.Ink, traced bool, asLine *line.Result) string
	// MeasureLine reads a line once, and anew, on the given side.
	MeasureLine(ctx context.Context, k ink.Ink, o line.Options, on device.Side) (recognizer.Timing, error)
	// Choose says which device answers from now on, and reports what follows.
	Choose(c device.Choice)
	// Use puts a model in use: m, or what ships under the name where m is nil. On an error the one before stays.
	Use(name string, m *nn.Model) error
	// UseWords lets a model read whole words, nil the one that ships. On an error the one before stays in use.
	UseWords(m *nn.Model) error
	// Remember puts a memory beside the network; it is called again when the memory has learned or lost a class.
	Remember(m recognizer.Memory)
	// Restrict lets only some classes be answered, nil all. It is an error, and changes nothing, when none would be left.
	Restrict(allowed func(label string) bool) error
	// Close frees the devices.
	Close() error
}
