package dataset

import (
	"math"
	"math/rand/v2"
	"slices"

	"inkshade/recognizer/ink"
)

// NonCharacter makes a drawing of characters that is likely to be none, one of which is in about
// as many: strokes of several put anywhere or two written over each other, one that is mirrored or
// turned, halves of two, or strokes that nobody wrote, alone or added to a character. Now and then it is a
// character all the same, as a turned 6 is. Without characters all strokes are invented.
func NonCharacter(characters []ink.Ink, rng *rand.Rand) ink.Ink {
	kind := rng.IntN(6)
	if len(characters) == 0 {
		kind = 5
	}
	one := func() ink.Ink { return unit(characters[rng.IntN(len(characters))]) }
	switch kind {
	case 0:
		return append(one(), placed(one(), 0.3, 0.4, rng)...)
	case 1:
		var strokes ink.Ink
		for range 2 + rng.IntN(3) {
			k := one()
			strokes = append(strokes, placed(ink.Ink{k[rng.IntN(len(k))]}, 1, 0.3, rng)...)
		}
		return strokes
	case 2:
		return turned(one(), rng)
	case 3:
		return halves(one(), one(), rng)
	case 4:
		k := one()
		for range 1 + rng.IntN(2) {
			k = append(k, invented(k, rng))
		}
		return k
	}
	var k ink.Ink
	for range 1 + int(4*rng.Float64()*rng.Float64()) {
		k = append(k, invented(k, rng))
	}
	return k
}

// unit is a copy whose longer side reaches from -0.5 to 0.5.
func unit(k ink.Ink) ink.Ink {
	k = k.Clean()
	x0, y0, x1, y1, _ := k.Bounds()
	scale := 1.0
	if longer := max(x1-x0, y1-y0); longer > 0 {
		scale = 1 / longer
	}
	return mapped(k, scale, 0, 0, scale, -scale*(x0+x1)/2, -scale*(y0+y1)/2)
}

// mapped is a copy with x' = a·x + b·y + e and y' = c·x + d·y + f.
func mapped(k ink.Ink, a, b, c, d, e, f float64) ink.Ink {
	return k.Map(func(p ink.Point) ink.Point { return ink.Point{X: a*p.X + b*p.Y + e, Y: c*p.X + d*p.Y + f} })
}

// placed turns (angle in radians), stretches (of its logarithm) and moves a drawing by chance; angle
// and stretch are standard deviations.
func placed(k ink.Ink, angle, stretch float64, rng *rand.Rand) ink.Ink {
	const shift = 0.3
	sin, cos := math.Sincos(angle * rng.NormFloat64())
	scale, aspect := math.Exp(stretch*rng.NormFloat64()), math.Exp(stretch/2*rng.NormFloat64())
	x, y := scale*aspect, scale/aspect
	return mapped(k, cos*x, -sin*y, sin*x, cos*y, shift*rng.NormFloat64(), shift*rng.NormFloat64())
}

// turned mirrors half of the drawings and turns all, most by about a multiple of a right angle.
func turned(k ink.Ink, rng *rand.Rand) ink.Ink {
	mirror := float64(1 - 2*rng.IntN(2))
	angle := (0.25 + 1.5*rng.Float64()) * math.Pi
	if rng.IntN(3) > 0 {
		angle = float64(1+rng.IntN(3))*math.Pi/2 + 0.1*rng.NormFloat64()
	}
	sin, cos := math.Sincos(angle)
	return mapped(k, mirror*cos, -sin, mirror*sin, cos, 0, 0)
}

// halves joins the left of a to the right of b, or the upper part of a to the lower of b.
func halves(a, b ink.Ink, rng *rand.Rand) ink.Ink {
	upper, cut := rng.IntN(2) == 0, 0.15*rng.NormFloat64()
	var out ink.Ink
	for part, k := range []ink.Ink{a, b} {
		for _, s := range k {
			down := false
			for _, p := range s {
				at := p.X
				if upper {
					at = p.Y
				}
				kept := (at < cut) == (part == 0)
				if kept && !down {
					out = append(out, nil)
				}
				if down = kept; kept {
					out[len(out)-1] = append(out[len(out)-1], p)
				}
			}
		}
	}
	return out
}

// invented is a stroke of lines, arcs and loops that begins anywhere in the unit or where another
// stroke begins, ends or passes.
func invented(others ink.Ink, rng *rand.Rand) ink.Stroke {
	const jitter = 0.03
	at := ink.Point{X: rng.Float64() - 0.5, Y: rng.Float64() - 0.5}
	if len(others) > 0 && rng.IntN(2) == 0 {
		s := others[rng.IntN(len(others))]
		at = []ink.Point{s[0], s[len(s)-1], s[rng.IntN(len(s))]}[rng.IntN(3)]
		at.X, at.Y = at.X+jitter*rng.NormFloat64(), at.Y+jitter*rng.NormFloat64()
	}
	angle := 2 * math.Pi * rng.Float64()
	if rng.IntN(2) == 0 { // level or upright
		angle = float64(rng.IntN(4))*math.Pi/2 + 0.1*rng.NormFloat64()
	}
	side := func() float64 { return float64(1 - 2*rng.IntN(2)) }
	stroke := ink.Stroke{at}
	pieces := 1 + rng.IntN(3)
	if rng.IntN(10) == 0 { // a scribble
		pieces = 4 + rng.IntN(30)
	}
	for range pieces {
		length, bend := 0.15+0.8*rng.Float64(), 0.0
		switch rng.IntN(4) {
		case 0: // an arc
			bend = 2.5 * rng.NormFloat64()
		case 1: // most of a circle
			length, bend = 1.3*length, 2*math.Pi*side()*(0.6+0.4*rng.Float64())
		}
		const points = 10
		for range points {
			angle += bend / points
			sin, cos := math.Sincos(angle)
			at.X, at.Y = at.X+length/points*cos, at.Y+length/points*sin
			stroke = append(stroke, at)
		}
		switch rng.IntN(3) {
		case 0: // a corner
			angle += side() * math.Pi / 2 * (1 + 0.2*rng.NormFloat64())
		case 1: // back
			angle += side() * math.Pi * (0.6 + 0.4*rng.Float64())
		}
	}
	return slices.Clip(stroke)
}
