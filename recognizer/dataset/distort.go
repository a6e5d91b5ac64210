package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"

	"inkshade/recognizer/ink"
)

const (
	side   = ink.Side
	pixels = side * side
	middle = 14 // index of the pixel that the centre of mass is put in
)

// Distortion makes new training images of old ones by small random changes. Each field but the
// last is the largest change, drawn evenly between it and its opposite; 0 leaves it out.
type Distortion struct {
	Shift  float64 // in pixels, along x and along y
	Rotate float64 // in degrees
	Scale  float64 // of x and of y, as a part: 0.1 is about 90 to 110 %
	Shear  float64 // x moves by this times y: 0.1 leans by about 6 degrees
	// ElasticAlpha and ElasticSigma move every pixel as in Simard et al., "Best practices
	// for convolutional neural networks applied to visual document analysis" (2003): even
	// noise in -1 to 1 a pixel, smoothed by a Gaussian of sigma pixels, times alpha. The
	// displacement's standard deviation is alpha / (sigma √(12π)) pixels. Sigma is at least 1.
	ElasticAlpha, ElasticSigma float64
	// Thickness makes the stroke thicker or thinner, by about this much of a pixel on
	// either side; at most 1.
	Thickness float64
	// Reverse is the chance that a stroke is drawn from its end to its beginning, as some
	// people do. It has no meaning for images.
	Reverse float64
	// Strokes is how much strokes in standard form are varied as those of people, where the training image
	// is one of ApplyDetail; see varyStrokes.
	Strokes float64
}

// DefaultDistortion keeps a digit what it is for a reader, and is as strong as that allows.
func DefaultDistortion() Distortion {
	return Distortion{
		Shift: 1, Rotate: 10, Scale: 0.12, Shear: 0.12,
		ElasticAlpha: 32, ElasticSigma: 5, Thickness: 0.35,
	}
}

// Times multiplies every change, and not the width of the elastic field's smoothing.
func (d Distortion) Times(factor float64) Distortion {
	for _, amount := range []*float64{&d.Shift, &d.Rotate, &d.Scale, &d.Shear, &d.ElasticAlpha, &d.Thickness} {
		*amount *= factor
	}
	return d
}

// Apply writes a distorted copy of the 28x28 image src to dst, which may be src. It
// allocates nothing. Wrong sizes panic.
func (d Distortion) Apply(dst, src []float32, rng *rand.Rand) {
	if len(dst) != pixels || len(src) != pixels {
		panic(fmt.Sprintf("dataset: images of %d and %d pixels, want %dx%d", len(dst), len(src), side, side))
	}
	var padded [paddedSide * paddedSide]float32
	for y := range side {
		copy(padded[(y+border)*paddedSide+border:], src[y*side:(y+1)*side])
	}
	var f field
	d.fill(&f, rng)
	f.sample(dst, &padded)
	if d.Thickness != 0 {
		thicken(dst, side, float32(min(d.Thickness, 1)*even(rng)))
	}
}

// even is drawn from -1 to 1.
func even(rng *rand.Rand) float64 { return 2*rng.Float64() - 1 }

// field says for each pixel where its value comes from, as pixel indices.
type field struct{ x, y [pixels]float32 }

// affineMap is the inverse of scale, then shear, then rotation about the middle, then
// shift: [xx xy; yx yy] = scale⁻¹ · shear⁻¹ · rotation⁻¹.
type affineMap struct{ xx, xy, yx, yy, shiftX, shiftY float64 }

func (d Distortion) drawAffine(rng *rand.Rand) affineMap {
	shiftX, shiftY := d.Shift*even(rng), d.Shift*even(rng)
	sin, cos := math.Sincos(d.Rotate * math.Pi / 180 * even(rng))
	shear := d.Shear * even(rng)
	scaleX, scaleY := math.Exp(d.Scale*even(rng)), math.Exp(d.Scale*even(rng))
	return affineMap{
		xx: (cos + shear*sin) / scaleX, xy: (sin - shear*cos) / scaleX,
		yx: -sin / scaleY, yy: cos / scaleY,
		shiftX: shiftX, shiftY: shiftY,
	}
}

// start is where the first pixel of row i comes from.
func (m affineMap) start(i int) (x, y float64) {
	dy := float64(i) - middle - m.shiftY
	return m.xx*(-middle-m.shiftX) + m.xy*dy + middle, m.yx*(-middle-m.shiftX) + m.yy*dy + middle
}

// fill draws a field.
func (d Distortion) fill(f *field, rng *rand.Rand) {
	m := d.drawAffine(rng)
	for i := range side {
		x, y := m.start(i)
		row := i * side
		for j := range side {
			f.x[row+j] = float32(x + m.xx*float64(j))
			f.y[row+j] = float32(y + m.yx*float64(j))
		}
	}
	if d.ElasticAlpha != 0 {
		f.addElastic(d.ElasticAlpha, max(d.ElasticSigma, 1), rng)
	}
}

// border is the paper around the image that sampling may touch; the coordinates are
// clamped to it.
const (
	border     = 2
	paddedSide = side + 2*border
)

// sample reads the image at the field's positions, bilinearly.
func (f *field) sample(dst []float32, padded *[paddedSide * paddedSide]float32) {
	const last = paddedSide - 2
	for i := range dst[:pixels] {
		x := min(max(f.x[i]+border, 0), last)
		y := min(max(f.y[i]+border, 0), last)
		ix, iy := int(x), int(y)
		x -= float32(ix)
		y -= float32(iy)
		dst[i] = between(padded[iy*paddedSide+ix:], paddedSide, x, y)
	}
}

// between is the value so far right of and below the first pixel of an image of that width, bilinearly.
func between(p []float32, width int, x, y float32) float32 {
	p = p[: width+2 : width+2]
	above := p[0] + x*(p[1]-p[0])
	below := p[width] + x*(p[width+1]-p[width])
	return above + y*(below-above)
}

// thicken blends the square image with its dilation over the four neighbours, or for a negative
// amount with its erosion. Sides are those of images of 28x28 and of the detail.
func thicken(img []float32, side int, amount float32) {
	var memory [(ink.DetailSide + 2) * (ink.DetailSide + 2)]float32
	width := side + 2
	padded := memory[:width*width]
	sign := float32(1)
	if amount < 0 {
		sign, amount = -1, -amount
	}
	for y := range side {
		for x, v := range img[y*side : (y+1)*side] {
			padded[(y+1)*width+x+1] = sign * v
		}
	}
	for y := range side {
		row := padded[y*width:]
		for x := range side {
			v := row[width+x+1]
			most := max(v, row[x+1], row[2*width+x+1], row[width+x], row[width+x+2])
			img[y*side+x] = sign * (v + amount*(most-v))
		}
	}
}
