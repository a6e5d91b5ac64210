package feature

import (
	"math"

	"inkshade/recognizer/ink"
)

// Beside its directions a map of the pen's path has channels for where strokes begin and end.
const (
	beginnings = iota + directions
	ends
	mapChannels
)

// walk gives add the path of a stroke that has points: at brings each to a map, in whose unit the path is cut into pieces of one
// at most. The length of a piece is split onto the two channels of the nearest directions, of which the higher one gets the share. A
// movement shorter than jitter has no direction of its own. It gives where the last longer one ends.
func walk(s ink.Stroke, at func(ink.Point) (x, y float64), jitter float64, add adder) (x, y float64) {
	x, y = at(s[0])
	for _, p := range s[1:] {
		toX, toY := at(p)
		dx, dy := toX-x, toY-y
		length := math.Hypot(dx, dy)
		if !(length >= jitter) { // too short, or not a number
			continue
		}
		low, share := direction(dx, dy)
		n := math.Ceil(length)
		weight := float32(length / n)
		for i := 0.5; i < n; i++ {
			add(low, share, x+dx*i/n, y+dy*i/n, weight)
		}
		x, y = toX, toY
	}
	return x, y
}

// adder lays a weight on a place of a map, but for a share of it on a channel, and that on the next direction.
type adder func(channel int, share float32, x, y float64, weight float32)

// direction gives the lower of the two nearest of eight directions, and the share of the
// higher one.
func direction(dx, dy float64) (low int, share float32) {
	angle := math.Atan2(dy, dx) / (2 * math.Pi) * directions
	if angle < 0 {
		angle += directions
	}
	low = int(angle)
	return low % directions, float32(angle - float64(low))
}

// pathMap is a map of rows of so many columns, of mapChannels values each.
type pathMap struct {
	dst           []float32
	rows, columns int
}

// add lays a weight on the four cells around a place, counted in cells from the upper left corner.
func (m pathMap) add(channel int, share float32, x, y float64, weight float32) {
	x, y = x-0.5, y-0.5
	if !(x >= 0 && y >= 0 && x < float64(m.columns-1) && y < float64(m.rows-1)) { // outside, or not a number
		return
	}
	column, row := int(x), int(y)
	u, v := float32(x-float64(column)), float32(y-float64(row))
	cell := m.dst[(row*m.columns+column)*mapChannels:]
	below := cell[m.columns*mapChannels:]
	for _, w := range [2]float32{weight * (1 - share), weight * share} {
		cell[channel] += w * (1 - u) * (1 - v)
		cell[mapChannels+channel] += w * u * (1 - v)
		below[channel] += w * (1 - u) * v
		below[mapChannels+channel] += w * u * v
		channel = (channel + 1) % directions
	}
}
