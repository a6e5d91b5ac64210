package line

import (
	"math"
	"slices"

	"inkshade/recognizer/ink"
)

// Gesture is a stroke that does something instead of standing for a character.
type Gesture int

// The gestures.
const (
	NoGesture Gesture = iota
	ScratchOut
	StrokeLeft
	StrokeRight
)

// LongStroke is how wide a stroke to the left or right is on a line of writing, in heights of the line: no dash is as long.
const LongStroke = 2.5

const (
	detour       = 1.1 // how much longer than wide such a stroke may be: letters joined in a flat hand go up and down
	scratchTurns = 4   // how often a stroke that scratches out goes back and forth
	covered      = 0.7 // part of the points under it that must lie in its box, or of its width that a joined word fills
	crossings    = 3   // how often one that is wider than tall crosses what it strikes out in the middle, where it covers less
	wideScratch  = 0.5 // width of one that goes through a joined word, in heights of the line
	dotSize      = 0.3 // width and height of a dot or an accent, in heights of the line
)

// GestureOf tells what a stroke does. before is what was written so far, height that of a line of writing and long how wide a stroke
// to the left or right is at least, all in the units of the stroke. A stroke from side to side is one beside the writing, or it crosses a t; one that scratches out goes
// back and forth over earlier strokes, or through their middle, which struck names by their index, with their dots.
func GestureOf(s ink.Stroke, before ink.Ink, height, long float64) (g Gesture, struck []int) {
	x0, y0, x1, y1, ok := ink.Ink{s}.Bounds()
	if !ok || height <= 0 {
		return NoGesture, nil
	}
	width := x1 - x0
	if turnsOf(s, width/2) >= scratchTurns {
		for i, b := range before {
			if part, wide := within(b, x0, y0, x1, y1); part >= covered || wide > covered*width && width > wideScratch*height || width > y1-y0 && crossed(b, s) >= crossings {
				struck = append(struck, i)
			}
		}
		if len(struck) > 0 {
			return ScratchOut, withDots(before, struck, height)
		}
	}
	length := 0.0
	for i := 1; i < len(s); i++ {
		length += math.Hypot(s[i].X-s[i-1].X, s[i].Y-s[i-1].Y)
	}
	if width < long || length > detour*math.Abs(s[len(s)-1].X-s[0].X) {
		return NoGesture, nil
	}
	for _, b := range before {
		if part, _ := within(b, x0, y0-height/2, x1, y1+height/2); part > 0 {
			return NoGesture, nil
		}
	}
	if s[len(s)-1].X < s[0].X {
		return StrokeLeft, nil
	}
	return StrokeRight, nil
}

// withDots adds the dots and accents of struck strokes, which may stand above what strikes these out: each goes with the larger stroke that
// it is nearest to, where to the side counts twice. One beside the foot of a letter is a full stop or a comma, and stays.
func withDots(all ink.Ink, struck []int, height float64) []int {
	var dots []int
	small := func(b Box) bool { return max(b.width(), b.height()) <= dotSize*height }
	for i, s := range all {
		dot, of, least := boxOf(s), -1, height
		x, y := dot.centreX(), dot.MinY/2+dot.MaxY/2
		for j, s := range all {
			b := boxOf(s)
			if far := math.Hypot(2*max(b.MinX-x, x-b.MaxX, 0), max(b.MinY-y, 0)); far < least && y < b.MinY/2+b.MaxY/2 && !small(b) {
				of, least = j, far
			}
		}
		if slices.Contains(struck, i) || small(dot) && slices.Contains(struck, of) {
			dots = append(dots, i)
		}
	}
	return dots
}

// within is the part of the points of a stroke that lie in a box, and how wide they lie.
func within(s ink.Stroke, x0, y0, x1, y1 float64) (part, wide float64) {
	var in ink.Stroke
	for _, p := range s {
		if p.X >= x0 && p.X <= x1 && p.Y >= y0 && p.Y <= y1 {
			in = append(in, p)
		}
	}
	left, _, right, _, _ := ink.Ink{in}.Bounds()
	return float64(len(in)) / float64(max(len(s), 1)), right - left
}

// crossed counts how often a path crosses a stroke, but for an eighth of its height at either end.
func crossed(s, path ink.Stroke) (n int) {
	_, top, _, bottom, _ := ink.Ink{s}.Bounds()
	for i := 1; i < len(s); i++ {
		if middle := s[i-1].Y/2 + s[i].Y/2; math.Abs(middle-(top+bottom)/2) > (bottom-top)*3/8 {
			continue
		}
		for j := 1; j < len(path); j++ {
			if side(s[i-1], s[i], path[j-1]) != side(s[i-1], s[i], path[j]) && side(path[j-1], path[j], s[i-1]) != side(path[j-1], path[j], s[i]) {
				n++
			}
		}
	}
	return n
}

// side tells on which side of the line from a to b a point lies.
func side(a, b, p ink.Point) bool { return (b.X-a.X)*(p.Y-a.Y) > (b.Y-a.Y)*(p.X-a.X) }

// turnsOf counts how often a stroke turns back in x after it went at least so far.
func turnsOf(s ink.Stroke, least float64) int {
	turns, extreme, direction := 0, s[0].X, 0.0
	for _, p := range s {
		switch d := p.X - extreme; {
		case d*direction > 0 || direction == 0 && math.Abs(d) >= least:
			extreme, direction = p.X, math.Copysign(1, d)
		case direction != 0 && math.Abs(d) >= least:
			turns++
			extreme, direction = p.X, math.Copysign(1, d)
		}
	}
	return turns
}
