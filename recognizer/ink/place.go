package ink

import "math"

// box is the inked part of a picture, in its pixels: from the edge x0, y0 to x1, y1.
type box struct{ x0, y0, x1, y1 float64 }

// placing is the scratch of one call of place.
type placing struct {
	columns, rows axis
	strip         []float32 // source rows x Side: the source resampled along x
}

// axis says which source pixels each of the Side destination pixels averages.
type axis struct {
	start   [Side]int
	count   [Side]int
	offset  [Side]int // of its first weight
	weights []float32
}

// place resamples a picture of width columns by scale (destination pixels a source
// pixel) onto the 28x28 of dst, its centre of mass in the middle of pixel (14, 14). A
// destination pixel is the mean of the source under it, which keeps the amount of ink and
// its centre; when enlarging it is the linear interpolation. Ink that would fall off the
// edge is kept on it, at the cost of the centring.
func place(dst, src []float32, width int, inked box, scale float64, p *placing) {
	height := len(src) / width
	mass, x, y := centreOfMass(src, width)
	if mass == 0 {
		clear(dst[:Side*Side])
		return
	}
	p.columns.set(width, scale, shift(x, inked.x0, inked.x1, scale))
	p.rows.set(height, scale, shift(y, inked.y0, inked.y1, scale))

	if n := height * Side; cap(p.strip) < n {
		p.strip = make([]float32, n)
	} else {
		p.strip = p.strip[:n]
	}
	for row := range height {
		p.columns.row(p.strip[row*Side:][:Side], src[row*width:][:width])
	}
	clear(dst[:Side*Side])
	for i := range Side {
		out := dst[i*Side:][:Side]
		for j := range p.rows.count[i] {
			w := p.rows.weights[p.rows.offset[i]+j]
			in := p.strip[(p.rows.start[i]+j)*Side:][:Side]
			for c, v := range in {
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

func (a *axis) set(size int, scale, at float64) {
	a.weights = a.weights[:0]
	// Half the width of what one destination pixel averages, in source pixels.
	half := max(1, 1/scale) / 2
	for i := range Side {
		middle := (float64(i) + 0.5 - at) / scale
		low, high := middle-half, middle+half
		first := min(size, int(math.Floor(max(low, 0))))
		end := int(math.Ceil(min(high, float64(size))))
		a.start[i], a.offset[i], a.count[i] = first, len(a.weights), max(0, end-first)
		for j := first; j < end; j++ {
			covered := min(high, float64(j+1)) - max(low, float64(j))
			a.weights = append(a.weights, float32(covered/(2*half)))
		}
	}
}

func (a *axis) row(dst, src []float32) {
	for i := range Side {
		var sum float32
		w := a.weights[a.offset[i]:][:a.count[i]]
		for j, v := range src[a.start[i]:][:len(w)] {
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
