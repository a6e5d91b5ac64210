package personal

import (
	"math"

	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
)

// point is a drawing in the space where drawings are compared.
type point struct {
	features []float32 // gradient features of the image, then those of the pen where there are strokes
	size     float64   // natural logarithm of the longer side; NaN when unknown
}

func pointOf(image ink.Image, k ink.Ink) point {
	n := feature.GradientSize
	if len(k) > 0 {
		n += feature.PenSize
	}
	p := point{features: make([]float32, n), size: math.NaN()}
	feature.Gradient(p.features, image.Pix)
	if len(k) > 0 {
		feature.Pen(p.features[feature.GradientSize:], k)
		x0, y0, x1, y1, ok := k.Bounds()
		if longer := max(x1-x0, y1-y0); ok && longer > 0 {
			p.size = math.Log(longer)
		}
	}
	return p
}

// parts is the distance of two drawings: by the edges of their images, by the movements of
// the pen, and by size, because a person writes o and O alike but not in one size.
type parts struct {
	gradient float64 // |gradient - gradient'|²
	pen      float64 // |pen - pen'|²; NaN where one has no strokes
	size     float64 // min((ln size/size')², 1); 0 where one has no size, as a dot has none
}

// units is what each part is multiplied with.
type units struct{ gradient, pen, size float64 }

func compare(a, b point) parts {
	d, _ := compareWithin(a, b, math.Inf(1))
	return d
}

// compareWithin is compare; it may end early, with false, where the parts weigh limit or more
// with the usual units.
func compareWithin(a, b point, limit float64) (parts, bool) {
	const g = feature.GradientSize
	d := parts{gradient: float64(feature.SquaredDistance(a.features[:g], b.features[:g])), pen: math.NaN()}
	if len(a.features) == g || len(b.features) == g {
		return d, true
	}
	if usualUnits.gradient*d.gradient >= limit {
		return d, false
	}
	d.pen = float64(feature.SquaredDistance(a.features[g:], b.features[g:]))
	if log := a.size - b.size; !math.IsNaN(log) {
		d.size = min(log*log, 1)
	}
	return d, true
}

// in weighs the parts. Where one of the drawings has no strokes its edges stand for all,
// and they must be close: most pictures are not by the writer who is remembered.
func (d parts) in(u units) float64 {
	if math.IsNaN(d.pen) {
		return pictureWeight * d.gradient
	}
	return u.gradient*d.gradient + u.pen*d.pen + u.size*d.size
}

// usual are the parts between a drawing and its nearest neighbour among five
// of a class by one writer: about their means over 21 writers of UNIPEN.
var usual = parts{gradient: 4, pen: 3.2, size: 0.04}

var usualUnits = usual.units()

// The weights of the parts in units of the usual ones, and how many drawings the usual ones
// stand for. They and the numbers of Adjust were chosen to minimise the mean of -ln p(label) over
// writers that the networks had not seen, among those that leave the error on yet other
// writers about as it was (docs/learning.md).
const (
	gradientWeight = 0.25
	penWeight      = 1.5
	sizeWeight     = 0.33
	pictureWeight  = 1.5
	familiarity    = 10

	// neighbourDistance is the squared distance from the nearest neighbour by the same writer: the mean of each part is
	// its unit.
	neighbourDistance = gradientWeight + penWeight + sizeWeight
)

// units weighs each part by how much it varies with one writer.
func (d parts) units() units {
	return units{gradient: gradientWeight / d.gradient, pen: penWeight / d.pen, size: sizeWeight / d.size}
}
