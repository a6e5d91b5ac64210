// Package ink holds what a pen wrote, as strokes of points, and turns it into the picture
// a model reads: 28x28, by the protocol of MNIST. It reads and writes ink files.
package ink

import (
	"math"
	"slices"

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

func (l *Labelled) set(name, value string) {
	if l.Attributes == nil {
		l.Attributes = map[string]string{}
	}
	l.Attributes[name] = value
}

// Points counts the points of all strokes.
func (k Ink) Points() int {
	n := 0
	for _, s := range k {
		n += len(s)
	}
	return n
}

// Map is a copy with what f makes of each point.
func (k Ink) Map(f func(Point) Point) Ink {
	out := make(Ink, len(k))
	for i, s := range k {
		out[i] = make(Stroke, len(s))
		for j, p := range s {
			out[i][j] = f(p)
		}
	}
	return out
}

// Clean returns the ink without points whose position is not finite and without empty
// strokes; a time or pressure that is not finite becomes 0, which means unknown. Ink that
// is clean already is returned as it is, anything else as a copy.
func (k Ink) Clean() Ink {
	clean := func(p Point) bool { return p.finite() && p.T-p.T == 0 && p.Pressure-p.Pressure == 0 }
	if !slices.ContainsFunc(k, func(s Stroke) bool {
		return len(s) == 0 || slices.ContainsFunc(s, func(p Point) bool { return !clean(p) })
	}) {
		return k
	}
	out := make(Ink, 0, len(k))
	for _, s := range k {
		s = slices.DeleteFunc(slices.Clone(s), func(p Point) bool { return !p.finite() })
		for i, p := range s {
			if p.T-p.T != 0 {
				s[i].T = 0
			}
			if p.Pressure-p.Pressure != 0 {
				s[i].Pressure = 0
			}
		}
		if len(s) > 0 {
			out = append(out, s)
		}
	}
	return out
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

// spacing is the smallest distance of two points that is drawn, in samples: a quarter of a
// sample is invisible, and a pen that rests sends thousands of points.
const spacing = 0.25

type vec struct{ x, y float64 }

func (a vec) plus(b vec) vec            { return vec{a.x + b.x, a.y + b.y} }
func (a vec) minus(b vec) vec           { return vec{a.x - b.x, a.y - b.y} }
func (a vec) times(f float64) vec       { return vec{a.x * f, a.y * f} }
func (a vec) dot(b vec) float64         { return a.x*b.x + a.y*b.y }
func (a vec) cross(b vec) float64       { return a.x*b.y - a.y*b.x }
func (a vec) turn(sin, cos float64) vec { return vec{a.x*cos - a.y*sin, a.x*sin + a.y*cos} }

// arcStep is what round caps and joins advance by: at the pen's radius the chord then stays
// within a tenth of a sample of the arc.
const arcStep = math.Pi / 8

var arcSin, arcCos = math.Sincos(arcStep)

// stroke adds the outline of one stroke: the path is walked to its end and back again,
// always drawing the side to the left, with a half circle at either end. The outline of
// every stroke so turns the same way, and where two overlap the rasteriser, which clamps
// the winding number, draws their union.
func (b *brush) stroke(s Stroke, f fit) {
	b.path = b.path[:0]
	for _, p := range s {
		if !p.finite() {
			continue
		}
		v := f.apply(p)
		if n := len(b.path); n > 0 {
			if d := v.minus(b.path[n-1]); d.dot(d) < spacing*spacing {
				continue
			}
		}
		b.path = append(b.path, v)
	}
	switch len(b.path) {
	case 0:
		return
	case 1:
		b.disc(b.path[0], f.radius)
		return
	}
	b.outline(f.radius)
}

func (b *brush) outline(radius float64) {
	last := len(b.path) - 1
	// at(i) walks 0, 1, ..., last, last-1, ..., 0 and starts again.
	at := func(i int) vec {
		i %= 2 * last
		if i > last {
			i = 2*last - i
		}
		return b.path[i]
	}
	here, next := at(0), at(1)
	in, inLength := unit(here.minus(next)) // arriving at the first point, as if from the end
	begin := here.plus(normal(in, radius))
	b.raster.MoveTo(float32(begin.x), float32(begin.y))
	move := func(v vec) { b.raster.LineTo(float32(v.x), float32(v.y)) }
	for i := range 2 * last {
		here, next = at(i), at(i+1)
		out, outLength := unit(next.minus(here))
		from, to := normal(in, radius), normal(out, radius)
		sin, cos := in.cross(out), in.dot(out)
		switch {
		case i == 0 || i == last:
			b.arc(here, from, to, math.Pi, move)
		case sin >= 0: // the outer side of the bend
			b.arc(here, from, to, math.Atan2(sin, cos), move)
		case radius*-sin <= (1+cos)*min(inLength, outLength)/2:
			// The two edges meet, at this point, before either segment ends.
			move(here.plus(from.plus(to).times(1 / (1 + cos))))
		default:
			move(here.plus(from))
			move(here)
			move(here.plus(to))
		}
		in, inLength = out, outLength
	}
	b.raster.ClosePath()
}

// arc goes round the point by an angle, starting and ending on the given normals.
func (b *brush) arc(around, from, to vec, angle float64, move func(vec)) {
	move(around.plus(from))
	v := from
	for range int(angle / arcStep) {
		v = v.turn(arcSin, arcCos)
		move(around.plus(v))
	}
	move(around.plus(to))
}

func (b *brush) disc(at vec, radius float64) {
	v := vec{radius, 0}
	b.raster.MoveTo(float32(at.x+v.x), float32(at.y+v.y))
	const steps = 32
	sin, cos := math.Sincos(2 * math.Pi / steps)
	for range steps - 1 {
		v = v.turn(sin, cos)
		b.raster.LineTo(float32(at.x+v.x), float32(at.y+v.y))
	}
	b.raster.ClosePath()
}

func unit(v vec) (vec, float64) {
	length := math.Hypot(v.x, v.y)
	return v.times(1 / length), length
}

// normal points to the left of the direction of travel, seen with y growing downward.
func normal(direction vec, length float64) vec {
	return vec{direction.y * length, -direction.x * length}
}
