package prototype

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas32"

	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
)

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
