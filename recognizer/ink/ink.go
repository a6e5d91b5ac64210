// Package ink holds what a pen wrote, as strokes of points, and turns it into the picture
// a model reads: 28x28, by the protocol of MNIST. It reads and writes ink files.
package ink

import (
	"math"

	"inkshade/glcompute/message"
)

// ErrEmpty is returned for a drawing without a single finite point and for a picture
// without ink.
var ErrEmpty = message.Errorf("there is no ink: draw something first, or choose a file that holds a drawing")

// Point is one position of the pen. x grows to the right and y downward, in any unit.
type Point struct {
	X, Y     float64
	T        float64 // milliseconds since the first point of the ink; 0 when unknown
	Pressure float64 // 0 to 1; 0 when unknown
}

func (p Point) finite() bool {
	// The difference of an infinity or NaN to itself is NaN.
	return p.X-p.X == 0 && p.Y-p.Y == 0
}

// Stroke is the path of the pen from touching down to lifting, in the order drawn.
type Stroke []Point

// Ink is a drawing: its strokes in the order drawn.
type Ink []Stroke

// Labelled is a drawing whose meaning is known, as ink files hold it.
type Labelled struct {
	Label   string
	Writer  string // "" when unknown
	Context bool   // cut out of running text
	Ink     Ink
	// Attributes is whatever else is known of the drawing, by name; nil when nothing is.
	// Readers and writers of every format keep it.
	Attributes map[string]string
}

// Points counts the points of all strokes.
func (k Ink) Points() int {
	n := 0
	for _, s := range k {
		n += len(s)
	}
	return n
}

// Clean returns the ink without points whose position is not finite and without empty
// strokes; a time or pressure that is not finite becomes 0, which means unknown. Ink that
// is clean already is returned as it is, anything else as a copy.
func (k Ink) Clean() Ink {
	if k.clean() {
		return k
	}
	out := make(Ink, 0, len(k))
	for _, s := range k {
		kept := make(Stroke, 0, len(s))
		for _, p := range s {
			if !p.finite() {
				continue
			}
			if p.T-p.T != 0 {
				p.T = 0
			}
			if p.Pressure-p.Pressure != 0 {
				p.Pressure = 0
			}
			kept = append(kept, p)
		}
		if len(kept) > 0 {
			out = append(out, kept)
		}
	}
	return out
}

func (k Ink) clean() bool {
	for _, s := range k {
		if len(s) == 0 {
			return false
		}
		for _, p := range s {
			if !p.finite() || p.T-p.T != 0 || p.Pressure-p.Pressure != 0 {
				return false
			}
		}
	}
	return true
}

// Bounds is the smallest box around the finite points; ok is false when there is none.
func (k Ink) Bounds() (minX, minY, maxX, maxY float64, ok bool) {
	minX, minY = math.Inf(1), math.Inf(1)
	maxX, maxY = math.Inf(-1), math.Inf(-1)
	for _, s := range k {
		for _, p := range s {
			if !p.finite() {
				continue
			}
			ok = true
			minX, maxX = min(minX, p.X), max(maxX, p.X)
			minY, maxY = min(minY, p.Y), max(maxY, p.Y)
		}
	}
	if !ok {
		return 0, 0, 0, 0, false
	}
	return minX, minY, maxX, maxY, true
}
