package dataset

import (
	"math"
	"math/rand/v2"

	"inkshade/recognizer/ink"
)

// Widths of the pen in pixels of a picture of ink.DetailSide, between which that of a training image is drawn, evenly
// in its logarithm.
const (
	thinPen  = 1.2
	thickPen = 4.5
)

const (
	detailPixels = ink.DetailSide * ink.DetailSide
	detailScale  = 20.0 / 48 // pixels of the 28x28 image in one of the detail
	scannedShare = 0.5       // training images as from paper
	deepestShade = 0.6       // how much of the ink a grain lacks there, at most
	mostThicker  = 0.8       // pixels by which a stroke grows on either side, at most
	mostThinner  = 1.5       // pixels by which it shrinks, at most
	thinnest     = 0.7       // pixels from its middle to its edge that are left then
)

// ApplyDetail makes a training image of ink.DetailSide*ink.DetailSide pixels of a sample: its
// strokes varied and distorted and drawn, or its picture distorted and its strokes made thicker or
// thinner; half of both are grainy and blurred, as from paper.
func (d Distortion) ApplyDetail(dst []float32, s *Sample, rng *rand.Rand) {
	pen := thinPen * math.Pow(thickPen/thinPen, rng.Float64())
	if s.Ink == nil || ink.DrawDetail(dst, d.ApplyInk(nil, varyStrokes(s.Ink, d.Strokes, rng), rng), pen) != nil {
		s.Image.DetailInto(dst)
		d.warpDetail(dst, rng)
		if d.Thickness != 0 {
			setPen(dst, pen)
		}
	}
	if d.Thickness != 0 && rng.Float64() < scannedShare {
		scan(dst, deepestShade*rng.Float32(), rng)
	}
}

// warpDetail moves the ink of a picture as Apply does.
func (d Distortion) warpDetail(img []float32, rng *rand.Rand) {
	var f field
	d.fill(&f, rng)
	var src [detailPixels]float32
	copy(src[:], img)
	const last = ink.DetailSide - 1.001
	for y := range ink.DetailSide {
		for x := range ink.DetailSide {
			u, v := f.at(middle+(float64(x)-31.5)*detailScale, middle+(float64(y)-31.5)*detailScale)
			u, v = min(max((u-middle)/detailScale+31.5, 0), last), min(max((v-middle)/detailScale+31.5, 0), last)
			column, row := int(u), int(v)
			a, b := float32(u)-float32(column), float32(v)-float32(row)
			img[y*ink.DetailSide+x] = between(src[row*ink.DetailSide+column:], ink.DetailSide, a, b)
		}
	}
}

// setPen makes strokes about as wide as a pen would, as far as they stay whole and apart. Their
// width is twice their area over the length of their edges.
func setPen(img []float32, pen float64) {
	area, edges := 0.0, 1.0
	for i, v := range img {
		area += float64(v)
		if i%ink.DetailSide > 0 && i >= ink.DetailSide {
			edges += math.Hypot(float64(v-img[i-1]), float64(v-img[i-ink.DetailSide]))
		}
	}
	half := area / edges
	more := min(max(pen/2-half, -mostThinner, -max(half-thinnest, 0)), mostThicker)
	for more != 0 {
		step := min(max(more, -1), 1)
		thicken(img, ink.DetailSide, float32(step))
		more -= step
	}
}

// scan takes up to a share of the ink away from each pixel and blurs the picture by up to a pixel.
func scan(img []float32, grain float32, rng *rand.Rand) {
	var noise [detailPixels]float32
	fill(noise[:], grain/2, rng)
	for i := range img {
		noise[i] = img[i] * (1 - grain/2 + noise[i])
	}
	side := rng.Float32() / 3
	for i := ink.DetailSide + 1; i < detailPixels-ink.DetailSide-1; i++ {
		around := noise[i-1] + noise[i+1] + noise[i-ink.DetailSide] + noise[i+ink.DetailSide]
		img[i] = (1-2*side)*noise[i] + side/2*around
	}
}
