package datatest

import (
	"math"
	"math/rand/v2"
	"slices"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
)

// shapes are simple signs that tests can draw without data sets, in a box of 100 by 100.
var shapes = map[string][][]ink.Point{
	"L": {{{X: 0, Y: 0}, {X: 0, Y: 100}, {X: 60, Y: 100}}},
	"V": {{{X: 0, Y: 0}, {X: 35, Y: 100}, {X: 70, Y: 0}}},
	"T": {{{X: 0, Y: 0}, {X: 80, Y: 0}}, {{X: 40, Y: 0}, {X: 40, Y: 100}}},
	"O": {circle(40, 50)},
	"Z": {{{X: 0, Y: 0}, {X: 70, Y: 0}, {X: 0, Y: 100}, {X: 70, Y: 100}}},
	"X": {{{X: 0, Y: 0}, {X: 70, Y: 100}}, {{X: 70, Y: 0}, {X: 0, Y: 100}}},
	"★": {{{X: 20, Y: 100}, {X: 50, Y: 0}, {X: 80, Y: 100}, {X: 0, Y: 40}, {X: 100, Y: 40}, {X: 20, Y: 100}}},
	// An L by someone who writes it like no one else.
	"strange L": {{{X: 60, Y: 0}, {X: 60, Y: 100}, {X: 0, Y: 100}, {X: 0, Y: 60}}},
}

func circle(rx, ry float64) []ink.Point {
	var s []ink.Point
	for i := range 33 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 32)
		s = append(s, ink.Point{X: rx + rx*sin, Y: ry - ry*cos})
	}
	return s
}

// Draw draws one of "L", "V", "T", "O", "Z", "X", "★" and "strange L" with a hand that shakes by a few in a hundred. Another name panics.
func Draw(name string, rng *rand.Rand) ink.Ink {
	shape, ok := shapes[name]
	if !ok {
		panic("datatest: there is no shape " + name)
	}
	lean, wide := rng.NormFloat64()*0.08, 1+rng.NormFloat64()*0.08
	var k ink.Ink
	for _, corners := range shape {
		var s ink.Stroke
		for i, p := range corners {
			// Points between the corners, so that a distortion can bend the lines.
			for n := 1; i > 0 && n < 6; n++ {
				q, t := corners[i-1], float64(n)/6
				s = append(s, ink.Point{X: q.X + t*(p.X-q.X), Y: q.Y + t*(p.Y-q.Y)})
			}
			s = append(s, p)
		}
		dx, dy := rng.NormFloat64()*2, rng.NormFloat64()*2
		for i, p := range s {
			s[i].X = (p.X+lean*p.Y)*wide + dx + rng.NormFloat64()
			s[i].Y = p.Y + dy + rng.NormFloat64()
		}
		k = append(k, s)
	}
	return k
}

// Shapes gives n samples of each shape as its own label, all by one writer; the same seed gives the same.
func Shapes(writer string, n int, seed uint64, names ...string) []dataset.Sample {
	rng := rand.New(rand.NewPCG(seed, 0x5a9e))
	var samples []dataset.Sample
	for range n {
		for _, name := range slices.Sorted(slices.Values(names)) {
			samples = append(samples, Sample(name, writer, Draw(name, rng)))
		}
	}
	return samples
}

// Sample makes a sample of a drawing. A drawing without ink panics.
func Sample(label, writer string, k ink.Ink) dataset.Sample {
	image, err := ink.Rasterize(k)
	if err != nil {
		panic(err)
	}
	return dataset.Sample{Label: label, Writer: writer, Source: "shapes", Ink: k, Image: image}
}
