// Package prototype keeps what is left with a model of the samples it was trained with:
// means of clusters of each class. With a detector they tell a drawing that is like nothing the model
// knows, and they are what personal training replays, so that no training data is shipped. The
// temperature that calibrates the model's probabilities is kept with them.
package prototype

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas32"

	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
)

// Set is what a model keeps.
type Set struct {
	Temperature  float64       // divides the logits, so that of answers with probability p a share of about p is right (Guo et al., 2017)
	Limit        float64       // score beyond which a drawing is unknown
	PictureLimit float64       // that of pictures, of which a network that sees the pen misses a part; 0 where it is the same
	Shapes       [][][]float32 // by class, means of clusters of gradient features (feature.GradientSize values)
	Inputs       [][][]float32 // by class, means of clusters of the network's inputs
	Spread       Spread        // of networks that see the pen: by the edges alone, narrow classes would let too little pass
	Detector     *Detector     // nil in older files
}

// Spread is, by class, the mean squared distance of training samples from the nearest of
// what is kept of their class, beside the mean of all classes.
type Spread struct {
	Gradient []float64 // of the gradient features; nil stands for 1
	Pen      []float64 // of the pen's features; nil for no comparison of these
}

// Score is the out-of-distribution score, how far a drawing is from anything the model has seen:
//
//	score = min over the classes c of (d²(c) + doubtWeight·(-ln p(c))) + w·(-ln P(known))
//
// with P by the detector and its weight w; the calibrated probability p(c), and the squared distance d²(c) to the nearest of
// what is kept of the class: of the gradient features, and of the pen's where the network
// sees them, each divided by the class's own spread; for a picture, which has no pen, the
// first counts twice. So a drawing must look like a class that the network takes it for: one
// that looks like a 3 and is surely an 8 for the network is no known 8. features are
// those of feature.Extractor.Compared. logits are the network's, before any restriction of
// classes; classes beyond those of the set have nothing kept, and P is 1 for them: they are
// never out of distribution, because whoever added them knows them.
func (s *Set) Score(features, logits []float32) float64 {
	sum := nn.LogSum(logits, s.Temperature, nil)
	doubt := func(class int) float64 { return doubtWeight * (sum - float64(logits[class])/s.Temperature) }
	unknown := s.Detector.Score(features)
	distance := func(class int) float64 {
		if class >= len(s.Shapes) {
			return 0
		}
		return unknown + s.distance(features, class)
	}
	best := max(slices.Index(logits, slices.Max(logits)), 0) // a NaN is nowhere
	score := doubt(best) + distance(best)
	for c := range logits {
		if d := doubt(c); c != best && d < score {
			score = min(score, d+distance(c))
		}
	}
	return score
}

// distance is d² of Score.
func (s *Set) distance(features []float32, class int) float64 {
	if len(s.Shapes[class]) == 0 {
		return 0
	}
	const g = feature.GradientSize
	unit := 1.0
	if s.Spread.Gradient != nil {
		unit = s.Spread.Gradient[class]
	}
	if s.Spread.Pen == nil {
		_, d := feature.Closest(features[:g], s.Shapes[class])
		return float64(d) / unit
	}
	if picture(features) {
		_, d := feature.Closest(features[:g], s.Shapes[class])
		return 2 * float64(d) / unit
	}
	nearest := math.Inf(1)
	for _, x := range s.Inputs[class] {
		nearest = min(nearest, float64(feature.SquaredDistance(features[:g], x[:g]))/unit+
			float64(feature.SquaredDistance(features[g:], x[g:len(features)]))/s.Spread.Pen[class])
	}
	return nearest
}

// picture tells whether the features of a network that sees the pen are without one.
func picture(features []float32) bool { return slices.Max(features[feature.GradientSize:]) == 0 }

// OutOfDistribution is the score in units of the limit: above 1 the drawing is unknown.
func (s *Set) OutOfDistribution(features, logits []float32) float64 {
	limit := s.Limit
	if s.PictureLimit > 0 && picture(features) {
		limit = s.PictureLimit
	}
	return s.Score(features, logits) / limit
}

// Classes is the number of classes of the model that the set was made for; 0 where nothing is kept of them.
func (s *Set) Classes() int { return len(s.Shapes) }

