package personal

import (
	"context"
	"math"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/embedding"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
)

// point is a drawing in the space where drawings are compared.
type point struct {
	features  []float32 // gradient features of the image, then those of the pen where there are strokes
	embedding []float32 // package embedding
	size      float64   // natural logarithm of the longer side; NaN when unknown
}

// pointsOf computes where drawings lie, on all processors; a drawing without strokes is a picture.
func pointsOf(ctx context.Context, images []ink.Image, inks []ink.Ink) ([]point, error) {
	embeddings, err := embedding.Of(ctx, images, inks)
	if err != nil {
		return nil, err
	}
	points := make([]point, len(images))
	return points, dataset.InParallel(ctx, len(images), func(_ context.Context, i int) error {
		points[i] = pointOf(images[i], inks[i])
		points[i].embedding = embeddings[i]
		return nil
	})
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

// parts is the distance of two drawings, part by part, or what each part is multiplied with.
type parts [4]float64

// The parts: as symbols, by the edges of their images, by the movements of the pen, and by size, because a person writes o and O alike
// but not in one size.
const (
	ofEmbedding = iota // |embedding - embedding'|², 0 to 4
	ofGradient         // |gradient - gradient'|²
	ofPen              // |pen - pen'|²; NaN where one has no strokes
	ofSize             // min((ln size/size')², 1); 0 where one has no size, as a dot has none
)

func compare(a, b point) parts {
	d, _ := compareWithin(a, b, math.Inf(1))
	return d
}

// compareWithin is compare; it may end early, with false, where the parts weigh limit or more
// with the usual units.
func compareWithin(a, b point, limit float64) (parts, bool) {
	const g = feature.GradientSize
	d := parts{ofEmbedding: float64(feature.SquaredDistance(a.embedding, b.embedding)), ofPen: math.NaN()}
	strokes := len(a.features) > g && len(b.features) > g
	sum := usualUnits[ofEmbedding] * d[ofEmbedding]
	if strokes && sum >= limit {
		return d, false
	}
	d[ofGradient] = float64(feature.SquaredDistance(a.features[:g], b.features[:g]))
	if !strokes {
		return d, true
	}
	if sum+usualUnits[ofGradient]*d[ofGradient] >= limit {
		return d, false
	}
	d[ofPen] = float64(feature.SquaredDistance(a.features[g:], b.features[g:]))
	if log := a.size - b.size; !math.IsNaN(log) {
		d[ofSize] = min(log*log, 1)
	}
	return d, true
}

// in weighs the parts. Where one of the drawings has no strokes its edges stand for all,
// and they must be close: most pictures are not by the writer who is remembered.
func (d parts) in(units parts) (sum float64) {
	if math.IsNaN(d[ofPen]) {
		return pictureWeight * d[ofGradient]
	}
	for i, v := range d {
		sum += units[i] * v
	}
	return sum
}

// symbol is the squared distance of two drawings as symbols, whoever drew them: mostly that of the embedding.
func (d parts) symbol() float64 {
	pen := d[ofPen]
	if math.IsNaN(pen) {
		pen = 2 * usual[ofPen]
	}
	return d[ofEmbedding] + 0.02*d[ofGradient] + 0.02*pen
}

// usual are the parts between a drawing and its nearest neighbour among five
// of a class by one writer: about their means over 21 writers of UNIPEN.
var usual = parts{ofEmbedding: 0.3, ofGradient: 4, ofPen: 3.2, ofSize: 0.04}

// weights are those of the parts in units of the usual ones. They and the numbers of Adjust were chosen to minimise the mean of
// -ln p(label) over writers that the networks had not seen, among those that leave the error on yet other writers about as it was
// (docs/learning.md).
var weights = parts{ofEmbedding: 0.6, ofGradient: 0.05, ofPen: 0.8, ofSize: 0.25}

const (
	pictureWeight     = 1.5
	familiarity       = 10  // drawings that the usual parts stand for
	neighbourDistance = 1.7 // squared, from the nearest neighbour by the same writer: the sum of weights, the mean of each part being its unit
)

var usualUnits = usual.units()

// units weighs each part by how much it varies with one writer.
func (d parts) units() (units parts) {
	for i, v := range d {
		units[i] = weights[i] / v
	}
	return units
}
