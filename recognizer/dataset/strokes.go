package dataset

import (
	"math"
	"math/rand/v2"
	"slices"

	"inkshade/recognizer/ink"
)

// How much varyStrokes changes a stroke at an amount of 1, as standard deviations; lengths are parts
// of the drawing's longer side.
const (
	strokeDrift  = 0.022 // of the place of this and, less and less, the next strokes
	strokePlace  = 0.014 // of the place of this stroke alone
	strokeSlant  = 0.09  // in radians
	strokeLength = 0.13  // of the logarithm of the length
	strokeBow    = 0.05  // part of the stroke's length by which its middle moves aside
	strokeRise   = 0.1   // of all strokes toward the right
	driftKept    = 0.7   // share of a drift that the next stroke begins with
)

// Shares of the drawings, strokes and pauses in which something happens at an amount of 1.
const (
	runningShare  = 0.9  // drawings in running writing
	longestRun    = 1.0  // pauses in which the pen stays down there, at most
	hookLeftOut   = 0.35 // hooks
	orderSwapped  = 0.05 // strokes that come after their next
	roundings     = 3    // times that corners are cut, at most
	penDownReach  = 0.6  // longest way of the pen between two strokes
	joinShortened = 0.2  // part of a stroke left out before and after such a way
)

// varyStrokes makes another drawing of a character of one in standard form, such as the middle lines
// of a font's strokes, as people do: each stroke has its own place, slant, length and curvature,
// strokes that follow one another move together, hooks are left out, corners become round, and in
// running writing the pen stays down between strokes and shortens them. At 1 it is still legible.
func varyStrokes(k ink.Ink, most float64, rng *rand.Rand) ink.Ink {
	k = k.Clean()
	x0, y0, x1, y1, ok := k.Bounds()
	if !ok || most == 0 {
		return k
	}
	longer := max(x1-x0, y1-y0, 1e-300)
	amount := most * (0.4 + 0.8*rng.Float64())
	rise := strokeRise * amount * (0.7 + rng.NormFloat64())
	varied := make(ink.Ink, 0, len(k))
	driftX, driftY := 0.0, 0.0
	for _, stroke := range k {
		driftX = driftKept*driftX + strokeDrift*amount*rng.NormFloat64()
		driftY = driftKept*driftY + strokeDrift*amount*rng.NormFloat64()
		s := make(ink.Stroke, 0, 2*len(stroke))
		for _, p := range stroke {
			x, y := (p.X-x0)/longer, (p.Y-y0)/longer
			s = append(s, ink.Point{X: x + driftX, Y: y - rise*x + driftY})
		}
		if rng.Float64() < hookLeftOut*most {
			s = withoutHook(s)
		}
		s = evenly(s)
		varyStroke(s, amount, rng)
		varied = append(varied, s)
	}
	for i := 1; i < len(varied); i++ {
		if rng.Float64() < orderSwapped*most {
			varied[i-1], varied[i] = varied[i], varied[i-1]
		}
	}
	corners := rng.IntN(roundings + 1)
	if rng.Float64() < runningShare*most {
		varied = joined(varied, longestRun*rng.Float64(), rng)
	}
	for i := range varied {
		for range corners {
			varied[i] = rounded(varied[i])
		}
	}
	return varied
}

// varyStroke moves, turns, stretches and bends one stroke in place.
func varyStroke(s ink.Stroke, amount float64, rng *rand.Rand) {
	first, last := s[0], s[len(s)-1]
	midX, midY := (first.X+last.X)/2, (first.Y+last.Y)/2
	chordX, chordY := last.X-first.X, last.Y-first.Y
	length := math.Hypot(chordX, chordY)
	// A dot points anywhere.
	short := 1 + 1.5*max(0, 1-length/0.25)
	sin, cos := math.Sincos(strokeSlant * amount * short * rng.NormFloat64())
	stretch := math.Exp(strokeLength * amount * rng.NormFloat64())
	bow := strokeBow * amount * rng.NormFloat64()
	moveX, moveY := midX+strokePlace*amount*rng.NormFloat64(), midY+strokePlace*amount*rng.NormFloat64()
	for i := range s {
		t := float64(i) / float64(max(len(s)-1, 1))
		aside := bow * (4*t*(1-t) - 0.5)
		x, y := stretch*(s[i].X-midX)-aside*chordY, stretch*(s[i].Y-midY)+aside*chordX
		s[i].X, s[i].Y = x*cos-y*sin+moveX, x*sin+y*cos+moveY
	}
}

// withoutHook leaves out the last piece of a stroke that is short and turns sharply.
func withoutHook(s ink.Stroke) ink.Stroke {
	n := len(s)
	if n < 3 {
		return s
	}
	ax, ay := s[n-2].X-s[n-3].X, s[n-2].Y-s[n-3].Y
	bx, by := s[n-1].X-s[n-2].X, s[n-1].Y-s[n-2].Y
	if long := math.Hypot(bx, by); long > 0.2 || ax*bx+ay*by > 0.4*long*math.Hypot(ax, ay) {
		return s
	}
	return s[:n-1]
}

// evenly puts points on the path of a stroke so that no piece is longer than a sixteenth of the drawing.
func evenly(s ink.Stroke) ink.Stroke {
	const longest = 1. / 16
	out := make(ink.Stroke, 0, 2*len(s))
	for i, p := range s {
		if i > 0 {
			from := s[i-1]
			pieces := math.Ceil(math.Hypot(p.X-from.X, p.Y-from.Y) / longest)
			for k := 1.0; k < pieces; k++ {
				out = append(out, ink.Point{X: from.X + (p.X-from.X)*k/pieces, Y: from.Y + (p.Y-from.Y)*k/pieces})
			}
		}
		out = append(out, p)
	}
	return out
}

// joined keeps the pen down between strokes by chance, where the next one begins near.
func joined(k ink.Ink, chance float64, rng *rand.Rand) ink.Ink {
	out := k[:1]
	for _, s := range k[1:] {
		before := out[len(out)-1]
		end := before[len(before)-1]
		way := math.Hypot(s[0].X-end.X, s[0].Y-end.Y)
		if rng.Float64() >= chance*(1-way/penDownReach) {
			out = append(out, s)
			continue
		}
		less := func(s ink.Stroke) int { return int(joinShortened * 2 * rng.Float64() * float64(len(s))) }
		out[len(out)-1] = append(before[:len(before)-less(before)], s[less(s):]...)
	}
	return out
}

// rounded cuts the corners of a stroke (Chaikin, "An algorithm for high-speed curve generation", 1974).
func rounded(s ink.Stroke) ink.Stroke {
	if len(s) < 3 {
		return s
	}
	out := append(make(ink.Stroke, 0, 2*len(s)), s[0])
	for i := 1; i < len(s); i++ {
		a, b := s[i-1], s[i]
		out = append(out, ink.Point{X: 0.75*a.X + 0.25*b.X, Y: 0.75*a.Y + 0.25*b.Y}, ink.Point{X: 0.25*a.X + 0.75*b.X, Y: 0.25*a.Y + 0.75*b.Y})
	}
	return slices.Clip(append(out, s[len(s)-1]))
}