// Calibration is Temperature; 1 of nil, for a model that was not calibrated.
func (s *Set) Calibration() float64 {
	if s == nil {
		return 1
	}
	return s.Temperature
}

// doubtWeight weighs a probability against a distance in Score.
const doubtWeight = 2.0

// ShapesOf are the gradient features that inputs of the pen begin with.
func ShapesOf(inputs [][]float32) [][]float32 {
	shapes := make([][]float32, len(inputs))
	for i, x := range inputs {
		shapes[i] = x[:feature.GradientSize]
	}
	return shapes
}

// Detector tells characters that a model knows from drawings that are none. It is a perceptron on
// feature.Extractor.Compared whose classes are those of the model and, last, none of them, taught with the
// samples of the model and with drawings made to be none (Hendrycks et al., "Deep anomaly detection with outlier
// exposure", 2019). It never looks at what the model's network computes, and so stays good for one that was trained
// further.
type Detector struct {
	Net    nn.Network
	Weight float64 // of Score
}

// detectorUnits is the number of hidden units of a detector.
const detectorUnits = 256

// Score is -ln of the probability that the features are of a class that is known, times the weight; 0 without a
// detector.
func (d *Detector) Score(features []float32) float64 {
	if d == nil || d.Weight == 0 {
		return 0
	}
	values := features
	for i, l := range d.Net.Layers {
		weights, units := l.Values[0], len(l.Values[1])
		sums := slices.Clone(l.Values[1])
		for k, v := range values {
			if v == 0 || i > 0 && v < 0 { // a hidden unit is a ReLU
				continue
			}
			blas32.Axpy(v, vector(weights[k*units:(k+1)*units]), vector(sums))
		}
		values = sums
	}
	return d.Weight * (nn.LogSum(values, 1, nil) - nn.LogSum(values[:len(values)-1], 1, nil))
}

func vector(x []float32) blas32.Vector { return blas32.Vector{N: len(x), Inc: 1, Data: x} }

// NewDetector makes one without values for so many classes that are known.
func NewDetector(in feature.Extractor, classes int) *Detector {
	features := feature.GradientSize
	if in.Edges && in.Pen > 0 {
		features += feature.PenSize
	}
	return &Detector{Net: nn.Perceptron(features, []int{detectorUnits}, classes+1, "relu")}
}

// packed is a detector in a file: a signed byte for each value, times the step of its parameter.
type packed struct {
	Weight  float64   `json:"weight"`
	Classes int       `json:"classes"` // that are known
	Steps   []float32 `json:"steps"`
	Values  []byte    `json:"values"`
}

func (d *Detector) encode() *packed {
	p := &packed{Weight: d.Weight, Classes: d.Net.Classes() - 1}
	for _, l := range d.Net.Layers {
		for _, values := range l.Values {
			step := max(slices.Max(values), -slices.Min(values), 1e-9) / math.MaxInt8
			p.Steps = append(p.Steps, step)
			for _, v := range values {
				p.Values = append(p.Values, byte(int8(math.Round(float64(v/step)))))
			}
		}
	}
	return p
}

// Rounded is the detector with the values that a file can hold.
func (d *Detector) Rounded(in feature.Extractor) (*Detector, error) {
	return d.encode().decode(in, d.Net.Classes()-1)
}

// decode makes a detector of at most so many classes.
func (p *packed) decode(in feature.Extractor, most int) (*Detector, error) {
	if p.Classes < 1 || p.Classes > most || !(p.Weight >= 0) || math.IsInf(p.Weight, 0) {
		return nil, errDamaged
	}
	d := NewDetector(in, p.Classes)
	d.Weight = p.Weight
	if len(p.Values) != d.Net.Parameters() || len(p.Steps) != 2*len(d.Net.Layers) {
		return nil, errDamaged
	}
	if err := d.Net.Initialise(0); err != nil {
		return nil, err
	}
	bytes := p.Values
	for i, l := range d.Net.Layers {
		for k, values := range l.Values {
			for n := range values {
				values[n] = float32(int8(bytes[n])) * p.Steps[2*i+k]
			}
			bytes = bytes[len(values):]
		}
	}
	if d.Net.Check() != nil { // a step that is no finite number
		return nil, errDamaged
	}
	return d, nil
}
