package ink

import (
	"math"
	"slices"
)

// box is the inked part of a picture, in its pixels: from the edge x0, y0 to x1, y1.
type box struct{ x0, y0, x1, y1 float64 }

func (b box) longer() float64 { return max(b.x1-b.x0, b.y1-b.y0) }

// placing is the scratch of resampling.
type placing struct {
	columns, rows axis
	strip         []float32 // source rows x side: the source resampled along x
}

// axis says which source pixels each of the destination pixels averages.
type axis struct {
	spans   []span
	weights []float32
}

// span is a run of source pixels, and where its weights begin.
type span struct{ start, count, offset int }

// place resamples a picture of width columns by scale (destination pixels a source
// pixel) onto the 28x28 of dst, its centre of mass in the middle of pixel (14, 14). Ink that
// would fall off the edge is kept on it, at the cost of the centring.
func place(dst, src []float32, width int, inked box, scale float64, p *placing) {
	mass, x, y := centreOfMass(src, width)
	if mass == 0 {
		clear(dst[:Side*Side])
		return
	}
	p.resample(dst, Side, src, width, scale, shift(x, inked.x0, inked.x1, scale), shift(y, inked.y0, inked.y1, scale))
}

// resample scales a picture of width columns onto the side*side pixels of dst, its edges at left
// and top. A destination pixel is the mean of the source under it, which keeps the amount of ink
// and its centre; when enlarging it is the linear interpolation.
func (p *placing) resample(dst []float32, side int, src []float32, width int, scale, left, top float64) {
	height := len(src) / width
	p.columns.set(side, width, scale, left)
	p.rows.set(side, height, scale, top)
	p.strip = slices.Grow(p.strip[:0], height*side)[:height*side]
	for row := range height {
		p.columns.row(p.strip[row*side:][:side], src[row*width:][:width])
	}
	clear(dst[:side*side])
	for i, rows := range p.rows.spans {
		out := dst[i*side:][:side]
		for j := range rows.count {
			w := p.rows.weights[rows.offset+j]
			for c, v := range p.strip[(rows.start+j)*side:][:side] {
				out[c] += w * v
			}
		}
		for c, v := range out {
			// Rounding of the weights may pass 1 by an ulp or two.
			out[c] = min(v, 1)
		}
	}
}

// shift is where the source's edge goes along one axis.
func shift(mass, low, high, scale float64) float64 {
	at := centre - mass*scale
	if at+low*scale < 0 {
		at = -low * scale
	}
	if over := at + high*scale - Side; over > 0 && (high-low)*scale <= Side {
		at -= over
	}
	return at
}

func (a *axis) set(side, size int, scale, at float64) {
	a.weights, a.spans = a.weights[:0], a.spans[:0]
	// Half the width of what one destination pixel averages, in source pixels.
	half := max(1, 1/scale) / 2
	for i := range side {
		middle := (float64(i) + 0.5 - at) / scale
		low, high := middle-half, middle+half
		first := min(size, int(math.Floor(max(low, 0))))
		end := int(math.Ceil(min(high, float64(size))))
		a.spans = append(a.spans, span{first, max(0, end-first), len(a.weights)})
		for j := first; j < end; j++ {
			covered := min(high, float64(j+1)) - max(low, float64(j))
			a.weights = append(a.weights, float32(covered/(2*half)))
		}
	}
}

func (a *axis) row(dst, src []float32) {
	for i, s := range a.spans {
		var sum float32
		w := a.weights[s.offset:][:s.count]
		for j, v := range src[s.start:][:len(w)] {
			sum += w[j] * v
		}
		dst[i] = sum
	}
}

// centreOfMass measures the ink and its centre, in pixels from the upper left edge.
func centreOfMass(pix []float32, width int) (mass, x, y float64) {
	for row := 0; row*width < len(pix); row++ {
		var sum, moment float64
		for i, v := range pix[row*width:][:width] {
			sum += float64(v)
			moment += float64(v) * (float64(i) + 0.5)
		}
		mass += sum
		x += moment
		y += sum * (float64(row) + 0.5)
	}
	if mass == 0 {
		return 0, 0, 0
	}
	return mass, x / mass, y / mass
}
