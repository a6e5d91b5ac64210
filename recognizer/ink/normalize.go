package ink

import (
	"image"
	"math"
	"slices"

	"inkshade/glcompute/message"
)

// Normalize does the last steps of MNIST's protocol for a picture of ink of any size: the
// longer side of the inked box is scaled to 20 pixels and the centre of mass put in the
// middle of pixel (14, 14) of 28x28. A 28x28 picture that already is so, as MNIST's images
// are and those of Rasterize, is returned as it is, to the last bit.
//
// ErrEmpty means that no pixel is above 0. A picture whose pixels are not as many as its
// sides say, or not in 0 to 1, is an error.
func Normalize(img Image) (Image, error) {
	if img.Width < 0 || img.Height < 0 || img.Width*img.Height != len(img.Pix) {
		return Image{}, message.Errorf("a picture of %dx%d pixels holds %d values; give it width times height", img.Width, img.Height, len(img.Pix))
	}
	for i, v := range img.Pix {
		if !(v >= 0 && v <= 1) {
			return Image{}, message.Errorf("pixel %d,%d of the picture is %g; use 0 for paper to 1 for ink", i%img.Width, i/img.Width, v)
		}
	}
	inked := img.inkedBox()
	if inked.Empty() {
		return Image{}, ErrEmpty
	}
	out := Image{Width: Side, Height: Side, Pix: make([]float32, Side*Side), Detail: img.Detail}
	if img.normal(inked) {
		copy(out.Pix, img.Pix)
		return out, nil
	}
	cut, edges := img.cut(inked)
	var p placing
	place(out.Pix, cut, inked.Dx(), edges, boxSide/edges.longer(), &p)
	if out.Detail == nil {
		out.Detail = p.detail(cut, inked.Dx(), edges)
	}
	return out, nil
}

// cut gives the pixels of a box, and the box of their ink.
func (img Image) cut(part image.Rectangle) (pix []float32, edges box) {
	pix = make([]float32, 0, part.Dx()*part.Dy())
	for y := part.Min.Y; y < part.Max.Y; y++ {
		pix = append(pix, img.Pix[y*img.Width+part.Min.X:][:part.Dx()]...)
	}
	return pix, softEdges(pix, part.Dx())
}

// softEdges is the inked box to a fraction of a pixel, as anti-aliasing and enlarging blur
// its edges: going inward, every row or column counts as far as its strongest pixel is
// inked, until one is more than half.
func softEdges(pix []float32, width int) box {
	height := len(pix) / width
	rows, columns := make([]float32, height), make([]float32, width)
	for y := range height {
		for x, v := range pix[y*width:][:width] {
			rows[y], columns[x] = max(rows[y], v), max(columns[x], v)
		}
	}
	b := box{softEdge(columns), softEdge(rows), 0, 0}
	slices.Reverse(rows)
	slices.Reverse(columns)
	b.x1, b.y1 = float64(width)-softEdge(columns), float64(height)-softEdge(rows)
	return b
}

// softEdge is how far the ink begins behind the first of some rows or columns; a blur is
// narrow, and what goes on longer is faint ink.
func softEdge(strongest []float32) float64 {
	if len(strongest) < 3 {
		return 0
	}
	edge := float32(0)
	for _, v := range strongest[:1+len(strongest)/20] {
		edge += 1 - v
		if v >= 0.5 {
			break
		}
	}
	return float64(edge)
}

// inkedBox is the smallest box around the pixels above 0.
func (img Image) inkedBox() image.Rectangle {
	x0, y0, x1, y1 := img.Width, img.Height, 0, 0
	for y := range img.Height {
		for x, v := range img.Pix[y*img.Width:][:img.Width] {
			if v > 0 {
				x0, x1 = min(x0, x), max(x1, x+1)
				y0, y1 = min(y0, y), y+1
			}
		}
	}
	return image.Rectangle{image.Pt(x0, y0), image.Pt(x1, y1)}
}

// normal tells whether the picture meets the protocol already. MNIST itself was centred to
// whole pixels; a box placed to a fraction of a pixel touches 21 of them.
func (img Image) normal(inked image.Rectangle) bool {
	if img.Width != Side || img.Height != Side {
		return false
	}
	size := max(inked.Dx(), inked.Dy())
	if (size < boxSide-1 || size > boxSide+1) && float64(size) > dotWidth+1 {
		return false
	}
	_, x, y := centreOfMass(img.Pix, Side)
	return centred(x, inked.Min.X, inked.Max.X) && centred(y, inked.Min.Y, inked.Max.Y)
}

// centred tells whether the centre of mass lies within half a pixel of where it belongs,
// or as near as it can without ink falling off the edge.
func centred(mass float64, low, high int) bool {
	// MNIST's own centres reach from 13.98 to 15.00.
	const tolerance = 0.5 + 0.03
	off := mass - centre
	return math.Abs(off) <= tolerance || off > 0 && low == 0 || off < 0 && high == Side
}

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
	weights []float32 // of all
}

// span is a run of source pixels with their weights.
type span struct {
	start   int
	weights []float32
}

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
		for j, w := range rows.weights {
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
		before := len(a.weights)
		for j := first; j < end; j++ {
			covered := min(high, float64(j+1)) - max(low, float64(j))
			a.weights = append(a.weights, float32(covered/(2*half)))
		}
		a.spans = append(a.spans, span{first, a.weights[before:]})
	}
}

func (a *axis) row(dst, src []float32) {
	for i, s := range a.spans {
		var sum float32
		for j, v := range src[s.start:][:len(s.weights)] {
			sum += s.weights[j] * v
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
