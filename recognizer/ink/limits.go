package ink

import (
	"inkshade/glcompute/message"
)

// What a reader takes from one file. A small file can unzip to a thousand times its size, so
// all of it is checked while reading.
const (
	// maxText is how much text, unzipped: ten times the largest set we know.
	maxText = 256 << 20
	// maxLine is the longest line, or part of an XML file without a tag.
	maxLine = 16 << 20
	// maxNames is the longest list of columns or levels of a UNIPEN file, maxChannels what an
	// InkML point may have.
	maxNames    = 4096
	maxChannels = 64
	// MaxLabel is the longest label of a class, in bytes; that of a line of writing in a file may be longer.
	MaxLabel = 64
	// MaxPoints bounds one drawing, its points as its strokes: far above any.
	MaxPoints = 1 << 20
	// MaxPixels bounds the pictures that are read: a photograph of 64 megapixels.
	MaxPixels = 64 << 20
	// MaxMemory bounds what the samples of a file take, in bytes as counted here. The garbage
	// collector lets a process grow to twice that.
	MaxMemory = 240 << 20
	// SampleMemory is a sample with the image that will be drawn of it.
	SampleMemory = 4*Side*Side + 64

	pointMemory = 32
	itemMemory  = 192 // a stroke, an attribute, a name
)

// budget is the memory that the samples of a file may still take.
type budget struct{ left int }

func newBudget() *budget { return &budget{MaxMemory} }

func (b *budget) spend(bytes int) error {
	if b.left -= bytes; b.left < 0 {
		return message.Errorf("passes what a file may hold, %d MB of samples; split it", MaxMemory>>20)
	}
	return nil
}

// item is anything that has a text: an attribute, a name, a part of a segment.
func (b *budget) item(text string) error { return b.spend(itemMemory + len(text)) }

// stroke is one of some length.
func (b *budget) stroke(points int) error { return b.spend(itemMemory + pointMemory*points) }

// extend appends to a stroke, which is copied while it grows.
func (b *budget) extend(s *Stroke, rest ...Point) error {
	if *s = append(*s, rest...); len(*s) > MaxPoints {
		return errTooMany
	}
	return b.spend(2 * pointMemory * len(rest))
}

var errTooMany = message.Errorf("has more than %d points or strokes in one drawing; this is no handwriting", MaxPoints)

// sample is one with its strokes and texts.
func (b *budget) sample(s *Labelled) error {
	bytes := SampleMemory + len(s.Label) + len(s.Writer) + itemMemory*len(s.Ink) + pointMemory*s.Ink.Points()
	for name, value := range s.Attributes {
		bytes += itemMemory + len(name) + len(value)
	}
	return b.spend(bytes)
}
