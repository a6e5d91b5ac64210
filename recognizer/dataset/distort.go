package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"

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

// Elastic displacements are noise on a coarse grid, one node every sigma pixels, smoothed
// by the same Gaussian as noise on every pixel would be: what the finer noise adds the
// Gaussian removes. At this distance the sum of the kernels is even to one part in ten
// thousand.
const (
	reach    = 3                  // sigmas after which the Gaussian ends
	taps     = 2 * reach          // nodes within reach of a pixel
	maxNodes = side + 2*reach + 1 // along an axis, for the smallest sigma, 1
)

// kernel holds what depends on sigma alone.
type kernel struct {
	sigma   float64
	nodes   int
	first   [side]int           // the first node within reach of a pixel
	weights [side][taps]float32 // of the nodes from first on
}

// recent is the kernel of the last sigma asked for; a training uses one.
var recent atomic.Pointer[kernel]

func newKernel(sigma float64) *kernel {
	k := &kernel{sigma: sigma}
	for i := range side {
		at := float64(i)/sigma + reach // in nodes; node 0 lies reach sigmas before the image
		k.first[i] = int(at) - reach + 1
		power := 0.0
		for t := range taps {
			d := at - float64(k.first[i]+t)
			w := math.Exp(-d * d / 2)
			k.weights[i][t] = float32(w)
			power += w * w
		}
		// Noise on every pixel would have the power 1/(2√π sigma) along an axis.
		scale := float32(math.Sqrt(1 / (2 * math.Sqrt(math.Pi) * sigma) / power))
		for t := range taps {
			k.weights[i][t] *= scale
		}
		k.nodes = max(k.nodes, k.first[i]+taps)
	}
	return k
}

// addElastic adds smoothed noise times alpha to both coordinates.
func (f *field) addElastic(alpha, sigma float64, rng *rand.Rand) {
	k := recent.Load()
	if k == nil || k.sigma != sigma {
		k = newKernel(sigma)
		recent.Store(k)
	}
	var noise [maxNodes * maxNodes]float32
	for _, target := range []*[pixels]float32{&f.x, &f.y} {
		fill(noise[:k.nodes*k.nodes], float32(alpha), rng)
		k.add(target, noise[:])
	}
}

// fill draws even noise from -scale to scale, four values from each 64 random bits.
func fill(noise []float32, scale float32, rng *rand.Rand) {
	scale /= 1 << 15
	for i := 0; i < len(noise); i += 4 {
		bits := rng.Uint64()
		for j := i; j < min(i+4, len(noise)); j++ {
			noise[j] = scale * (float32(int16(bits)) + 0.5)
			bits >>= 16
		}
	}
}

// add smooths the noise along y, a row of pixels at a time, then along x.
func (k *kernel) add(target *[pixels]float32, noise []float32) {
	var column [maxNodes]float32
	for i := range side {
		clear(column[:k.nodes])
		for t, w := range k.weights[i] {
			for j, v := range noise[(k.first[i]+t)*k.nodes:][:k.nodes] {
				column[j] += w * v
			}
		}
		for j := range side {
			c := column[k.first[j]:][:taps]
			w := &k.weights[j]
			target[i*side+j] += w[0]*c[0] + w[1]*c[1] + w[2]*c[2] + w[3]*c[3] + w[4]*c[4] + w[5]*c[5]
		}
	}
}

// A cubic B-spline smooths like a Gaussian whose standard deviation is √(1/3) of the
// distance of its control points, and keeps this share of the standard deviation of
// noise on them along each axis, in the mean over all places.
const (
	splineSigma = 0.5773502691896258
	splinePower = 151. / 315 // the mean of the sum of squared weights
)

// WarpGrid is the number of control points along an axis with which DrawWarp's splines
// are as smooth as this distortion's elastic field, as far as a whole number of pieces can be.
func (d Distortion) WarpGrid() int {
	if d.ElasticAlpha == 0 {
		return 4
	}
	distance := max(d.ElasticSigma, 1) / splineSigma
	return 3 + max(1, int(math.Round((side-1)/distance)))
}

// DrawWarp draws one image's distortion as glcompute's Warp operation takes it: affine is
// the map of an output pixel to the place it comes from, 6 values; grid holds the
// control points of the displacement along x, then along y, WarpGrid x WarpGrid each. The
// changes are as likely as those of Apply, but for Thickness, which has no part in them.
func (d Distortion) DrawWarp(affine, grid []float32, rng *rand.Rand) {
	m := d.drawAffine(rng)
	x, y := m.start(0)
	for i, v := range [6]float64{m.xx, m.xy, x, m.yx, m.yy, y} {
		affine[i] = float32(v)
	}
	amount := 0.0
	if d.ElasticAlpha != 0 {
		spread := d.ElasticAlpha / (max(d.ElasticSigma, 1) * math.Sqrt(12*math.Pi))
		amount = spread * math.Sqrt(3) / splinePower
	}
	fill(grid, float32(amount), rng)
}

// ApplyInk distorts strokes as Apply distorts images: the ink is fitted into the box of
// the 28x28 image, and every point moves by the field of that image. The result, in
// pixels of that box, reuses the memory of dst where it is large enough. Thickness has no
// meaning for strokes. Time and pressure of a point stay as they are.
func (d Distortion) ApplyInk(dst, k ink.Ink, rng *rand.Rand) ink.Ink {
	k = k.Clean()
	var f field
	d.fill(&f, rng)
	x0, y0, x1, y1, _ := k.Bounds()
	scale := 1.0
	if longer := max(x1-x0, y1-y0); longer > 0 {
		scale = inkBox / longer
	}
	offsetX, offsetY := middle-(x0/2+x1/2)*scale, middle-(y0/2+y1/2)*scale
	dst = slices.Grow(dst[:0], len(k))[:len(k)]
	for i, s := range k {
		out := dst[i][:0]
		for _, p := range s {
			p.X, p.Y = f.at(p.X*scale+offsetX, p.Y*scale+offsetY)
			out = append(out, p)
		}
		if d.Reverse > 0 && rng.Float64() < d.Reverse {
			slices.Reverse(out)
		}
		dst[i] = out
	}
	return dst
}

// inkBox is the longer side of the ink in the 28x28 image.
const inkBox = 20

// at reads the field between pixels, bilinearly; x and y are clamped to the image.
func (f *field) at(x, y float64) (fx, fy float64) {
	const last = side - 2
	x, y = min(max(x, 0), side-1), min(max(y, 0), side-1)
	column, row := min(int(x), last), min(int(y), last)
	u, v := x-float64(column), y-float64(row)
	i := row*side + column
	read := func(values *[pixels]float32) float64 {
		above := float64(values[i])*(1-u) + float64(values[i+1])*u
		below := float64(values[i+side])*(1-u) + float64(values[i+side+1])*u
		return above*(1-v) + below*v
	}
	return read(&f.x), read(&f.y)
}
