package dataset

import (
	"math"
	"math/rand/v2"
	"slices"

	"inkshade/recognizer/ink"
)

// LineDistortion makes new lines of writing of old ones, in cells of feature.Line, as the writing of people varies. Each field is the largest
// change, drawn evenly between it and its opposite; 0 leaves it out.
type LineDistortion struct {
	Size, Width  float64 // of the writing, and of its width alone, as a part: 0.1 is about 90 to 110 %
	Slant        float64 // x moves by this times y
	Rotate       float64 // in degrees
	Shift        float64 // up and down, in cells
	Baseline     float64 // how far the line rises and falls along it, in cells
	Spacing      float64 // how much wider and narrower letters are along the line, as a part
	Place, Shape float64 // of single strokes: in cells, and as a part of their size
	Reverse      float64 // the chance that a stroke is drawn from its end to its beginning
}

// DefaultLineDistortion keeps lines readable.
func DefaultLineDistortion() LineDistortion {
	return LineDistortion{
		Size: 0.15, Width: 0.2, Slant: 0.35, Rotate: 3, Shift: 1.5, Baseline: 0.8, Spacing: 0.25, Place: 0.5, Shape: 0.06, Reverse: 0.02,
	}
}

// Times multiplies every change.
func (d LineDistortion) Times(factor float64) LineDistortion {
	for _, amount := range []*float64{&d.Size, &d.Width, &d.Slant, &d.Rotate, &d.Shift, &d.Baseline, &d.Spacing, &d.Place, &d.Shape} {
		*amount *= factor
	}
	return d
}

// Stretch draws how much longer the line becomes by Apply with the same random numbers, but for slant and the like.
func (d LineDistortion) Stretch(rng *rand.Rand) float64 {
	return math.Exp(d.Size*even(rng)) * math.Exp(d.Width*even(rng))
}

// Apply gives a distorted copy of a line, that begins where the line begins. middle is the height of the middle of the writing.
func (d LineDistortion) Apply(dst, line ink.Ink, middle float64, rng *rand.Rand) ink.Ink {
	size := math.Exp(d.Size * even(rng))
	width := size * math.Exp(d.Width*even(rng))
	slant, shift := d.Slant*even(rng), d.Shift*even(rng)
	rise := math.Tan(d.Rotate * math.Pi / 180 * even(rng))
	wave := func(amount, shortest, longest float64) func(x float64) float64 {
		length, phase := shortest+(longest-shortest)*rng.Float64(), 2*math.Pi*rng.Float64()
		amount *= even(rng)
		return func(x float64) float64 { return amount * math.Sin(2*math.Pi*x/length+phase) }
	}
	baseline := wave(d.Baseline, 40, 160)
	spacingLength := 30 + 90*rng.Float64()
	spacing := wave(d.Spacing*spacingLength/(2*math.Pi), spacingLength, spacingLength)
	x0, _, x1, _, ok := line.Bounds()
	if !ok {
		return dst[:0]
	}
	half := (x1 - x0) / 2
	dst = slices.Grow(dst[:0], len(line))[:len(line)]
	left := math.Inf(1)
	for i, s := range line {
		out := dst[i][:0]
		sx0, sy0, sx1, sy1, _ := ink.Ink{s}.Bounds()
		cx, cy := (sx0+sx1)/2, (sy0+sy1)/2
		moveX, moveY, shape := d.Place*even(rng), d.Place*even(rng), math.Exp(d.Shape*even(rng))
		for _, p := range s {
			x, y := cx+(p.X-cx)*shape+moveX, cy+(p.Y-cy)*shape+moveY
			x, y = x+spacing(x), y+baseline(x)+rise*(x-x0-half)
			y -= middle
			p.X, p.Y = x*width+y*slant*size, y*size+middle+shift
			left = min(left, p.X)
			out = append(out, p)
		}
		if rng.Float64() < d.Reverse {
			slices.Reverse(out)
		}
		dst[i] = out
	}
	for _, s := range dst {
		for j := range s {
			s[j].X += x0 - left
		}
	}
	return dst
}
