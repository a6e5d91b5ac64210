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
	penDownReach  = 0.8  // longest way of the pen between two strokes
	joinShortened = 0.2  // part of a stroke left out before and after such a way
	ticked        = 0.5  // pauses whose way the pen begins before it is lifted, or ends after it is down, at most
	longestTick   = 0.4  // part of the way
	smoothest     = 0.05 // standard deviation along the path over which the pen evens its way out in running writing, at most
)

// varyStrokes makes another drawing of a character of one in standard form, such as the middle lines
// of a font's strokes, as people do: each stroke has its own place, slant, length and curvature,
// strokes that follow one another move together, hooks are left out, corners become round, and in
// running writing the pen evens its way out, stays down between strokes and shortens them, or marks a part of the way
// between them. At 1 it is still legible.
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
	smooth := smoothest / 3 * rng.Float64()
	if rng.Float64() < runningShare*most {
		fluency := rng.Float64()
		varied = joined(varied, longestRun*fluency, rng)
		smooth = smoothest * fluency * (0.4 + 0.6*rng.Float64())
	}
	for i := range varied {
		varied[i] = smoothed(varied[i], smooth)
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

// joined keeps the pen down between strokes by chance, where the next one begins near, and elsewhere lets it begin or end the way
// between them on the paper.
func joined(k ink.Ink, chance float64, rng *rand.Rand) ink.Ink {
	out := k[:1]
	for _, s := range k[1:] {
		before := out[len(out)-1]
		end, begin := before[len(before)-1], s[0]
		way := math.Hypot(begin.X-end.X, begin.Y-end.Y)
		if rng.Float64() >= chance*(1-way/penDownReach) {
			tick := func() ink.Point {
				part := 0.0
				if rng.Float64() < ticked*chance {
					part = longestTick * rng.Float64()
				}
				return ink.Point{X: part * (begin.X - end.X), Y: part * (begin.Y - end.Y)}
			}
			if t := tick(); t != (ink.Point{}) {
				out[len(out)-1] = append(before, ink.Point{X: end.X + t.X, Y: end.Y + t.Y})
			}
			if t := tick(); t != (ink.Point{}) {
				s = slices.Insert(s, 0, ink.Point{X: begin.X - t.X, Y: begin.Y - t.Y})
			}
			out = append(out, s)
			continue
		}
		less := func(s ink.Stroke) int { return int(joinShortened * 2 * rng.Float64() * float64(len(s))) }
		out[len(out)-1] = append(before[:len(before)-less(before)], s[less(s):]...)
	}
	return out
}

// smoothed evens the path of a stroke out over so much of its length, as a standard deviation; its ends stay where they are.
func smoothed(s ink.Stroke, deviation float64) ink.Stroke {
	const step = 1. / 64
	if len(s) < 3 || deviation < step/4 {
		return s
	}
	path := ink.Stroke{s[0]}
	left := step // until the next point
	for i := 1; i < len(s); i++ {
		from, to := s[i-1], s[i]
		long := math.Hypot(to.X-from.X, to.Y-from.Y)
		at := left
		for ; at < long; at += step {
			path = append(path, ink.Point{X: from.X + (to.X-from.X)*at/long, Y: from.Y + (to.Y-from.Y)*at/long})
		}
		left = at - long
	}
	path = append(path, s[len(s)-1])
	reach := int(math.Ceil(2.5 * deviation / step))
	weights := make([]float64, reach+1)
	for i := range weights {
		x := float64(i) * step / deviation
		weights[i] = math.Exp(-x * x / 2)
	}
	n := len(path)
	out := make(ink.Stroke, n)
	for i := range path {
		r := min(reach, i, n-1-i) // fewer toward the ends, which stay
		sum, x, y := weights[0], path[i].X*weights[0], path[i].Y*weights[0]
		for j := 1; j <= r; j++ {
			w := weights[j]
			x, y, sum = x+w*(path[i-j].X+path[i+j].X), y+w*(path[i-j].Y+path[i+j].Y), sum+2*w
		}
		out[i] = ink.Point{X: x / sum, Y: y / sum}
	}
	return out
}
